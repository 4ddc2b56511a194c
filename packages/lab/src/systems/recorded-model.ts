/**
 * A language model that gives recorded replies. It is told which interaction is replayed, and gives that one's reply when
 * the request shows its words; what was not recorded (the core summary) it leaves empty, so that the memory does that step
 * without a model.
 */
import { InputError, type LanguageModel, type LanguageModelRequest } from "mnemosyne-edge";
import type { DatasetInteraction, DatasetQuestion } from "../data/dataset.js";
import type { RecordedReplies } from "../data/recorded-replies.js";

type AskedQuestion = Pick<DatasetQuestion, "id" | "text">;

export class RecordedModel implements LanguageModel {
  readonly name: string;
  readonly #replies: RecordedReplies["replies"];
  readonly #rewritings: RecordedReplies["rewritings"];
  #replayed: DatasetInteraction | null = null;
  #asked: AskedQuestion | null = null;
  #failure: InputError | null = null;

  constructor({ file, replies, rewritings }: RecordedReplies) {
    this.name = `replies of ${file}`;
    this.#replies = replies;
    this.#rewritings = rewritings;
  }

  /** From now on requests are about this interaction. */
  turnTo(interaction: DatasetInteraction): void {
    this.#replayed = interaction;
  }

  /** From now on wordings are those of this question; whether there are any. */
  turnToQuestion(question: AskedQuestion): boolean {
    this.#asked = question;
    return this.#rewritings.has(question.id);
  }

  /** The memory goes on without a model that fails; whoever measures has to know. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async complete({ text, schema }: LanguageModelRequest): Promise<string> {
    if (asksFor("questions", schema)) return this.#rewrite(text);
    if (!asksFor("hypotheticalQueries", schema)) return "";
    const reply = this.#replayed === null ? undefined : this.#replies.get(this.#replayed.id);
    if (reply !== undefined && text.includes(wordsOf(this.#replayed!))) return reply;
    throw this.#refuse(this.#replayed?.id ?? "no interaction", text);
  }

  #rewrite(text: string): string {
    const reply = this.#asked === null ? undefined : this.#rewritings.get(this.#asked.id);
    if (reply === undefined) return "";
    if (text.includes(this.#asked!.text)) return reply;
    throw this.#refuse(this.#asked!.id, text);
  }

  #refuse(id: string, text: string): InputError {
    const message = `a request does not show the words of "${id}", which are replayed: ${text}`;
    return (this.#failure = new InputError("dataset_invalid", message));
  }
}

/** As the commitment prompt shows them. */
function wordsOf({ summary, turns }: DatasetInteraction): string {
  return [...(summary === null ? [] : [summary]), ...turns.map(({ who, text }) => `${who}: ${text}`)].join("\n");
}

function asksFor(field: string, { required }: LanguageModelRequest["schema"]): boolean {
  return Array.isArray(required) && required.includes(field);
}
