/**
 * Verdicts of the reader on their way to a commit: checked, and remembered for texts seen recently. They go in batches, so
 * that a question need not wait for all of them.
 */
import { ModelError } from "../errors.js";
import { ModelTurns } from "../engine/model-turns.js";
import type { AskedReader } from "../engine/parts.js";
import type { Reading } from "../graph/statement.js";
import { abouts, lifeAreas } from "../graph/statement.js";
import type { Reader, Relation, StatementInTalk, StatementPair } from "../ports/reader.js";

const textsPerBatch = 16;
/** About 1 MB of texts. */
const cachedCountMax = 4_096;

/** Verdicts are never quite 0 or 1. */
const verdictMargin = 1e-4;

export function logOdds(probability: number): number {
  const verdict = Math.min(1 - verdictMargin, Math.max(verdictMargin, probability));
  return Math.log(verdict / (1 - verdict));
}

export class ReadingQueue implements AskedReader {
  readonly #reader: Reader;
  readonly #cache = new Map<string, Promise<unknown>>();
  readonly #turns: ModelTurns;

  readonly readsAlong: boolean;

  /** `turns`: of the model it runs on, if it can work on one call at a time only. */
  constructor(reader: Reader, { turns = new ModelTurns(Infinity), readsAlong = false } = {}) {
    this.#reader = reader;
    this.#turns = turns;
    this.readsAlong = readsAlong;
  }

  get name(): string {
    return this.#reader.name;
  }

  get runtime(): string | null {
    return this.#reader.runtime ?? null;
  }

  read(statements: readonly StatementInTalk[]): Promise<Reading[]> {
    return this.#ask("read", statements, (some) => this.#reader.read(some), isReading);
  }

  relate(pairs: readonly StatementPair[]): Promise<Relation[]> {
    return this.#ask("relate", pairs, (some) => this.#reader.relate(some), isRelation);
  }

  /** Drops every verdict, so that no trace of a forgotten text remains here. */
  clearCache(): void {
    this.#cache.clear();
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #ask<Item, Verdict>(
    task: string,
    items: readonly Item[],
    ask: (some: readonly Item[]) => Promise<readonly Verdict[]>,
    isVerdict: (value: unknown) => boolean,
  ): Promise<Verdict[]> {
    const keys = items.map((item) => `${task}\n${JSON.stringify(item)}`);
    // Of its own, because the cache may be cleared, and drops the oldest, while this waits.
    const verdicts = new Map(keys.map((key) => [key, this.#cache.get(key) as Promise<Verdict> | undefined]));
    const unknown = [...new Map(items.map((item, i) => [keys[i]!, item]))].filter(([key]) => !verdicts.get(key));
    for (let from = 0; from < unknown.length; from += textsPerBatch) {
      const some = unknown.slice(from, from + textsPerBatch);
      const call = this.#turns.run("commitment", () =>
        this.#call(() => ask(some.map(([, item]) => item)), some.length, isVerdict),
      );
      for (const [i, [key]] of some.entries()) {
        const verdict = call.then((found) => found[i]!);
        verdicts.set(key, verdict);
        this.#keep(key, verdict);
      }
      await call;
    }
    return Promise.all(keys.map((key) => verdicts.get(key)!));
  }

  #keep(key: string, verdict: Promise<unknown>): void {
    this.#cache.set(key, verdict);
    verdict.catch(() => this.#cache.delete(key));
    if (this.#cache.size > cachedCountMax) this.#cache.delete(this.#cache.keys().next().value!);
  }

  async #call<Verdict>(
    ask: () => Promise<readonly Verdict[]>,
    count: number,
    isVerdict: (value: unknown) => boolean,
  ): Promise<readonly Verdict[]> {
    let verdicts: readonly Verdict[];
    try {
      verdicts = await ask();
    } catch (cause) {
      if (cause instanceof ModelError) throw cause;
      throw new ModelError("reader_failed", `reader "${this.name}" failed: ${(cause as Error).message}`, { cause });
    }
    if (Array.isArray(verdicts) && verdicts.length === count && verdicts.every(isVerdict)) return verdicts;
    throw new ModelError("reader_failed", `reader "${this.name}" did not return ${count} verdicts from 0 to 1`);
  }
}

function isProbability(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isReading(value: unknown): boolean {
  const { fact, about, area, lasting, alone } = (value ?? {}) as Record<keyof Reading, unknown>;
  const isKnown = abouts.includes(about as Reading["about"]) && lifeAreas.includes(area as Reading["area"]);
  return isKnown && [fact, lasting, alone].every(isProbability);
}

function isRelation(value: unknown): boolean {
  const { repeats, ends, other } = (value ?? {}) as Record<keyof Relation, unknown>;
  return [repeats, ends, other].every(isProbability);
}
