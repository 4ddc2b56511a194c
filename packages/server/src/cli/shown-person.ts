/** Whom the commands that `mnemosyne serve` prints are about: somebody whom a key opens, where keys are asked for. */
import { allows } from "../server/security/access.js";
import { type KeyDescription, accessOf, isUsable } from "../server/security/key-entry.js";

export interface ShownPerson {
  readonly person: string;
  /** Which key opens that person's memory; null if none does, or none is asked for. */
  readonly keyId: string | null;
  /** Whether that key may only read. */
  readonly isReadOnly: boolean;
}

/** Follows the beginning of a name, where a key is for all that begin so. */
const example = "ada";

/** `wanted`, the best first; somebody else where more of the keys open that person's memory. */
export function choosePerson(wanted: readonly string[], keys: readonly KeyDescription[], nowMs: number): ShownPerson {
  const usable = keys.filter((key) => isUsable(key, nowMs));
  const writing = usable.filter((key) => !key.isReadOnly);
  const considered = writing.length > 0 ? writing : usable;
  const opening = (person: string): KeyDescription[] =>
    considered.filter((key) => allows(accessOf(key), "read", person));
  const named = considered.flatMap(({ persons }) => persons).map((name) => name.replace(/\*$/u, example));
  const [first, ...others] = [...wanted, ...named] as [string, ...string[]];
  const person = others.reduce((best, each) => (opening(each).length > opening(best).length ? each : best), first);
  const [key] = opening(person);
  return { person, keyId: key?.id ?? null, isReadOnly: key?.isReadOnly ?? false };
}
