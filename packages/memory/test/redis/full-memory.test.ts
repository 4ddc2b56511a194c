/** A Redis at `maxmemory`: a write is done whole or not at all, reading works, and so does forgetting. */
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { readPages } from "../../src/engine/records/person-data.js";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange } from "./scenes.js";

describe.runIf(hasRedis)("a full Redis", () => {
  let server: RedisServer;
  let prefixCount = 0;
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function fill(): Promise<void> {
    await server.command("CONFIG", "SET", "maxmemory", "1");
    onTestFinished(empty);
  }

  async function empty(): Promise<void> {
    await server.command("CONFIG", "SET", "maxmemory", "0");
  }

  async function open(prefix: string): Promise<RedisStore> {
    const store = await RedisStore.open({ url: server.url, prefix });
    onTestFinished(() => store.close());
    return store;
  }

  async function contentsOf(prefix: string): Promise<unknown[]> {
    const keys = ((await server.command("KEYS", `${prefix}*`)) as string[]).sort();
    return Promise.all(keys.map(async (key) => [key, await server.command("DUMP", key)]));
  }

  /** Two memories with an edge, and a third interaction in the queue. */
  async function settle(store: RedisStore): Promise<number> {
    for (const id of ["a", "b", "c"]) await store.accept("ada", interaction(id), "queued");
    const putEdges = [{ a: "a", b: "b", weight: 0.5, boostMs: 0, boostedMs: null }];
    const change = { ...noChange, putNodes: [memory("a"), memory("b")], putEdges };
    const outcomes = ["a", "b"].map((id) => ({ id, outcome: "committed" as const, trace: "{}" }));
    return store.apply("ada", batch(await store.revision("ada"), { change, outcomes }));
  }

  const entry = { interaction: interaction("x"), outcome: "committed" as const, trace: null };
  const writes: readonly (readonly [string, (store: RedisStore, base: number) => Promise<unknown>])[] = [
    ["accept of somebody new", (store) => store.accept("bea", interaction("x"), "queued")],
    ["accept", (store) => store.accept("ada", interaction("x"), "queued")],
    ["import", (store) => store.apply("bea", batch(0, { acceptEntries: [entry] }))],
    [
      "outcome",
      (store, base) => store.apply("ada", batch(base, { outcomes: [{ id: "c", outcome: "discarded", trace: "{}" }] })),
    ],
    ["memory", (store, base) => store.apply("ada", batch(base, { change: { ...noChange, putNodes: [memory("c")] } }))],
    ["requeue", (store, base) => store.apply("ada", batch(base, { requeueInteractions: ["a"] }))],
    ["core summary", (store, base) => store.apply("ada", batch(base, { commitsSinceCoreSummary: 3 }))],
    ["cache", (store) => store.cache("examples", Uint8Array.of(1))],
    ["embedder", (store) => store.setEmbedder({ name: "one", dimensions: 2 })],
    ["claim of the embedder", (store) => store.claimEmbedder({ name: "one", dimensions: 2 })],
  ];

  test.each(writes)("refuses %s before anything is written", async (_, write) => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const base = await settle(store);
    const before = await contentsOf(prefix);
    await fill();
    await expect(write(store, base)).rejects.toMatchObject({ code: "store_full" });
    expect(await contentsOf(prefix)).toEqual(before);
    await empty();
    await write(store, base);
  });

  test("removes memories whole, and can be opened and read", async () => {
    const prefix = nextPrefix();
    const base = await settle(await open(prefix));
    await fill();
    const store = await open(prefix);
    await store.apply("ada", batch(base, { change: { ...noChange, removeEdges: [["a", "b"]], removeNodes: ["b"] } }));
    const { change } = await readPages(await store.load("ada"));
    expect(change.putNodes.map(({ node }) => node.id)).toEqual(["a"]);
    expect(change.putEdges).toEqual([]);
    expect(await store.history("ada")).toHaveLength(3);
  });

  test("forgets an interaction, although the person was still to be listed", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const base = await settle(store);
    await server.command("HDEL", `${prefix}{ada}`, "listed_persons");
    await fill();
    const outcomes = [{ id: "b", outcome: "committed" as const, trace: '{"by":"(forgotten)"}' }];
    await store.apply("ada", batch(base, { forgetInteractions: ["a"], outcomes }));
    expect((await store.history("ada")).map((known) => known.interaction.id)).toEqual(["b", "c"]);
    expect(await store.persons()).toEqual(["ada"]);
    expect(await store.forgetPerson("ada")).toEqual({ interactions: 2, memories: 1, edges: 0 });
    expect(await server.command("KEYS", `${prefix}*`)).toEqual([`${prefix}settings`]);
  });

  test("forgets what a core summary was written from, and says so", async () => {
    const parameters = { coreSummaryIntervalCommits: 5, substanceThreshold: -10, redundancyThreshold: 10 };
    const memories = await openMemories({ path: `${server.url}?prefix=${nextPrefix()}`, parameters });
    const person = memories.person("ada");
    for (let position = 0; position < 10; position++) await person.commit(interactionAt(position));
    await person.settled();
    const { sourceIds } = (await person.coreSummary())!;
    await fill();
    const receipt = await person.forget(sourceIds[0]!);
    expect(receipt).toMatchObject({ forgotten: [sourceIds[0]], coreSummaryRebuilt: true });
    await expect(person.forget(sourceIds[0]!)).rejects.toMatchObject({ code: "unknown_id" });
    await empty();
    await person.forgetAll();
    expect(await memories.persons()).toEqual([]);
  });
});
