import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";

/** A script of this folder in a process of its own, with the lines it has printed so far. */
export class Child {
  readonly lines: string[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #process: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #errors = "";
  #hasExited = false;

  constructor(command: string, args: readonly string[], options: SpawnOptions = {}) {
    this.#process = spawn(command, [...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
    const closed = new Promise<void>((resolve) => {
      createInterface({ input: this.#process.stdout! })
        .on("line", (line) => this.#take(line))
        .on("close", resolve);
    });
    this.#process.stderr!.on("data", (data: Buffer) => (this.#errors += data.toString()));
    this.#process.stdin!.on("error", () => {});
    this.exited = new Promise((resolve, reject) => {
      this.#process.on("error", reject);
      this.#process.on("exit", (code, signal) => {
        void closed.then(() => {
          this.#hasExited = true;
          this.#notify();
          resolve({ code, signal });
        });
      });
    });
    running.add(this);
  }

  /** What it wrote to its error channel. */
  get errors(): string {
    return this.#errors;
  }

  say(line: string): void {
    this.#process.stdin!.write(`${line}\n`);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    if (!this.#hasExited) this.#process.kill("SIGKILL");
    await this.exited;
    running.delete(this);
  }

  /** Resolves when a condition on what it printed holds, or it has exited. */
  async until(holds: (lines: readonly string[]) => boolean): Promise<void> {
    while (!this.#hasExited && !holds(this.lines)) {
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** Waits for its end; a failure is an error with what it said. */
  async succeeded(): Promise<readonly string[]> {
    const { code, signal } = await this.exited;
    running.delete(this);
    if (code !== 0) throw new Error(`child ended with ${signal ?? code}\n${this.lines.join("\n")}\n${this.#errors}`);
    return this.lines;
  }

  /** The rest of every line that begins with a word. */
  said(word: string): string[] {
    return this.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  }

  #take(line: string): void {
    this.lines.push(line);
    this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }
}

const running = new Set<Child>();
afterAll(() => Promise.all([...running].map((child) => child.kill())));

/** Runs a script of this folder with one value as its argument. */
export function startChild(script: string, argument: unknown, options?: SpawnOptions): Child {
  return new Child(process.execPath, [scriptPath(script), JSON.stringify(argument)], options);
}

export function scriptPath(script: string): string {
  return fileURLToPath(new URL(script, import.meta.url));
}
