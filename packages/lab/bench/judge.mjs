/**
 * `npm run bench:judge`: what the judge costs. Two memories, one with it and one without, take turns at the same
 * statements and questions, so that other load on the machine affects both alike; then each in a process of its own, for
 * the first answer and the memory it takes.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Mnemosyne } from "mnemosyne-edge";
import {
  answerParent,
  describeRun,
  formatBytes,
  formatTable,
  makeFolder,
  person,
  runInChild,
  summarize,
  timeEach,
} from "./harness.mjs";
import { measurePackage, measureResident, residentModes } from "./resident.mjs";

const script = fileURLToPath(import.meta.url);
const stories = JSON.parse(readFileSync(new URL("../benchmarks/trust/unanswerable.json", import.meta.url), "utf8"));
const judges = [{}, { judge: false }];
/** The first story starts the models and is not counted. */
const warmUpCount = 1;

async function measureTimes() {
  const memories = await Promise.all(judges.map((options) => Mnemosyne.open({ path: ":memory:", ...options })));
  const commits = memories.map(() => []);
  const recalls = memories.map(() => []);
  for (const [i, { statements, questions }] of stories.entries()) {
    const persons = memories.map((memory) => memory.person(`${person} ${i}`));
    const time = async (times, each) => {
      for (const [k, one] of persons.entries()) {
        const [ms] = await timeEach(1, () => each(one));
        if (i >= warmUpCount) times[k].push(ms);
      }
    };
    for (const { at, text } of statements) {
      await time(commits, (one) => one.commit({ at, turns: [{ who: "user", text }] }, { wait: true }));
    }
    for (const { at, question } of questions) await time(recalls, (one) => one.recall(question, { at, seed: 1 }));
  }
  for (const memory of memories) await memory.close();
  return { commits: commits.map(summarize), recalls: recalls.map(summarize) };
}

function makeRow(name, withJudge, without, format = (value) => value) {
  return [name, format(withJudge), format(without), withJudge / without];
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { child: { type: "boolean" } } });
  if (values.child) return answerParent({ measureTimes, measureResident }, positionals);
  const { cpu, coreCount, loadAtStart, commit } = describeRun();
  process.stdout.write(`${cpu}, ${coreCount} cores, load ${loadAtStart}, commit ${commit}\n\n`);
  const { commits, recalls } = await runInChild(script, "measureTimes", {});
  const rows = [
    makeRow("commit of a statement, median ms", ...commits.map(({ median }) => median)),
    makeRow("commit of a statement, 95th percentile, ms", ...commits.map(({ p95 }) => p95)),
    makeRow("recall among ten statements, median ms", ...recalls.map(({ median }) => median)),
    makeRow("recall among ten statements, 95th percentile, ms", ...recalls.map(({ p95 }) => p95)),
  ];
  const folder = makeFolder();
  const some = stories.slice(0, 5);
  const conversations = some.flatMap(({ statements }) => statements.map(({ text }) => [{ who: "user", text }]));
  const questions = some.flatMap((story) => story.questions.map(({ question }) => question));
  for (const { name, options } of residentModes) {
    const runs = [];
    for (const [k, judge] of judges.entries()) {
      const path = join(folder, `${name}-${k}.db`);
      const input = { path, count: 0, options: { ...options, ...judge }, conversations, questions };
      runs.push(await runInChild(script, "measureResident", input));
    }
    rows.push(makeRow(`${name}: first question of a process, ms`, ...runs.map(({ firstMs }) => firstMs)));
    rows.push(makeRow(`${name}: first commit after it, ms`, ...runs.map(({ firstCommitMs }) => firstCommitMs)));
    rows.push(makeRow(`${name}: resident memory, peak`, ...runs.map(({ peak }) => peak.rss), formatBytes));
  }
  const { byteCount } = measurePackage();
  const judgeByteCount = statSync(new URL("../../memory/models/judge.safetensors", import.meta.url)).size;
  rows.push(makeRow("package, unpacked", byteCount, byteCount - judgeByteCount, formatBytes));
  process.stdout.write(`${formatTable(["", "with the judge", "without", "ratio"], rows)}\n`);
}

await main();
