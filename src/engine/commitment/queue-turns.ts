/**
 * How many queues of a process are at work at the same time: each has its person in memory. The others, of whom there may be
 * thousands when a process opens a store that another one left, wait in the order they came.
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
