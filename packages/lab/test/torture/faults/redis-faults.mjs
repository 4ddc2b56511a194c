/** What happens to a Redis and on the way to it. With `appendfsync always`, everything acknowledged is there afterwards. */
import { setTimeout as delay } from "node:timers/promises";
import { DroppingProxy } from "../../../../memory/test/redis/dropping-proxy.mjs";
import { RedisCluster, RedisServer, eventually } from "../../../../memory/test/redis/redis-server.mjs";
import { markOf, numbers } from "../interactions.mjs";

const commitCount = 60;
const settings = { "enable-debug-command": "yes" };

/** Faults of one server under somebody who commits on and on. */
const faults = {
  async kill(random, { server }) {
    await server.kill();
    await delay(random.between(0, 600));
    await server.start();
  },
  cut: (_random, { server }) => server.command("CLIENT", "KILL", "TYPE", "normal"),
  pause: (random, { server }) =>
    server.command("CLIENT", "PAUSE", String(random.between(50, 1500)), random.pick(["ALL", "WRITE"])),
  drop: (random, { proxy }) => proxy.dropAfter(random.between(0, 6)),
  dropMany: (random, { proxy }) => void (proxy.dropCount = random.between(2, 6)),
  scripts: (_random, { server }) => server.command("SCRIPT", "FLUSH"),
  sleep: (random, { server }) => server.command("DEBUG", "SLEEP", String(random.between(1, 12) / 10)),
  async full(random, { server }) {
    await server.command("CONFIG", "SET", "maxmemory", "1mb");
    await delay(random.between(50, 800));
    await server.command("CONFIG", "SET", "maxmemory", "0");
  },
  // Redis may be rewriting by itself already.
  rewrite: (_random, { server }) =>
    server.command("BGREWRITEAOF").catch((error) => {
      if (!/already in progress/u.test(error.message)) throw error;
    }),
};

const plays = { underFire, flushed, underFireAgain: underFire, readOnly, failing };

export const redisFaults = {
  kind: "redis",
  // Several in each round: there is much that can happen to a server.
  stores: ["redis", "redis-encrypted", "redis"],
  async run(scene) {
    const names = Object.keys(plays);
    await plays[names[scene.number % names.length]](scene);
  },
};

function commits(from, count) {
  return numbers(from, count).map((number) => ["commit", { number }]);
}

async function underFire(scene) {
  const server = await RedisServer.start(settings);
  const proxy = await DroppingProxy.start(server.port);
  try {
    const acts = [["open"], ...commits(0, commitCount), ["settle"], ["close"]];
    const actor = scene.start(acts, { open: scene.at(proxy.url), isPersistent: true });
    for (let count = scene.random.between(3, 6); count > 0; count--) {
      const wanted = actor.said("acknowledged").length + scene.random.between(1, 12);
      await actor.until(() => actor.said("acknowledged").length >= wanted);
      await delay(scene.random.between(0, 20));
      await persevere(() => faults[scene.random.pick(Object.keys(faults))](scene.random, { server, proxy }));
    }
    await scene.finish(actor);
    await server.kill();
    await server.start();
    await scene.look({ open: scene.at(server.url) });
  } finally {
    proxy.stop();
    await server.stop();
  }
}

/** A fault that cuts its own connection was a fault all the same. */
async function persevere(work) {
  try {
    await work();
  } catch (error) {
    if (!/closed|reset|Socket/iu.test(String(error?.message))) throw error;
  }
}

/** Everything is deleted while somebody has it open: what is submitted afterwards is there for the next. */
async function flushed(scene) {
  const server = await RedisServer.start(settings);
  try {
    const isSettled = scene.random.chance(0.5) ? [["settle"]] : [];
    const acts = [["open"], ...commits(0, 15), ...isSettled, ["hold"], ...commits(100, 15), ["settle"], ["close"]];
    const actor = scene.start(acts, { open: scene.at(server.url), isPersistent: true });
    await actor.until(() => actor.said("held").length > 0);
    await server.command("FLUSHALL");
    actor.go();
    await scene.finish(actor);
    for (const number of numbers(0, 15)) scene.acknowledged.delete(markOf(scene.seed, number));
    await scene.look({ open: scene.at(server.url) });
  } finally {
    await server.stop();
  }
}

/** A replica takes nothing, and says so. */
async function readOnly(scene) {
  const server = await RedisServer.start(settings);
  const replica = await RedisServer.start({ ...settings, replicaof: `127.0.0.1 ${server.port}` });
  try {
    await scene.perform([["open"], ...commits(0, 5), ["settle"], ["close"]], { open: scene.at(server.url) });
    await eventually("a replica", async () => (await replica.command("EXISTS", "mnemosyne:settings")) === 1);
    await scene.perform([["open"], ...commits(10, 5), ["forget", [0]], ["close"]], { open: scene.at(replica.url) });
    await scene.look({ open: scene.at(server.url) });
  } finally {
    await replica.stop();
    await server.stop();
  }
}

/** Three masters; one is killed and comes back. */
async function failing(scene) {
  const cluster = await RedisCluster.start({ hasReplicas: false });
  try {
    const open = scene.at(cluster.url);
    const actor = scene.start([["open"], ...commits(0, 40), ["settle"], ["close"]], { open, isPersistent: true });
    const wanted = scene.random.between(2, 25);
    await actor.until(() => actor.said("acknowledged").length >= wanted);
    const master = scene.random.pick(cluster.masters);
    await master.kill();
    await delay(scene.random.between(0, 3000));
    await master.start();
    await scene.finish(actor);
    await scene.look({ open });
  } finally {
    await cluster.stop();
  }
}
