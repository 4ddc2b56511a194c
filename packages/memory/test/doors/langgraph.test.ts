/** The store for LangGraph does what LangGraph's own store in memory does, and keeps what that one loses. */
import fc from "fast-check";
import { Mnemosyne } from "mnemosyne-edge";
import { type Item, MnemosyneStore, type Operation } from "mnemosyne-edge/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";

const folder = new ScratchFolder();

async function openMemory(path = ":memory:"): Promise<Mnemosyne> {
  const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => mnemosyne.close());
  return mnemosyne;
}

async function openStore(): Promise<MnemosyneStore> {
  return new MnemosyneStore(await openMemory());
}

const withoutTimes = ({ createdAt, updatedAt, ...rest }: Item) => {
  expect(createdAt).toBeInstanceOf(Date);
  expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
  return rest;
};
const sorted = (items: readonly Pick<Item, "namespace" | "key" | "value">[]) =>
  items.toSorted((x, y) => (JSON.stringify([x.namespace, x.key]) < JSON.stringify([y.namespace, y.key]) ? -1 : 1));

const label = fc.constantFrom("users", "ada", "bob", "prefs", "notes");
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const key = fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ minLength: 1, maxLength: 5, unit: "binary" }));
const scalar = fc.constantFrom<unknown>(1, 2, 10, "x", "2", true, null);
const value = fc.oneof(
  fc.record({ n: scalar, kind: scalar }, { requiredKeys: [] }),
  fc.dictionary(fc.string({ maxLength: 6, unit: "binary" }), fc.jsonValue(), { maxKeys: 4 }),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("put" as const), namespace, key, value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), namespace, key }) },
);

it("holds what was put and not deleted, as a map would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const store = await openStore();
      const expected = new Map<string, Pick<Item, "namespace" | "key" | "value">>();
      for (const taken of steps) {
        const place = JSON.stringify([taken.namespace, taken.key]);
        if (taken.do === "put") {
          const { namespace, key, value } = taken as {
            namespace: string[];
            key: string;
            value: Record<string, unknown>;
          };
          await store.put(namespace, key, value);
          expected.set(place, { namespace, key, value });
        } else {
          await store.delete(taken.namespace, taken.key);
          expected.delete(place);
        }
        const item = await store.get(taken.namespace, taken.key);
        expect(item === null ? undefined : withoutTimes(item)).toEqual(expected.get(place));
      }
      const all = (await store.search([], { limit: 1_000 })).map(withoutTimes);
      expect(sorted(all)).toEqual(sorted([...expected.values()]));
      const namespaces = [...new Set([...expected.values()].map((each) => JSON.stringify(each.namespace)))];
      const listed = await store.listNamespaces({ limit: 1_000 });
      expect(listed.map((each) => JSON.stringify(each)).toSorted()).toEqual(namespaces.toSorted());
    }),
    { numRuns: 60, seed: 7 },
  );
});

it("a batch reads before it writes, and of several puts of a key the last counts", async () => {
  const operations: Operation[] = [
    { namespace: ["a"], key: "1", value: { n: 1 } },
    { namespace: ["a"], key: "1" },
    { namespace: ["a"], key: "1", value: { n: 2 } },
    { namespacePrefix: ["a"], limit: 10, offset: 0 },
    { namespace: ["a"], key: "2", value: { n: 3 } },
    { matchConditions: [{ matchType: "prefix", path: ["a"] }], limit: 10, offset: 0 },
  ];
  const store = await openStore();
  expect(await store.batch(operations)).toEqual([null, null, null, [], null, []]);
  expect(await store.search(["a"])).toMatchObject([{ value: { n: 2 } }, { value: { n: 3 } }]);
});

it("put refuses namespaces that LangGraph refuses", async () => {
  const store = await openStore();
  for (const wrong of [[], ["a.b"], ["a", ""], ["langgraph"]]) {
    await expect(store.put(wrong, "k", {})).rejects.toMatchObject({ code: "option_invalid" });
  }
});

it("filters by LangGraph's comparisons, and lists namespaces by prefix, suffix and depth", async () => {
  const store = await openStore();
  for (const [key, n] of Object.entries({ one: 1, two: 2, ten: 10, text: "2" })) {
    await store.put(["users", key], key, { n });
  }
  const keys = async (n: unknown) =>
    (await store.search(["users"], { filter: { n } })).map((item) => item.key).toSorted();
  expect(await keys(2)).toEqual(["two"]);
  expect(await keys({ $gt: 1 })).toEqual(["ten", "text", "two"]);
  expect(await keys({ $gte: 2, $lt: 10 })).toEqual(["text", "two"]);
  expect(await keys({ $in: [1, 10] })).toEqual(["one", "ten"]);
  expect(await keys({ $nin: [1, 10], $ne: "2" })).toEqual(["two"]);
  expect(await store.listNamespaces({ prefix: ["users", "*"], suffix: ["ten"] })).toEqual([["users", "ten"]]);
  expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([["users"]]);
  expect(await store.listNamespaces({ limit: 1, offset: 1 })).toEqual([["users", "ten"]]);
});

it("search by meaning puts what answers first, and leaves out of it what is not to be searched", async () => {
  const store = await openStore();
  await store.put(["ada"], "boat", { text: "The boat lies in the harbour of Setúbal.", n: 1 });
  await store.put(["ada"], "piano", { text: "Piano lessons are on Thursday evening.", n: 2 });
  await store.put(["ada"], "hidden", { text: "The other boat in the harbour", n: 3 }, false);
  const found = await store.search(["ada"], { query: "Where in the harbour is the boat?" });
  expect(found.map(({ key }) => key)).toEqual(["boat", expect.any(String), expect.any(String)]);
  expect(found[0]!.score).toBeGreaterThan(0);
  expect(found.find(({ key }) => key === "hidden")!.score).toBeUndefined();
  const filtered = await store.search(["ada"], { query: "boat harbour", filter: { n: { $gt: 1 } }, limit: 1 });
  expect(filtered.map(({ key }) => key)).toEqual(["piano"]);
});

describe("what is put", () => {
  it("comes back exactly after the memory was closed, also what is long or nested", async () => {
    const path = folder.next();
    const long = {
      text: `${"😀".repeat(5_000)}é${"😀".repeat(5_000)}\u0000\ud800`,
      deep: { list: [[{ __proto: null, "": [] }]] },
      $bytes: "no",
    };
    const first = await openMemory(path);
    await new MnemosyneStore(first).put(["ada", "notes"], "long", long);
    await first.close();
    const store = new MnemosyneStore(await openMemory(path));
    expect((await store.get(["ada", "notes"], "long"))!.value).toEqual(long);
    expect(await store.listNamespaces()).toEqual([["ada", "notes"]]);
  });

  it("stays two items under two keys, however often the same is said", async () => {
    const store = await openStore();
    for (const key of ["a", "b", "c", "d", "e"]) await store.put(["ada"], key, { text: "Ada rows on Sundays." });
    await store.put(["ada"], "hello", { text: "hi" });
    await store.personOf(["ada"]).settled();
    expect((await store.search(["ada"])).map(({ key }) => key)).toEqual(["a", "b", "c", "d", "e", "hello"]);
    const found = await store.search(["ada"], { query: "When does Ada row?" });
    expect(new Set(found.map(({ key }) => key)).size).toBe(6);
  });

  it("is in its namespace only: users/1 does not see users/12", async () => {
    const store = await openStore();
    await store.put(["users", "12"], "k", { text: "secret" });
    await store.put(["users", "a/b"], "k", { text: "slash" });
    await store.put(["users", "a", "b"], "k", { text: "deeper" });
    expect(await store.search(["users", "1"])).toEqual([]);
    expect(await store.search(["users", "1"], { query: "secret" })).toEqual([]);
    expect((await store.search(["users", "a"])).map(({ value }) => value)).toEqual([{ text: "deeper" }]);
  });

  it("by many at once is one item, with one of the values", async () => {
    const store = await openStore();
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.put(["ada"], "k", { n })));
    const items = await store.search(["ada"]);
    expect(items).toHaveLength(1);
    expect(items[0]!.value["n"]).toBeGreaterThanOrEqual(0);
  });

  it("and deleted is gone from the file, with its earlier values", async () => {
    const path = folder.next();
    const mnemosyne = await openMemory(path);
    const store = new MnemosyneStore(mnemosyne);
    await store.put(["ada"], "k", { text: "The first word is zanzibar." });
    await store.put(["ada"], "k", { text: "The second word is quokka." });
    await store.put(["ada"], "other", { text: "This one stays." });
    expect(databaseBytes(path).includes("zanzibar")).toBe(true);
    await store.delete(["ada"], "k");
    expect(await store.get(["ada"], "k")).toBeNull();
    for (const word of ["zanzibar", "quokka"]) expect(databaseBytes(path).includes(word)).toBe(false);
    expect(await store.search(["ada"])).toHaveLength(1);
  });

  it("is refused where it would come back as something else, and nothing of the batch is stored", async () => {
    const store = await openStore();
    for (const wrong of [Number.NaN, new Date(), 1n, new Map(), () => 1]) {
      const bad = { namespace: ["ada"], key: "bad", value: { list: [wrong] } };
      const good = { namespace: ["ada"], key: "good", value: {} };
      await expect(store.batch([good, bad])).rejects.toMatchObject({ code: "interaction_invalid" });
    }
    expect(await store.listNamespaces()).toEqual([]);
  });
});
