/** The store for LangGraph does what LangGraph's own store in memory does, and keeps what that one loses. */
import fc from "fast-check";
import { Mnemosyne } from "mnemosyne-edge";
import { type Item, MnemosyneStore, type Operation, type SearchItem } from "mnemosyne-edge/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { hasPackages, importReal } from "./real-packages.js";

const folder = new ScratchFolder();

async function openMemory(path = ":memory:"): Promise<Mnemosyne> {
  const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), judge: false });
  onTestFinished(() => mnemosyne.close());
  return mnemosyne;
}

async function openStore(): Promise<MnemosyneStore> {
  return new MnemosyneStore(await openMemory());
}

type Store = Pick<MnemosyneStore, "batch" | "get" | "search" | "put" | "delete" | "listNamespaces">;

interface LangGraphModule {
  readonly InMemoryStore: new (options?: object) => Store;
}

const importLangGraph = () => importReal<LangGraphModule>("@langchain/langgraph-checkpoint");

const withoutTimes = ({ createdAt, updatedAt, ...rest }: Item) => {
  expect(createdAt).toBeInstanceOf(Date);
  expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
  return rest;
};
const sorted = (items: readonly Item[]) =>
  items
    .map(withoutTimes)
    .sort((x, y) => (JSON.stringify([x.namespace, x.key]) < JSON.stringify([y.namespace, y.key]) ? -1 : 1));

/** No label is the beginning of another: their store compares letters there. */
const label = fc.constantFrom("users", "ada", "bob", "prefs", "notes");
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const key = fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ minLength: 1, maxLength: 5, unit: "binary" }));
const scalar = fc.constantFrom<unknown>(1, 2, 10, "x", "2", true, null);
const value = fc.oneof(
  fc.record({ n: scalar, kind: scalar }, { requiredKeys: [] }),
  fc.dictionary(fc.string({ maxLength: 6, unit: "binary" }), fc.jsonValue(), { maxKeys: 4 }),
);
const condition = fc.oneof(
  scalar,
  fc
    .constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
    .chain((operator) => fc.dictionary(fc.constant(operator), scalar, { minKeys: 1 })),
  fc.constantFrom("$in", "$nin").chain((operator) => fc.record({ [operator]: fc.array(scalar, { maxLength: 3 }) })),
);
const filter = fc.dictionary(fc.constantFrom("n", "kind"), condition, { maxKeys: 2 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("put" as const), namespace, key, value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), namespace, key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("get" as const), namespace, key }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("search" as const), prefix: fc.array(label, { maxLength: 2 }), filter }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("page" as const),
      namespace,
      filter,
      limit: fc.nat({ max: 4 }),
      offset: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("list" as const),
      prefix: fc.option(fc.array(fc.oneof(label, fc.constant("*")), { maxLength: 2 }), { nil: undefined }),
      suffix: fc.option(fc.array(fc.oneof(label, fc.constant("*")), { maxLength: 2 }), { nil: undefined }),
      maxDepth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      limit: fc.integer({ min: 0, max: 5 }),
      offset: fc.nat({ max: 3 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What a store answers to a step, without what two stores may do differently: times, and the order of namespaces. */
async function take(store: Store, taken: Step): Promise<unknown> {
  if (taken.do === "put") return store.put(taken.namespace, taken.key, taken.value as Record<string, unknown>);
  if (taken.do === "delete") {
    // Theirs begins a namespace by deleting from it, and lists it from then on.
    if ((await store.get(taken.namespace, taken.key)) !== null) await store.delete(taken.namespace, taken.key);
    return undefined;
  }
  if (taken.do === "get") {
    const item = await store.get(taken.namespace, taken.key);
    return item === null ? null : withoutTimes(item);
  }
  if (taken.do === "search") return sorted(await store.search(taken.prefix, { filter: taken.filter, limit: 1_000 }));
  if (taken.do === "page") {
    const { filter, limit, offset } = taken;
    const items = await store.search(taken.namespace, { filter, limit: 1_000 });
    // In one namespace the order is that in which the items came; over several it is the store's own.
    if (items.some((item) => item.namespace.length !== taken.namespace.length)) return "several namespaces";
    return (await store.search(taken.namespace, { filter, limit, offset })).map(withoutTimes);
  }
  return listFilled(store, taken);
}

/** Namespaces that hold an item, because theirs also lists those that are empty by now. */
async function listFilled(
  store: Store,
  { prefix, suffix, maxDepth, limit, offset }: Step & { do: "list" },
): Promise<unknown> {
  const all = await store.listNamespaces({ limit: 1_000 });
  const isEmpty = await Promise.all(
    all.map(
      async (one) => !(await store.search(one, { limit: 1_000 })).some((item) => item.namespace.join() === one.join()),
    ),
  );
  const options = {
    ...(prefix === undefined ? {} : { prefix }),
    ...(suffix === undefined ? {} : { suffix }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
  };
  return isEmpty.includes(true) ? "some are empty" : store.listNamespaces({ ...options, limit, offset });
}

describe.runIf(hasPackages)("compared with LangGraph's own InMemoryStore", () => {
  it("the same operations have the same results", async () => {
    const { InMemoryStore } = await importLangGraph();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const ours = new MnemosyneStore(await openMemory());
        const theirs = new InMemoryStore();
        for (const taken of steps) {
          const expected = await take(theirs, taken);
          const actual = await take(ours, taken);
          const isComparable = expected !== "some are empty" && actual !== "some are empty";
          if (isComparable) expect(actual, JSON.stringify(taken)).toEqual(expected);
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it("a batch reads before it writes, and of several puts of a key the last counts", async () => {
    const { InMemoryStore } = await importLangGraph();
    const operations: Operation[] = [
      { namespace: ["a"], key: "1", value: { n: 1 } },
      { namespace: ["a"], key: "1" },
      { namespace: ["a"], key: "1", value: { n: 2 } },
      { namespacePrefix: ["a"], limit: 10, offset: 0 },
      { namespace: ["a"], key: "2", value: { n: 3 } },
      { matchConditions: [{ matchType: "prefix", path: ["a"] }], limit: 10, offset: 0 },
    ];
    for (const store of [new InMemoryStore(), await openStore()]) {
      expect(await store.batch(operations)).toEqual([null, null, null, [], null, []]);
      expect(sorted(await store.search(["a"]))).toMatchObject([{ value: { n: 2 } }, { value: { n: 3 } }]);
    }
  });

  it.each([[[]], [["a.b"]], [["a", ""]], [["langgraph"]]])("put refuses the namespace %j", async (wrong) => {
    const { InMemoryStore } = await importLangGraph();
    await expect(new InMemoryStore().put(wrong, "k", {})).rejects.toThrow();
    await expect((await openStore()).put(wrong, "k", {})).rejects.toMatchObject({ code: "option_invalid" });
  });

  it("search by meaning puts the same item first", async () => {
    const { InMemoryStore } = await importLangGraph();
    const embedder = new HashingEmbedder();
    const embedAll = async (texts: string[]) => (await embedder.embed(texts)).map((vector) => [...vector]);
    const embeddings = { embedDocuments: embedAll, embedQuery: async (text: string) => (await embedAll([text]))[0] };
    const index = { dims: embedder.identity.dimensions, embeddings, fields: ["text"] };
    const ours = await openStore();
    for (const store of [new InMemoryStore({ index }), ours]) {
      await store.put(["ada"], "boat", { text: "The boat lies in the harbour of Setúbal.", n: 1 });
      await store.put(["ada"], "piano", { text: "Piano lessons are on Thursday evening.", n: 2 });
      await store.put(["ada"], "hidden", { text: "The other boat in the harbour", n: 3 }, false);
      const found = await store.search(["ada"], { query: "Where in the harbour is the boat?" });
      expect(found.map(({ key }) => key)).toEqual(["boat", expect.any(String), expect.any(String)]);
      expect(found[0]!.score).toBeGreaterThan(0);
      expect(scoreIn(found, "hidden")).toBeUndefined();
      expect(scoreIn(await store.search(["ada"], { query: "item hidden" }), "hidden")).toBeUndefined();
      const filtered = await store.search(["ada"], { query: "boat harbour", filter: { n: { $gt: 1 } }, limit: 1 });
      expect(filtered.map(({ key }) => key)).toEqual(["piano"]);
    }
  });
});

function scoreIn(items: readonly SearchItem[], wanted: string): number | undefined {
  return items.find(({ key }) => key === wanted)!.score;
}

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
