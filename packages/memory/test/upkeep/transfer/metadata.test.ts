/** Metadata, expiry and earlier versions through everything that moves interactions: exported and imported. */
import { type Interaction, InputError, type PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { expect, it } from "vitest";
import type { Store } from "../../../src/stores/store.js";
import { alterLines, exportLines, parseLines, rewriteText } from "../../durability/export-lines.js";
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

/** An export of one memory that was edited once, one without anything noted. */
async function linesWithNotes(): Promise<string[]> {
  const person = (await openMemories({ store: new LastingStore() })).person("ada");
  await person.commit({ id: "noted", summary: "Penicillin gave me a rash.", metadata, expiresAt });
  await person.commit({ id: "plain", summary: "The violin is out of tune again." });
  await person.settled();
  return alterLines(await exportLines(person), ({ entries: [noted, plain] }) => ({
    entries: [{ ...noted!, interaction: { ...noted!.interaction, versions: [version] } }, plain!],
  }));
}

async function open(store: Store): Promise<PersonMemory> {
  return (await openMemories({ store })).person("ada");
}

async function remember(store: Store): Promise<PersonMemory> {
  const person = await open(store);
  await person.import(await linesWithNotes());
  return person;
}

async function notesOf(person: PersonMemory): Promise<unknown[]> {
  const { entries, nodes } = parseLines(await exportLines(person));
  const noted = (list: readonly Pick<Interaction, "id" | "metadata" | "expiresMs">[]): unknown[] =>
    list.map((each) => [each.id, each.metadata, each.expiresMs]).sort();
  const interactions = entries.map(({ interaction }) => interaction);
  const versions = interactions.map((each) => [each.id, each.versions]).sort();
  return [noted(nodes.map(({ node }) => node)), noted(interactions), versions];
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
  expect(await notesOf(person)).toEqual(all);
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
  const lines = await linesWithNotes();
  for (const store of [new LastingStore(), await SqliteStore.open({ path: scratch.next() })]) {
    const person = await open(store);
    expect((await person.import(lines)).mode).toBe("restored");
    expect(await notesOf(person)).toEqual(all);
    expect(await exportLines(person)).toEqual(lines);
  }
});

it("an import into a person who has memories keeps it, even what has expired", async () => {
  const past = alterLines(await linesWithNotes(), ({ entries: [noted, plain] }) => ({
    entries: [{ ...noted!, interaction: { ...noted!.interaction, expiresMs: 5 } }, plain!],
  }));
  const store = new LastingStore();
  const person = await open(store);
  await person.commit({ id: "other", summary: "Something else was said before all that." });
  await person.settled();
  expect((await person.import(past)).mode).toBe("committed");
  await person.settled();
  const [, noted] = parseLines(await exportLines(person)).entries;
  expect(noted!.interaction).toMatchObject({ id: "noted", metadata, expiresMs: 5, versions: [version] });
  expect(await store.due("expiry", { before: 6, limit: 10 })).toEqual([{ person: "ada", at: 5, count: 1 }]);
});

it.each([
  [/"agent":"naïve 漢字"/u, '"$agent":1', /choose another name/u],
  [new RegExp(String(Date.parse(expiresAt)), "u"), '"soon"', /expiresMs is a text of 4 characters; it must be/u],
  [/\[\{"replacedMs.*\]\]/u, "7]", /versions is not a list/u],
  [/"replacedMs":7/u, '"replacedMs":null', /replacedMs of a version is null/u],
  [/"state":"x"/u, '"state":5', /state of a version is not text/u],
  [/"who":"Ada"/u, '"who":""', /who of the turn/u],
])("an export with other notes is refused: %s", async (pattern, replacement, message) => {
  const lines = await linesWithNotes();
  const person = await open(new LastingStore());
  const altered = lines.map((line, i) =>
    i === 1 ? rewriteText(line, (text) => text.replace(pattern, replacement)) : line,
  );
  expect(altered).not.toEqual(lines);
  const refused = person.import(altered);
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(message);
  await expect(person.import(altered)).rejects.toThrow(/^line 2: /u);
});
