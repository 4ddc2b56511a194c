/**
 * Limits how many of a process's queues work at the same time, since each keeps its person in memory. The others wait
 * in order of arrival; there may be thousands when a process opens a store that another one left.
 */
export class QueueTurns {
  readonly #waiting: (() => void)[] = [];
  #freeCount: number;

  constructor(countMax: number) {
    this.#freeCount = countMax;
  }

  async take(): Promise<void> {
    if (this.#freeCount > 0) this.#freeCount--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#freeCount++;
    else next();
  }
}
