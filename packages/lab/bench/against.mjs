/**
 * `node packages/lab/bench/against.mjs --other FOLDER`: this code beside that of another checkout, which has been built, in
 * one run: each fills a file of its own, and then they take turns. `--count 10000`, `--rounds 5`. Prints medians and their
 * ratio; a ratio below 1 says that this code is faster or smaller.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endOnSignals, formatTable, makeFolder, runInChild, summarize } from "./harness.mjs";

const { values } = parseArgs({
  options: {
    other: { type: "string" },
    count: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
  },
});
if (values.other === undefined) throw new RangeError("--other FOLDER names the checkout to compare with");
endOnSignals();
const count = Number(values.count);
const folder = makeFolder();
const sides = ["ours", "other"].map((name) => ({
  name,
  path: join(folder, `${name}.db`),
  script: name === "ours" ? fileURLToPath(new URL("run.mjs", import.meta.url)) : benchOf(values.other),
  figures: {},
}));

for (const { script, path } of sides) await runInChild(script, "fill", { path, count });
for (const side of sides) side.figures["bytes on disk"] = [statSync(side.path).size];
for (let round = 0; round < Number(values.rounds); round++) {
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) await measure(side, round);
}
const [ours, other] = sides;
const rows = Object.keys(ours.figures).map((name) => {
  const [a, b] = [ours, other].map(({ figures }) => summarize(figures[name]).median);
  return [name, a, b, a / b];
});
process.stdout.write(`${formatTable([`${count} memories`, "this code", "the other", "ratio"], rows)}\n`);

async function measure({ script, path, figures }, round) {
  const note = (name, value) => (figures[name] ??= []).push(value);
  const { openMs, loadMs, firstRecallMs, totalMs } = await runInChild(script, "measureStartUp", { path, count });
  note("open, ms", openMs);
  note("load, ms", loadMs);
  note("recall after loading, ms", firstRecallMs);
  note("closed file to first recall, ms", totalMs);
  const work = { path, count: count + round * 100, recallCount: 30, commitCount: 30, coreSummaryCount: 1 };
  const { recall, commit, accept } = await runInChild(script, "measureCommitRecall", work);
  note("recall, ms", recall.median);
  note("commit, ms", commit.median);
  note("acknowledged, ms", accept.median);
}

function benchOf(checkout) {
  return resolve(checkout, "packages/lab/bench/run.mjs");
}
