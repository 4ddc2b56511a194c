/** Work one at a time, callers taking turns: who asks for much waits for itself, others for one piece of it. */
export class FairTurns {
  /** Who waits, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  async run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) await this.#turnOf(caller);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turnOf(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.#waiting.get(caller);
      if (own === undefined) this.#waiting.set(caller, [resolve]);
      else own.push(resolve);
    });
  }

  /** Whoever had a turn goes to the end. Busy in between: nobody comes first who has not waited. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [caller, [begin, ...others]] = first;
    this.#waiting.delete(caller);
    if (others.length > 0) this.#waiting.set(caller, others);
    begin!();
  }
}
