/** The part of a model's reply that the person sees: without its thoughts, and without terminal control characters. */
import { print, write } from "../terminal.js";

/** Unfinished thoughts are left out too. */
export function withoutThoughts(reply: string): string {
  return reply.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/giu, "").trim();
}

/** Prints a reply as it arrives; `onBegin` is called before its first word. */
export class ReplyPrinter {
  readonly #onBegin: () => void;
  #reply = "";
  #printedLength = 0;

  constructor(onBegin: () => void = () => {}) {
    this.#onBegin = onBegin;
  }

  add(piece: string): void {
    this.#reply += piece.replaceAll(/[^\P{Cc}\n\t]/gu, "");
    // The last characters may turn out to be the start of a thought, or trailing white space.
    this.#print(withoutThoughts(this.#reply).replace(/(?<!\s)\s*<[a-z]{0,8}$/iu, ""));
  }

  /** `reply` is the whole reply, for a model that does not send pieces. */
  end(reply: string): void {
    if (this.#reply === "") this.add(reply);
    this.#print(withoutThoughts(this.#reply));
    if (this.#printedLength > 0) print();
  }

  #print(text: string): void {
    if (this.#printedLength === 0 && text !== "") this.#onBegin();
    write(text.slice(this.#printedLength));
    this.#printedLength = Math.max(this.#printedLength, text.length);
  }
}
