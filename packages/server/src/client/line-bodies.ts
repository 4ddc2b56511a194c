/** Lines of text from and to streams of bytes. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = done ? "" : lines.pop()!;
      yield* lines;
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Lines, with or without their ends; or the bytes or text of a file as a stream. */
export type ImportSource = Iterable<string> | AsyncIterable<string> | ReadableStream<string | Uint8Array>;

/** Collected before it is sent: it can be sent again then, and browsers send no streams over HTTP/1.1. */
export async function collectLines(source: ImportSource): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  if ("getReader" in source) for await (const piece of pieces(source)) parts.push(piece as string);
  else for await (const line of source) parts.push(line.endsWith("\n") ? line : `${line}\n`);
  return new Blob(parts, { type: "application/x-ndjson" });
}

/** Not every browser's stream can be iterated. */
async function* pieces<Piece>(stream: ReadableStream<Piece>): AsyncGenerator<Piece, void, undefined> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
