/**
 * Key names (docs/redis.md lists them). All keys of a person share the hash tag `{person}`, so a cluster keeps them in
 * one slot and a script can change them in one step. The lists of persons are spread over a fixed number of buckets,
 * each in its own slot, so no single key grows with the number of persons.
 */
import { createHash } from "node:crypto";

const bucketCount = 256;

export class RedisKeys {
  readonly settings: string;
  readonly buckets: readonly RedisBucket[];
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.settings = `${prefix}settings`;
    this.buckets = Array.from({ length: bucketCount }, (_, i) => {
      const tag = `{${i.toString(16).padStart(2, "0")}}`;
      return {
        persons: `${prefix}persons:${tag}`,
        queue: `${prefix}queues:${tag}`,
        expiries: `${prefix}expiries:${tag}`,
      };
    });
  }

  cache(name: string): string {
    return `${this.#prefix}cache:${name}`;
  }

  /** The bucket that lists a person. */
  bucketOf(person: string): RedisBucket {
    return this.buckets[createHash("sha256").update(person).digest()[0]! % bucketCount]!;
  }

  /** What every key begins with. */
  get start(): string {
    return this.#prefix;
  }

  /** The person that a key belongs to; null for the others. */
  personOf(key: string): string | null {
    const encoded = /^\{([^}]*)\}/u.exec(key.slice(this.#prefix.length))?.[1];
    if (encoded === undefined) return null;
    return encoded === "%" ? "" : decodePerson(encoded);
  }

  person(person: string): PersonKeys {
    return new PersonKeys(`${this.#prefix}{${encodePerson(person)}}`);
  }
}

/** Lists of names, in one slot. */
export interface RedisBucket {
  /** All persons. */
  readonly persons: string;
  /** Those who recently had something in the queue. */
  readonly queue: string;
  /** Those of whom something expires. */
  readonly expiries: string;
}

export class PersonKeys {
  readonly head: string;
  readonly history: string;
  readonly queue: string;
  /** Interactions that expire, by the time at which they do. */
  readonly expiries: string;
  readonly memories: string;
  readonly removed: string;
  readonly revisions: string;
  /** Who may process the queue; expires. */
  readonly claim: string;

  constructor(head: string) {
    this.head = head;
    this.history = `${head}:history`;
    this.queue = `${head}:queue`;
    this.expiries = `${head}:expiries`;
    this.memories = `${head}:memories`;
    this.removed = `${head}:removed`;
    this.revisions = `${head}:revisions`;
    this.claim = `${head}:claim`;
  }

  /** The keys that every person has once, in the order the scripts expect. */
  get fixed(): string[] {
    return [this.head, this.history, this.queue, this.expiries, this.memories, this.removed, this.revisions];
  }

  interaction(id: string): string {
    return `${this.head}:interaction:${id}`;
  }

  memory(id: string): string {
    return `${this.head}:memory:${id}`;
  }

  neighbors(id: string): string {
    return `${this.head}:neighbors:${id}`;
  }
}

/** Braces would end the hash tag, and an empty tag is ignored; a lone % encodes nothing. */
function encodePerson(person: string): string {
  return person === "" ? "%" : encodeURIComponent(person);
}

/** Null if it is not one of ours. */
function decodePerson(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
