/**
 * A page on its way between threads: all bytes in one piece, which is given away, and the rest in columns. A view of each
 * record would take longer to send than to make.
 */
import type { RecordPage, StoreDamage, StoredRecord } from "../store.js";

export interface SentPage {
  readonly bytes: ArrayBuffer;
  readonly kinds: readonly string[];
  readonly ids: readonly string[];
  /** Of each record place, version, and where its bytes begin and end. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of those that are on a list, by position. */
  readonly due: readonly (readonly [position: number, due: NonNullable<StoredRecord["due"]>])[];
  readonly damage: readonly StoreDamage[];
}

const numberCount = 4;
const alignment = 4;
const alignedLength = ({ bytes }: StoredRecord): number => Math.ceil(bytes.byteLength / alignment) * alignment;

export function packPage({ records, damage }: RecordPage): SentPage {
  const first = records[0]?.bytes.buffer;
  const isOne = first instanceof ArrayBuffer && records.every(({ bytes }) => bytes.buffer === first);
  const bytes = isOne ? first : new ArrayBuffer(records.reduce((sum, record) => sum + alignedLength(record), 0));
  const numbers = new Float64Array(numberCount * records.length);
  let next = 0;
  for (const [i, record] of records.entries()) {
    const { bytes: own, place, version } = record;
    const start = isOne ? own.byteOffset : next;
    if (!isOne) new Uint8Array(bytes).set(own, start);
    next += alignedLength(record);
    numbers.set([place, version, start, start + own.byteLength], numberCount * i);
  }
  return {
    bytes,
    kinds: records.map(({ kind }) => kind),
    ids: records.map(({ id }) => id),
    numbers,
    due: [...records.entries()].flatMap(([i, { due }]) => (due === undefined ? [] : [[i, due] as const])),
    damage,
  };
}

export function unpackPage({ bytes, kinds, ids, numbers, due, damage }: SentPage): RecordPage {
  const lists = new Map(due);
  const records = kinds.map((kind, i): StoredRecord => {
    const [at, own] = [numberCount * i, lists.get(i)];
    const start = numbers[at + 2]!;
    const record = {
      kind,
      id: ids[i]!,
      bytes: new Uint8Array(bytes, start, numbers[at + 3]! - start),
      place: numbers[at]!,
      version: numbers[at + 1]!,
    };
    return own === undefined ? record : { ...record, due: own };
  });
  return { records, damage };
}
