/** The text of an export: decoded, without a byte order mark, in chunks or lines. What is not text is refused. */
import type { Reading } from "./reading.js";

const lineLengthMax = 50_000_000;

export type ExportChunks = AsyncIterable<string | Uint8Array>;

export async function* readChunks(chunks: ExportChunks, reading: Reading): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isFirst = true;
  let byteCount = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (cause) {
      const error = reading.refuse(`after byte ${byteCount}: not UTF-8 text; save or export it as UTF-8`);
      throw Object.assign(error, { cause });
    }
  };
  for await (const chunk of chunks) {
    if (typeof chunk !== "string" && isFirst)
      refuseBinary(Buffer.from(chunk.subarray(0, 4)).toString("latin1"), reading);
    let text = typeof chunk === "string" ? chunk : decode(chunk);
    byteCount += chunk.length;
    if (text === "") continue;
    if (isFirst) refuseBinary(text.slice(0, 4), reading);
    if (isFirst) text = text.replace(/^\uFEFF/u, "");
    isFirst = false;
    yield text;
  }
  const rest = decode();
  if (rest !== "") yield rest;
}

function refuseBinary(start: string, reading: Reading): void {
  if (start.startsWith("PK\u0003\u0004")) {
    const how =
      "unzip it (`unzip FILE`, or open it with a double click) and import the conversations.json or _chat.txt";
    throw reading.refuse(`at its start: a ZIP archive; ${how} in it`);
  }
  if (start.startsWith("\u00FF\u00FE") || start.startsWith("\u00FE\u00FF")) {
    throw reading.refuse("at its start: UTF-16 text; save it as UTF-8");
  }
  if (start.includes("\0") || start.startsWith("\u001F\u008B") || start.startsWith("%PDF")) {
    throw reading.refuse(
      "at its start: not a text file; give the file that `mnemosyne help import` names for this format",
    );
  }
}

export interface TextLine {
  readonly number: number;
  readonly text: string;
}

/** Lines without their ends, counted from 1. */
export async function* readTextLines(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<TextLine> {
  let number = 0;
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield { number: ++number, text: line.endsWith("\r") ? line.slice(0, -1) : line };
    if (rest.length > lineLengthMax) {
      throw reading.refuse(`line ${number + 1}: more than ${lineLengthMax} characters; this is not a file of lines`);
    }
  }
  if (rest !== "") yield { number: ++number, text: rest };
}
