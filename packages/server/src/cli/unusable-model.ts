/**
 * Stands in for a language model that is configured but unusable. Every step is done without it, as with a model that is
 * down. The first step that needs it reports why, once.
 */
import type { LanguageModel } from "mnemosyne-edge";

export class UnusableLanguageModel implements LanguageModel {
  readonly name = "unusable";
  readonly #reason: Error;
  readonly #warn: (reason: Error) => void;
  #hasWarned = false;

  constructor(reason: Error, warn: (reason: Error) => void) {
    this.#reason = reason;
    this.#warn = warn;
  }

  async complete(): Promise<string> {
    if (!this.#hasWarned) this.#warn(this.#reason);
    this.#hasWarned = true;
    throw this.#reason;
  }
}
