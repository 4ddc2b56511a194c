/**
 * Names of keys (docs/redis.md lists them). All keys of a person share the hash tag `{person}`, so that a cluster keeps
 * them in one slot and a script can change them in one step. The lists of persons are spread over a fixed number of
 * buckets, each in a slot of its own, so that no one key grows with the number of persons.
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
      return { persons: `${prefix}persons:${tag}`, queues: `${prefix}queues:${tag}` };
    });
  }

  cache(name: string): string {
    return `${this.#prefix}cache:${name}`;
  }

  /** The bucket that lists a person. */
  bucketOf(person: string): RedisBucket {
    return this.buckets[createHash("sha256").update(person).digest()[0]! % bucketCount]!;
  }

  person(person: string): PersonKeys {
    return new PersonKeys(`${this.#prefix}{${encodePerson(person)}}`);
  }
}

export interface RedisBucket {
  /** Everybody. */
  readonly persons: string;
  /** Who had something in the queue lately. */
  readonly queues: string;
}

export class PersonKeys {
  readonly head: string;
  readonly history: string;
  readonly queue: string;
  readonly memories: string;
  readonly edges: string;
  readonly removed: string;
  readonly revisions: string;
  /** Whose turn it is to process the queue; ends by itself. */
  readonly claim: string;

  constructor(head: string) {
    this.head = head;
    this.history = `${head}:history`;
    this.queue = `${head}:queue`;
    this.memories = `${head}:memories`;
    this.edges = `${head}:edges`;
    this.removed = `${head}:removed`;
    this.revisions = `${head}:revisions`;
    this.claim = `${head}:claim`;
  }

  /** Those that a person has one of, in the order the scripts expect them. */
  get fixed(): string[] {
    return [this.head, this.history, this.queue, this.memories, this.edges, this.removed, this.revisions];
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

/** Braces would end the hash tag, and an empty tag counts for nothing; a lone % is nobody's encoding. */
function encodePerson(person: string): string {
  return person === "" ? "%" : encodeURIComponent(person);
}
