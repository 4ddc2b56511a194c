/** Bodies of requests and answers: lines from and to streams of bytes, and many interactions as requests of a bounded size. */
import type { CommitInput, CommitManyOptions, CommitManyResult } from "mnemosyne-edge";

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

/** The server takes a thousand, and 4 MiB. */
const countMax = 500;
const lengthMax = 500_000;

export async function commitInBatches(
  inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
  toBody: (input: CommitInput) => object,
  { onProgress = () => {}, signal }: CommitManyOptions,
  send: (interactions: readonly object[]) => Promise<CommitManyResult>,
): Promise<CommitManyResult> {
  const ids: string[] = [];
  let [acceptedCount, knownCount] = [0, 0];
  const total = Array.isArray(inputs) ? inputs.length : null;
  for await (const batch of batchesOf(inputs, toBody)) {
    signal?.throwIfAborted();
    const result = await send(batch);
    ids.push(...result.ids);
    acceptedCount += result.acceptedCount;
    knownCount += result.knownCount;
    onProgress(ids.length, total);
  }
  return { ids, acceptedCount, knownCount };
}

async function* batchesOf(
  inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
  toBody: (input: CommitInput) => object,
): AsyncGenerator<object[], void, undefined> {
  let batch: object[] = [];
  let length = 0;
  for await (const input of inputs) {
    const body = toBody(input);
    const own = JSON.stringify(body).length;
    if (batch.length >= countMax || (batch.length > 0 && length + own > lengthMax)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(body);
    length += own;
  }
  if (batch.length > 0) yield batch;
}
