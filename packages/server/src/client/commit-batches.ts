/** Many interactions as requests of a bounded size. */
import type { CommitInput, CommitManyOptions, CommitManyResult } from "mnemosyne-edge";

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
