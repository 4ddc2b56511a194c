// Starts benches (bench.mjs) and speaks with them: one mutant at a time, each test file within its time. A bench that goes
// over it is ended with everything it started, and another one takes its place.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("bench.mjs", import.meta.url));
const startMsMax = 60_000;
const open = new Set();

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const bench of open) bench.end();
    process.exit(130);
  });
}

export class Bench {
  #env;
  #child = null;

  constructor(env = {}) {
    this.#env = { ...process.env, MNEMOSYNE_TEST_BUILD: "kept", ...env };
    open.add(this);
  }

  /** Runs test files until one fails; `msMaxOf` says how long each may take. Gives what each did, in order. */
  async run({ file = null, code = "", tests }, msMaxOf) {
    this.#child ??= await this.#start();
    const child = this.#child;
    const results = [];
    return new Promise((resolve) => {
      let running = tests[0];
      let timer;
      const finish = (last) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (last !== undefined) {
          results.push({ test: running, ok: false, ms: msMaxOf(running), failure: last });
          this.end();
          open.add(this);
        }
        resolve(results);
      };
      child.on("exit", () => finish("the process ended"));
      child.on("message", ({ started, finished, done, ...result }) => {
        clearTimeout(timer);
        if (started !== undefined) {
          running = started;
          timer = setTimeout(() => finish("out of time"), msMaxOf(started));
        }
        if (finished !== undefined) results.push({ test: finished, ...result });
        if (done) finish();
      });
      child.send({ file, code, tests });
    });
  }

  async #start() {
    // A group of its own, so that what a test started ends with it.
    const child = fork(path, { env: this.#env, detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child = child;
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("a bench does not start")), startMsMax);
      child.once("message", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return child;
  }

  end() {
    open.delete(this);
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
  }
}
