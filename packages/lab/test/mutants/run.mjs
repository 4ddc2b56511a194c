// `npm run test:mutants`: changes the sources of src/core and src/engine in one small place at a time and asks whether a test
// notices. Takes a sample; the same seed on the same sources draws the same one.
//
//   --room core|engine   one room only            --seed 1     which sample
//   --file <part>        files with this in them  --count 100  mutants per room
//   --only <id>[,<id>]   these mutants            --budget 120 seconds of tests per mutant
//   --list               says which, runs nothing --save <file>  writes the report as JSON
//   --record             records again which tests enter what
//
// Tests of the room are asked: test/core for src/core; test/engine, test/durability and test/eval for src/engine.
// A mutant is caught when a test fails or takes many times as long. One that the compiler refuses does not count. One that
// the tests of its budget let pass counts as a survivor, even if a slower test would notice.
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../../../scripts/setup.mjs";
import { readAccepted } from "./accepted.mjs";
import { Bench } from "./bench-process.mjs";
import { findMutants, rooms, sourcesOf } from "./find.mjs";
import { formatMutant, formatReport, roomReport } from "./report.mjs";
import { drawSample } from "./sample.mjs";
import { seenBy } from "./seen-by.mjs";
import { TypeCheck } from "./type-check.mjs";

const { values: options } = parseArgs({
  options: {
    room: { type: "string" },
    file: { type: "string" },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    budget: { type: "string", default: "120" },
    jobs: { type: "string", default: "2" },
    save: { type: "string" },
    list: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
const budgetMs = Number(options.budget) * 1000;
const say = (text) => process.stdout.write(`${text}\n`);

const drawn = rooms
  .filter((room) => options.room === undefined || options.room === room)
  .flatMap((room) => drawRoom(room).map((mutant) => ({ room, ...mutant })));
if (options.list) for (const mutant of drawn) say(formatMutant(mutant));
else await runMutants();

function drawRoom(room) {
  const mutants = sourcesOf(room)
    .filter((file) => file.includes(options.file ?? ""))
    .flatMap(findMutants);
  if (options.only !== undefined) return mutants.filter(({ id }) => options.only.split(",").includes(id));
  return drawSample(mutants, Number(options.count), Number(options.seed));
}

async function runMutants() {
  build();
  const seen = await seenBy({ rooms: [...new Set(drawn.map(({ room }) => room))], again: options.record, say });
  const types = new TypeCheck();
  // By their ids, which is no order at all, so that what an interrupted run has done is a sample too.
  const waiting = drawn.toSorted((x, y) => (x.id < y.id ? -1 : 1));
  const results = [];
  process.on("exit", () => reportAll(results));
  const work = async () => {
    const bench = new Bench();
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const result = await tryMutant(mutant, bench, seen, types);
      results.push(result);
      say(
        `${results.length}/${drawn.length} ${result.outcome} ${formatMutant(result)}${result.by ? ` by ${result.by}` : ""}`,
      );
    }
    bench.end();
  };
  await Promise.all(Array.from({ length: Math.min(2, Number(options.jobs)) }, work));
  process.exit();
}

async function tryMutant(mutant, bench, seen, types) {
  const tests = testsFor(mutant, seen);
  const msMaxOf = (test) => 30_000 + 10 * seen.get(test).ms;
  const runs = tests.length === 0 ? [] : await bench.run({ file: mutant.file, code: mutant.mutated, tests }, msMaxOf);
  const failed = runs.find(({ ok }) => !ok);
  const result = { ...mutant, tests: tests.length };
  if (failed !== undefined) return { ...result, outcome: "caught", by: `${failed.test}: ${failed.failure}` };
  return { ...result, outcome: (await types.isRefused(mutant)) ? "refused" : "survived" };
}

/** Test files that enter the function of a mutant, the nearest first, then the quickest, within the budget. */
function testsFor({ file, place }, seen) {
  const sorted = [...seen]
    .filter(([, { places }]) => places.has(`${file}:${place}`))
    .map(([test, { ms }]) => ({ test, ms, distance: distanceOf(test, file) }))
    .toSorted((x, y) => x.distance - y.distance || x.ms - y.ms);
  let leftMs = budgetMs;
  const affordable = sorted.filter(({ ms }, index) => {
    if (ms > leftMs && index > 0) return false;
    leftMs -= ms;
    return true;
  });
  return affordable.map(({ test }) => test);
}

/** 0 for the test of the source's own name, then those of its folder and the rest. */
function distanceOf(test, file) {
  const twin = file.replace(/^src/u, "test").replace(/\.ts$/u, ".test.ts");
  if (test === twin) return 0;
  return dirname(test) === dirname(twin) ? 1 : 2;
}

function reportAll(results) {
  const accepted = readAccepted();
  const inOrder = drawn.flatMap(({ id }) => results.filter((result) => result.id === id));
  const names = rooms.filter((room) => results.some((result) => result.room === room));
  const reports = names.map((room) => {
    const ofRoom = inOrder.filter((result) => result.room === room);
    return roomReport(room, ofRoom, accepted);
  });
  say("");
  for (const report of reports) say(formatReport(report));
  reportStale(accepted, results);
  const { seed, count, budget } = options;
  if (options.save !== undefined) {
    writeFileSync(options.save, `${JSON.stringify({ seed, count, budget, reports }, null, 2)}\n`);
  }
}

/** Explanations of mutants that are caught now, or that are no more. */
function reportStale(accepted, results) {
  const all = new Set(
    rooms
      .flatMap(sourcesOf)
      .flatMap(findMutants)
      .map(({ id }) => id),
  );
  for (const { id, file, original, replacement } of accepted.values()) {
    const isCaught = results.some((result) => result.id === id && result.outcome !== "survived");
    if (!all.has(id)) say(`accepted.json: ${id} is no more: ${file} ${original} → ${replacement}`);
    else if (isCaught) say(`accepted.json: ${id} is caught now: ${file} ${original} → ${replacement}`);
  }
}
