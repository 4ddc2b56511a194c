/** JSON Lines as bodies, a line at a time in both directions. */
import { RequestError } from "../problem.js";

/** The first line is read before there is an answer, so that an error is one; the rest as the reader asks for it. */
export async function streamLines(lines: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let next = await lines.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done === true) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(`${next.value.replace(/\n$/u, "")}\n`));
      next = await lines.next();
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new RequestError("request_invalid", "the body is not UTF-8", { cause });
    }
  };
  for await (const chunk of bytes) {
    const lines = (rest + decode(chunk)).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  rest += decode();
  if (rest.trim() !== "") yield rest;
}
