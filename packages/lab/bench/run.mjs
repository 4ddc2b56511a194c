/**
 * `npm run bench`: measures speed, size, start-up and event loop, and writes docs/benchmarks.md. `--quick` goes up to
 * 1,000 memories and leaves the page alone, `--resident` measures only how much a running memory takes, `--json` prints the
 * figures as JSON and the rest to standard error.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureNaive, measureScan, measureSync } from "./baselines.mjs";
import { measureCommitRecall, measureGrowing, measureRecallParts } from "./commit-recall.mjs";
import { measureEmbedder, measureEmbedderWay, measureEndToEnd } from "./embedder.mjs";
import { measureWholeRecalls } from "./end-to-end.mjs";
import { measureFilledCommits, measureIdle, measureRealCommits } from "./event-loop.mjs";
import { fill, minilmIdentity } from "./fill.mjs";
import { fitConstants, measureFootprint } from "./footprint.mjs";
import { answerParent, describeRun, formatNumber, makeFolder, removeFolder, runInChild } from "./harness.mjs";
import { readKeptSection } from "./kept-section.mjs";
import { describeResident, makePage, makeSections } from "./page.mjs";
import { measureInstallation, measureResident, residentIdentity, residentModes } from "./resident.mjs";
import { measureStartUp } from "./start-up.mjs";

const script = fileURLToPath(import.meta.url);

const measurements = {
  fill,
  measureCommitRecall,
  measureEmbedder,
  measureEmbedderWay,
  measureEndToEnd,
  measureFilledCommits,
  measureFootprint,
  measureGrowing,
  measureIdle,
  measureInstallation,
  measureNaive,
  measureRealCommits,
  measureRecallParts,
  measureResident,
  measureScan,
  measureStartUp,
  measureSync,
  measureWholeRecalls,
};

/** Numbers of memories at which resident memory is measured. */
const residentSizes = [0, 1_000, 10_000];
/** And at which whole recalls are. */
const wholeRecallSizes = [1_000, 10_000];
const quickSizes = [100, 1_000];
const fullSizes = [100, 1_000, 10_000, 100_000];
/** The size at which parts are measured separately, and the largest size for the naive store. */
const middleSize = 10_000;

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      resident: { type: "boolean", default: false },
      child: { type: "boolean", default: false },
    },
  });
  if (values.child) return answerParent(measurements, positionals);
  const output = values.json ? process.stderr : process.stdout;
  const bench = new Bench(values.quick, (text) => output.write(text));
  if (values.resident) return void output.write(`\n${describeResident(await bench.runResident())}\n`);
  const results = await bench.run();
  output.write(`\n${makeSections(results).join("\n\n")}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  if (values.quick) return;
  writeFileSync(new URL("../../../docs/benchmarks.md", import.meta.url), makePage(results, readKeptSection()));
  output.write("\nWritten to docs/benchmarks.md.\n");
}

class Bench {
  #isQuick;
  #sizes;
  #write;
  #folder = makeFolder();
  #startMs = performance.now();

  constructor(isQuick, write) {
    this.#isQuick = isQuick;
    this.#sizes = isQuick ? quickSizes : fullSizes;
    this.#write = write;
  }

  async run() {
    try {
      const about = describeRun();
      const baselines = await this.#measureBaselines();
      const embedder = await this.#measureEmbedder();
      const eventLoop = [
        await this.#measure("event loop, nothing to do", "measureIdle", { seconds: this.#isQuick ? 2 : 10 }),
        await this.#measure("event loop, bundled embedder", "measureRealCommits", {
          path: this.#path("event-loop"),
          commitCount: this.#loopCommitCount,
        }),
      ];
      const wholeRecalls = await this.#measureWholeRecalls();
      const resident = await this.#measureResident();
      const growingSize = this.#isQuick ? 100 : 1_000;
      const grown = await this.#measure(`${growingSize} commits one by one`, "measureGrowing", {
        path: this.#path("grown"),
        count: growingSize,
      });
      const bySize = [];
      for (const count of this.#sizes) bySize.push(await this.#measureSize(count));
      const middle = bySize.find(({ count }) => count === this.#middleSize);
      const seconds = (performance.now() - this.#startMs) / 1000;
      return {
        about: { ...about, seconds },
        baselines,
        embedder,
        wholeRecalls,
        grown,
        eventLoop: [...eventLoop, middle.eventLoop],
        resident,
        bySize,
      };
    } finally {
      removeFolder(this.#folder);
    }
  }

  async runResident() {
    try {
      return { resident: await this.#measureResident() };
    } finally {
      removeFolder(this.#folder);
    }
  }

  async #measureResident() {
    const modes = [];
    for (const count of residentSizes.filter((size) => size <= this.#sizes.at(-1))) {
      for (const mode of residentModes) {
        const path = this.#path(`resident-${mode.name}-${count}`);
        await this.#measure(`fill, ${count}`, "fill", { path, count, identity: residentIdentity });
        modes.push(
          await this.#measure(`resident, ${mode.name}, ${count}`, "measureResident", { path, count, ...mode }),
        );
      }
    }
    return { modes, installation: await this.#measure("installation", "measureInstallation", {}) };
  }

  async #measureWholeRecalls() {
    const measured = [];
    for (const count of wholeRecallSizes.filter((size) => size <= this.#sizes.at(-1))) {
      const path = this.#path(`spoken-${count}`);
      await this.#measure(`fill, ${count}`, "fill", { path, count, isSpoken: true, identity: minilmIdentity });
      for (const judge of [undefined, false]) {
        const title = `whole recalls${judge === false ? " without the judge" : ""}, ${count}`;
        measured.push(await this.#measure(title, "measureWholeRecalls", { path, count, judge }));
      }
    }
    return measured;
  }

  get #middleSize() {
    return Math.min(middleSize, this.#sizes.at(-1));
  }

  get #loopCommitCount() {
    return this.#isQuick ? 20 : 100;
  }

  #path(name) {
    return join(this.#folder, `${name}.db`);
  }

  async #measure(title, name, input) {
    const startMs = performance.now();
    this.#write(`${title} …`);
    const result = await runInChild(script, name, input);
    this.#write(` ${formatNumber((performance.now() - startMs) / 1000)} s\n`);
    return result;
  }

  async #measureBaselines() {
    const folder = this.#folder;
    const scan = [];
    for (const count of this.#sizes) scan.push(await this.#measure(`plain scan, ${count}`, "measureScan", { count }));
    const naive = [];
    for (const count of this.#sizes.filter((size) => size <= middleSize)) {
      const input = { folder, count, recallCount: 30, commitCount: 5 };
      naive.push(await this.#measure(`naive store, ${count}`, "measureNaive", input));
    }
    return { scan, naive, sync: await this.#measure("writes to the disk", "measureSync", { folder }) };
  }

  async #measureEmbedder() {
    const counts = this.#isQuick ? { textCount: 15, comparedCount: 50 } : { textCount: 60, comparedCount: 1_000 };
    const texts = await this.#measure("bundled embedder", "measureEmbedder", counts);
    const ways = [];
    for (const way of ["portable", "fast"]) {
      ways.push(await this.#measure(`bundled embedder, ${way}`, "measureEmbedderWay", { way }));
    }
    const input = { path: this.#path("end-to-end"), commitCount: this.#isQuick ? 10 : 50 };
    return { ...texts, ways, endToEnd: await this.#measure("bundled embedder, end to end", "measureEndToEnd", input) };
  }

  /** Everything measured on one filled store. Measurements that change the store come last. */
  async #measureSize(count) {
    const isLarge = count > middleSize;
    const isMiddle = count === this.#middleSize;
    const path = this.#path(`filled-${count}`);
    const filled = await this.#measure(`fill, ${count}`, "fill", { path, count });
    const startUp = [];
    for (let i = 0; i < (isLarge ? 1 : 3); i++) {
      startUp.push(await this.#measure(`start-up, ${count}`, "measureStartUp", { path, count }));
    }
    const footprint = await this.#measure(`footprint, ${count}`, "measureFootprint", { path, count });
    const constants = count === middleSize ? await this.#fitConstants(count, footprint) : undefined;
    const recallParts = isMiddle ? await this.#takeRecallApart(path, count) : undefined;
    const commitRecall = await this.#measure(`commit and recall, ${count}`, "measureCommitRecall", {
      path,
      count,
      recallCount: isLarge ? 50 : 300,
      commitCount: isLarge ? 15 : 50,
      coreSummaryCount: isLarge ? 1 : 5,
    });
    const eventLoop = isMiddle
      ? await this.#measure(`event loop, ${count}`, "measureFilledCommits", {
          path,
          count,
          commitCount: this.#loopCommitCount,
        })
      : undefined;
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    return { count, filled, startUp: middleOf(startUp), footprint, constants, recallParts, commitRecall, eventLoop };
  }

  async #takeRecallApart(path, count) {
    const pathWithoutStatements = this.#path("without-statements");
    const fillInput = { path: pathWithoutStatements, count, withStatements: false };
    await this.#measure("fill, without statements", "fill", fillInput);
    const input = { path, pathWithoutStatements, count, recallCount: 200 };
    return this.#measure(`recall's parts, ${count}`, "measureRecallParts", input);
  }

  /** The bytes of objects per memory and per edge, from stores without edges; too few to see in a small store. */
  async #fitConstants(count, footprint) {
    const [bare, fewer] = [await this.#measureBare(count), await this.#measureBare(count / 10)];
    return fitConstants(footprint, bare, fewer);
  }

  async #measureBare(count) {
    const path = this.#path(`without-edges-${count}`);
    await this.#measure(`fill, ${count} without edges`, "fill", { path, count, withEdges: false });
    return this.#measure(`footprint, ${count} without edges`, "measureFootprint", { path, count });
  }
}

/** The run with the median total. */
function middleOf(runs) {
  return runs.toSorted((x, y) => x.totalMs - y.totalMs)[Math.floor(runs.length / 2)];
}

// An interrupted run exits properly, so that its folders are removed.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await main();
