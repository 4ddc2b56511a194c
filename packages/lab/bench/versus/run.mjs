/**
 * `node packages/lab/bench/versus/run.mjs`: measures Mnemosyne and other systems with the same memories and questions, one
 * after the other in one run, and prints tables. `--quick` goes up to 10,000 memories.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { answerParent, describeRun, formatNumber, makeFolder, removeFolder, runInChild } from "../harness.mjs";
import { fillSystem, measureFirstSearch, measureNothing, measureSearch, measureStore, systems } from "./measure.mjs";
import { installPackages } from "./packages.mjs";
import { formatComparison } from "./report.mjs";

const script = fileURLToPath(import.meta.url);
const measurements = { fillSystem, measureFirstSearch, measureNothing, measureSearch, measureStore };
const quickSizes = [1_000, 10_000];
const fullSizes = [1_000, 10_000, 100_000];
const questionCount = 50;
/** Above this size there is only one first search, and slow systems, whose searches take seconds, get fewer questions. */
const largeSize = 10_000;
const fewQuestionCount = 10;
const storeCount = 50;
const firstSearchCount = 3;

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, child: { type: "boolean", default: false } },
  });
  if (values.child) return answerParent(measurements, positionals);
  const results = await new Comparison(values.quick ? quickSizes : fullSizes).run();
  process.stdout.write(`\n${formatComparison(results)}\n`);
}

class Comparison {
  #sizes;
  #keys;
  #folder = makeFolder();
  #startMs = performance.now();

  constructor(sizes) {
    this.#sizes = sizes;
  }

  async run() {
    try {
      const about = describeRun();
      const packages = await installPackages((text) => process.stdout.write(text));
      const missing = new Set(packages.filter(({ error }) => error !== null).map(({ name }) => name));
      this.#keys = Object.keys(systems).filter((key) => !systems[key].packages.some((name) => missing.has(name)));
      const nothing = await this.#measure("nothing", "measureNothing", {});
      const bySize = [];
      for (const count of this.#sizes) bySize.push({ count, measured: await this.#measureSize(count) });
      const seconds = (performance.now() - this.#startMs) / 1000;
      return { about: { ...about, seconds }, packages, nothing, bySize };
    } finally {
      removeFolder(this.#folder);
    }
  }

  async #measure(title, name, input) {
    const startMs = performance.now();
    process.stdout.write(`${title} …`);
    const env = { ...process.env, HOME: this.#folder, MEM0_TELEMETRY: "false" };
    const result = await runInChild(script, name, input, env);
    process.stdout.write(` ${formatNumber((performance.now() - startMs) / 1000)} s\n`);
    return result;
  }

  /** Systems with the same files share them; measurements that change the files come last. */
  async #measureSize(count) {
    const folder = join(this.#folder, String(count));
    mkdirSync(folder);
    const measured = {};
    for (const name of new Set(this.#keys.map((key) => systems[key].folder))) {
      const keys = this.#keys.filter((key) => systems[key].folder === name);
      const inputOf = (key) => ({ key, folder: join(folder, name), count });
      const filled = await this.#measure(`${name}, fill, ${count}`, "fillSystem", inputOf(keys[0]));
      for (const key of keys) measured[key] = { ...filled, ...(await this.#measureReading(inputOf(key))) };
      for (const key of keys) Object.assign(measured[key], await this.#measureStoring(inputOf(key)));
    }
    removeFolder(folder);
    return measured;
  }

  async #measureReading(input) {
    const { name } = systems[input.key];
    const firsts = [];
    const isLarge = input.count > largeSize;
    for (let i = 0; i < (isLarge ? 1 : firstSearchCount); i++) {
      firsts.push(await this.#measure(`${name}, first search, ${input.count}`, "measureFirstSearch", input));
    }
    const firstSearchMs = firsts.toSorted((a, b) => a - b)[Math.floor(firsts.length / 2)];
    const isSlow = systems[input.key].isSlow === true && isLarge;
    const search = await this.#measure(`${name}, search, ${input.count}`, "measureSearch", {
      ...input,
      questionCount: isSlow ? fewQuestionCount : questionCount,
    });
    return { firstSearchMs, ...search };
  }

  #measureStoring(input) {
    const title = `${systems[input.key].name}, store, ${input.count}`;
    return this.#measure(title, "measureStore", { ...input, storeCount });
  }
}

// An interrupted run exits properly, so that its folders are removed.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await main();
