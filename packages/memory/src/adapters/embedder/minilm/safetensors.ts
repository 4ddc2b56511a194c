/** Reads `.safetensors` files: a length, a table in JSON, then the tensors' numbers one after another. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";

export interface StoredTensor {
  readonly type: string;
  readonly shape: readonly number[];
  /** Where in the file its numbers begin. */
  readonly start: number;
  readonly byteCount: number;
}

interface TableEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [start: number, end: number];
}

const tableStart = 8;

/**
 * The tensors by name; their numbers stay in the file. A file without its end could still give vectors, and wrong ones,
 * so its length is checked.
 */
export function readSafetensorsTable(path: string): Map<string, StoredTensor> {
  return withFile(path, (file) => {
    const byteCount = fstatSync(file).size;
    const tableByteCount = byteCount < tableStart ? 0 : Number(readBytes(file, 0, tableStart).readBigUInt64LE());
    const dataStart = tableStart + tableByteCount;
    if (byteCount < dataStart) throw truncatedFile(path, byteCount, `more than ${byteCount}`);
    const tensors = readTensors(path, readBytes(file, tableStart, tableByteCount).toString("utf8"), dataStart);
    const end = Math.max(...[...tensors.values()].map((tensor) => tensor.start + tensor.byteCount));
    if (byteCount !== end) throw truncatedFile(path, byteCount, String(end));
    return tensors;
  });
}

function readTensors(path: string, table: string, dataStart: number): Map<string, StoredTensor> {
  try {
    const entries = Object.entries(JSON.parse(table) as Record<string, TableEntry>);
    return new Map(
      entries
        .filter(([name]) => name !== "__metadata__")
        .map(
          ([
            name,
            {
              dtype,
              shape,
              data_offsets: [from, to],
            },
          ]) => [name, { type: dtype, shape, start: dataStart + from, byteCount: to - from }],
        ),
    );
  } catch (cause) {
    throw damagedFile(resolve(path), cause);
  }
}

export function damagedFile(path: string, cause: unknown): Error {
  return new Error(`${path} is damaged (${(cause as Error).message}); install its package again`, { cause });
}

function truncatedFile(path: string, byteCount: number, expected: string): Error {
  return new Error(`${resolve(path)} has ${byteCount} bytes instead of ${expected}; install its package again`);
}

/** Half-precision numbers from several places of a file, as many from each, one after another. */
export function readHalfPrecision(path: string, starts: readonly number[], numbers: Float32Array): void {
  const count = numbers.length / starts.length;
  withFile(path, (file) => {
    for (const [i, start] of starts.entries()) {
      const bytes = readBytes(file, start, count * Uint16Array.BYTES_PER_ELEMENT);
      for (let k = 0; k < count; k++) numbers[i * count + k] = widened[bytes.readUInt16LE(2 * k)]!;
    }
  });
}

export function readTensor(path: string, { start, byteCount }: StoredTensor): ArrayBuffer {
  return withFile(path, (file) => new Uint8Array(readBytes(file, start, byteCount)).buffer);
}

function withFile<Result>(path: string, read: (file: number) => Result): Result {
  const file = openSync(path, "r");
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

function readBytes(file: number, start: number, byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount);
  if (readSync(file, bytes, 0, byteCount, start) < byteCount) {
    throw new Error("the file is shorter than its table says");
  }
  return bytes;
}

const widened = Float32Array.from({ length: 2 ** 16 }, (_, bits) => widen(bits));

/** A half-precision number: a sign, five bits of exponent, ten of fraction. */
function widen(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
