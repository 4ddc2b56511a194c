/** Metadata, expiry and earlier versions through everything that moves interactions: exported and imported. */
import { type Interaction, InputError, type PersonMemory, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import { noChange } from "../../../src/core/graph/memory-node.js";
import { readPages } from "../../../src/engine/records/person-data.js";
import { exportLines } from "../../durability/export-lines.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const metadata = { agent: "naïve 漢字", tags: ["a", "b"], count: 1.5, isDone: false };
const expiresAt = "2999-01-01T00:00:00.000Z";
const version = {
  replacedMs: 7,
  initMs: 5,
  turns: [{ who: "Ada", text: "Then." }],
  summary: null,
  state: "x",
  metadata,
};

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

/** One memory that was edited once, one without anything noted. */
async function remember(store: Store): Promise<PersonMemory> {
  const person = (await openMemories({ store })).person("ada");
  await person.commit({ id: "noted", summary: "Penicillin gave me a rash.", metadata, expiresAt });
  await person.commit({ id: "plain", summary: "The violin is out of tune again." });
  await person.settled();
  const [entry] = await store.history("ada", { ids: ["noted"] });
  await store.apply("ada", {
    baseRevision: await store.revision("ada"),
    change: noChange,
    outcomes: [],
    forgetInteractions: [],
    replaceInteractions: [{ ...entry!.interaction, versions: [version] }],
  });
  return person;
}

async function notesOf(store: Store): Promise<unknown[]> {
  const nodes = (await readPages(await store.load("ada"))).change.putNodes.map(({ node }) => node);
  const noted = (list: readonly Pick<Interaction, "id" | "metadata" | "expiresMs">[]): unknown[] =>
    list.map((each) => [each.id, each.metadata, each.expiresMs]).sort();
  const interactions = (await store.history("ada")).map(({ interaction }) => interaction);
  const versions = interactions.map((each) => [each.id, each.versions]).sort();
  return [noted(nodes), noted(interactions), versions];
}

const kept = [
  ["noted", metadata, Date.parse(expiresAt)],
  ["plain", {}, null],
];
const all = [
  kept,
  kept,
  [
    ["noted", [version]],
    ["plain", []],
  ],
];

it("a memory has what its interaction has, and both are shown", async () => {
  const store = new LastingStore();
  const person = await remember(store);
  expect(await notesOf(store)).toEqual(all);
  const view = { replacedAt: "1970-01-01T00:00:00.007Z", at: "1970-01-01T00:00:00.005Z" };
  const { turns, summary, state } = version;
  const versions = [{ ...view, turns, summary, state, metadata }];
  expect((await person.list()).find(({ id }) => id === "noted")).toMatchObject({ metadata, expiresAt });
  expect(await person.get("noted")).toMatchObject({ metadata, expiresAt, versions });
  expect(await person.get("plain")).toMatchObject({ metadata: {}, expiresAt: null, versions: [] });
  const [item] = await person.history({ ids: ["noted"] });
  expect(item).toMatchObject({ metadata, expiresAt, versions });
});

it("a conversation keeps its metadata and its expiry to its end", async () => {
  const store = new LastingStore();
  const person = (await openMemories({ store })).person("ada");
  const conversation = await person.conversation({ id: "talk", metadata, expiresAt });
  await conversation.add({ who: "Ada", text: "Penicillin gave me a rash." });
  const again = await person.conversation({ id: "talk" });
  await again.add({ who: "Ada", text: "I was seven." });
  await again.end();
  await person.settled();
  expect(await person.get("talk")).toMatchObject({ metadata, expiresAt });
});

it("an export is the same after an import, byte for byte", async () => {
  const lines = await exportLines(await remember(new LastingStore()));
  for (const store of [new LastingStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = (await openMemories({ store })).person("ada");
    expect((await person.import(lines)).mode).toBe("restored");
    expect(await notesOf(store)).toEqual(all);
    expect(await exportLines(person)).toEqual(lines);
  }
});

it("an import into a person who has memories keeps it, even what has expired", async () => {
  const lines = await exportLines(await remember(new LastingStore()));
  const past = lines.map((line) => line.replaceAll(String(Date.parse(expiresAt)), "5"));
  const store = new LastingStore();
  const person = (await openMemories({ store })).person("ada");
  await person.commit({ id: "other", summary: "Something else was said before all that." });
  await person.settled();
  expect((await person.import(past)).mode).toBe("committed");
  await person.settled();
  const [entry] = await store.history("ada", { ids: ["noted"] });
  expect(entry!.interaction).toMatchObject({ metadata, expiresMs: 5, versions: [version] });
  expect(await store.expired(6, 10)).toEqual([{ person: "ada", id: "noted" }]);
});

it.each([
  [/"agent":"naïve 漢字"/u, '"$agent":1', /choose another name/u],
  [/"expiresMs":\d+/u, '"expiresMs":"soon"', /expiresMs is "soon", not a time/u],
  [/"versions":\[/u, '"versions":7,"x":[', /versions is not a list/u],
  [/"replacedMs":7/u, '"replacedMs":null', /a version needs replacedMs/u],
  [/"state":"x"/u, '"state":5', /state of a version is not text/u],
  [/"who":"Ada"/u, '"who":""', /who of the turn/u],
])("an export with other notes is refused: %s", async (pattern, replacement, message) => {
  const lines = await exportLines(await remember(new LastingStore()));
  const person = (await openMemories({ store: new LastingStore() })).person("ada");
  const altered = lines.map((line) => line.replace(pattern, replacement));
  expect(altered).not.toEqual(lines);
  const refused = person.import(altered);
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(message);
  await expect(person.import(altered)).rejects.toThrow(/^line \d+/u);
});
