/** Keys that Redis evicted, and values that were altered: named, never taken for less, and what is whole stays readable. */
import { MnemosyneError } from "mnemosyne-edge";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readPages } from "../../src/engine/records/person-data.js";
import { openMemories } from "../durability/opened-memories.js";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange } from "./scenes.js";

/** Alters the value of a field (or of a string) in the way that is asked for. */
const alter = `
local function altered(value)
  local middle = math.floor(#value / 2) + 1
  local byte = string.byte(value, middle)
  return string.sub(value, 1, middle - 1) .. string.char(byte >= 128 and byte - 128 or byte + 128) .. string.sub(value, middle + 1)
end
if ARGV[1] == 'evict' then return redis.call('DEL', KEYS[1]) end
if ARGV[1] == 'replace' then return redis.call('DEL', KEYS[1]) + redis.call('RPUSH', KEYS[1], 'x') end
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'string' then return redis.call('SET', KEYS[1], altered(redis.call('GET', KEYS[1]))) end
if kind == 'hash' then return redis.call('HSET', KEYS[1], ARGV[2], altered(redis.call('HGET', KEYS[1], ARGV[2]))) end
local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[1], ARGV[2])
return redis.call('ZADD', KEYS[1], score, altered(ARGV[2]))
`;

const person = "ada";

describe.runIf(hasRedis)("damage", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function open(prefix: string): Promise<RedisStore> {
    const store = await RedisStore.open({ url: server.url, prefix });
    onTestFinished(() => store.close());
    return store;
  }

  const turns = [{ who: "user", text: "hello before" }];
  const version = { replacedMs: 9, initMs: 8, turns, summary: null, state: "at home", metadata: { agent: "violin" } };

  /** Three memories in a ring of edges, one discarded, one that waits, one that was restored; everything that a key can hold. */
  async function settle(store: RedisStore): Promise<number> {
    await store.claimEmbedder({ name: "one", dimensions: 64 });
    for (const id of ["a", "b", "c", "d", "e", "f"]) {
      const said = { ...interaction(id), turns: [{ who: "user", text: `hello ${id}` }], state: "at home" };
      const noted = { ...said, metadata: { agent: "violin" }, expiresMs: 5_000, versions: [version] };
      await store.accept(person, id === "a" ? { ...noted, kept: true, updates: ["b", "c"] } : said, "queued");
    }
    const first = { ...memory("a"), node: { ...memory("a").node, metadata: { agent: "violin" }, expiresMs: 5_000 } };
    const edge = { weight: 0.75, boostMs: 5, boostedMs: 7 };
    const base = await store.apply(
      person,
      batch(await store.revision(person), {
        change: {
          ...noChange,
          putNodes: [first, memory("b", 2), memory("c", 3)],
          putEdges: [
            { a: "a", b: "b", ...edge },
            { a: "b", b: "c", ...edge },
            { a: "a", b: "c", ...edge },
          ],
          setPairs: [{ id: "b", pairId: "a" }],
        },
        outcomes: [
          ...["a", "b", "c"].map((id) => ({ id, outcome: "committed" as const, trace: '{"why":"violin"}' })),
          { id: "d", outcome: "discarded", trace: null },
          { id: "f", outcome: "pruned", trace: "{}" },
        ],
        coreSummary: {
          text: "Plays the violin.",
          updatedMs: 1,
          sourceIds: ["a"],
          trace: "{}",
          facts: '[{"area":"music"}]',
        },
        commitsSinceCoreSummary: 3,
      }),
    );
    await store.apply(
      person,
      batch(base, {
        change: {
          ...noChange,
          removeEdges: [["a", "c"]],
          setUpdates: [{ id: "a", updates: ["b"] }],
          setPinned: [{ id: "a", area: "music" }],
        },
        requeueInteractions: ["f"],
      }),
    );
    await store.cache("examples", Uint8Array.of(1, 2, 3, 4));
    return base;
  }

  /** Everything a reader can ask, each answer or the code of its error. */
  async function readAll(store: RedisStore, since: number): Promise<unknown[]> {
    const load = async (from: number): Promise<unknown> => {
      const { pages: _, ...snapshot } = await store.load(person, from);
      return { ...snapshot, ...(await readPages(await store.load(person, from))) };
    };
    const questions: readonly (() => Promise<unknown>)[] = [
      () => store.embedder(),
      () => store.persons(),
      () => store.personsWithQueue(),
      () => store.revision(person),
      () => store.expired(9_000, 10),
      () => store.history(person),
      () => store.history(person, { limit: 3 }),
      () => store.queued(person, 10),
      () => store.queuedCount(person),
      () => store.outcomeCounts(person),
      () => store.traces(person, ["committed", "queued", "discarded"]),
      () => store.cached("examples"),
      () => load(0),
      () => load(since),
    ];
    const answers: unknown[] = [];
    for (const ask of questions) answers.push(await ask().catch(codeOf));
    return answers;
  }

  function codeOf(error: unknown): string {
    expect(error).toBeInstanceOf(MnemosyneError);
    const { code, message, cause } = error as MnemosyneError;
    expect(`${message} ${String(cause)}`).not.toMatch(/violin|hello|at home|summary of/u);
    return `refused: ${code}`;
  }

  async function partsOf(key: string): Promise<string[]> {
    const type = String(await server.command("TYPE", key));
    if (type === "hash") return (await server.command("HKEYS", key)) as string[];
    return type === "zset" ? ((await server.command("ZRANGE", key, "0", "-1")) as string[]) : [""];
  }

  /** What a reader does not need: the answer is the same without, or can be computed again. */
  const needless = /:\{ada\} (?:listed_\w+|batch|sequence|revision)\b|:revisions|:interaction:\w stamp/u;
  /**
   * A list of persons that lost a name answers with less; only a look at all keys finds that out. What changed since a
   * revision repeats the edges of a changed memory; only a whole graph is compared with their number.
   */
  const lists = /:(?:persons|queues|expiries):\{|:neighbors:a {2}evict/u;

  test("of any value is refused or changes no answer, and is reported", async () => {
    const prefix = "ruin:";
    const store = await open(prefix);
    const since = await settle(store);
    const whole = await readAll(store, since);
    expect(whole.filter((answer) => String(answer).startsWith("refused"))).toEqual([]);
    expect(await store.damage()).toEqual([]);
    const [silent, unnoticed]: [string[], string[]] = [[], []];
    const keys = ((await server.command("KEYS", `${prefix}*`)) as string[]).filter(
      (key) => !/:[bc]$|settings$/u.test(key),
    );
    for (const key of keys.toSorted()) {
      await server.command("COPY", key, "spare", "REPLACE");
      const harms: string[][] = [["evict"], ["replace"]];
      for (const part of await partsOf(key)) harms.push(["flip", part]);
      for (const [how, part = ""] of harms) {
        await server.command("EVAL", alter, "1", key, how!, part);
        const name = `${key} ${part} ${how}`;
        const answers = await readAll(store, since);
        const wrong = answers.filter((answer, i) => !isSameOrRefused(answer, whole[i]));
        if (wrong.length > 0 && !needless.test(name) && !lists.test(name))
          silent.push(`${name}: ${JSON.stringify(wrong)}`);
        if (!needless.test(name) && !key.includes(":cache:") && (await store.damage()).length === 0)
          unnoticed.push(name);
        await server.command("COPY", "spare", key, "REPLACE");
      }
    }
    expect(silent).toEqual([]);
    expect(unnoticed).toEqual([]);
    expect(await readAll(store, since)).toEqual(whole);
  }, 600_000);

  test("is named with person and interaction, and the others can be read", async () => {
    const prefix = "named:";
    const store = await open(prefix);
    await settle(store);
    await server.command("EVAL", alter, "1", `${prefix}{ada}:interaction:b`, "flip", "body");
    await server.command("DEL", `${prefix}{ada}:interaction:d`);
    const refused = store.history(person);
    await expect(refused).rejects.toMatchObject({ code: "store_damaged", family: "store" });
    await expect(refused).rejects.toThrow(/"ada", "b": the interaction is damaged/u);
    await expect(store.history(person, { ids: ["b"] })).rejects.toMatchObject({ code: "store_damaged" });
    await expect(store.history(person, { ids: ["d"] })).rejects.toMatchObject({ code: "store_corrupt" });
    const entries = await store.history(person, { skipDamaged: true });
    expect(entries.map((entry) => entry.interaction.id)).toEqual(["a", "c", "e", "f"]);
    expect(await store.damage()).toEqual([
      { person, id: "b", part: "the interaction is damaged (body)" },
      { person, id: "d", part: "the interaction is missing" },
    ]);
  });

  test("of a list is noticed by a memory that has the person open, and the person can be forgotten without a trace", async () => {
    for (const list of ["", ":history", ":queue", ":memories"]) {
      const prefix = `evicted${list}:`;
      const memories = await openMemories({ path: `${server.url}?prefix=${encodeURIComponent(prefix)}` });
      const ada = memories.person(person);
      for (const [i, text] of [
        "My knee was operated on.",
        "Marta plays the violin.",
        "Oskar sold a bakery.",
      ].entries()) {
        await ada.commit({ id: `i${i}`, summary: text });
      }
      await ada.settled();
      expect(await ada.check()).toEqual([]);
      await (await open(prefix)).accept(person, interaction("waiting"), "open");
      await (
        await open(prefix)
      ).accept(person, { ...interaction("waiting"), turns: [{ who: "user", text: "hm" }] }, "queued");
      await server.command("DEL", `${prefix}{ada}${list}`);
      const [found, ...others] = await ada.check();
      expect(found, list).toMatch(/^"ada": (?:the head is missing|the list "\w+" has 0 of \d)/u);
      expect(others).toEqual([]);
      expect(await memories.persons()).toEqual([person]);
      await ada.forgetAll();
      expect(await server.command("KEYS", `${prefix}{*`)).toEqual([]);
    }
  });

  test("of a list's type stops a write before it has begun", async () => {
    const prefix = "typed:";
    const store = await open(prefix);
    await settle(store);
    const base = await store.revision(person);
    for (const key of ["history", "queue", "expiries", "memories", "removed", "revisions", "memory:a", "neighbors:b"]) {
      await server.command("RENAME", `${prefix}{ada}:${key}`, "spare");
      await server.command("SET", `${prefix}{ada}:${key}`, "x");
      const change = { ...noChange, putNodes: [memory("a"), memory("e")], removeNodes: ["b"] };
      const applied = store.apply(person, batch(base, { change }));
      await expect(applied, key).rejects.toMatchObject({ code: "store_damaged" });
      if (["history", "queue", "revisions"].includes(key)) {
        const accepted = store.accept(person, interaction("g"), "queued");
        await expect(accepted, key).rejects.toMatchObject({ code: "store_damaged" });
      }
      await server.command("RENAME", "spare", `${prefix}{ada}:${key}`);
      expect(await store.damage(), key).toEqual([]);
      expect(await store.revision(person)).toBe(base);
    }
  });

  test("by eviction is not waited for: a Redis that removes keys is refused", async () => {
    const small = await RedisServer.start({ maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
    onTestFinished(() => small.stop());
    const refused = RedisStore.open({ url: small.url });
    await expect(refused).rejects.toMatchObject({ code: "store_failed" });
    await expect(refused).rejects.toThrow(/allkeys-lru.*noeviction/u);
    for (const policy of ["volatile-lru", "noeviction"]) {
      await small.command("CONFIG", "SET", "maxmemory-policy", policy);
      await (await RedisStore.open({ url: small.url })).close();
    }
  });

  function isSameOrRefused(answer: unknown, whole: unknown): boolean {
    if (typeof answer === "string" && answer.startsWith("refused: ")) return true;
    // What was cached can be computed again.
    return (whole instanceof Uint8Array && answer === null) || JSON.stringify(answer) === JSON.stringify(whole);
  }
});
