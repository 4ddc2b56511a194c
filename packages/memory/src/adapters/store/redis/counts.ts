/**
 * How long the lists of a person have to be. The head knows, and the scripts keep it up to date, so that a list which
 * Redis evicted, or of which something is missing, is not taken for a short one.
 */
import { DamagedRowError, LostPartError } from "./damage.js";
import type { RedisReply } from "./client.js";
import type { RedisConnection } from "./connection.js";
import type { PersonKeys } from "./keys.js";
import { countScript } from "./small-scripts.js";

/** In the order of the head's field. */
export const listNames = ["history", "queue", "memories", "edges", "removed"] as const;

export type ListName = (typeof listNames)[number];

export class PersonCounts {
  readonly #numbers: readonly string[];

  /** Of the head's field. */
  static parse(person: string, field: Buffer | null): PersonCounts {
    const text = field?.toString() ?? "";
    if (!/^(?:\d+ ){5}\d+$/u.test(text)) throw new DamagedRowError(person, null, "the counts are damaged");
    return new PersonCounts(text.split(" "));
  }

  private constructor(numbers: readonly string[]) {
    this.#numbers = numbers;
  }

  of(list: ListName): number {
    return Number(this.#numbers[listNames.indexOf(list)]);
  }

  /** How many ends all edges have together. */
  get edgeEnds(): number {
    return Number(this.#numbers[5]);
  }
}

/** What the lists lack, all read at one moment. */
export async function findLost(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
): Promise<LostPartError[]> {
  const reply = await connection.run(countScript, [keys.head, ...listNames.map((name) => keys[name])], []);
  const [revision, field, ...lengths] = reply as RedisReply[];
  if (revision === null) return lengths.some((length) => Number(length) > 0) ? [headless(person)] : [];
  const counts = PersonCounts.parse(person, field as Buffer | null);
  return listNames.flatMap((name, i) => {
    const [found, expected] = [Number(lengths[i]), counts.of(name)];
    if (found === expected) return [];
    return [new LostPartError(person, null, `the list "${name}" has ${found} of ${expected} entries`)];
  });
}

export function headless(person: string): LostPartError {
  return new LostPartError(person, null, "the head is missing");
}

/** For a reader to whom something seemed to be missing: throws if it is, and otherwise it changed in the meantime. */
export async function throwLost(connection: RedisConnection, keys: PersonKeys, person: string): Promise<void> {
  const [lost] = await findLost(connection, keys, person);
  if (lost !== undefined) throw lost;
}
