/**
 * Reads the table of a `.safetensors` file: a length, the table in JSON, then the tensors' numbers one after another.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { damagedFile } from "./model-json.js";

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
/** How many numbers are read at once. */
const chunkLength = 32_768;

/**
 * The tensors by name; their numbers stay in the file, which has to be whole: a model that lacks its end may still give
 * vectors, and nobody would know what they are worth.
 */
export function readSafetensorsTable(path: string): Map<string, StoredTensor> {
  const file = openSync(path, "r");
  try {
    const byteCount = fstatSync(file).size;
    const tableByteCount = byteCount < tableStart ? 0 : Number(readBytes(file, 0, tableStart).readBigUInt64LE());
    const dataStart = tableStart + tableByteCount;
    if (byteCount < dataStart) throw damaged(path, byteCount, `more than ${byteCount}`);
    const table = readBytes(file, tableStart, tableByteCount).toString("utf8");
    const tensors = readTensors(path, table, dataStart);
    const end = Math.max(...[...tensors.values()].map((tensor) => tensor.start + tensor.byteCount));
    if (byteCount !== end) throw damaged(path, byteCount, String(end));
    return tensors;
  } finally {
    closeSync(file);
  }
}

function damaged(path: string, byteCount: number, expected: string): Error {
  return new Error(`${resolve(path)} has ${byteCount} bytes instead of ${expected}; install its package again`);
}

function readTensors(path: string, table: string, dataStart: number): Map<string, StoredTensor> {
  try {
    return toTensors(JSON.parse(table) as Record<string, TableEntry>, dataStart);
  } catch (cause) {
    throw damagedFile(path, cause);
  }
}

function toTensors(entries: Readonly<Record<string, TableEntry>>, dataStart: number): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(entries)) {
    if (name === "__metadata__") continue;
    tensors.set(name, { type: dtype, shape, start: dataStart + offsets[0], byteCount: offsets[1] - offsets[0] });
  }
  return tensors;
}

/** Reads half-precision numbers, part by part, each into its place. */
export function readHalfPrecision(
  path: string,
  parts: readonly { readonly start: number }[],
  places: readonly Float32Array[],
): void {
  const halves = new Uint16Array(chunkLength);
  const file = openSync(path, "r");
  try {
    for (const [i, { start }] of parts.entries()) {
      const place = places[i]!;
      for (let done = 0; done < place.length; done += chunkLength) {
        const length = Math.min(chunkLength, place.length - done);
        readFully(file, halves.subarray(0, length), start + done * halves.BYTES_PER_ELEMENT);
        widen(halves, place, done, length);
      }
    }
  } finally {
    closeSync(file);
  }
}

function readBytes(file: number, start: number, byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount);
  readFully(file, bytes, start);
  return bytes;
}

function readFully(file: number, place: NodeJS.ArrayBufferView, start: number): void {
  const byteCount = readSync(file, place, 0, place.byteLength, start);
  if (byteCount < place.byteLength) throw new Error("the file is shorter than its table says");
}

const widened = Float32Array.from({ length: 2 ** 16 }, (_, bits) => widenOne(bits));

function widen(halves: Uint16Array, place: Float32Array, start: number, length: number): void {
  for (let i = 0; i < length; i++) place[start + i] = widened[halves[i]!]!;
}

/** A half-precision number: a sign, five bits of exponent, ten of fraction. */
function widenOne(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
