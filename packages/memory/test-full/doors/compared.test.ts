/** The doors for LangGraph and mem0 do what the real packages do with the same calls. */
import fc from "fast-check";
import { Mnemosyne } from "mnemosyne-edge";
import { type Item, MnemosyneStore, type Operation } from "mnemosyne-edge/langgraph";
import { Memory, type SearchFilters } from "mnemosyne-edge/mem0";
import { describe, expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../../test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../test/durability/scratch-folder.js";
import { areDoorsThere, importReal } from "./real-packages.js";

const folder = new ScratchFolder();
const embedder = new HashingEmbedder();
const dimensions = embedder.identity.dimensions;
const embedDocuments = async (texts: string[]) => (await embedder.embed(texts)).map((vector) => [...vector]);
const embedQuery = async (text: string) => (await embedDocuments([text]))[0];

type Store = Pick<MnemosyneStore, "batch" | "get" | "search" | "put" | "delete" | "listNamespaces">;

async function openStores(index?: object): Promise<[ours: Store, theirs: Store]> {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => mnemosyne.close());
  const real = await importReal<{ InMemoryStore: new (options?: object) => Store }>("@langchain/langgraph-checkpoint");
  return [new MnemosyneStore(mnemosyne), new real.InMemoryStore(index === undefined ? undefined : { index })];
}

const withoutTimes = ({ createdAt: _, updatedAt: __, ...rest }: Item) => rest;
const sorted = (items: readonly Item[]) =>
  items
    .map((item): [string, object] => [JSON.stringify([item.namespace, item.key]), withoutTimes(item)])
    .toSorted(([x], [y]) => (x < y ? -1 : 1));

/** No label is the beginning of another: their store compares letters there. */
const label = fc.constantFrom("users", "ada", "bob", "prefs", "notes");
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const key = fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ minLength: 1, maxLength: 5, unit: "binary" }));
const scalars: readonly unknown[] = [1, 2, 10, "x", "2", true, null];
const scalar = fc.constantFrom(...scalars);
const value = fc.oneof(
  fc.record({ n: scalar, kind: scalar }, { requiredKeys: [] }),
  fc.dictionary(fc.string({ maxLength: 6, unit: "binary" }), fc.jsonValue(), { maxKeys: 4 }),
);
const filter = fc.dictionary(fc.constantFrom("n", "kind"), scalar, { maxKeys: 2 });
const path = fc.array(fc.oneof(label, fc.constant("*")), { maxLength: 2 });
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
    arbitrary: fc.record(
      { do: fc.constant("list" as const), prefix: path, suffix: path, maxDepth: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: ["do"] },
    ),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Results without what two stores may do differently: times and order. */
async function take(store: Store, taken: Step): Promise<unknown> {
  if (taken.do === "put") return store.put(taken.namespace, taken.key, taken.value as Record<string, unknown>);
  if (taken.do === "search") return sorted(await store.search(taken.prefix, { filter: taken.filter, limit: 1_000 }));
  if (taken.do === "list") {
    const { do: _, ...options } = taken;
    return (await isAnyEmpty(store)) ? null : (await store.listNamespaces({ ...options, limit: 1_000 })).toSorted();
  }
  const item = await store.get(taken.namespace, taken.key);
  if (taken.do === "get") return item === null ? null : withoutTimes(item);
  // Theirs begins a namespace by deleting from it, and lists it from then on.
  return item === null ? undefined : store.delete(taken.namespace, taken.key);
}

/** Theirs also lists namespaces that are empty by now. */
async function isAnyEmpty(store: Store): Promise<boolean> {
  for (const listed of await store.listNamespaces({ limit: 1_000 })) {
    const items = await store.search(listed, { limit: 1_000 });
    if (!items.some((item) => item.namespace.join() === listed.join())) return true;
  }
  return false;
}

describe.runIf(areDoorsThere)("compared with LangGraph's own InMemoryStore", () => {
  it("the same operations have the same results", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const [ours, theirs] = await openStores();
        for (const taken of steps) {
          const expected = await take(theirs, taken);
          const actual = await take(ours, taken);
          if (taken.do !== "list" || expected !== null) expect(actual, JSON.stringify(taken)).toEqual(expected);
        }
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it("every comparison of a filter holds for the same values", async () => {
    const [ours, theirs] = await openStores();
    for (const store of [ours, theirs]) {
      for (const [index, n] of scalars.entries()) await store.put(["a"], String(index), { n });
      await store.put(["a"], "none", {});
    }
    const single = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"].flatMap((name) => scalars.map((n) => ({ [name]: n })));
    const conditions = [...scalars, ...single, { $in: [1, "2"] }, { $nin: [1, null] }, { $gt: 1, $lt: 10 }, {}, []];
    for (const n of conditions) {
      const [found, expected] = [
        await ours.search(["a"], { filter: { n } }),
        await theirs.search(["a"], { filter: { n } }),
      ];
      expect(sorted(found), JSON.stringify(n)).toEqual(sorted(expected));
    }
  });

  it("a batch reads before it writes, and both refuse the same namespaces", async () => {
    const operations: Operation[] = [
      { namespace: ["a"], key: "1", value: { n: 1 } },
      { namespace: ["a"], key: "1" },
      { namespace: ["a"], key: "1", value: { n: 2 } },
      { namespacePrefix: ["a"], limit: 10, offset: 0 },
      { namespace: ["a"], key: "2", value: { n: 3 } },
      { matchConditions: [{ matchType: "prefix", path: ["a"] }], limit: 10, offset: 0 },
    ];
    const [ours, theirs] = await openStores();
    expect(await ours.batch(operations)).toEqual(await theirs.batch(operations));
    expect(sorted(await ours.search(["a"]))).toEqual(sorted(await theirs.search(["a"])));
    for (const wrong of [[], ["a.b"], ["a", ""], ["langgraph"]]) {
      for (const store of [ours, theirs]) await expect(store.put(wrong, "k", {}), String(wrong)).rejects.toThrow();
    }
  });

  it("search by meaning puts the same item first", async () => {
    const stores = await openStores({
      dims: dimensions,
      embeddings: { embedDocuments, embedQuery },
      fields: ["text"],
    });
    for (const store of stores) {
      await store.put(["ada"], "boat", { text: "The boat lies in the harbour of Setúbal.", n: 1 });
      await store.put(["ada"], "piano", { text: "Piano lessons are on Thursday evening.", n: 2 });
      await store.put(["ada"], "hidden", { text: "The other boat in the harbour", n: 3 }, false);
      const found = await store.search(["ada"], { query: "Where in the harbour is the boat?" });
      expect(found[0]).toMatchObject({ key: "boat", score: expect.any(Number) as number });
      expect(found.find((item) => item.key === "hidden")!.score).toBeUndefined();
    }
  });
});

type Mem0 = Pick<Memory, "add" | "search" | "get" | "getAll" | "update" | "delete" | "deleteAll" | "history" | "reset">;

function openMemory(): Mem0 {
  const memory = new Memory({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => memory.close());
  return memory;
}

/**
 * The real one, offline: its embedder and its model are ours, its store a file. That file is written by libsql in place of
 * better-sqlite3, which would have to be compiled; scores come back empty with it, so they are not compared.
 */
async function openMem0(): Promise<Mem0> {
  process.env["MEM0_TELEMETRY"] = "false";
  const real = await importReal<{ Memory: new (config: object) => Mem0 }>("mem0ai/oss");
  const noFacts = { invoke: async () => ({ content: '{ "memory": [] }' }) };
  return new real.Memory({
    embedder: {
      provider: "langchain",
      config: { model: { embedQuery, embedDocuments }, embeddingDims: dimensions },
    },
    vectorStore: { provider: "memory", config: { collectionName: "c", dimension: dimensions, dbPath: folder.next() } },
    llm: { provider: "langchain", config: { model: noFacts } },
    historyStore: { provider: "memory", config: {} },
  });
}

/** Ids, times, scores and hashes by their form; texts as they are. */
function normalize(results: unknown): unknown {
  return JSON.parse(
    JSON.stringify(results, (name, content: unknown) => {
      if (name === "score") return "score";
      if (name === "attributedTo") return undefined;
      if (typeof content !== "string") return content;
      if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/u.test(content)) return "id";
      return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u.test(content) ? "time" : content;
    }),
  );
}

const harbour = "My sister keeps a boat in the harbour of Setubal.";
const piano = "I practise the piano every Thursday evening.";

/** Every method once, as programs of mem0's users call them. */
async function walk(memory: Mem0): Promise<Record<string, unknown>> {
  const options = { userId: "ada", agentId: "coach", runId: "r1", metadata: { tag: "sea", n: 3, nested: { a: [1] } } };
  const filters = { user_id: "ada" };
  const log: Record<string, unknown> = {};
  const added = await memory.add([{ role: "user", content: harbour }], { ...options, infer: false });
  const { id } = added.results[0]!;
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: piano },
    { role: "assistant", content: "Thursday is noted in the calendar." },
  ];
  log["added"] = [added, await memory.add(messages, { userId: "ada", infer: false })];
  const search = async (query: string, more: SearchFilters, topK = 20) =>
    (await memory.search(query, { filters: more, topK })).results;
  log["search"] = await search("boat harbour Setubal", filters, 1);
  log["ofAgent"] = await search("boat harbour", { agent_id: "coach" });
  log["ofOther"] = await search("boat harbour", { user_id: "bob" });
  log["filtered"] = (await search("boat", { ...filters, n: { gt: 2 } })).length;
  log["not"] = (await search("Thursday", { ...filters, NOT: [{ tag: "sea" }] })).length;
  log["get"] = await memory.get(id);
  log["all"] = (await memory.getAll({ filters })).results;
  log["topK"] = (await memory.getAll({ filters, topK: 2 })).results.length;
  log["ofRun"] = (await memory.getAll({ filters: { run_id: "r1" } })).results.length;
  log["updated"] = await memory.update(id, "The boat lies in Sines.");
  log["merged"] = await memory.update(id, { metadata: { n: 4, more: true } });
  log["got"] = await memory.get(id);
  log["history"] = (await memory.history(id)).map((row) => Object.keys(row).toSorted());
  log["deleted"] = [await memory.delete(id), await memory.get(id)];
  log["left"] = (await memory.getAll({ filters })).results.map((found) => found.memory);
  log["deletedAll"] = [await memory.deleteAll({ userId: "ada" }), (await memory.getAll({ filters })).results];
  log["reset"] = (await memory.reset()) ?? null;
  return log;
}

describe.runIf(areDoorsThere)("compared with the real mem0", () => {
  it("every method returns the same", async () => {
    const [ours, theirs] = [await walk(openMemory()), await walk(await openMem0())];
    expect(normalize(ours)).toEqual(normalize(theirs));
  });

  it.each<[string, (memory: Mem0) => Promise<unknown>]>([
    ["add without ids", (memory) => memory.add("I row.", {})],
    ["add of nothing", (memory) => memory.add([], { userId: "ada" })],
    ["add of blanks", (memory) => memory.add("  ", { userId: "ada" })],
    ["an id with a blank", (memory) => memory.add("I row.", { userId: "a b" })],
    ["search without ids", (memory) => memory.search("boat", { filters: { tag: "x" } })],
    ["search with ids at the top", (memory) => memory.search("boat", { userId: "ada" } as object)],
    ["getAll without ids", (memory) => memory.getAll({})],
    ["a topK below zero", (memory) => memory.getAll({ filters: { user_id: "ada" }, topK: -1 })],
    ["an update of nothing", (memory) => memory.update("x", {})],
    ["an update of what is not there", (memory) => memory.update("x", "y")],
    ["a deletion of what is not there", (memory) => memory.delete("x")],
    ["deleteAll without ids", (memory) => memory.deleteAll({})],
    ["a date that is none", (memory) => memory.add("I row.", { userId: "ada", expirationDate: "2999-02-30" })],
  ])("both refuse %s", async (_, call) => {
    for (const memory of [openMemory(), await openMem0()]) await expect(call(memory)).rejects.toThrow();
  });
});
