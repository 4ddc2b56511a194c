/** One row: its values by the names of their fields, opened and checked. Whatever is wrong with it is said with its place. */
import { crc32 } from "../checksum.js";
import type { RedisCipher } from "./cipher.js";
import type { RedisArgument } from "./client.js";
import { DamagedRowError } from "./damage.js";

export interface RowPlace {
  readonly person: string;
  readonly kind: string;
  readonly id: string;
}

const sumLength = 8;

export class Row<Name extends string> {
  readonly #cipher: RedisCipher;
  readonly #place: RowPlace;
  readonly #names: readonly Name[];
  readonly #values: readonly (Buffer | null)[];
  readonly #prefix: string;

  constructor(cipher: RedisCipher, place: RowPlace, names: readonly Name[], values: readonly (Buffer | null)[]) {
    this.#cipher = cipher;
    this.#place = place;
    this.#names = names;
    this.#values = values;
    this.#prefix = `${place.person}|${place.kind}|${place.id}`;
  }

  /** Compares fields with their part of the checksum. */
  check(names: readonly Name[], part: number): void {
    const sums = this.plain("checksum" as Name) ?? "";
    // The fields of a part are next to each other.
    const from = this.#names.indexOf(names[0]!);
    const sum = sumOfValues(this.#prefix, this.#values, from, from + names.length);
    if (sums.slice(sumLength * (part - 1), sumLength * part) !== sum) throw this.#damage("checksum");
  }

  plain(name: Name): string | null {
    return this.#value(name)?.toString() ?? null;
  }

  number(name: Name): number {
    const text = this.plain(name);
    const value = Number(text);
    return this.needed(name, text === null || text === "" || Number.isNaN(value) ? null : value);
  }

  text(name: Name): string | null {
    return this.#opened(name)?.toString() ?? null;
  }

  json<Value>(name: Name): Value | null {
    const text = this.text(name);
    if (text === null) return null;
    try {
      return JSON.parse(text) as Value;
    } catch {
      // Without the cause, which would quote the text.
      throw this.#damage(name);
    }
  }

  list<Item>(name: Name): Item[] | null {
    const value = this.json<unknown>(name);
    if (value === null || Array.isArray(value)) return value;
    throw this.#damage(name);
  }

  texts(name: Name): string[] | null {
    const list = this.list<unknown>(name);
    if (list === null || list.every((item) => typeof item === "string")) return list as string[] | null;
    throw this.#damage(name);
  }

  /** A copy, so that it does not keep the whole reply alive. */
  vector(name: Name): Int8Array | null {
    const bytes = this.#opened(name);
    return bytes === null ? null : new Int8Array(bytes);
  }

  /** Vectors that lie one after the other. */
  vectors(name: Name, count: number): Int8Array[] {
    const joined = this.vector(name);
    if (joined === null && count === 0) return [];
    const dimensions = (joined?.length ?? 0) / count;
    if (joined === null || !Number.isInteger(dimensions) || dimensions === 0) throw this.#damage(name);
    return Array.from({ length: count }, (_, i) => joined.slice(i * dimensions, (i + 1) * dimensions));
  }

  /** For a field that every such row has. */
  needed<Value>(name: Name, value: Value | null): Value {
    if (value === null) throw this.#damage(name);
    return value;
  }

  #value(name: Name): Buffer | null {
    return this.#values[this.#names.indexOf(name)] ?? null;
  }

  #opened(name: Name): Buffer | null {
    const value = this.#value(name);
    if (value === null) return null;
    try {
      return this.#cipher.open(value, `${this.#prefix}|${name}`);
    } catch {
      throw this.#damage(name);
    }
  }

  #damage(part: string): DamagedRowError {
    const { person, kind, id } = this.#place;
    return new DamagedRowError(person, id === "" ? null : id, `the ${kind} is damaged (${part})`);
  }
}

/** One part after the other for the groups of a row's fields. */
export function checksumOf(
  place: string,
  parts: readonly (readonly string[])[],
  fields: ReadonlyMap<string, RedisArgument>,
): string {
  return parts.map((names) => sumOf(place, names, fields)).join("");
}

/** Of the bytes as they are stored; place, position and length of each are part of it, so that nothing can change places. */
export function sumOf(place: string, names: readonly string[], fields: ReadonlyMap<string, RedisArgument>): string {
  const values = names.map((name) => {
    const value = fields.get(name) ?? null;
    return typeof value === "string" ? Buffer.from(value) : value;
  });
  return sumOfValues(place, values, 0, values.length);
}

/** Where the bytes of a sum are put together, again and again: allocating would take longer than summing. */
let scratch = Buffer.allocUnsafeSlow(16 * 1024);
const bytesBeforeValue = 5;

function sumOfValues(place: string, values: readonly (Buffer | null)[], from: number, to: number): string {
  let byteCountMax = place.length * 3;
  for (let i = from; i < to; i++) byteCountMax += (values[i]?.length ?? 0) + bytesBeforeValue;
  if (byteCountMax > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * byteCountMax);
  let at = scratch.write(place);
  for (let i = from; i < to; i++) {
    const value = values[i] ?? null;
    if (value === null) continue;
    scratch[at] = i - from;
    scratch.writeUInt32BE(value.length, at + 1);
    scratch.set(value, at + bytesBeforeValue);
    at += bytesBeforeValue + value.length;
  }
  return crc32(scratch.subarray(0, at)).toString(16).padStart(sumLength, "0");
}
