/**
 * A cell: one value as Redis keeps it. The cipher seals it, and a checksum of its place and its bytes follows, so that
 * neither a changed byte nor a value in another's place is taken for what was written.
 */
import { crc32 } from "../../../files/checksum.js";
import type { RedisCipher } from "./cipher.js";
import { DamagedRowError } from "./damage.js";

/** Whose value it is; nobody's has an empty person, and a person's own an empty id. */
export interface CellPlace {
  readonly person: string;
  readonly kind: string;
  readonly id: string;
  readonly field: string;
}

const checksumByteCount = 4;

export function packCell(cipher: RedisCipher, place: CellPlace, value: string | Uint8Array): Buffer {
  const name = nameOf(place);
  const sealed = cipher.seal(value, name);
  return Buffer.concat([sealed, checksumOf(name, sealed)]);
}

/** Throws DamagedRowError if it is not what was written, or not there. */
export function openCell(cipher: RedisCipher, place: CellPlace, cell: Buffer | null): Buffer {
  const name = nameOf(place);
  const sealed = cell?.subarray(0, -checksumByteCount);
  if (cell === null || sealed === undefined || !checksumOf(name, sealed).equals(cell.subarray(-checksumByteCount))) {
    throw damagedCell(place);
  }
  try {
    return cipher.open(sealed, name);
  } catch {
    // Without the cause, which says nothing more.
    throw damagedCell(place);
  }
}

export function damagedCell({ person, kind, id, field }: CellPlace): DamagedRowError {
  return new DamagedRowError(person, id === "" ? null : id, `the ${kind} is damaged (${field})`);
}

function nameOf({ person, kind, id, field }: CellPlace): string {
  return JSON.stringify([person, kind, id, field]);
}

function checksumOf(name: string, sealed: Uint8Array): Buffer {
  const sum = Buffer.allocUnsafe(checksumByteCount);
  sum.writeUInt32BE(crc32(sealed, crc32(Buffer.from(name))));
  return sum;
}
