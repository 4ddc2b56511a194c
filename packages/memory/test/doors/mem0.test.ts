/** The door for mem0's users: their calls have results as mem0 has them, and what is deleted is gone. */
import { Mnemosyne } from "mnemosyne-edge";
import { Memory, type SearchFilters } from "mnemosyne-edge/mem0";
import { describe, expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";

const folder = new ScratchFolder();
const embedder = new HashingEmbedder();
const harbour = "My sister keeps a boat in the harbour of Setubal.";
const piano = "I practise the piano every Thursday evening.";

function openMemory(path = ":memory:"): Memory {
  const memory = new Memory({ path, embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => memory.close());
  return memory;
}

const filters = { user_id: "ada" };

it("every method does what mem0's does", async () => {
  const memory = openMemory();
  const options = { userId: "ada", agentId: "coach", runId: "r1", metadata: { tag: "sea", n: 3, nested: { a: [1] } } };
  const added = await memory.add([{ role: "user", content: harbour }], { ...options, infer: false });
  const { id } = added.results[0]!;
  expect(added.results).toEqual([{ id, memory: harbour, metadata: { event: "ADD" } }]);
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content: piano },
    { role: "assistant", content: "Thursday is noted in the calendar." },
  ];
  expect((await memory.add(messages, { userId: "ada", infer: false })).results).toHaveLength(2);
  const search = async (query: string, more: SearchFilters, topK = 20) =>
    (await memory.search(query, { filters: more, topK })).results.map((found) => found.memory);
  expect(await search("boat harbour Setubal", filters, 1)).toEqual([harbour]);
  expect(await search("boat harbour Setubal", { agent_id: "coach" })).toEqual([harbour]);
  expect(await search("boat harbour Setubal", { user_id: "bob" })).toEqual([]);
  expect(await search("boat harbour Setubal", { ...filters, n: { gt: 2 } })).toEqual([harbour]);
  expect(await search("boat harbour Setubal", { ...filters, NOT: [{ tag: "sea" }] })).not.toContain(harbour);
  const item = { id, memory: harbour, metadata: options.metadata, user_id: "ada", agent_id: "coach", run_id: "r1" };
  expect(await memory.get(id)).toMatchObject(item);
  expect((await memory.getAll({ filters })).results).toHaveLength(3);
  expect((await memory.getAll({ filters, topK: 2 })).results).toHaveLength(2);
  expect((await memory.getAll({ filters: { run_id: "r1" } })).results).toMatchObject([item]);
  await memory.update(id, "The boat lies in Sines.");
  await memory.update(id, { metadata: { n: 4, more: true } });
  const merged = { ...item.metadata, n: 4, more: true };
  expect(await memory.get(id)).toMatchObject({ memory: "The boat lies in Sines.", metadata: merged });
  await memory.delete(id);
  expect(await memory.get(id)).toBeNull();
  expect((await memory.getAll({ filters })).results).toHaveLength(2);
  await memory.deleteAll({ userId: "ada" });
  expect((await memory.getAll({ filters })).results).toEqual([]);
  await memory.reset();
});

it.each<[string, (memory: Memory) => Promise<unknown>]>([
  ["add without ids", (memory) => memory.add("I row.", {})],
  ["add of nothing", (memory) => memory.add([], { userId: "ada" })],
  ["add of blanks", (memory) => memory.add("  ", { userId: "ada" })],
  ["an id with a blank", (memory) => memory.add("I row.", { userId: "a b" })],
  ["search without ids", (memory) => memory.search("boat", { filters: { tag: "x" } })],
  ["search with ids at the top", (memory) => memory.search("boat", { userId: "ada" } as object)],
  [
    "search by a part of a word",
    (memory) => memory.search("boat", { filters: { ...filters, tag: { icontains: "x" } } }),
  ],
  ["getAll without ids", (memory) => memory.getAll({})],
  ["a topK below zero", (memory) => memory.getAll({ filters, topK: -1 })],
  ["an update of nothing", (memory) => memory.update("x", {})],
  ["an update of what is not there", (memory) => memory.update("x", "y")],
  ["a deletion of what is not there", (memory) => memory.delete("x")],
  ["deleteAll without ids", (memory) => memory.deleteAll({})],
  ["a date that is none", (memory) => memory.add("I row.", { userId: "ada", expirationDate: "2999-02-30" })],
  ["mem0's own options", () => new Memory({ vectorStore: {} } as object).getAll({ filters })],
])("refuses %s", async (_, call) => {
  const memory = openMemory();
  await memory.add(harbour, { userId: "ada", infer: false });
  await expect(call(memory)).rejects.toMatchObject({ code: expect.any(String) as string });
});

it("ten parallel adds are one memory, and deleteAll removes the text from the file", async () => {
  const path = folder.next();
  const memory = openMemory(path);
  const options = { userId: "ada", infer: false };
  await Promise.all(Array.from({ length: 10 }, () => memory.add("The password is zanzibar.", options)));
  expect((await memory.getAll({ filters })).results).toHaveLength(1);
  expect(databaseBytes(path).includes("zanzibar")).toBe(true);
  await memory.deleteAll({ userId: "ada" });
  expect(databaseBytes(path).includes("zanzibar")).toBe(false);
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
    const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder, reader: false });
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
    const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder, reader: false });
    onTestFinished(() => mnemosyne.close());
    await mnemosyne.person("ada").commit({ id: "mine", summary: harbour, keep: true }, { wait: true });
    const memory = Memory.fromMnemosyne(mnemosyne);
    expect(await memory.get("mine")).toMatchObject({ id: "mine", memory: harbour, user_id: "ada" });
    expect((await memory.search("boat harbour Setubal", { filters: { user_id: "ada" } })).results).toMatchObject([
      { id: "mine" },
    ]);
  });
});
