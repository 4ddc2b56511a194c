/** Update links through everything that happens to memories: seen, forgotten, pruned, restored, refined, embedded again. */
import { describe, expect, it } from "vitest";
import { type AcceptedEntry, Mnemosyne } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { exportLines, parseLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { laboratory } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { endOf } from "../graph/graph-fixtures.js";
import { bareInteraction } from "./bare-interaction.js";
import { type LinkedId, dayMs, linksOf, openLinked, startMs } from "./linked-memories.js";
import { applyBatch, recordsOf } from "./records/opened-records.js";

const scratch = new ScratchFolder();

/** Plums outdated by trains, trains by choir. */
const chain = { trains: ["plums" as const], choir: ["trains" as const] };

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

describe("links are seen", () => {
  it("in the list, the history and a single memory, from both ends", async () => {
    const { person } = await openLinked({ choir: ["plums", "trains"] });
    const links = {
      plums: [[], ["choir"]],
      trains: [[], ["choir"]],
      choir: [["plums", "trains"], []],
      violin: [[], []],
    };
    for (const items of [await person.list(), await person.history(), (await person.graph()).memories]) {
      const seen = items.map(({ id, updates, outdatedBy }) => [id, [updates, outdatedBy]]);
      expect(Object.fromEntries(seen)).toEqual(links);
    }
    expect(await person.get("plums")).toMatchObject({ updates: [], outdatedBy: ["choir"] });
    expect(await person.check()).toEqual([]);
  });

  it("broken, by a check", async () => {
    const { person } = await openLinked({ plums: ["violin"] });
    expect(await person.check()).toEqual(["plums ends something in violin, which is newer"]);
  });
});

describe("forgetting", () => {
  it.each<[LinkedId, Record<string, string[]>, holding: string[]]>([
    ["plums", { choir: ["trains"] }, ["choir", "violin"]],
    // The oldest stays outdated, by what made its successor outdated.
    ["trains", { choir: ["plums"] }, ["choir", "violin"]],
    ["choir", { trains: ["plums"] }, ["trains", "violin"]],
  ])("%s of a chain leaves the links that still hold", async (id, links, holding) => {
    const { person, store } = await openLinked(chain);
    await person.forget(id);
    expect(await linksOf(person)).toEqual(links);
    expect((await person.list({ outdated: false })).map((memory) => memory.id)).toEqual(holding);
    expect(JSON.stringify(await (await recordsOf(store)).history("ada"))).not.toContain(id);
    expect(await person.check()).toEqual([]);
  });

  it("replaces ids in the parts of a trace that name links", async () => {
    const { person, store } = await openLinked({});
    const rest = { outcome: "committed", substance: {}, redundancy: null, pairing: null, edges: null };
    const related = (memory: string): object => ({ ...endOf(memory, 0, 0), repeats: 0, ends: 1, other: 0 });
    const trace = {
      ...rest,
      relations: [related("plums"), related("choir")],
      ends: [endOf("plums", 0, 0), endOf("trains")],
      claims: [
        { id: null, refused: "not shown" },
        { id: "plums", refused: null },
      ],
      forgetAsked: [
        { memory: "plums", position: 1 },
        { memory: "choir", position: null },
      ],
    };
    const outcomes = [{ id: "violin", outcome: "committed" as const, trace: JSON.stringify(trace) }];
    await applyBatch(store, { outcomes });
    await person.forget("plums");
    const [entry] = await (await recordsOf(store)).history("ada", { ids: ["violin"] });
    expect(JSON.parse(entry!.trace!)).toEqual({
      ...trace,
      relations: [related("(forgotten)"), related("choir")],
      ends: [endOf("(forgotten)", 0, 0), endOf("trains")],
      claims: [
        { id: null, refused: "not shown" },
        { id: "(forgotten)", refused: null },
      ],
      forgetAsked: [
        { memory: "(forgotten)", position: 1 },
        { memory: "choir", position: null },
      ],
    });
  });

  it("takes an id out of what other interactions were said to make outdated, and of the file", async () => {
    const path = scratch.next();
    const store = await SqliteStore.open({ path });
    const { person } = await openLinked(chain, {}, store);
    const said = (id: string, updates: string[]): AcceptedEntry => ({
      interaction: { ...bareInteraction, id, initMs: startMs, summary: "Said.", updates },
      outcome: "discarded",
      trace: null,
    });
    await applyBatch(store, { acceptEntries: [said("x", ["trains", "violin"]), said("y", ["plums"])] });
    expect(databaseBytes(path).includes("trains")).toBe(true);
    await person.forget("trains");
    const updates = (await (await recordsOf(store)).history("ada", { ids: ["x", "y"] })).map(
      ({ interaction }) => interaction.updates,
    );
    // With what the forgotten one had made outdated.
    expect(updates).toEqual([["plums", "violin"], ["plums"]]);
    expect(databaseBytes(path).includes("trains")).toBe(false);
    await person.forget(["plums", "x"]);
    expect((await (await recordsOf(store)).history("ada", { ids: ["y"] }))[0]!.interaction.updates).toEqual([]);
    expect(databaseBytes(path).includes("plums")).toBe(false);
  });
});

describe("pruning", () => {
  it("takes outdated memories first, and lets none come back", async () => {
    const { person } = await openLinked({ violin: ["choir"] });
    const pruned = async (memoryCountMax: number): Promise<string[]> =>
      (await person.prune({ memoryCountMax })).pruned.map(({ id }) => id);
    expect(await pruned(3)).toEqual(["choir"]);
    expect(await linksOf(person)).toEqual({});
    expect(await pruned(2)).toEqual(["plums"]);
    expect(await person.check()).toEqual([]);
  });

  it("and restoring brings the links back with the memory", async () => {
    const { person, store } = await openLinked(chain);
    await person.prune({ memoryCountMax: 2 });
    expect((await person.history({ ids: ["trains"] }))[0]!.trace).toMatchObject({
      outcome: "pruned",
      ends: [endOf("plums")],
    });
    expect((await person.history({ ids: ["plums"] }))[0]!.trace).not.toHaveProperty("ends");
    const updatesOf = async (id: string): Promise<readonly string[]> =>
      (await (await recordsOf(store)).history("ada", { ids: [id] }))[0]!.interaction.updates;
    await person.restore("plums");
    await person.restore("trains");
    await person.settled();
    expect([await updatesOf("plums"), await updatesOf("trains")]).toEqual([[], ["plums"]]);
    expect(await person.check()).toEqual([]);
  });
});

it("embedding again keeps links", async () => {
  const store = new LastingStore();
  await openLinked(chain, {}, store);
  const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
  await Mnemosyne.reembed(laboratory({ store, embedder }));
  expect(await linksOf((await openMemories({ store, embedder })).person("ada"))).toEqual(chain);
});

it("an export has links, and the wishes of interactions; imported it says the same", async () => {
  const { person } = await openLinked(chain);
  await person.commit({
    id: "wish",
    summary: "Grapes were sour.",
    at: startMs + 9 * dayMs,
    keep: true,
    updates: "plums",
  });
  await person.settled();
  const lines = await exportLines(person);
  const { entries, nodes } = parseLines(lines);
  expect(nodes.find(({ node }) => node.id === "trains")!.node.ends).toEqual([endOf("plums")]);
  expect(entries.find(({ interaction }) => interaction.id === "wish")!.interaction.kept).toBe(true);
  const copy = (await openMemories({ store: new MemoryStore() })).person("ada");
  expect(await copy.import(lines)).toMatchObject({ mode: "restored" });
  expect(await exportLines(copy)).toEqual(lines);
});
