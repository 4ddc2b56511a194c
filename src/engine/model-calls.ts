/**
 * How the memory talks to a language model, whichever it is: a few calls at a time, each within a time budget, and never
 * trusted. A reply is mended where it can be; one that cannot be used is asked for once more, with the reason; after that
 * the step is done without the model. A model that does not answer at all is left alone for a while, so that what comes
 * meanwhile does not wait for it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Parameters } from "../parameters.js";
import type { LanguageModel } from "../ports/language-model.js";
import { readReply } from "./model-reply.js";

export type ModelStepName = "interaction summary" | "running summary" | "commitment" | "core summary";

/** What happened in one step: the reply was as asked, mended, good at the second try, or the step went without it. */
export interface ModelStepTrace {
  readonly step: ModelStepName;
  readonly how: "as asked" | "repaired" | "retried" | "without model";
  readonly repairs: readonly string[];
  /** Why the last unusable reply, or the silence, was none. */
  readonly failure: string | null;
}

export interface ModelAnswer<Value> {
  /** Null where the step has to be done without the model. */
  readonly value: Value | null;
  readonly trace: ModelStepTrace;
}

export interface ModelQuestion<Value> {
  readonly step: ModelStepName;
  readonly instruction: string;
  readonly text: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Throws, saying what is wrong, where the object is not what was asked for. */
  readonly read: (object: Readonly<Record<string, unknown>>) => Value;
}

export type ModelCounts = Readonly<Record<ModelStepTrace["how"], number>>;

type Limits = Pick<Parameters, "modelConcurrencyMax" | "modelTimeBudgetSeconds" | "modelRestSeconds">;

const triesMax = 2;
/** A model that stays silent is left alone twice as long each time, up to so many times the first. */
const restFactorMax = 16;
const quotedLengthMax = 300;

export class ModelCalls {
  readonly model: LanguageModel;
  readonly #limits: Limits;
  readonly #waiting: (() => void)[] = [];
  #activeCount = 0;
  #restsUntilMs = -Infinity;
  #restFactor = 1;
  #silence = "";
  readonly #counts: Record<ModelStepTrace["how"], number> = {
    "as asked": 0,
    repaired: 0,
    retried: 0,
    "without model": 0,
  };

  constructor(model: LanguageModel, limits: Limits) {
    this.model = model;
    this.#limits = limits;
  }

  /** Steps since the memory was opened, by how they went. */
  get counts(): ModelCounts {
    return { ...this.#counts };
  }

  /** Whether the model did not answer lately and is left alone. */
  get isResting(): boolean {
    return performance.now() < this.#restsUntilMs;
  }

  async ask<Value>(question: ModelQuestion<Value>): Promise<ModelAnswer<Value>> {
    await this.#enter();
    try {
      const answer = await this.#try(question);
      this.#counts[answer.trace.how]++;
      return answer;
    } finally {
      this.#leave();
    }
  }

  async #try<Value>(question: ModelQuestion<Value>): Promise<ModelAnswer<Value>> {
    const { step, read } = question;
    const without = (failure: string): ModelAnswer<Value> => ({
      value: null,
      trace: { step, how: "without model", repairs: [], failure },
    });
    let failure: string | null = null;
    for (let tries = 1; tries <= triesMax; tries++) {
      if (this.isResting) return without(failure ?? `left alone for a while: ${this.#silence}`);
      let reply: string;
      try {
        reply = await this.#complete(question, failure);
        this.#restFactor = 1;
      } catch (error) {
        this.#rest((error as Error).message);
        return without((error as Error).message);
      }
      try {
        const { value, repairs } = readReply(reply, read);
        const how = tries > 1 ? "retried" : repairs.length > 0 ? "repaired" : "as asked";
        return { value, trace: { step, how, repairs, failure } };
      } catch (error) {
        failure = (error as Error).message;
      }
    }
    return without(failure!);
  }

  /** The model is told to stop when its time is up, and not waited for if it does not. */
  async #complete<Value>({ instruction, text, schema }: ModelQuestion<Value>, failure: string | null): Promise<string> {
    const { modelTimeBudgetSeconds } = this.#limits;
    const again = `\n\nYour last reply could not be used: ${failure?.slice(0, quotedLengthMax)}. Reply once more, with the JSON object only.`;
    const timeUp = new AbortController();
    const work = this.model.complete({
      instruction,
      text: failure === null ? text : text + again,
      schema,
      signal: timeUp.signal,
    });
    const ended = new AbortController();
    const budget = sleep(modelTimeBudgetSeconds * 1000, undefined, { signal: ended.signal }).then(() => {
      const error = new Error(`no reply within ${modelTimeBudgetSeconds} s`);
      timeUp.abort(error);
      throw error;
    });
    try {
      const reply: unknown = await Promise.race([work, budget]);
      if (typeof reply !== "string") throw new Error("the reply is no text");
      return reply;
    } finally {
      ended.abort();
      // Whichever lost the race has nobody left to tell.
      work.catch(() => {});
      budget.catch(() => {});
    }
  }

  #rest(silence: string): void {
    this.#silence = silence;
    this.#restsUntilMs = performance.now() + this.#limits.modelRestSeconds * 1000 * this.#restFactor;
    this.#restFactor = Math.min(restFactorMax, this.#restFactor * 2);
  }

  async #enter(): Promise<void> {
    if (this.#activeCount < this.#limits.modelConcurrencyMax) {
      this.#activeCount++;
      return;
    }
    // Whoever leaves hands over the place.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#activeCount--;
    else next();
  }
}
