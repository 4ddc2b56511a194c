/**
 * `npm run bench:failover`: how many acknowledged interactions a lost master takes with it, with and without waiting for its
 * replica, for docs/redis.md. A master and a replica with a delayed link, as between machines, and some writers; then master
 * and link end at once, with whatever was in transit, and the replica becomes the master. `--json` prints the figures and
 * leaves the page alone.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { parseArgs } from "node:util";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { RedisCluster, RedisServer, eventually } from "../../memory/test/redis/redis-server.mjs";
import { describeRun, endOnSignals, formatNumber, formatTable } from "./harness.mjs";
import { sectionOf, writeKeptSection } from "./kept-section.mjs";

const delaysMs = [0, 1, 10, 100];
const triesPerDelay = 5;
const clusterTries = 3;
const writerCount = 16;
const personCount = 40;
const writtenMs = 1_500;

/** Forwards bytes in both directions, each this many milliseconds late, until it is cut. */
class SlowLink {
  #sockets = new Set();
  #server;
  #isCut = false;

  static async open(targetPort, delayMs) {
    const link = new SlowLink(targetPort, delayMs);
    await once(link.#server, "listening");
    return link;
  }

  constructor(targetPort, delayMs) {
    this.#server = createServer((replica) => {
      const master = connect(targetPort, "127.0.0.1");
      this.#pass(replica, master, delayMs);
      this.#pass(master, replica, delayMs);
    }).listen(0, "127.0.0.1");
  }

  get port() {
    return this.#server.address().port;
  }

  cut() {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(from, to, delayMs) {
    this.#sockets.add(from);
    from.on("error", () => {});
    from.on("close", () => to.destroy());
    from.on("data", (bytes) => {
      const deliver = () => {
        if (!this.#isCut && !to.destroyed) to.write(bytes);
      };
      if (delayMs === 0) deliver();
      else setTimeout(deliver, delayMs);
    });
  }
}

function interactionOf(id) {
  const summary = `Something was said, number ${id}, and it should not be lost.`;
  const notes = { metadata: {}, expiresMs: null, versions: [] };
  const said = { id, initMs: 1, acceptedMs: 1, turns: [], summary, state: null };
  return { ...said, restored: false, kept: false, updates: [], ...notes };
}

/** Commits until it is told to stop; returns what was acknowledged, in order. */
function startWriters(store) {
  const acknowledged = [];
  let isEnded = false;
  let count = 0;
  const write = async () => {
    while (!isEnded) {
      const [id, person] = [`i${count}`, `person ${count % personCount}`];
      count++;
      try {
        await store.accept(person, interactionOf(id), "queued");
        if (!isEnded) acknowledged.push({ id, person });
      } catch {
        // Not acknowledged: the caller knows, and would try again.
      }
    }
  };
  const writers = Array.from({ length: writerCount }, write);
  return {
    acknowledged,
    async end() {
      isEnded = true;
      await Promise.all(writers);
    },
  };
}

async function countLost(url, acknowledged) {
  const store = await RedisStore.open({ url });
  const kept = new Set();
  for (let i = 0; i < personCount; i++) {
    for (const { interaction } of await store.history(`person ${i}`)) kept.add(interaction.id);
  }
  await store.close();
  return acknowledged.filter(({ id }) => !kept.has(id)).length;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function loseMaster(delayMs, waitReplicas) {
  const master = await RedisServer.start();
  const link = await SlowLink.open(master.port, delayMs);
  const replica = await RedisServer.start({ replicaof: `127.0.0.1 ${link.port}` });
  try {
    await eventually("a replica", async () =>
      /state=online/u.test(String(await master.command("INFO", "replication"))),
    );
    const store = await RedisStore.open({ url: master.url, waitReplicas, waitMs: 5_000, timeoutMs: 500 });
    const writers = startWriters(store);
    await sleep(writtenMs);
    const acknowledged = [...writers.acknowledged];
    link.cut();
    process.kill(master.pid, "SIGKILL");
    await writers.end();
    await store.close();
    await replica.command("REPLICAOF", "NO", "ONE");
    return { acknowledgedCount: acknowledged.length, lostCount: await countLost(replica.url, acknowledged) };
  } finally {
    link.cut();
    await Promise.all([master.stop(), replica.stop()]);
  }
}

/** A whole cluster on one machine: what the kernel has accepted still arrives after the master is killed. */
async function loseClusterMaster(waitReplicas) {
  const cluster = await RedisCluster.start();
  try {
    const store = await RedisStore.open({ url: cluster.url, waitReplicas, waitMs: 5_000 });
    const writers = startWriters(store);
    await sleep(writtenMs);
    await cluster.masters[1].kill();
    await eventually("new master", async () =>
      String(await cluster.replicas[1].command("INFO", "replication")).includes("role:master"),
    );
    const acknowledged = [...writers.acknowledged];
    await cluster.masters[1].start();
    await writers.end();
    await store.close();
    return { acknowledgedCount: acknowledged.length, lostCount: await countLost(cluster.url, acknowledged) };
  } finally {
    await cluster.stop();
  }
}

async function repeat(tries, work) {
  const results = [];
  for (let i = 0; i < tries; i++) results.push(await work());
  const losses = results.map(({ lostCount }) => lostCount).sort((a, b) => a - b);
  return {
    tries,
    acknowledged: results.reduce((sum, { acknowledgedCount }) => sum + acknowledgedCount, 0),
    lost: losses.reduce((sum, count) => sum + count, 0),
    median: losses[Math.floor(losses.length / 2)],
    most: losses.at(-1),
  };
}

async function measure() {
  const rows = [];
  for (const waitReplicas of [0, 1]) {
    const cluster = await repeat(clusterTries, () => loseClusterMaster(waitReplicas));
    rows.push({ scene: "cluster on one machine, master killed", waitReplicas, ...cluster });
  }
  for (const delayMs of delaysMs) {
    for (const waitReplicas of [0, 1]) {
      const lost = await repeat(triesPerDelay, () => loseMaster(delayMs, waitReplicas));
      rows.push({ scene: `master and link lost, link of ${delayMs} ms`, waitReplicas, ...lost });
    }
  }
  return rows;
}

function makeSection(rows, { date, commit, cpu, coreCount }) {
  const about = `Measured by \`npm run bench:failover\` on ${date} at ${commit} (${cpu}, ${coreCount} cores): ${writerCount} writers commit for ${personCount} people, the master is lost, its replica takes over. \`most\` is the worst try.`;
  const table = formatTable(
    ["What is lost", "waitReplicas", "tries", "acknowledged", "lost", "median", "most"],
    rows.map(({ scene, waitReplicas, tries, acknowledged, lost, median, most }) => [
      scene,
      waitReplicas,
      tries,
      acknowledged,
      lost,
      median,
      most,
    ]),
  );
  const waited = rows.filter(({ waitReplicas }) => waitReplicas === 1).reduce((sum, { lost }) => sum + lost, 0);
  const unwaited = rows.filter(({ waitReplicas }) => waitReplicas === 0).reduce((sum, { lost }) => sum + lost, 0);
  const summary = `In all, ${formatNumber(unwaited)} acknowledged interactions were lost without waiting, ${formatNumber(waited)} with \`waitReplicas=1\`. Without waiting, a lost machine loses about what it acknowledged within one link delay.`;
  return `${about}\n\n${table}\n\n${summary}`;
}

const { json } = parseArgs({ options: { json: { type: "boolean", default: false } } }).values;
endOnSignals();
const described = describeRun();
const rows = await measure();
if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else writeKeptSection(makeSection(rows, described), sectionOf("redis.md", "failover"));
