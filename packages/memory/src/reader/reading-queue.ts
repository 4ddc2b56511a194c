/**
 * Verdicts of the judge on their way to commitment and recall: checked, and remembered for texts seen recently. A few go
 * to the judge at a time, so that a question need not wait for all that a commitment asks.
 */
import { ModelError } from "../errors.js";
import type { AreaShares, Judge, JudgedPair, Relation } from "../ports/judge.js";
import { ModelTurns, type Priority } from "../engine/model-turns.js";

/** Words up to which an interaction is a statement that can be compared. Of longer ones, in talk by others, one verdict in ten was right. */
export const relationWordCountMax = 24;

/** Few of a commitment, so that a question need not wait long; what a question asks is best done at once, or all who ask wait. */
const textsPerCall: Readonly<Record<Priority, number>> = { question: 16, commitment: 4 };
/** About 1 MB of texts. */
const cachedCountMax = 4_096;

/** Verdicts are never quite 0 or 1. */
const verdictMargin = 1e-4;

export function logOdds(probability: number): number {
  const verdict = Math.min(1 - verdictMargin, Math.max(verdictMargin, probability));
  return Math.log(verdict / (1 - verdict));
}

export class Judging {
  readonly #judge: Judge;
  readonly #cache = new Map<string, Promise<unknown>>();
  readonly #turns: ModelTurns;

  /** `turns`: of the model it runs on, if it can work on one call at a time only. */
  constructor(judge: Judge, turns = new ModelTurns(Infinity)) {
    this.#judge = judge;
    this.#turns = turns;
  }

  get name(): string {
    return this.#judge.name;
  }

  get runtime(): string | null {
    return this.#judge.runtime ?? null;
  }

  get tellsAreas(): boolean {
    return this.#judge.areas !== undefined;
  }

  /** Only commitments ask. */
  substance(texts: readonly string[]): Promise<number[]> {
    return this.#ask("substance", texts, (some) => this.#judge.substance(some), isProbability, "commitment");
  }

  relation(pairs: readonly JudgedPair[], priority: Priority): Promise<Relation[]> {
    return this.#ask("relation", pairs, (some) => this.#judge.relation(some), isRelation, priority);
  }

  /** Only questions ask. */
  relevance(question: string, statements: readonly string[]): Promise<number[]> {
    const ask = (some: readonly string[]): Promise<number[]> => this.#judge.relevance(question, some);
    return this.#ask(`relevance ${question}`, statements, ask, isProbability, "question");
  }

  /** Null if the judge does not tell areas apart. */
  async areas(statements: readonly string[], priority: Priority): Promise<AreaShares[] | null> {
    if (this.#judge.areas === undefined) return null;
    return this.#ask("areas", statements, (some) => this.#judge.areas!(some), isAreaShares, priority);
  }

  /** Drops every verdict, so that no trace of a forgotten text remains here. */
  clearCache(): void {
    this.#cache.clear();
  }

  close(): Promise<void> {
    return this.#judge.close();
  }

  async #ask<Item, Verdict>(
    task: string,
    items: readonly Item[],
    ask: (some: readonly Item[]) => Promise<readonly Verdict[]>,
    isVerdict: (value: unknown) => boolean,
    priority: Priority,
  ): Promise<Verdict[]> {
    const keys = items.map((item) => `${task}\n${JSON.stringify(item)}`);
    // Of its own, because the cache may be cleared, and drops the oldest, while this waits.
    const verdicts = new Map(keys.map((key) => [key, this.#cache.get(key) as Promise<Verdict> | undefined]));
    const unknown = [...new Map(items.map((item, i) => [keys[i]!, item]))].filter(([key]) => !verdicts.get(key));
    for (let from = 0; from < unknown.length; from += textsPerCall[priority]) {
      const some = unknown.slice(from, from + textsPerCall[priority]);
      const call = this.#turns.run(priority, () =>
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
      throw new ModelError("judge_failed", `judge "${this.name}" failed: ${(cause as Error).message}`, { cause });
    }
    if (Array.isArray(verdicts) && verdicts.length === count && verdicts.every(isVerdict)) return verdicts;
    throw new ModelError("judge_failed", `judge "${this.name}" did not return ${count} verdicts from 0 to 1`);
  }
}

function isProbability(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isAreaShares(value: unknown): boolean {
  const shares = Object.values((value ?? {}) as object);
  return shares.length > 1 && shares.every(isProbability) && "passing" in (value as object);
}

function isRelation(value: unknown): boolean {
  const { repetition, update, different } = (value ?? {}) as Partial<Record<keyof Relation, unknown>>;
  return [repetition, update, different].every(isProbability);
}
