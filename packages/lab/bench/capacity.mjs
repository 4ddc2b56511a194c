/**
 * `node packages/lab/bench/capacity.mjs`: starts a Redis Cluster (three masters on this machine), fills it with synthetic
 * people, and prints their size and how many requests one process serves, as JSON. `--persons`, `--memories`: how many;
 * `--url`: your own empty cluster instead.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Mnemosyne } from "mnemosyne-edge";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { RedisCluster } from "../../memory/test/redis/redis-server.mjs";
import { everything } from "./commit-recall.mjs";
import { makePersonBatch } from "./fill.mjs";
import { answerParent, collectGarbage, describeRun, endOnSignals, runInChild, timeEach } from "./harness.mjs";
import { BenchClock, SyntheticEmbedder, makeConversation, makeQuestion } from "./synthetic.mjs";

const script = fileURLToPath(import.meta.url);

/** People with a tenth of the memories, to see whether a memory takes more space when there are few. */
const smallShare = 0.1;
const loadsAtOnce = 8;
/** People that a process serves at the same time while it is measured. */
const lanes = 8;
const warmCount = 50;
const commitCount = 300;
const minuteMs = 60_000;

const nameOf = (i) => `person-${String(i).padStart(9, "0")}`;
const smallNameOf = (i) => `small-${String(i).padStart(9, "0")}`;

async function runAtOnce(count, laneCount, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
}

/** The same synthetic person by many names. */
async function load(store, count, memoryCount, nameAt, embedder) {
  const batch = makePersonBatch(memoryCount, embedder);
  const startMs = performance.now();
  await runAtOnce(count, loadsAtOnce, (i) => store.apply(nameAt(i), batch));
  const seconds = (performance.now() - startMs) / 1000;
  return { seconds, edgesPerMemory: batch.change.putEdges.length / memoryCount };
}

/** Redis frees connection buffers some seconds later. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5_000));

/** Sums over all masters. */
async function inspect(store) {
  const servers = await store.inspect();
  return servers.reduce((sum, { memoryByteCount }) => sum + memoryByteCount, 0);
}

async function readInfo(cluster, section) {
  const texts = await Promise.all(cluster.masters.map((master) => master.command("INFO", section)));
  return (field) =>
    texts.reduce((sum, text) => sum + Number(new RegExp(`^${field}:([\\d.]+)`, "mu").exec(String(text))?.[1] ?? 0), 0);
}

async function rewriteFiles(cluster) {
  for (const master of cluster.masters) await master.command("BGREWRITEAOF");
  for (;;) {
    const info = await readInfo(cluster, "persistence");
    if (info("aof_rewrite_in_progress") + info("aof_rewrite_scheduled") === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const processorSeconds = async (cluster) => {
  if (cluster === null) return Number.NaN;
  const info = await readInfo(cluster, "cpu");
  return info("used_cpu_user") + info("used_cpu_sys");
};

async function openMemories(url, personsInMemoryMax) {
  const embedder = new SyntheticEmbedder();
  const clock = new BenchClock();
  const options = { path: url, embedder, judge: false, clock, timeZone: "Europe/London" };
  const memories = await Mnemosyne.open({ ...options, parameters: { ...everything, personsInMemoryMax } });
  return { memories, embedder, clock };
}

/** Operations per second, without the embedder's time and without waiting for other programs. */
async function rate({ embedder }, count, work) {
  const spentMs = embedder.spentMs;
  const [ms] = await timeEach(1, () => runAtOnce(count, lanes, work));
  return (count * 1000) / (ms - (embedder.spentMs - spentMs));
}

const measurements = {
  /** With people who stay in memory. */
  async warm({ url, memoryCount, recallCount }) {
    const opened = await openMemories(url, warmCount);
    const { memories } = opened;
    const recall = (i) => memories.person(nameOf(i % warmCount)).recall(makeQuestion(i % memoryCount), { seed: i });
    await collectGarbage();
    const before = process.memoryUsage();
    await runAtOnce(warmCount, lanes, recall);
    await collectGarbage();
    const after = process.memoryUsage();
    const bytesPerPerson = (after.heapUsed + after.external - before.heapUsed - before.external) / warmCount;
    await runAtOnce(recallCount, lanes, recall);
    const recallsPerSecond = await rate(opened, recallCount, recall);
    await memories.close();
    return { recallsPerSecond, bytesPerPerson };
  },

  /** Submitted and processed; people stay in memory. */
  async commit({ url, commitCount: count }) {
    const opened = await openMemories(url, warmCount);
    const { memories, clock } = opened;
    const commit = async (i) => {
      clock.advance(minuteMs);
      const memory = memories.person(nameOf(i % warmCount));
      await memory.commit({ turns: makeConversation(1_000_000 + i).turns });
      await memory.settled();
    };
    await runAtOnce(warmCount, lanes, commit);
    const commitsPerSecond = await rate(opened, count, (i) => commit(warmCount + i));
    await memories.close();
    return { commitsPerSecond };
  },

  /** Everybody for the first time, with room for only a few. */
  async cold({ url, memoryCount, recallCount }) {
    const opened = await openMemories(url, lanes);
    const recall = (i) => opened.memories.person(nameOf(i)).recall(makeQuestion(i % memoryCount), { seed: i });
    await runAtOnce(lanes, lanes, recall);
    const recallsPerSecond = await rate(opened, recallCount, (i) => recall(lanes + i));
    await opened.memories.close();
    return { recallsPerSecond };
  },
};

async function measureProcess(cluster, name, input, operationCount) {
  const beforeSeconds = await processorSeconds(cluster);
  const result = await runInChild(script, name, input);
  const redisMs = ((await processorSeconds(cluster)) - beforeSeconds) * 1000;
  return { ...result, redisMsEach: redisMs / operationCount };
}

async function measureSizes(store, cluster, personCount, memoryCount) {
  const embedder = new SyntheticEmbedder();
  await store.setEmbedder(embedder.identity);
  // Scripts and buffers are allocated with the first people and stay.
  await load(store, lanes * lanes, memoryCount, (i) => `first-${i}`, embedder);
  await pause();
  const emptyBytes = await inspect(store);
  const smallCount = Math.round(personCount * smallShare);
  const smallMemoryCount = Math.max(1, Math.round(memoryCount / 10));
  await load(store, smallCount, smallMemoryCount, smallNameOf, embedder);
  await pause();
  const smallBytes = (await inspect(store)) - emptyBytes;
  const loaded = await load(store, personCount, memoryCount, nameOf, embedder);
  await pause();
  const largeBytes = (await inspect(store)) - emptyBytes - smallBytes;
  const all = smallCount * smallMemoryCount + personCount * memoryCount;
  return {
    ...loaded,
    bytesPerMemory: largeBytes / personCount / memoryCount,
    smallMemoryCount,
    bytesPerMemoryOfSmall: smallBytes / smallCount / smallMemoryCount,
    allMemories: all,
    memoryBytes: smallBytes + largeBytes,
    ...(cluster === null ? {} : await measureFiles(cluster, all + lanes * lanes * memoryCount)),
  };
}

async function measureFiles(cluster, memoryCount) {
  const grown = (await readInfo(cluster, "persistence"))("aof_current_size");
  await rewriteFiles(cluster);
  const rewritten = (await readInfo(cluster, "persistence"))("aof_current_size");
  const rss = (await readInfo(cluster, "memory"))("used_memory_rss");
  return {
    fileBytesPerMemory: grown / memoryCount,
    rewrittenBytesPerMemory: rewritten / memoryCount,
    residentBytes: rss,
  };
}

async function run({ persons, memories, url }) {
  const personCount = Number(persons);
  const memoryCount = Number(memories);
  if (!(personCount > warmCount && memoryCount >= 10)) {
    throw new Error(`--persons must be above ${warmCount} and --memories at least 10`);
  }
  const startMs = performance.now();
  endOnSignals();
  const about = describeRun();
  const cluster = url === undefined ? await RedisCluster.start({ hasReplicas: false, settings: everySecond }) : null;
  try {
    const address = url ?? cluster.url;
    const store = await RedisStore.open({ url: address });
    if ((await store.persons()).length > 0) throw new Error("the cluster is not empty");
    const sizes = await measureSizes(store, cluster, personCount, memoryCount);
    await store.close();
    const input = { url: address, memoryCount };
    const coldCount = Math.min(personCount - lanes, 500);
    const cold = await measureProcess(cluster, "cold", { ...input, recallCount: coldCount }, coldCount);
    const warm = await runInChild(script, "warm", { ...input, recallCount: 1_000 });
    const commit = await measureProcess(cluster, "commit", { ...input, commitCount }, commitCount);
    const minutes = (performance.now() - startMs) / minuteMs;
    const figures = { ...about, minutes, personCount, memoryCount, ...sizes, cold, warm, commit };
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    await cluster?.stop();
  }
}

/** Filling is not measured, so it need not wait for the disk with every batch. */
const everySecond = { appendfsync: "everysec" };

if (process.argv[2] === "--child") await answerParent(measurements, process.argv.slice(3));
else {
  const { values } = parseArgs({
    options: {
      persons: { type: "string", default: "10000" },
      memories: { type: "string", default: "100" },
      url: { type: "string" },
    },
  });
  await run(values);
}
