/** What lies in Redis: the keys that docs/redis.md describes, readable, encrypted on request, and gone when forgotten. */
import { readFileSync } from "node:fs";
import { storeConformance } from "../store-conformance/suite.js";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { type PersonSnapshot, readPages } from "../../src/engine/records/person-data.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange, ring } from "./scenes.js";

describe.runIf(hasRedis)("keys", () => {
  let server: RedisServer;
  let prefixCount = 0;
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function open(prefix: string, encryptionKey?: string): Promise<RedisStore> {
    const store = await RedisStore.open({
      url: server.url,
      prefix,
      ...(encryptionKey === undefined ? {} : { encryptionKey }),
    });
    onTestFinished(() => store.close());
    return store;
  }

  async function keysOf(prefix: string): Promise<string[]> {
    const keys = (await server.command("KEYS", `${prefix}*`)) as string[];
    return keys.map((key) => key.slice(prefix.length)).sort();
  }

  async function fields(key: string): Promise<Record<string, string>> {
    const list = (await server.command("HGETALL", key)) as string[];
    return Object.fromEntries(list.flatMap((value, i) => (i % 2 === 0 ? [[value, list[i + 1]!]] : [])));
  }

  async function commitTwo(store: RedisStore, person: string): Promise<number> {
    await store.accept(person, interaction("a"), "queued");
    await store.accept(person, { ...interaction("b"), turns: [{ who: "user", text: "my violin" }] }, "queued");
    return store.apply(
      person,
      batch(await store.revision(person), {
        change: {
          ...noChange,
          putNodes: [memory("a"), memory("b", 2)],
          putEdges: [{ a: "a", b: "b", weight: 0.75, boostMs: 5, boostedMs: 7 }],
          setPairs: [{ id: "b", pairId: "a" }],
          setPinned: [{ id: "a", area: "violin" }],
        },
        outcomes: [{ id: "a", outcome: "committed", trace: '{"why":"violin"}' }],
        coreSummary: { text: "Plays the violin.", updatedMs: 1, sourceIds: ["a"], trace: "{}", facts: "[]" },
      }),
    );
  }

  test("are a hash for each interaction and memory, edges under both ends, and sorted lists", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const revision = await commitTwo(store, "ada");
    const rows = ["interaction", "memory", "neighbors"].flatMap((kind) => [`{ada}:${kind}:a`, `{ada}:${kind}:b`]);
    const lists = ["history", "memories", "queue", "revisions"].map((list) => `{ada}:${list}`);
    const buckets = (await keysOf(prefix)).filter((key) => /^(?:persons|queues):\{[0-9a-f]{2}\}$/u.test(key));
    expect(await keysOf(prefix)).toEqual([...rows, ...lists, ...buckets, "settings", "{ada}"].sort());
    expect(buckets).toHaveLength(2);
    const edge = expect.stringMatching(/^0\.75 5 7 \w+$/u) as unknown;
    expect(await fields(`${prefix}{ada}:neighbors:a`)).toEqual({ b: edge });
    expect(await fields(`${prefix}{ada}:neighbors:b`)).toEqual({ a: edge });
    expect(await server.command("ZRANGE", `${prefix}{ada}:queue`, "0", "-1", "WITHSCORES")).toEqual(["b", "2"]);
    expect(await server.command("HGET", `${prefix}{ada}`, "revision")).toBe(String(revision));
  });

  test.each(["Zoë {x} }{ 100%", "{}", "a b\n\tc", "漢字", "ada:memory", "%"])(
    "keep %j apart from others",
    async (name) => {
      const prefix = nextPrefix();
      const store = await open(prefix);
      for (const person of [name, "ada", `${name} `]) await commitTwo(store, person);
      expect(await store.persons()).toEqual(["ada", name, `${name} `].sort());
      expect(await store.forgetPerson(name)).toEqual({ interactions: 2, memories: 2, edges: 1 });
      expect(await store.persons()).toEqual(["ada", `${name} `].sort());
      expect(await store.history("ada")).toHaveLength(2);
    },
  );

  test("of somebody forgotten are gone, and so is the name", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    await commitTwo(store, "ada");
    await store.forgetPerson("ada");
    expect(await keysOf(prefix)).toEqual(["settings"]);
    await commitTwo(store, "ada");
    await store.apply("ada", batch(await store.revision("ada"), { forgetInteractions: ["a", "b"] }));
    expect(await keysOf(prefix)).toEqual(["settings"]);
  });

  test("hold nothing of a forgotten interaction", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    await commitTwo(store, "ada");
    const base = await store.revision("ada");
    const next = await store.apply("ada", batch(base, { change: { ...noChange, removeEdges: [["a", "b"]] } }));
    await store.apply("ada", batch(next, { forgetInteractions: ["a"], coreSummary: null }));
    const left = await keysOf(prefix);
    expect(left.filter((key) => key.endsWith(":a"))).toEqual([]);
    for (const key of ["history", "queue", "expiries", "memories", "removed"]) {
      expect(await server.command("ZRANGE", `${prefix}{ada}:${key}`, "0", "-1")).not.toContain("a");
    }
    expect(left).not.toContain("{ada}:removed");
    expect(left).not.toContain("{ada}:neighbors:b");
  });

  describe("with an encryption key", () => {
    async function valuesOf(prefix: string): Promise<string> {
      const dumps: unknown[] = [];
      for (const key of await keysOf(prefix)) {
        const type = String(await server.command("TYPE", prefix + key));
        if (type === "hash") dumps.push(await server.command("HGETALL", prefix + key));
        if (type === "zset") dumps.push(await server.command("ZRANGE", prefix + key, "0", "-1"));
      }
      return JSON.stringify(dumps);
    }

    test("texts cannot be read, ids, times and edges can", async () => {
      const [open_, closed] = [nextPrefix(), nextPrefix()];
      for (const store of [await open(open_), await open(closed, "correct horse")]) {
        await commitTwo(store, "ada");
      }
      expect(await valuesOf(open_)).toMatch(/violin/u);
      const values = await valuesOf(closed);
      expect(values).not.toMatch(/violin|summary of|memory about|statement of|at home|whole text/u);
      expect(values).toContain("0.75 5 7");
    });

    test("the wrong key, none, or one too many is refused", async () => {
      const [open_, closed] = [nextPrefix(), nextPrefix()];
      await open(open_);
      await open(closed, "correct horse");
      const cases = [
        [closed, "wrong horse", /not the one/u],
        [closed, undefined, /needs the encryption key/u],
        [open_, "correct horse", /not encrypted/u],
      ] as const;
      for (const [prefix, key, message] of cases) {
        await expect(open(prefix, key)).rejects.toMatchObject({ code: "store_not_ours" });
        await expect(open(prefix, key)).rejects.toThrow(message);
      }
      await open(closed, "correct horse");
    });
  });

  test("that Redis evicted are noticed", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    await commitTwo(store, "ada");
    await server.command("DEL", `${prefix}{ada}:memory:a`);
    const gone = readPages(await store.load("ada"));
    await expect(gone).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(gone).rejects.toThrow(/noeviction/u);
  });

  test("thousands of memories go in and out as one batch", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const all = ring(6_000, 4);
    await store.apply("ada", batch(0, all));
    const { change } = await readPages(await store.load("ada"));
    expect(change.putNodes.length).toBe(6_000);
    expect(change.putEdges.length).toBe(24_000);
    expect(await store.history("ada")).toHaveLength(6_000);
    expect(await store.forgetPerson("ada")).toEqual({ interactions: 6_000, memories: 6_000, edges: 24_000 });
    expect(await keysOf(prefix)).toEqual(["settings"]);
  });

  test("a reader gets what changed since a revision, and everything where that revision is not known", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const base = await store.apply("ada", batch(0, ring(50, 2)));
    const [a, b] = ["m00003", "m00004"] as const;
    const putEdges = [{ a, b, weight: 0.9, boostMs: 1, boostedMs: 2 }];
    const change = { ...noChange, putNodes: [memory("m00003", 9)], putEdges, removeNodes: ["m00020"] };
    await store.apply("ada", batch(base, { change }));
    const since = await store.load("ada", base);
    const pages = await readPages(since);
    expect(since.isWhole).toBe(false);
    expect(pages.change.putNodes).toEqual([memory("m00003", 9)]);
    expect(pages.change.removeNodes).toEqual(["m00020"]);
    expect(pages.change.putEdges).toContainEqual(putEdges[0]);
    expect(pages.change.putEdges.length).toBeLessThan(5);
    // As after a failover to a replica that had not seen the last change of a reader.
    for (const elsewhere of [base - 1, base + 1, base * 2]) {
      const whole = await store.load("ada", elsewhere);
      expect(whole.isWhole).toBe(true);
      expect((await readPages(whole)).change.putNodes).toHaveLength(49);
    }
  });

  test("removals are remembered for the last hundred revisions", async () => {
    const prefix = nextPrefix();
    const store = await open(prefix);
    const first = await store.apply("ada", batch(0, ring(10, 1)));
    let revision = await store.apply("ada", batch(first, { change: { ...noChange, removeNodes: ["m00001"] } }));
    expect((await store.load("ada", first)).isWhole).toBe(false);
    for (let n = 0; n < 99; n++) revision = await store.apply("ada", batch(revision, {}));
    expect((await store.load("ada", first)).isWhole).toBe(true);
    expect(await server.command("ZCARD", `${prefix}{ada}:revisions`)).toBe(100);
    expect(await keysOf(prefix)).not.toContain("{ada}:removed");
  });

  test("a user with the rights that docs/redis.md names can do everything", async () => {
    const page = readFileSync(new URL("../../../../docs/redis.md", import.meta.url), "utf8");
    const rule = /^ACL SETUSER .*$/mu.exec(page)![0];
    await server.command(...rule.split(" "));
    await server.command("SCRIPT", "FLUSH");
    const url = server.url.replace("//", "//memory:password@");
    for (const { check } of storeConformance) {
      await check(() => RedisStore.open({ url, prefix: `mnemosyne:${nextPrefix()}` }));
    }
    const elsewhere = RedisStore.open({ url, prefix: "other:" });
    await expect(elsewhere).rejects.toMatchObject({ code: "store_read_only" });
  });

  test("a graph is read as of one moment while others write", async () => {
    const prefix = nextPrefix();
    const [writer, reader] = [await open(prefix), await open(prefix)];
    let revision = await writer.apply("ada", batch(0, ring(400, 1)));
    let isReading = true;
    // A reader that a store keeps from its turn is told so, and tries again; on a busy machine the writer slows down for it.
    let pauseMs = 0;
    const load = async (): Promise<PersonSnapshot> => {
      try {
        return await reader.load("ada");
      } catch (error) {
        expect(error).toMatchObject({ code: "store_busy" });
        pauseMs = 2 * pauseMs + 1;
        return load();
      }
    };
    const writing = (async (): Promise<void> => {
      for (let i = 0; isReading; i = (i + 1) % 400) {
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const id = `m${String(i).padStart(5, "0")}`;
        const other = `m${String((i + 1) % 400).padStart(5, "0")}`;
        const [a, b] = [id, other].sort() as [string, string];
        // A weight and both ends change together.
        const weight = 0.5 + (revision % 1000) / 10_000;
        const putNodes = [memory(a, revision % 255), memory(b, revision % 255)];
        const putEdges = [{ a, b, weight, boostMs: revision, boostedMs: null }];
        revision = await writer.apply("ada", batch(revision, { change: { ...noChange, putNodes, putEdges } }));
      }
    })();
    for (let n = 0; n < 10; n++) {
      const { change } = await readPages(await load());
      expect(change.putNodes.length).toBe(400);
      const newest = change.putEdges.reduce((x, y) => (x.boostMs > y.boostMs ? x : y));
      if (newest.boostMs === 0) continue;
      const [a, b] = [newest.a, newest.b].map((id) => change.putNodes.find(({ node }) => node.id === id)!);
      expect(a!.summaryVector).toEqual(memory("", newest.boostMs % 255).summaryVector);
      expect(b!.summaryVector).toEqual(a!.summaryVector);
    }
    isReading = false;
    await writing;
  });
});
