/**
 * Who has the model next: questions go before commitments, because somebody waits for the answer. Now and then a
 * commitment goes first nevertheless, so that what was said becomes a memory however much is asked.
 */
export type Priority = "question" | "commitment";

const questionsInARowMax = 7;

export class ModelTurns {
  #questionsInARow = 0;

  /** Which of those that wait is next; null if nobody waits. */
  next(waiting: Readonly<Record<Priority, readonly unknown[]>>): Priority | null {
    const isQuestionWaiting = waiting.question.length > 0;
    const isCommitmentWaiting = waiting.commitment.length > 0;
    if (!isCommitmentWaiting) this.#questionsInARow = 0;
    if (isQuestionWaiting && this.#questionsInARow < questionsInARowMax) {
      if (isCommitmentWaiting) this.#questionsInARow++;
      return "question";
    }
    this.#questionsInARow = 0;
    if (isCommitmentWaiting) return "commitment";
    return isQuestionWaiting ? "question" : null;
  }
}
