/** What of a model's reply is meant for the person: not its thoughts, and nothing that would steer a terminal. */
import { print } from "../terminal.js";

/** Thoughts that have not ended yet are left out too. */
export function withoutThoughts(reply: string): string {
  return reply.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/giu, "").trim();
}

/** Prints a reply as it comes; `onBegin` is told before its first word. */
export class ReplyPrinter {
  readonly #onBegin: () => void;
  #reply = "";
  #printedLength = 0;

  constructor(onBegin: () => void = () => {}) {
    this.#onBegin = onBegin;
  }

  add(piece: string): void {
    this.#reply += piece.replaceAll(/[^\P{Cc}\n\t]/gu, "");
    // The last characters may turn out to begin a thought, or to be white space at the end.
    this.#print(withoutThoughts(this.#reply).replace(/\s*<[a-z]{0,8}$/iu, ""));
  }

  /** `reply` is what was said in all, for a model that does not tell it piece by piece. */
  end(reply: string): void {
    if (this.#reply === "") this.add(reply);
    this.#print(withoutThoughts(this.#reply));
    if (this.#printedLength > 0) print();
  }

  #print(text: string): void {
    if (this.#printedLength === 0 && text !== "") this.#onBegin();
    process.stdout.write(text.slice(this.#printedLength));
    this.#printedLength = Math.max(this.#printedLength, text.length);
  }
}
