/** Damage: rows that are not what was written, and errors that name them. */
import { StoreError } from "../../../errors.js";
import { type StoreDamage, describeDamage } from "../../../ports/store.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder();

/** Text as it lies in the file; undefined if the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Legible in any case, to name what is damaged. */
export function decodeLeniently(value: unknown): string | null {
  return value instanceof Uint8Array ? lenientDecoder.decode(value) : null;
}

export function damaged(path: string, damage: StoreDamage): StoreError {
  const advice =
    "whatever does not need it can still be read; `mnemosyne doctor` lists the damage and says how to save what is whole";
  return new StoreError("store_damaged", `${path} is damaged: ${describeDamage(damage)}; ${advice}`);
}
