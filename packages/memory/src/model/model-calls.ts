/**
 * How the memory talks to any language model: a few calls at a time, each within a time budget, and never trusted. A
 * reply is repaired where possible; an unusable one is requested once more, with the reason; after that the step is
 * done without the model. A model that does not answer at all is left alone for a while, so that later work does not
 * wait for it.
 */
import type { Parameters } from "../parameters.js";
import type { LanguageModel } from "../ports/language-model.js";
import { followSignals, pause, untilAborted } from "../signals.js";
import type {
  AskedModel,
  ModelAnswer,
  ModelCounts,
  ModelQuestion,
  ModelSilence,
  ModelStepTrace,
} from "../engine/parts.js";
import { withoutQuotes } from "../engine/without-quotes.js";
import { readReply } from "./model-reply.js";

type Limits = Pick<Parameters, "modelConcurrencyMax" | "modelTimeBudgetSeconds" | "modelRestSeconds">;

const triesMax = 2;
/** An unresponsive model is left alone twice as long each time, up to this many times the first rest. */
const restFactorMax = 16;
const quotedLengthMax = 300;

class TimeUpError extends Error {}

export class ModelCalls implements AskedModel {
  readonly model: LanguageModel;
  readonly #limits: Limits;
  readonly #waiting: (() => void)[] = [];
  #activeCount = 0;
  #restsUntilMs = -Infinity;
  #restFactor = 1;
  #restReason = "";
  #silence: ModelSilence | null = null;
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

  /** Whether the model recently failed to answer and is being left alone. */
  get isResting(): boolean {
    return performance.now() < this.#restsUntilMs;
  }

  /** Null if its last request was answered or this process has made none. */
  get silence(): ModelSilence | null {
    return this.#silence;
  }

  /** For a caller who wants the model now: a model that failed at once is asked again. */
  askAnyway(): void {
    if (this.#silence?.usedUpTime !== true) this.#restsUntilMs = -Infinity;
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

  async #try<Value>({ read, ...question }: ModelQuestion<Value>): Promise<ModelAnswer<Value>> {
    const { step } = question;
    const without = (failure: string): ModelAnswer<Value> => ({
      value: null,
      trace: { step, how: "without model", repairs: [], failure },
    });
    let failure: string | null = null;
    for (let tries = 1; tries <= triesMax; tries++) {
      if (this.isResting) return without(failure ?? `left alone for a while: ${this.#restReason}`);
      let reply: string;
      try {
        reply = await this.#complete(question, failure);
        this.#restFactor = 1;
        this.#silence = null;
      } catch (error) {
        question.signal?.throwIfAborted();
        const reason = withoutQuotes((error as Error).message, [question.text]);
        this.#rest(reason, error instanceof TimeUpError);
        return without(reason);
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

  /** The model is told to stop when its time is up, and is not waited for if it does not. */
  async #complete(question: Omit<ModelQuestion<unknown>, "read">, failure: string | null): Promise<string> {
    const { instruction, text, schema } = question;
    const budgetSeconds = this.#limits.modelTimeBudgetSeconds;
    const again = `\n\nYour last reply could not be used: ${failure?.slice(0, quotedLengthMax)}. Reply once more, with the JSON object only.`;
    question.signal?.throwIfAborted();
    const { controller: timeUp, release } = followSignals(question.signal);
    const work = this.model.complete({
      instruction,
      text: failure === null ? text : text + again,
      schema,
      signal: timeUp.signal,
    });
    const ended = new AbortController();
    const budget = pause(budgetSeconds * 1000, ended.signal).then(() => {
      const error = new TimeUpError(`no reply within ${budgetSeconds} s`);
      timeUp.abort(error);
      throw error;
    });
    try {
      const reply: unknown = await untilAborted(Promise.race([work, budget]), question.signal);
      if (typeof reply !== "string") throw new Error("the reply is not text");
      return reply;
    } catch (error) {
      // A model that heeds the signal may report that it was stopped before the budget says why.
      throw timeUp.signal.aborted ? timeUp.signal.reason : error;
    } finally {
      release();
      ended.abort();
      // The loser of the race may still reject, and nobody listens any more.
      work.catch(() => {});
      budget.catch(() => {});
    }
  }

  #rest(reason: string, usedUpTime: boolean): void {
    this.#restReason = reason;
    this.#silence = { reason, usedUpTime, count: (this.#silence?.count ?? 0) + 1 };
    this.#restsUntilMs = performance.now() + this.#limits.modelRestSeconds * 1000 * this.#restFactor;
    this.#restFactor = Math.min(restFactorMax, this.#restFactor * 2);
  }

  /** Waits for a place; the caller that leaves passes on its own. */
  async #enter(): Promise<void> {
    if (this.#activeCount < this.#limits.modelConcurrencyMax) this.#activeCount++;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#activeCount--;
    else next();
  }
}
