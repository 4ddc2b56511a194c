/** An actor in a process of its own: what it said, how it ended, and ways to end it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const actorPath = fileURLToPath(new URL("actor.mjs", import.meta.url));
/** For a machine that has much else to do; nothing here takes more than seconds. */
const limitMs = 180_000;
const errorLengthMax = 20_000;

export class ActorProcess {
  lines = [];
  errors = "";
  isEndedByUs = false;
  hasHung = false;
  #process;
  #hasEnded = false;
  #watchers = new Set();

  /** @param command what to run instead of the actor alone, given its arguments */
  constructor(argument, command = (args) => [process.execPath, args]) {
    const [file, args] = command([actorPath, JSON.stringify(argument)]);
    // In a group of its own, so that what a shell started ends with it.
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#process = child;
    running.add(this);
    child.stderr.on("data", (data) => (this.errors = (this.errors + data).slice(-errorLengthMax)));
    child.stdin.on("error", () => {});
    const reader = createInterface({ input: child.stdout }).on("line", (line) => this.#take(line));
    const timer = setTimeout(() => this.#endHung(), limitMs);
    this.ended = Promise.all([once(child, "exit"), once(reader, "close")]).then(([[code, signal]]) => {
      clearTimeout(timer);
      running.delete(this);
      this.#hasEnded = true;
      this.#notify();
      return { code, signal };
    });
  }

  signal(name) {
    try {
      process.kill(-this.#process.pid, name);
    } catch {
      // It has just ended by itself.
    }
  }

  /** The values of all lines with a word. */
  said(word) {
    return this.lines.filter((line) => line.word === word).map(({ value }) => value);
  }

  /** Resolves when something holds for what it said, or it has ended. */
  async until(holds) {
    while (!this.#hasEnded && !holds(this)) await new Promise((resolve) => this.#watchers.add(resolve));
  }

  async kill() {
    if (!this.#hasEnded) {
      this.isEndedByUs = true;
      this.signal("SIGKILL");
    }
    return this.ended;
  }

  #endHung() {
    this.hasHung = true;
    this.signal("SIGKILL");
  }

  #take(line) {
    try {
      this.lines.push(JSON.parse(line));
    } catch {
      // A line cut short by a kill says nothing.
    }
    this.#notify();
  }

  #notify() {
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }
}

const running = new Set();
process.on("exit", () => {
  for (const actor of running) actor.signal("SIGKILL");
});
