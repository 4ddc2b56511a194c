/** Lines that a person types at a prompt, or that a pipe delivers. */
import { type Interface, createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { echoTyped, printError, toTerminal } from "../terminal.js";

export class LineReader implements AsyncIterable<string> {
  readonly isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  readonly #interface: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #onInterrupt: () => void;
  /** For each line not read yet, whether the person saw it while typing. */
  readonly #wereEchoed: boolean[] = [];
  #isEchoing = false;
  #isClosed = false;

  /** `onInterrupt` is called when Ctrl-C is pressed, whatever is in progress. */
  constructor(prompt: string, onInterrupt: () => void) {
    this.#onInterrupt = onInterrupt;
    this.#interface = createInterface({
      input: process.stdin,
      prompt: toTerminal(prompt),
      ...(this.isTerminal ? { output: this.#createEcho(), terminal: true } : { terminal: false }),
    });
    // Created at once: lines that arrive before it exists are lost.
    this.#lines = this.#interface[Symbol.asyncIterator]();
    this.#interface.on("line", () => this.#wereEchoed.push(this.#isEchoing));
    this.#interface.on("SIGINT", onInterrupt);
    process.on("SIGINT", onInterrupt);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (!this.#isClosed) {
      this.#prompt();
      const { value, done } = await this.#lines.next();
      this.#isEchoing = false;
      if (done === true) return;
      const wasEchoed = this.#wereEchoed.shift();
      if (this.isTerminal && wasEchoed === false) printError(String(value));
      yield value as string;
    }
  }

  close(): void {
    this.#isClosed = true;
    process.off("SIGINT", this.#onInterrupt);
    this.#interface.close();
  }

  #prompt(): void {
    this.#isEchoing = true;
    if (!this.isTerminal) return;
    printError("");
    this.#interface.prompt(true);
  }

  /** Text typed while a reply is printed must not mix with it; it appears at the next prompt. */
  #createEcho(): Writable {
    const echo = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#isEchoing) echoTyped(chunk);
        done();
      },
    });
    return Object.defineProperty(echo, "columns", { get: () => process.stderr.columns });
  }
}
