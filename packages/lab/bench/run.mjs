/**
 * `node packages/lab/bench/run.mjs`: speed, start-up and size of one person's memory by its number of memories, without the
 * embedder's time. `--quick` goes up to 1,000, `--large` to 100,000; `--json` prints the figures.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureCommitRecall } from "./commit-recall.mjs";
import { fill } from "./fill.mjs";
import { measureFootprint } from "./footprint.mjs";
import {
  answerParent,
  describeRun,
  endOnSignals,
  formatBytes,
  formatNumber,
  formatTable,
  makeFolder,
  runInChild,
} from "./harness.mjs";
import { measureStartUp } from "./start-up.mjs";

const script = fileURLToPath(import.meta.url);
const measurements = { fill, measureCommitRecall, measureFootprint, measureStartUp };
const sizes = [100, 1_000, 10_000, 100_000];
const quickMax = 1_000;
const ordinaryMax = 10_000;

async function run({ quick, large, json }) {
  endOnSignals();
  const about = describeRun();
  const folder = makeFolder();
  const bySize = [];
  for (const count of sizes.filter((size) => size <= (quick ? quickMax : large ? Infinity : ordinaryMax))) {
    process.stderr.write(`${formatNumber(count)} memories …\n`);
    bySize.push(await measureSize(join(folder, `${count}.db`), count, quick));
  }
  process.stdout.write(json ? `${JSON.stringify({ about, bySize }, null, 2)}\n` : formatTables(about, bySize));
}

/** Commits come last, because they change the file. */
async function measureSize(path, count, quick) {
  const { edgeCount } = await runInChild(script, "fill", { path, count });
  const startUp = await runInChild(script, "measureStartUp", { path, count });
  const footprint = await runInChild(script, "measureFootprint", { path, count });
  const counts = { recallCount: quick ? 20 : 100, commitCount: quick ? 10 : 50, coreSummaryCount: 5 };
  const work = await runInChild(script, "measureCommitRecall", { path, count, ...counts });
  rmSync(path);
  return { count, edgeCount, startUp, footprint, work };
}

function formatTables({ date, commit, cpu, coreCount, node, loadAtStart }, bySize) {
  const speed = bySize.map(({ count, work }) => [
    count,
    work.recall.median,
    work.recall.p95,
    work.accept.median,
    work.commit.median,
    work.commit.p95,
    work.commitsPerSecond,
    work.coreSummary.median,
  ]);
  const startUp = bySize.map(({ count, startUp: { openMs, loadMs, firstRecallMs, totalMs } }) => {
    return [count, openMs, loadMs, firstRecallMs, totalMs];
  });
  const size = bySize.map(({ count, footprint: { memoryByteCount, estimatedByteCount, diskByteCount } }) => {
    return [count, ...[memoryByteCount, estimatedByteCount, diskByteCount, diskByteCount / count].map(formatBytes)];
  });
  const speedHeadings = ["Memories", "recall", "p95", "on disk", "memory", "p95", "commits/s", "core summary"];
  return `${date}, commit ${commit}, ${cpu}, ${coreCount} cores, Node ${node}, load ${formatNumber(loadAtStart)}; milliseconds

${formatTable(speedHeadings, speed)}

${formatTable(["Memories", "open", "load", "first recall", "in all"], startUp)}

${formatTable(["Memories", "in the process", "as estimated", "on disk", "each"], size)}
`;
}

if (process.argv[2] === "--child") await answerParent(measurements, process.argv.slice(3));
else {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  await run(values);
}
