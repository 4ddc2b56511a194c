/**
 * `npm run bench:gte-small`: gte-small compared with the bundled embedder run the fast way, alternating text by text, so that
 * other load on the machine affects both alike; then each in its own process, for its start-up time and its memory.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createEmbedder, measureEmbedderWay, readTexts, warmUpCount } from "./embedder.mjs";
import { answerParent, describeRun, formatBytes, formatTable, runInChild, summarize, timeEach } from "./harness.mjs";

const script = fileURLToPath(import.meta.url);
const names = ["fast", "gte-small"];
const textCount = 60;

async function measureTexts() {
  const embedders = names.map(createEmbedder);
  const kinds = [];
  for (const [kind, texts] of Object.entries(readTexts())) {
    const times = names.map(() => []);
    for (let i = 0; i < warmUpCount + textCount; i++) {
      for (const [k, embedder] of embedders.entries()) {
        const [ms] = await timeEach(1, () => embedder.embed([`${texts[i % texts.length]} ${i}`]));
        if (i >= warmUpCount) times[k].push(ms);
      }
    }
    kinds.push({ kind, medians: times.map((each) => summarize(each).median) });
  }
  for (const embedder of embedders) await embedder.close();
  return kinds;
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { child: { type: "boolean" } } });
  if (values.child) return answerParent({ measureTexts, measureEmbedderWay }, positionals);
  const { cpu, coreCount, loadAtStart, commit } = describeRun();
  const kinds = await runInChild(script, "measureTexts", {});
  const rows = kinds.map(({ kind, medians: [fast, gteSmall] }) => [
    kind,
    fast,
    1000 / fast,
    gteSmall,
    1000 / gteSmall,
    gteSmall / fast,
  ]);
  const headings = ["Text", "bundled, ms", "texts/s", "gte-small, ms", "texts/s", "times slower"];
  process.stdout.write(`${cpu}, ${coreCount} cores, load ${loadAtStart}, commit ${commit}\n`);
  process.stdout.write(`\n${formatTable(headings, rows)}\n`);
  const ways = [];
  for (const way of names) ways.push(await runInChild(script, "measureEmbedderWay", { way }));
  const wayRows = ways.map(({ way, loadMs, byteCount }) => [way, loadMs, formatBytes(byteCount)]);
  process.stdout.write(`\n${formatTable(["Embedder", "first text, ms", "memory"], wayRows)}\n`);
}

await main();
