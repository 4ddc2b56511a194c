/**
 * What a caller may do. Every route, tool and door asks here, before anything of a person is looked up: who may not see a
 * person gets the same answer, as fast, whether that person exists or not.
 */

/** `admin` is for what concerns everybody: the list of persons, and metrics. */
export type Need = "read" | "write" | "admin";

export interface Access {
  /** Which key it comes from; null where no keys are asked for. */
  readonly keyId: string | null;
  /** May list persons and read metrics, and sees everybody. */
  readonly isAdmin: boolean;
  /** Names, or beginnings of names that end in `*`. An admin's is not asked. */
  readonly persons: readonly string[];
  readonly isReadOnly: boolean;
}

/** Where no keys are asked for: whoever reaches the port may do everything. */
export const fullAccess: Access = { keyId: null, isAdmin: true, persons: [], isReadOnly: false };

export function allows(access: Access, need: Need, person: string | null): boolean {
  if (need !== "read" && need !== "admin" && access.isReadOnly) return false;
  if (need === "admin" || person === null) return access.isAdmin;
  return access.isAdmin || access.persons.some((pattern) => matches(pattern, person));
}

/** The only person that it can be about; null if there may be several. */
export function onlyPerson({ isAdmin, persons }: Access): string | null {
  const [only] = persons;
  return !isAdmin && persons.length === 1 && only !== undefined && !only.endsWith("*") ? only : null;
}

function matches(pattern: string, person: string): boolean {
  return pattern.endsWith("*") ? person.startsWith(pattern.slice(0, -1)) : person === pattern;
}
