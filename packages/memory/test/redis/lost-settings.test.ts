/** Settings that are lost or replaced while a store is open: what is acknowledged afterwards can be read by the next process. */
import type { RedisOptions } from "mnemosyne-edge/store/redis";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { describe, expect, onTestFinished, test } from "vitest";
import { RedisCluster, RedisServer, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange } from "./scenes.js";

const encryptionKey = "correct horse";
const embedder = { name: "one", dimensions: 64 };

async function open(options: RedisOptions): Promise<RedisStore> {
  const store = await RedisStore.open(options);
  onTestFinished(() => store.close());
  return store;
}

async function start(settings: Record<string, string> = {}): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.stop());
  return server;
}

const idsOf = async (store: RedisStore, person = "ada"): Promise<string[]> =>
  (await store.history(person)).map((entry) => entry.interaction.id);

const variants: readonly Omit<RedisOptions, "url">[] = [{}, { encryptionKey }];

describe.runIf(hasRedis).each(variants)("a store with %j", (options) => {
  test("in a Redis that is emptied: what is committed then, the next process reads", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url, ...options });
    await store.claimEmbedder(embedder);
    await store.accept("ada", interaction("a"), "queued");
    await command("FLUSHALL");
    expect(await store.accept("ada", interaction("b"), "queued")).toBe(true);
    const next = await open({ url, ...options });
    expect(await next.embedder()).toEqual(embedder);
    expect(await idsOf(next)).toEqual(["b"]);
    expect(await next.accept("ada", interaction("c"), "queued")).toBe(true);
    expect(await idsOf(store)).toEqual(["b", "c"]);
  });

  test("in a Redis that starts again without what it had", async () => {
    const server = await start({ appendonly: "no" });
    const store = await open({ url: server.url, ...options });
    await store.accept("ada", interaction("a"), "queued");
    await server.kill();
    await server.start();
    const revision = await store.apply("bea", {
      ...batch(0, { change: { ...noChange, putNodes: [memory("x")] } }),
      acceptEntries: [{ interaction: interaction("x"), outcome: "committed", trace: null }],
    });
    const next = await open({ url: server.url, ...options });
    expect(await next.persons()).toEqual(["bea"]);
    expect((await next.load("bea")).revision).toBe(revision);
    expect(await idsOf(next, "bea")).toEqual(["x"]);
  });

  test("whose settings alone are lost: the next process finds them with the persons", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url, ...options });
    await store.claimEmbedder(embedder);
    await store.accept("ada", interaction("a"), "queued");
    await command("DEL", "mnemosyne:settings");
    await store.accept("ada", interaction("b"), "queued");
    const next = await open({ url, ...options });
    expect(await idsOf(next)).toEqual(["a", "b"]);
    expect(await next.embedder()).toEqual(embedder);
    expect(await command("HGET", "mnemosyne:settings", "schema_version")).toBe("6");
  });

  test("whose settings are lost, and the persons do not say which they were", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url, ...options });
    await store.accept("ada", interaction("a"), "queued");
    await store.close();
    await command("DEL", "mnemosyne:settings");
    await command("HDEL", "mnemosyne:{ada}", "store", "embedder");
    const lost = RedisStore.open({ url, ...options });
    await expect(lost).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(lost).rejects.toThrow(/mnemosyne:settings.*backup/su);
    expect(await command("EXISTS", "mnemosyne:settings")).toBe(0);
  });
});

describe.runIf(hasRedis)("settings of another", () => {
  test("that took the place of ours: nothing is stored", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url, encryptionKey });
    await store.accept("ada", interaction("a"), "queued");
    await command("FLUSHALL");
    const another = await open({ url, encryptionKey });
    const refused = store.accept("ada", interaction("b"), "queued");
    await expect(refused).rejects.toMatchObject({ code: "store_not_ours" });
    await expect(refused).rejects.toThrow(/replaced.*open it again/su);
    expect(await another.persons()).toEqual([]);
    await another.accept("ada", interaction("c"), "queued");
    const foreign = store.accept("ada", interaction("d"), "queued");
    await expect(foreign).rejects.toMatchObject({ code: "store_not_ours" });
    expect(await idsOf(another)).toEqual(["c"]);
  });

  test("are not made up with a key that does not fit", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url, encryptionKey });
    await store.accept("ada", interaction("a"), "queued");
    await command("DEL", "mnemosyne:settings");
    for (const key of [{}, { encryptionKey: "wrong horse" }]) {
      await expect(RedisStore.open({ url, ...key })).rejects.toMatchObject({ code: "store_not_ours" });
    }
    expect(await idsOf(await open({ url, encryptionKey }))).toEqual(["a"]);
  });

  test("with another embedder: vectors of the first are refused", async () => {
    const { url } = await start();
    const [store, reembedding] = [await open({ url }), await open({ url })];
    await store.claimEmbedder(embedder);
    await store.accept("ada", interaction("a"), "queued");
    const base = await store.revision("ada");
    await reembedding.setEmbedder({ name: "two", dimensions: 64 });
    const next = await reembedding.apply("ada", batch(base, {}));
    const putNodes = { change: { ...noChange, putNodes: [memory("a")] } };
    const refused = store.apply("ada", batch(next, putNodes));
    await expect(refused).rejects.toMatchObject({ code: "embedder_mismatch" });
    await expect(refused).rejects.toThrow(/"two"/u);
    await expect(store.accept("bea", interaction("x"), "queued")).rejects.toMatchObject({ code: "embedder_mismatch" });
    expect(await reembedding.persons()).toEqual(["ada"]);
  });

  test("cost a person's first write one more question, and later writes none", async () => {
    const { url, command } = withCommand(await start());
    const store = await open({ url });
    await store.accept("ada", interaction("a"), "queued");
    await command("CONFIG", "RESETSTAT");
    for (const id of ["b", "c", "d"]) await store.accept("ada", interaction(id), "queued");
    const calls = /cmdstat_evalsha:calls=(\d+)/u.exec(String(await command("INFO", "commandstats")))?.[1];
    expect(Number(calls)).toBe(3);
  });

  test("lost with a node of a cluster", async () => {
    const cluster = await RedisCluster.start({ hasReplicas: false });
    onTestFinished(() => cluster.stop());
    const store = await open({ url: cluster.url, encryptionKey });
    for (const person of ["ada", "bea", "cleo", "dora"]) await store.accept(person, interaction("a"), "queued");
    for (const master of cluster.masters) await master.command("FLUSHALL");
    for (const person of ["ada", "bea"]) await store.accept(person, interaction("b"), "queued");
    const next = await open({ url: cluster.url, encryptionKey });
    expect(await next.persons()).toEqual(["ada", "bea"]);
    expect(await idsOf(next)).toEqual(["b"]);
  });
});

function withCommand(server: RedisServer): { url: string; command: RedisServer["command"] } {
  return { url: server.url, command: (...args) => server.command(...args) };
}
