/**
 * Stands in for a language model that is configured and cannot be used. Every step is done without it, as with a model
 * that is down; the reason is told when a step would have asked it, once.
 */
import type { LanguageModel } from "../index.js";

export class UnusableLanguageModel implements LanguageModel {
  readonly name = "unusable";
  readonly #reason: Error;
  readonly #tell: (reason: Error) => void;
  #isTold = false;

  constructor(reason: Error, tell: (reason: Error) => void) {
    this.#reason = reason;
    this.#tell = tell;
  }

  async complete(): Promise<string> {
    if (!this.#isTold) this.#tell(this.#reason);
    this.#isTold = true;
    throw this.#reason;
  }
}
