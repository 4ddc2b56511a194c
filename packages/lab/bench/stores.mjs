/**
 * `node packages/lab/bench/stores.mjs`: the same memory in SQLite, Redis and Postgres, one after the other in each round; the
 * servers run on this machine, and sync every write. `--count 1000`, `--rounds 3`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openRecords } from "mnemosyne-edge/internal/opening.js";
import { PostgresServer } from "../../memory/test/stores/postgres-server.mjs";
import { RedisServer } from "../../memory/test/stores/redis-server.mjs";
import { endOnSignals, formatTable, makeFolder, runInChild, summarize } from "./harness.mjs";

const { values } = parseArgs({
  options: { count: { type: "string", default: "1000" }, rounds: { type: "string", default: "3" } },
});
endOnSignals();
const count = Number(values.count);
const script = fileURLToPath(new URL("run.mjs", import.meta.url));
const [redis, postgres] = await Promise.all([RedisServer.start(), PostgresServer.start()]);
const paths = { SQLite: join(makeFolder(), "bench.db"), Redis: redis.url, Postgres: postgres.url };
const figures = {};

try {
  for (const [store, path] of Object.entries(paths)) {
    const emptyByteCount = await byteCountOf(path);
    await runInChild(script, "fill", { path, count });
    figures["bytes per memory"] = {
      ...figures["bytes per memory"],
      [store]: [((await byteCountOf(path)) - emptyByteCount) / count],
    };
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [store, path] of Object.entries(paths)) await measure(store, path, round);
  }
} finally {
  await Promise.all([redis.stop(), postgres.stop()]);
}
const rows = Object.entries(figures).map(([name, byStore]) => {
  const medians = Object.keys(paths).map((store) => summarize(byStore[store]).median);
  return [name, ...medians, ...medians.slice(1).map((median) => median / medians[0])];
});
const headings = [`${count} memories`, ...Object.keys(paths), "Redis / SQLite", "Postgres / SQLite"];
process.stdout.write(`${formatTable(headings, rows)}\n`);

async function byteCountOf(path) {
  const records = await openRecords({ path });
  const { byteCount } = await records.describe();
  await records.close();
  return byteCount;
}

async function measure(store, path, round) {
  const note = (name, value) => ((figures[name] ??= {})[store] ??= []).push(value);
  const { totalMs } = await runInChild(script, "measureStartUp", { path, count });
  note("closed store to first recall, ms", totalMs);
  const work = { path, count: count + round * 100, recallCount: 30, commitCount: 30, coreSummaryCount: 1 };
  const { recall, commit, accept } = await runInChild(script, "measureCommitRecall", work);
  note("recall, ms", recall.median);
  note("commit, ms", commit.median);
  note("acknowledged, ms", accept.median);
}
