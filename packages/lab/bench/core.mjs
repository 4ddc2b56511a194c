/**
 * `npm run bench:core`: what it costs to keep the core summary up to date, with 100, 1,000 and 10,000 memories that each
 * have a lasting fact. Of each size one memory has the core summary and one does not (coreSummaryIntervalCommits 0); all take
 * turns at the same lasting statements, so that other load on the machine affects them alike: once with an instant embedder
 * and an instant judge, which shows the library's own work, and once with the bundled ones. `--quick` leaves out 10,000.
 */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Database from "libsql";
import { Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "../../memory/dist/adapters/embedder/minilm/bundled.js";
import { createJudge } from "../../memory/dist/adapters/judge/adapter-judge.js";
import { everything } from "./commit-recall.mjs";
import { fill, minilmIdentity } from "./fill.mjs";
import {
  answerParent,
  describeRun,
  endOnSignals,
  formatFactor,
  formatNumber,
  formatTable,
  makeFolder,
  person,
  runInChild,
  summarize,
  timeEach,
} from "./harness.mjs";
import { BenchClock, SyntheticEmbedder, createRandom } from "./synthetic.mjs";

const script = fileURLToPath(import.meta.url);
const sizes = [100, 1_000, 10_000];
const minuteMs = 60_000;
const warmUpCount = 10;
/** Then there are as many facts that left as are kept. */
const lateCommitCount = 400;

/** Statements about what lasts, of ten people. */
const people = JSON.parse(readFileSync(new URL("../benchmarks/trust/core.json", import.meta.url), "utf8"));
const statements = [
  ...new Set(
    people.flatMap(({ mustKnow, statements: all }) => mustKnow.flatMap(({ from }) => from.map((i) => all[i].text))),
  ),
];

const templates = {
  people: (name, town) => `My cousin ${name} lives in ${town} with two children.`,
  home: (name, town) => `The summer house in ${town} belongs to ${name}.`,
  work: (name, town) => `I do the accounts of ${name}'s bakery in ${town}.`,
  health: (name) => `Doctor ${name} treats my left knee.`,
  carers: (name) => `${name} brings the shopping every week.`,
  food: (name, town) => `I only drink the coffee that ${name} roasts in ${town}.`,
  habits: (name, town) => `I swim with ${name} at the ${town} pool.`,
  plans: (name, town) => `I want to walk to ${town} with ${name}.`,
};
const areas = Object.keys(templates);
const otherAreas = ["self", "alert", "medicine", "help", "abilities", "manner", "worries", "codes"];

/** Depends only on the number. */
function makeFact(number) {
  const random = createRandom(number + 800_000_011);
  const area = areas[number % areas.length];
  const text = templates[area](makeName(random), makeName(random));
  return { text, area, probability: 0.75 + 0.24 * random() };
}

function makeName(random) {
  const part = (parts) => parts[Math.floor(random() * parts.length)];
  const middle = ["la", "ne", "ri", "so", "tu", "va", "mi", "do", "ke", "po"];
  return (
    part(["Ba", "Ce", "Di", "Fo", "Gu", "Ha", "Je", "Li", "Mo", "Nu"]) +
    part(middle) +
    part(middle) +
    part(["n", "r", "s", "l"])
  );
}

/** Instant vectors under the name of the bundled embedder. */
class InstantEmbedder extends SyntheticEmbedder {
  identity = minilmIdentity;
}

/** Everything lasts, in an area that depends on the text; nothing repeats or changes anything. */
const instantJudge = {
  name: "instant",
  substance: async (texts) => texts.map(() => 0.99),
  relation: async (pairs) => pairs.map(() => ({ repetition: 0.01, update: 0.01, different: 0.98 })),
  relevance: async (_question, texts) => texts.map(() => 0.5),
  areas: async (texts) => texts.map(shareAreas),
  close: async () => {},
};

function shareAreas(text) {
  const random = createRandom([...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7));
  const passing = 0.01 + 0.2 * random();
  const own = areas[Math.floor(random() * areas.length)];
  const shares = [...areas, ...otherAreas].map((area) => [area, area === own ? 1 - passing : 0]);
  return { passing, ...Object.fromEntries(shares) };
}

async function open(path, models, parameters = {}) {
  const clock = new BenchClock();
  const options = { path, clock, timeZone: "UTC", parameters: { ...everything, ...parameters } };
  const mnemosyne = await Mnemosyne.open({ ...options, ...models });
  return { mnemosyne, memory: mnemosyne.person(person), clock };
}

/** A store without a core summary, and one with a full one. */
async function prepare({ folder, count }) {
  const [off, on] = [join(folder, `off-${count}.db`), join(folder, `on-${count}.db`)];
  await fill({ path: off, count, identity: minilmIdentity, factsOf: (number) => [makeFact(number)] });
  copyFileSync(off, on);
  const { mnemosyne, memory } = await open(on, { embedder: new InstantEmbedder(), judge: instantJudge });
  await memory.recall("Who lives in the summer house?");
  const [updateMs] = await timeEach(1, () => memory.coreSummary({ update: true }));
  await mnemosyne.close();
  return { count, on, off, updateMs };
}

function copyOf({ count, on, off }, suffix) {
  const copy = (path) => path.replace(/\.db$/u, `-${suffix}.db`);
  for (const path of [on, off]) copyFileSync(path, copy(path));
  return { count, on: copy(on), off: copy(off) };
}

const instantModels = () => ({ embedder: new InstantEmbedder(), judge: instantJudge });

/** One embedder and one judge for both memories, whose own closing leaves them open. */
function bundledModels() {
  const embedder = new BundledEmbedder();
  const judge = createJudge(embedder, {});
  const lent = {
    name: judge.name,
    substance: (texts) => judge.substance(texts),
    relation: (pairs) => judge.relation(pairs),
    relevance: (question, texts) => judge.relevance(question, texts),
    areas: (texts) => judge.areas(texts),
    close: async () => {},
  };
  const { identity, textsPerCall } = embedder;
  const lentEmbedder = { identity, textsPerCall, embed: (texts) => embedder.embed(texts), close: async () => {} };
  const close = async () => {
    await judge.close();
    await embedder.close();
  };
  return { models: { embedder: lentEmbedder, judge: lent }, close };
}

async function measureInstant({ stores, commitCount }) {
  const own = stores.map((store) => copyOf(store, "instant"));
  const measured = await measureCommits(own, instantModels, commitCount);
  const sizesAfter = own.map(({ on }) => ({ byteCount: readByteCount(on) }));
  for (const [i, { on }] of own.entries()) {
    const { mnemosyne, memory, clock } = await open(on, instantModels());
    clock.advance((warmUpCount + commitCount) * minuteMs);
    for (let k = 0; k < lateCommitCount; k++) {
      clock.advance(minuteMs);
      await memory.commit({ turns: [{ who: "user", text: makeFact(1_000_000 + k).text }] });
    }
    await memory.settled();
    const { text, changes } = await memory.coreSummary();
    await mnemosyne.close();
    const wordCount = text.split(/\s+/u).length;
    Object.assign(sizesAfter[i], { lateByteCount: readByteCount(on), wordCount, changeCount: changes.length });
  }
  return measured.map((each, i) => ({ ...each, ...sizesAfter[i] }));
}

async function measureBundled({ stores, commitCount }) {
  const own = stores.map((store) => copyOf(store, "bundled"));
  const { models, close } = bundledModels();
  const measured = await measureCommits(own, () => models, commitCount);
  await close();
  return measured.map((each, i) => ({ ...each, byteCount: readByteCount(own[i].on) }));
}

/**
 * A commit is timed until it is a memory; what the queue does after it, until it is idle. Where the central subset was
 * chosen again, that is the periodic step.
 */
async function measureCommits(stores, makeModels, commitCount) {
  const ways = [];
  for (const { on, off } of stores) {
    const without = { coreSummaryIntervalCommits: 0 };
    ways.push({ ...(await open(on, makeModels())), commits: [], periodic: [] });
    ways.push({ ...(await open(off, makeModels(), without)), commits: [], periodic: [] });
  }
  for (let i = 0; i < warmUpCount + commitCount; i++) {
    for (const way of i % 2 === 0 ? ways : ways.toReversed()) {
      const { commitMs, afterMs, isPeriodic } = await timeCommit(way, statements[i]);
      if (i < warmUpCount) continue;
      way.commits.push(commitMs);
      if (isPeriodic) way.periodic.push(afterMs);
    }
  }
  for (const { mnemosyne } of ways) await mnemosyne.close();
  return stores.map(({ count }, i) => ({
    count,
    on: summarize(ways[2 * i].commits),
    off: summarize(ways[2 * i + 1].commits),
    periodic: summarize(ways[2 * i].periodic),
  }));
}

async function timeCommit({ memory, clock }, text) {
  clock.advance(minuteMs);
  const seed = (await memory.coreSummary()).trace?.seed;
  const [commitMs] = await timeEach(1, () => memory.commit({ turns: [{ who: "user", text }] }, { wait: true }));
  const [afterMs] = await timeEach(1, () => memory.settled());
  const isPeriodic = (await memory.coreSummary()).trace?.seed !== seed;
  return { commitMs, afterMs, isPeriodic };
}

/** Of the column in the person's row. */
function readByteCount(path) {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare("SELECT length(core_summary) AS byteCount FROM person").get().byteCount;
  } finally {
    database.close();
  }
}

function describe(title, results) {
  const first = results[0];
  const rows = results.map(({ count, on, off, periodic }) => [
    formatNumber(count),
    on.median,
    on.p95,
    off.median,
    off.p95,
    formatFactor(on.median / off.median),
    on.median - off.median,
    formatFactor(on.median / first.on.median),
    formatFactor(off.median / first.off.median),
    `${formatNumber(periodic.median)} (${periodic.count})`,
    formatFactor(periodic.median / first.periodic.median),
  ]);
  const headings = ["memories", "on, ms", "p95", "off, ms", "p95", "on / off", "on - off, ms"];
  const growth = ["on, growth", "off, growth", "periodic step, ms", "growth"];
  return `${title}\n\n${formatTable([...headings, ...growth], rows)}\n`;
}

async function main() {
  endOnSignals();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { child: { type: "boolean" }, quick: { type: "boolean" } },
  });
  if (values.child) return answerParent({ prepare, measureInstant, measureBundled }, positionals);
  const { cpu, coreCount, loadAtStart, commit } = describeRun();
  process.stdout.write(`${cpu}, ${coreCount} cores, load ${loadAtStart}, commit ${commit}\n\n`);
  const folder = makeFolder();
  const stores = [];
  for (const count of values.quick ? sizes.slice(0, 2) : sizes) {
    stores.push(await runInChild(script, "prepare", { folder, count }));
  }
  const instant = await runInChild(script, "measureInstant", { stores, commitCount: 100 });
  const bundled = await runInChild(script, "measureBundled", { stores, commitCount: 50 });
  process.stdout.write(`${describe("Commits of lasting statements, instant embedder and judge, medians:", instant)}\n`);
  process.stdout.write(`${describe("The same with the bundled embedder and judge:", bundled)}\n`);
  const rows = instant.map(({ count, byteCount, lateByteCount, wordCount, changeCount }, i) => [
    formatNumber(count),
    stores[i].updateMs,
    byteCount,
    bundled[i].byteCount,
    lateByteCount,
    wordCount,
    changeCount,
  ]);
  const bytes = ["bytes after 110 commits", "bytes, bundled, after 60", `bytes after ${lateCommitCount} more`];
  const headings = ["memories", "first update with all, ms", ...bytes, "words", "changes kept"];
  process.stdout.write(`The core summary in the store, instant models:\n\n${formatTable(headings, rows)}\n`);
}

await main();
