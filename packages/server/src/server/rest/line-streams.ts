/** JSON Lines as bodies, a line at a time in both directions. */
import { RequestError } from "../problem.js";

/** The first line is read before there is an answer, so that an error is one. */
export async function beginLines(lines: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await lines.next();
  return (async function* () {
    try {
      if (first.done !== true) yield endLine(first.value);
      for await (const line of lines) yield endLine(line);
    } finally {
      await lines.return(undefined);
    }
  })();
}

function endLine(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n`;
}

/** All of them are held at once, and a line takes more than its bytes: an export of the bytes that a stream may have is far from it. */
const lineCountMax = 2_000_000;

/** Lines that are not blank; `countMax` of any kind. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, countMax = lineCountMax): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The beginning of a line that has not ended. Its pieces are joined once: searched again with each, a long line would block everybody.
  let pieces: string[] = [];
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new RequestError("request_invalid", "the body is not UTF-8", { cause });
    }
  };
  let count = 0;
  for await (const chunk of bytes) {
    const [first = "", ...others] = decode(chunk).split("\n");
    pieces.push(first);
    if (others.length === 0) continue;
    count += others.length;
    if (count > countMax) {
      throw new RequestError("body_too_large", `an import may have ${countMax.toLocaleString("en")} lines; split it`);
    }
    const begun = others.pop()!;
    for (const line of [pieces.join(""), ...others]) if (line.trim() !== "") yield line;
    pieces = [begun];
  }
  const last = pieces.join("") + decode();
  if (last.trim() !== "") yield last;
}
