/**
 * Who has the model next: questions go before commitments, because somebody waits for the answer. Now and then a
 * commitment goes first nevertheless, so that what was said becomes a memory however much is asked. Embedder and judge
 * take turns with each other where they run on one model.
 */
export type Priority = "question" | "commitment";

const questionsInARowMax = 7;

export class ModelTurns {
  readonly #waiting: Record<Priority, (() => void)[]> = { question: [], commitment: [] };
  #freeCount: number;
  #questionsInARow = 0;

  constructor(callsAtOnce = 1) {
    this.#freeCount = callsAtOnce;
  }

  async run<Result>(priority: Priority, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.#waiting[priority].push(resolve);
      // A question of the same turn of the event loop may follow.
      queueMicrotask(() => this.#give());
    });
    try {
      return await work();
    } finally {
      this.#freeCount++;
      this.#give();
    }
  }

  #give(): void {
    while (this.#freeCount > 0) {
      const next = this.#waiting[this.#choose()].shift();
      if (next === undefined) return;
      this.#freeCount--;
      next();
    }
  }

  #choose(): Priority {
    const { question, commitment } = this.#waiting;
    if (commitment.length === 0 || (question.length > 0 && this.#questionsInARow < questionsInARowMax)) {
      this.#questionsInARow = commitment.length === 0 ? 0 : this.#questionsInARow + 1;
      return "question";
    }
    this.#questionsInARow = 0;
    return "commitment";
  }
}
