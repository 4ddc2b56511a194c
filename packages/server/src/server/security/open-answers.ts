/**
 * Answers that are still being sent, by key. A stream may go on for days, so a key that is revoked or expires meanwhile has
 * to be noticed: its connections are cut.
 */
import type { ServerResponse } from "node:http";
import type { KeyRing } from "../server-context.js";

const checkMs = 2_000;

export class OpenAnswers {
  readonly #keys: KeyRing;
  readonly #open = new Map<string, Set<ServerResponse>>();
  #isChecking = false;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  add(keyId: string, answer: ServerResponse): void {
    if (answer.closed) return;
    const open = this.#open.get(keyId) ?? new Set();
    this.#checkLater();
    this.#open.set(keyId, open.add(answer));
    answer.once("close", () => {
      open.delete(answer);
      if (open.size === 0) this.#open.delete(keyId);
    });
  }

  #checkLater(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    setTimeout(() => void this.#check(), checkMs).unref();
  }

  /** Goes on only while something is open. */
  async #check(): Promise<void> {
    for (const [keyId, answers] of Array.from(this.#open)) {
      if (await this.#keys.isStillGood(keyId)) continue;
      for (const answer of answers) answer.destroy();
    }
    this.#isChecking = false;
    if (this.#open.size > 0) this.#checkLater();
  }
}
