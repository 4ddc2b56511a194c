/** Options that several commands have. */
import { InputError } from "mnemosyne-edge";

/** A whole number from 1. */
export function readCount(name: string, given: string): number {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InputError("option_invalid", `${name} must be a whole number from 1`);
}
