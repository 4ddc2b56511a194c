/**
 * A language model that gives recorded replies. It is told which interaction is replayed, and gives that one's reply when
 * the request shows its words; what was not recorded (the core summary) it leaves empty, so that the memory does that step
 * without a model.
 */
import { InputError, type LanguageModel, type LanguageModelRequest } from "../../index.js";
import type { DatasetInteraction } from "../data/dataset.js";
import type { RecordedReplies } from "../data/recorded-replies.js";

export class RecordedModel implements LanguageModel {
  readonly name: string;
  readonly #replies: RecordedReplies["replies"];
  #replayed: DatasetInteraction | null = null;
  #failure: InputError | null = null;

  constructor({ file, replies }: RecordedReplies) {
    this.name = `replies of ${file}`;
    this.#replies = replies;
  }

  /** From now on requests are about this interaction. */
  turnTo(interaction: DatasetInteraction): void {
    this.#replayed = interaction;
  }

  /** The memory goes on without a model that fails; whoever measures has to know. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async complete({ text, schema }: LanguageModelRequest): Promise<string> {
    if (!asksForJudgment(schema)) return "";
    const reply = this.#replayed === null ? undefined : this.#replies.get(this.#replayed.id);
    if (reply !== undefined && text.includes(wordsOf(this.#replayed!))) return reply;
    const wanted = `the words of "${this.#replayed?.id ?? "no interaction"}"`;
    this.#failure = new InputError("dataset_invalid", `a request does not show ${wanted}, which are replayed: ${text}`);
    throw this.#failure;
  }
}

/** As the commitment prompt shows them. */
function wordsOf({ summary, turns }: DatasetInteraction): string {
  return [...(summary === null ? [] : [summary]), ...turns.map(({ who, text }) => `${who}: ${text}`)].join("\n");
}

function asksForJudgment({ required }: LanguageModelRequest["schema"]): boolean {
  return Array.isArray(required) && required.includes("hypotheticalQueries");
}
