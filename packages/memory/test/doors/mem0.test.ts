/** The door for mem0's users: the same calls have results of the same shape as the real mem0, and none of its leaks. */
import { Mnemosyne } from "mnemosyne-edge";
import { Memory } from "mnemosyne-edge/mem0";
import { describe, expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { hasPackages, importReal } from "./real-packages.js";

const folder = new ScratchFolder();
const embedder = new HashingEmbedder();
const harbour = "My sister keeps a boat in the harbour of Setubal.";
const piano = "I practise the piano every Thursday evening.";

function openMemory(path = ":memory:"): Memory {
  const memory = new Memory({ path, embedder: new HashingEmbedder(), judge: false });
  onTestFinished(() => memory.close());
  return memory;
}

type Mem0 = Pick<Memory, "add" | "search" | "get" | "getAll" | "update" | "delete" | "deleteAll" | "history" | "reset">;

/**
 * The real one, offline: its embedder and its model are ours, its store a file. That file is written by libsql in place of
 * better-sqlite3, which would have to be compiled; scores come back empty with it, so they are not compared.
 */
async function openMem0(): Promise<Mem0> {
  process.env["MEM0_TELEMETRY"] = "false";
  const { Memory: RealMemory } = await importReal<{ Memory: new (config: object) => Mem0 }>("mem0ai/oss");
  const embedDocuments = async (texts: string[]) => (await embedder.embed(texts)).map((vector) => [...vector]);
  const embedQuery = async (text: string) => (await embedDocuments([text]))[0];
  const dimension = embedder.identity.dimensions;
  const memory = [{ id: "0", text: harbour, attributed_to: "user" }];
  return new RealMemory({
    embedder: { provider: "langchain", config: { model: { embedQuery, embedDocuments }, embeddingDims: dimension } },
    vectorStore: { provider: "memory", config: { collectionName: "c", dimension, dbPath: folder.next() } },
    llm: {
      provider: "langchain",
      config: { model: { invoke: async () => ({ content: JSON.stringify({ memory }) }) } },
    },
    historyStore: { provider: "memory", config: {} },
  });
}

/** Ids, times, scores and hashes by their form; texts as they are. */
function normalize(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, content: unknown) => {
      if (name === "score") return "score";
      if (name === "attributedTo") return undefined;
      if (typeof content !== "string") return content;
      if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/u.test(content)) return "id";
      return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u.test(content) ? "time" : content;
    }) ?? "null",
  );
}

/** Every method once, as a program of mem0's users calls them. */
async function walk(memory: Mem0): Promise<Record<string, unknown>> {
  const options = { userId: "ada", agentId: "coach", runId: "r1", metadata: { tag: "sea", n: 3, nested: { a: [1] } } };
  const filters = { user_id: "ada" };
  const added = await memory.add([{ role: "user", content: harbour }], { ...options, infer: false });
  const { id } = added.results[0]!;
  const log: Record<string, unknown> = { added };
  log["two"] = await memory.add(
    [
      { role: "system", content: "Be kind." },
      { role: "user", content: piano },
      { role: "assistant", content: "Thursday is noted in the calendar." },
    ],
    { userId: "ada", infer: false },
  );
  log["search"] = (await memory.search("boat harbour Setubal", { filters, topK: 1 })).results;
  log["searchAgent"] = (await memory.search("boat harbour", { filters: { agent_id: "coach" } })).results;
  log["searchOther"] = (await memory.search("boat harbour", { filters: { user_id: "bob" } })).results;
  log["searchFiltered"] = (await memory.search("boat", { filters: { ...filters, n: { gt: 2 } } })).results.length;
  log["searchNot"] = (
    await memory.search("Thursday", { filters: { ...filters, NOT: [{ tag: "sea" }] } })
  ).results.length;
  log["get"] = await memory.get(id);
  log["all"] = (await memory.getAll({ filters })).results;
  log["topK"] = (await memory.getAll({ filters, topK: 2 })).results.length;
  log["run"] = (await memory.getAll({ filters: { run_id: "r1" } })).results.length;
  log["updated"] = await memory.update(id, "The boat lies in Sines.");
  log["merged"] = await memory.update(id, { metadata: { n: 4, more: true } });
  log["got"] = await memory.get(id);
  log["history"] = (await memory.history(id)).map((row) => Object.keys(row).sort());
  log["deleted"] = await memory.delete(id);
  log["gone"] = await memory.get(id);
  log["left"] = (await memory.getAll({ filters })).results.map(({ memory: text }) => text);
  log["deletedAll"] = await memory.deleteAll({ userId: "ada" });
  log["none"] = (await memory.getAll({ filters })).results;
  log["reset"] = (await memory.reset()) ?? null;
  return log;
}

describe.runIf(hasPackages)("compared with the real mem0", () => {
  it("every method returns the same", async () => {
    const [ours, theirs] = [await walk(openMemory()), await walk(await openMem0())];
    expect(normalize(ours)).toEqual(normalize(theirs));
  });

  it.each([
    ["add without ids", (memory: Mem0) => memory.add("I row.", {})],
    ["add of nothing", (memory: Mem0) => memory.add([], { userId: "ada" })],
    ["add of blanks", (memory: Mem0) => memory.add("  ", { userId: "ada" })],
    ["an id with a blank", (memory: Mem0) => memory.add("I row.", { userId: "a b" })],
    ["search without ids", (memory: Mem0) => memory.search("boat", { filters: { tag: "x" } })],
    ["search with ids at the top", (memory: Mem0) => memory.search("boat", { userId: "ada" } as object)],
    ["getAll without ids", (memory: Mem0) => memory.getAll({})],
    ["a topK below zero", (memory: Mem0) => memory.getAll({ filters: { user_id: "ada" }, topK: -1 })],
    ["an update of nothing", (memory: Mem0) => memory.update("x", {})],
    ["an update of what is not there", (memory: Mem0) => memory.update("x", "y")],
    ["a deletion of what is not there", (memory: Mem0) => memory.delete("x")],
    ["deleteAll without ids", (memory: Mem0) => memory.deleteAll({})],
    ["a date that is none", (memory: Mem0) => memory.add("I row.", { userId: "ada", expirationDate: "2999-02-30" })],
  ])("both refuse %s", async (_, call) => {
    await expect(call(await openMem0())).rejects.toThrow();
    await expect(call(openMemory())).rejects.toMatchObject({ code: expect.any(String) as string });
  });

  it("ten parallel adds are one memory, not ten, and deleteAll removes the text from the file", async () => {
    const path = folder.next();
    const memory = openMemory(path);
    const options = { userId: "ada", infer: false };
    await Promise.all(Array.from({ length: 10 }, () => memory.add("The password is zanzibar.", options)));
    expect((await memory.getAll({ filters: { user_id: "ada" } })).results).toHaveLength(1);
    expect(databaseBytes(path).includes("zanzibar")).toBe(true);
    await memory.deleteAll({ userId: "ada" });
    expect(databaseBytes(path).includes("zanzibar")).toBe(false);
    const theirs = await openMem0();
    await Promise.all(Array.from({ length: 10 }, () => theirs.add("The password is zanzibar.", options)));
    expect((await theirs.getAll({ filters: { user_id: "ada" } })).results).toHaveLength(10);
  });
});

describe("Memory", () => {
  it("infers: an exchange is one memory, small talk is none", async () => {
    const memory = openMemory();
    const exchange = [
      { role: "user", content: harbour },
      { role: "assistant", content: "How lovely." },
    ];
    const { results } = await memory.add(exchange, { userId: "ada" });
    expect(results).toMatchObject([
      { memory: expect.stringContaining("Setubal") as string, metadata: { event: "ADD" } },
    ]);
    expect(await memory.add(exchange, { userId: "ada" })).toEqual({ results: [] });
    expect(await memory.add("Good morning!", { userId: "ada" })).toEqual({ results: [] });
    expect((await memory.getAll({ filters: { user_id: "ada" } })).results).toHaveLength(1);
  });

  it("adds again what was added and changed since", async () => {
    const memory = openMemory();
    const options = { userId: "ada", infer: false };
    const { results } = await memory.add(harbour, options);
    await memory.update(results[0]!.id, piano);
    const again = await memory.add(harbour, options);
    expect(again.results[0]!.id).not.toBe(results[0]!.id);
    expect((await memory.getAll({ filters: { user_id: "ada" } })).results.map((item) => item.memory)).toEqual([
      piano,
      harbour,
    ]);
  });

  it("keeps agents without a user, and finds all users' memories of an agent", async () => {
    const memory = openMemory();
    await memory.add(harbour, { agentId: "coach", infer: false });
    await memory.add(piano, { userId: "ada", agentId: "coach", infer: false });
    const all = (await memory.getAll({ filters: { agent_id: "coach" } })).results;
    expect(all.map(({ user_id }) => user_id).toSorted()).toEqual(["ada", undefined]);
    await memory.deleteAll({ agentId: "coach" });
    expect((await memory.getAll({ filters: { agent_id: "coach" } })).results).toEqual([]);
  });

  it("has the texts of a memory in its history, newest first, and none once it is deleted", async () => {
    const memory = openMemory();
    const { id } = (await memory.add(harbour, { userId: "ada", infer: false })).results[0]!;
    await memory.update(id, piano);
    expect(await memory.history(id)).toMatchObject([
      { memory_id: id, previous_value: harbour, new_value: piano, action: "UPDATE" },
      { memory_id: id, previous_value: null, new_value: harbour, action: "ADD" },
    ]);
    await memory.delete(id);
    expect(await memory.history(id)).toEqual([]);
  });

  it("forgets at the end of the expiration date, and takes it back", async () => {
    const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder, judge: false });
    onTestFinished(() => mnemosyne.close());
    const memory = Memory.fromMnemosyne(mnemosyne);
    const { id } = (await memory.add(harbour, { userId: "ada", infer: false, expirationDate: "2999-12-31" }))
      .results[0]!;
    expect((await mnemosyne.person("ada").get(id)).expiresAt).toBe("3000-01-01T00:00:00.000Z");
    expect((await memory.get(id))!.metadata).toEqual({ expiration_date: "2999-12-31" });
    await memory.update(id, { expirationDate: null });
    expect((await mnemosyne.person("ada").get(id)).expiresAt).toBeNull();
    await memory.close();
    expect((await memory.get(id))!.metadata).toEqual({});
  });

  it("finds memories that were not added through this door, by their ids", async () => {
    const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder, judge: false });
    onTestFinished(() => mnemosyne.close());
    await mnemosyne.person("ada").commit({ id: "mine", summary: harbour, keep: true }, { wait: true });
    const memory = Memory.fromMnemosyne(mnemosyne);
    expect(await memory.get("mine")).toMatchObject({ id: "mine", memory: harbour, user_id: "ada" });
    expect((await memory.search("boat harbour Setubal", { filters: { user_id: "ada" } })).results).toMatchObject([
      { id: "mine" },
    ]);
  });

  it.each([
    ["llm", { llm: { provider: "openai", config: {} } }],
    ["vectorStore", { vectorStore: { provider: "qdrant", config: {} } }],
    ["embedder", { embedder: { provider: "openai", config: {} } }],
    ["reranker", { reranker: { provider: "cohere", config: {} } }],
    ["historyDbPath", { historyDbPath: "h.db" }],
    ["customInstructions", { customInstructions: "Only food." }],
  ])("refuses mem0's %s instead of ignoring it", (name, config) => {
    expect(() => new Memory(config)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(name) as string }),
    );
  });

  it("refuses what it cannot do", async () => {
    const memory = openMemory();
    const filters = { user_id: "ada" };
    await expect(memory.search("boat", { filters, showExpired: true })).rejects.toThrow("forgotten");
    await expect(memory.search("boat", { filters, explain: true })).rejects.toThrow("trace");
    await memory.add(harbour, { userId: "ada", infer: false });
    await expect(memory.search("boat", { filters: { ...filters, tag: { icontains: "x" } } })).rejects.toMatchObject({
      code: "filter_invalid",
    });
  });
});
