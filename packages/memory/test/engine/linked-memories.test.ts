/** Update links through everything that happens to memories: seen, forgotten, pruned, restored, refined, embedded again. */
import { describe, expect, it } from "vitest";
import { type Batch, Mnemosyne, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { noChange } from "../../src/core/graph/memory-node.js";
import { exportLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { laboratory } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { commitLinked, dayMs, linksOf, openLinked, setLinks, startMs } from "./linked-memories.js";
import { ScriptedModel, answerWell } from "./scripted-model.js";

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

  it("in a list of those that hold", async () => {
    const { person } = await openLinked(chain);
    const idsOf = async (options?: { outdated?: boolean }): Promise<string[]> =>
      (await person.list(options)).map(({ id }) => id);
    expect(await idsOf({ outdated: false })).toEqual(["choir", "violin"]);
    expect(await idsOf({ outdated: true })).toEqual(await idsOf());
    expect(await idsOf()).toHaveLength(4);
    await expect(person.list({ outdated: "no" as never })).rejects.toMatchObject({ code: "option_invalid" });
  });

  it("by an interaction that is not a memory as none", async () => {
    const { person } = await openLinked({ choir: ["plums"] });
    await person.prune({ memoryCountMax: 3 });
    expect(await person.history({ ids: ["plums"] })).toMatchObject([
      { outcome: "pruned", updates: [], outdatedBy: [] },
    ]);
  });

  it("broken, by a check", async () => {
    const { person } = await openLinked({ plums: ["violin"] });
    expect(await person.check()).toEqual(["plums updates violin, which is newer"]);
  });
});

describe("forgetting", () => {
  it("the older one takes it out of the links of the newer one", async () => {
    const { person, store } = await openLinked(chain);
    await person.forget("plums");
    expect(await linksOf(person)).toEqual({ choir: ["trains"] });
    expect(JSON.stringify(await store.history("ada"))).not.toContain("plums");
    expect(await person.check()).toEqual([]);
  });

  it("the middle of a chain leaves the oldest outdated", async () => {
    const { person } = await openLinked(chain);
    await person.forget("trains");
    expect(await linksOf(person)).toEqual({ choir: ["plums"] });
    expect((await person.get("plums")).outdatedBy).toEqual(["choir"]);
    expect(await person.check()).toEqual([]);
  });

  it("the newest lets the older one hold again", async () => {
    const { person } = await openLinked(chain);
    await person.forget("choir");
    expect((await person.list({ outdated: false })).map(({ id }) => id)).toEqual(["trains", "violin"]);
  });

  it("reaches other processes", async () => {
    const { person, store } = await openLinked(chain);
    const other = (await openMemories({ store })).person("ada");
    expect(await linksOf(other)).toEqual(chain);
    await person.forget("trains");
    expect(await linksOf(other)).toEqual({ choir: ["plums"] });
  });

  it("replaces ids in the parts of a trace that name links", async () => {
    const { person, store } = await openLinked({});
    const rest = { outcome: "committed", substance: {}, redundancy: null, pairing: null, edges: null };
    const links = { relations: [{ id: "plums", kind: "update" }, { id: "choir" }], claimedUpdates: [{ id: null }] };
    const trace = { ...rest, ...links, updates: ["plums", "trains"] };
    const outcomes = [{ id: "violin", outcome: "committed" as const, trace: JSON.stringify(trace) }];
    await apply(store, { outcomes });
    await person.forget("plums");
    const [entry] = await store.history("ada", { ids: ["violin"] });
    expect(JSON.parse(entry!.trace!)).toEqual({
      ...trace,
      updates: ["(forgotten)", "trains"],
      relations: [{ id: "(forgotten)", kind: "update" }, { id: "choir" }],
    });
  });

  it("takes an id out of what other interactions were said to make outdated, and of the file", async () => {
    const path = scratch.next();
    const store = await SqliteStore.open({ path });
    const { person } = await openLinked(chain, {}, store);
    const said = (id: string, updates: string[]): Batch["acceptEntries"] & {} => [
      {
        interaction: {
          id,
          initMs: startMs,
          acceptedMs: startMs,
          turns: [],
          summary: "Said.",
          state: null,
          restored: false,
          kept: true,
          updates,
          metadata: {},
          expiresMs: null,
          versions: [],
        },
        outcome: "discarded",
        trace: null,
      },
    ];
    await apply(store, { acceptEntries: [...said("x", ["trains", "violin"]), ...said("y", ["plums"])] });
    expect(databaseBytes(path).includes("trains")).toBe(true);
    await person.forget("trains");
    const updates = (await store.history("ada", { ids: ["x", "y"] })).map(({ interaction }) => interaction.updates);
    // With what the forgotten one had made outdated.
    expect(updates).toEqual([["plums", "violin"], ["plums"]]);
    expect(databaseBytes(path).includes("trains")).toBe(false);
    await person.forget(["plums", "x"]);
    expect((await store.history("ada", { ids: ["y"] }))[0]!.interaction.updates).toEqual([]);
    expect(databaseBytes(path).includes("plums")).toBe(false);
  });

  it("everything leaves no link in the file", async () => {
    const path = scratch.next();
    const store = await SqliteStore.open({ path });
    const { person } = await openLinked(chain, {}, store);
    await person.forgetAll();
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
      updates: ["plums"],
    });
    expect((await person.history({ ids: ["plums"] }))[0]!.trace).not.toHaveProperty("updates");
    const updatesOf = async (id: string): Promise<readonly string[]> =>
      (await store.history("ada", { ids: [id] }))[0]!.interaction.updates;
    await person.restore("plums");
    await person.restore("trains");
    await person.settled();
    expect([await updatesOf("plums"), await updatesOf("trains")]).toEqual([[], ["plums"]]);
    expect(await person.check()).toEqual([]);
  });

  it("and restoring names nothing that was forgotten meanwhile", async () => {
    const { person, store } = await openLinked({ trains: ["plums"], choir: ["trains"] });
    await person.prune({ memoryCountMax: 2 });
    await person.forget("plums");
    await person.restore("trains");
    await person.settled();
    expect((await store.history("ada", { ids: ["trains"] }))[0]!.interaction.updates).toEqual([]);
  });
});

it("refining keeps links", async () => {
  const store = new MemoryStore();
  const parameters = { redundancyThreshold: 10 };
  const plain = (await openMemories({ store, parameters })).person("ada");
  const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
  for (const [i, id] of ["old", "new"].entries()) await plain.commit({ id, turns, at: startMs + i * dayMs });
  await plain.settled();
  await apply(store, { change: { ...noChange, setUpdates: [{ id: "new", updates: ["old"] }] } });
  const languageModel = new ScriptedModel(answerWell);
  const refined = (await openMemories({ store, parameters, languageModel })).person("ada");
  expect((await refined.refine()).refinedCount).toBe(2);
  expect((await refined.get("new")).summary).toBe("Penicillin gave her a rash.");
  for (const person of [refined, plain]) expect(await linksOf(person)).toEqual({ new: ["old"] });
});

it("embedding again keeps links", async () => {
  const store = new LastingStore();
  await openLinked(chain, {}, store);
  const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
  await Mnemosyne.reembed(laboratory({ store, embedder }));
  expect(await linksOf((await openMemories({ store, embedder })).person("ada"))).toEqual(chain);
});

describe("an export", () => {
  it("has links, and the wishes of interactions, where there are any; imported it says the same", async () => {
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
    const named = lines.filter((line) => /"(?:updates|kept)":/u.test(line)).map((line) => JSON.parse(line) as object);
    expect(named).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "memory", id: "trains", updates: ["plums"] }),
        expect.objectContaining({
          type: "interaction",
          interaction: expect.objectContaining({ id: "wish", kept: true }),
        }),
      ]),
    );
    const plain = lines.find((line) => line.includes('"interaction":{"id":"plums"'))!;
    expect(plain).not.toMatch(/"(?:updates|kept)":/u);
    const copy = (await openMemories({ store: new MemoryStore() })).person("ada");
    expect(await copy.import(lines)).toMatchObject({ mode: "restored" });
    expect(await exportLines(copy)).toEqual(lines);
  });

  it("of another embedder keeps them as wishes, however many", async () => {
    const { person } = await openLinked({ violin: ["choir", "plums", "trains"] });
    const lines = await exportLines(person);
    const store = new MemoryStore();
    const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
    const copy = (await openMemories({ store, embedder })).person("ada");
    expect(await copy.import(lines)).toMatchObject({ mode: "committed", acceptedCount: 4 });
    await copy.settled();
    const [entry] = await store.history("ada", { ids: ["violin"] });
    expect(entry!.interaction.updates).toEqual(["choir", "plums", "trains"]);
  });
});

describe("a migration", () => {
  it("brings links, and tells persons apart who differ in a link only", async () => {
    const [from, to] = [scratch.next(), scratch.next()];
    const memories = await openMemories({ path: from });
    await commitLinked(memories.person("ada"));
    await memories.close();
    const source = await SqliteStore.open({ path: from });
    await setLinks(source, chain);
    await source.close();
    expect(await Mnemosyne.migrate({ path: from }, { path: to })).toMatchObject({ migratedCount: 1 });
    expect(await Mnemosyne.migrate({ path: from }, { path: to })).toMatchObject({
      knownCount: 1,
      differentPersons: [],
    });
    expect(await linksOf((await openMemories({ path: to })).person("ada"))).toEqual(chain);
    const target = await SqliteStore.open({ path: to });
    await setLinks(target, { choir: [] });
    await target.close();
    expect(await Mnemosyne.migrate({ path: from }, { path: to })).toMatchObject({ differentPersons: ["ada"] });
  });
});

async function apply(store: Store, parts: Partial<Batch>): Promise<void> {
  const baseRevision = await store.revision("ada");
  await store.apply("ada", { baseRevision, change: noChange, outcomes: [], forgetInteractions: [], ...parts });
}
