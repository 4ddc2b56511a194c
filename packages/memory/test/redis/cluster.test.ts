/** The store in a Redis Cluster: three masters with a replica each, real servers, started here once. */
import { createHash } from "node:crypto";
import { storeConformance } from "../store-conformance/suite.js";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { slotOf } from "../../src/adapters/store/redis/client.js";
import { exportEverybody } from "../durability/export-lines.js";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { RedisCluster, eventually, hasRedis } from "./redis-server.mjs";
import { batch, interaction } from "./scenes.js";

const scratch = new ScratchFolder();
const names = Array.from({ length: 12 }, (_, i) => `person ${i}`);

describe.runIf(hasRedis)("a store in a Redis Cluster", () => {
  let cluster: RedisCluster;
  let prefixCount = 0;
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(() => cluster?.stop());

  for (const { name, check } of storeConformance) {
    test(name, () => check(() => RedisStore.open({ url: cluster.url, prefix: nextPrefix() })));
  }

  test("spreads persons over its masters and is the same as SQLite, byte for byte", async () => {
    const prefix = nextPrefix();
    const results: string[] = [];
    for (const path of [scratch.next(), `${cluster.url}?prefix=${prefix}&waitReplicas=1`]) {
      const memories = await openMemories({ path });
      for (const [i, name] of names.entries()) {
        for (let position = i; position < i + 6; position++)
          await memories.person(name).commit(interactionAt(position));
      }
      await memories.settled();
      results.push(JSON.stringify(await exportEverybody(memories)));
    }
    expect(results[1]).toBe(results[0]);
    for (const master of cluster.masters) {
      const keys = (await master.command("KEYS", `${prefix}{person*}`)) as string[];
      expect(keys.length).toBeGreaterThan(0);
    }
  });

  test("has keys in the slots where we look for them", async () => {
    const keys = [
      "mnemosyne:{ada}:memory:x",
      "{}a",
      "a{b}{c}",
      "plain",
      "{",
      "}{",
      "a{%C3%AB}b",
      "mnemosyne:persons:{ff}",
    ];
    for (const key of keys) {
      expect(slotOf(key)).toBe(await cluster.masters[0]!.command("CLUSTER", "KEYSLOT", key));
    }
  });

  test("describes all its masters", async () => {
    const servers = await RedisStore.servers({ url: cluster.url });
    expect(servers.map(({ appendOnly, appendFsync }) => [appendOnly, appendFsync])).toEqual(
      cluster.masters.map(() => [true, "always"]),
    );
  });

  test("a slot moves to another master while it is written to", async () => {
    const store = await RedisStore.open({ url: cluster.url, prefix: "moving:" });
    onTestFinished(() => store.close());
    const key = "moving:{ada}";
    const slot = String(await cluster.masters[0]!.command("CLUSTER", "KEYSLOT", key));
    await store.accept("ada", interaction("before"), "queued");
    const owner = await cluster.ownerOf(slot);
    const other = cluster.masters.find((master) => master !== owner)!;
    const [ownerId, otherId] = [await owner.command("CLUSTER", "MYID"), await other.command("CLUSTER", "MYID")];
    await other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", String(ownerId));
    await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", String(otherId));
    const during = store.accept("ada", interaction("during"), "queued");
    const keys = (await owner.command("CLUSTER", "GETKEYSINSLOT", slot, "1000")) as string[];
    await owner.command("MIGRATE", "127.0.0.1", String(other.port), "", "0", "5000", "KEYS", ...keys);
    for (const node of [other, owner]) await node.command("CLUSTER", "SETSLOT", slot, "NODE", String(otherId));
    expect(await during).toBe(true);
    expect(await store.accept("ada", interaction("after"), "queued")).toBe(true);
    const ids = (await store.history("ada")).map((entry) => entry.interaction.id);
    expect(ids).toEqual(["before", "during", "after"]);
  });

  test("a list of persons waits for its own replica: a name is not lost with the master that lists it", async () => {
    const prefix = nextPrefix();
    const store = await RedisStore.open({ url: cluster.url, prefix, waitReplicas: 1, waitMs: 300 });
    onTestFinished(() => store.close());
    const masterOf = async (key: string): Promise<number> => {
      const slot = String(await cluster.masters[0]!.command("CLUSTER", "KEYSLOT", key));
      return cluster.masters.indexOf(await cluster.ownerOf(slot));
    };
    const bucketOf = (name: string): string =>
      `${prefix}persons:{${createHash("sha256").update(name).digest("hex").slice(0, 2)}}`;
    let name = "";
    for (let i = 0; name === ""; i++) {
      const isApart = (await masterOf(bucketOf(`p${i}`))) !== (await masterOf(`${prefix}{p${i}}`));
      if (isApart) name = `p${i}`;
    }
    const replica = cluster.replicas[await masterOf(bucketOf(name))]!;
    process.kill(replica.pid, "SIGSTOP");
    try {
      await expect(store.accept(name, interaction("a"), "queued")).rejects.toThrow(/0 of 1 replicas/u);
    } finally {
      process.kill(replica.pid, "SIGCONT");
    }
    await eventually("replica", async () => (await store.accept(name, interaction("b"), "queued")) === true);
    expect(await store.persons()).toEqual([name]);
    expect(await store.personsWithQueue()).toEqual([name]);
  });

  /** Two stores, of which one waits for replicas, and a stretch of work while the person's replica is frozen. */
  async function openCarelessAndCareful(person: string) {
    const prefix = nextPrefix();
    const careless = await RedisStore.open({ url: cluster.url, prefix });
    const careful = await RedisStore.open({ url: cluster.url, prefix, waitReplicas: 1, waitMs: 300 });
    onTestFinished(() => careless.close());
    onTestFinished(() => careful.close());
    const owner = await cluster.ownerOf(String(slotOf(`${prefix}{${person}}`)));
    const replica = cluster.replicas[cluster.masters.indexOf(owner)]!;
    const whileFrozen = async (work: () => Promise<void>): Promise<void> => {
      process.kill(replica.pid, "SIGSTOP");
      await work().finally(() => process.kill(replica.pid, "SIGCONT"));
    };
    return { careless, careful, whileFrozen };
  }

  test("whoever is told that an interaction is known waits for replicas, too", async () => {
    const { careless, careful, whileFrozen } = await openCarelessAndCareful("ada");
    await careful.accept("ada", interaction("a"), "queued");
    await whileFrozen(async () => {
      expect(await careless.accept("ada", interaction("b"), "queued")).toBe(true);
      await expect(careful.accept("ada", interaction("b"), "queued")).rejects.toMatchObject({ code: "store_busy" });
    });
    await eventually("replica", async () => (await careful.accept("ada", interaction("b"), "queued")) === false);
  });

  test("whoever is told that somebody is forgotten waits for replicas, too", async () => {
    const { careless, careful, whileFrozen } = await openCarelessAndCareful("ada");
    await careful.accept("ada", interaction("a"), "queued");
    await whileFrozen(async () => {
      expect(await careless.forgetPerson("ada")).toMatchObject({ interactions: 1 });
      await expect(careful.forgetPerson("ada")).rejects.toMatchObject({ code: "store_busy" });
    });
    await eventually("replica", async () => (await careful.forgetPerson("ada")).interactions === 0);
  });

  test("lists are tidied up when there is a replica to wait for, and hold up nobody before", async () => {
    const { careless, careful, whileFrozen } = await openCarelessAndCareful("ada");
    await careful.accept("ada", interaction("a"), "queued");
    const done = { id: "a", outcome: "discarded", trace: null } as const;
    await careless.apply("ada", batch(await careless.revision("ada"), { outcomes: [done] }));
    await whileFrozen(async () => {
      expect(await careful.personsWithQueue()).toEqual([]);
      expect(await careful.persons()).toEqual(["ada"]);
    });
    expect(await careful.personsWithQueue()).toEqual([]);
  });

  test("a slot on its way to a master without a replica: a write there is not taken for one that a replica has", async () => {
    const prefix = nextPrefix();
    const store = await RedisStore.open({ url: cluster.url, prefix, waitReplicas: 1, waitMs: 300, timeoutMs: 2_000 });
    onTestFinished(() => store.close());
    const bucket = `${prefix}persons:{${createHash("sha256").update("ada").digest("hex").slice(0, 2)}}`;
    const slot = String(await cluster.masters[0]!.command("CLUSTER", "KEYSLOT", bucket));
    const person = await cluster.ownerOf(String(slotOf(`${prefix}{ada}`)));
    const owner = await cluster.ownerOf(slot);
    const other = cluster.masters.find((master) => master !== owner && master !== person)!;
    const replica = cluster.replicas[cluster.masters.indexOf(other)]!;
    await other.command("CLUSTER", "SETSLOT", slot, "IMPORTING", String(await owner.command("CLUSTER", "MYID")));
    await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", String(await other.command("CLUSTER", "MYID")));
    process.kill(replica.pid, "SIGSTOP");
    try {
      await expect(store.accept("ada", interaction("a"), "queued")).rejects.toMatchObject({ code: "store_busy" });
    } finally {
      process.kill(replica.pid, "SIGCONT");
    }
    for (const node of [owner, other]) await node.command("CLUSTER", "SETSLOT", slot, "STABLE");
    expect(await store.accept("ada", interaction("a"), "queued")).toBe(false);
    expect(await store.persons()).toEqual(["ada"]);
  });

  test("a master and its replica change roles while they are written to", async () => {
    const store = await RedisStore.open({ url: cluster.url, prefix: nextPrefix(), waitReplicas: 1, waitMs: 5_000 });
    onTestFinished(() => store.close());
    const [master, replica] = [cluster.masters[2]!, cluster.replicas[2]!];
    const isMaster = async (node: typeof master): Promise<boolean> =>
      /role:master[\s\S]*state=online/u.test(String(await node.command("INFO", "replication")));
    let isOver = false;
    const acknowledged = names.map(() => 0);
    const handIn = names.map(async (name, i) => {
      while (!isOver) {
        expect(await store.accept(name, interaction(`i${acknowledged[i]}`), "queued")).toBe(true);
        acknowledged[i]!++;
      }
    });
    // Redis gives up on a change of roles after five seconds.
    let tries = 0;
    await eventually("change of roles", async () => {
      if (tries++ % 120 === 0) await replica.command("CLUSTER", "FAILOVER");
      return isMaster(replica);
    });
    [cluster.masters[2], cluster.replicas[2]] = [replica, master];
    isOver = true;
    await Promise.all(handIn);
    for (const [i, name] of names.entries()) expect(await store.history(name)).toHaveLength(acknowledged[i]!);
  });

  /** Last: afterwards the cluster has a master less. */
  test("a master dies and its replica takes over: what was acknowledged with WAIT is there", async () => {
    const options = { url: cluster.url, prefix: nextPrefix(), waitReplicas: 1, waitMs: 5_000 };
    const store = await RedisStore.open(options);
    onTestFinished(() => store.close());
    for (const name of names) expect(await store.accept(name, interaction("before"), "queued")).toBe(true);
    await cluster.masters[1]!.kill();
    const during = await Promise.allSettled(
      names.map((name) => store.accept(name, interaction("during"), "queued").then(() => name)),
    );
    await eventually("new master", async () =>
      String(await cluster.replicas[1]!.command("INFO", "replication")).includes("role:master"),
    );
    const acknowledged = during.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    // Those of the other two masters at the least.
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const name of names) {
      const ids = (await store.history(name)).map((entry) => entry.interaction.id);
      expect(ids[0]).toBe("before");
      if (acknowledged.includes(name)) expect(ids).toEqual(["before", "during"]);
    }
    expect((await store.persons()).sort()).toEqual(names.toSorted());
  });
});
