/** Statements, their readings, links and marks through everything that moves memories: exported, imported, embedded again. */
import { type MnemosyneOptions, Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, it } from "vitest";
import { alterLines, exportLines, parseLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";
import { allergy, areaReader, at, graz, ines, vienna } from "../../core/lives.js";
import { type Answer, ScriptedModel, isAskedFor, judgment } from "../../engine/scripted-model.js";
import { endOf, markOf } from "../../graph/graph-fixtures.js";

const scratch = new ScratchFolder();
const options = { reader: areaReader(), parameters: { redundancyThreshold: 10 } };

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

async function open(store: MnemosyneOptions["store"] & {}, others: MnemosyneOptions = {}): Promise<PersonMemory> {
  return (await openMemories({ ...options, ...others, store })).person("ada");
}

/**
 * Graz and an allergy, told in one breath; Vienna, which ends Graz alone; and a sister, who was taken out. Of the allergy a
 * pin is kept.
 */
async function remember(store: MnemosyneOptions["store"] & {}): Promise<PersonMemory> {
  const person = await open(store);
  const said = (text: string) => [{ who: "user", text }];
  await person.commit({ id: "may", turns: said(`${graz} ${allergy}`), at: at(1) });
  await person.commit({ id: "june", turns: said(vienna), at: at(2) });
  await person.commit({ id: "july", turns: said(ines), at: at(3) });
  await person.settled();
  await person.pin("may#1", "alert");
  await person.withdraw("july#0");
  return person;
}

const statement = { turn: 0, who: "user", asked: null, kind: "said" };
const told = {
  may: {
    statements: [
      { ...statement, text: graz, reading: { fact: 1, about: "self", area: "home", lasting: 0.9, alone: 1 } },
      { ...statement, text: allergy, reading: { fact: 1, about: "self", area: "alert", lasting: 0.95, alone: 1 } },
    ],
    ends: [],
    marks: [markOf("pinned", 1, "alert")],
  },
  june: {
    statements: [
      { ...statement, text: vienna, reading: { fact: 1, about: "self", area: "home", lasting: 0.9, alone: 1 } },
    ],
    ends: [endOf("may", 0, 0)],
    marks: [],
  },
  july: {
    statements: [
      { ...statement, text: ines, reading: { fact: 1, about: "self", area: "people", lasting: 0.85, alone: 1 } },
    ],
    ends: [],
    marks: [markOf("removed", 0)],
  },
};

async function toldIn(person: PersonMemory): Promise<unknown> {
  const { nodes } = parseLines(await exportLines(person));
  return Object.fromEntries(
    nodes.map(({ node: { id, statements, ends, marks } }) => [id, { statements, ends, marks }]),
  );
}

/** What callers see of it, and what the core memory says. */
async function seenIn(person: PersonMemory): Promise<unknown> {
  const memories = (await person.list()).map(({ id, statements, updates, outdatedBy }) => {
    return { id, statements, updates, outdatedBy };
  });
  return { memories, core: (await person.coreSummary()).areas };
}

/** A good reply, about the name in what it is asked about, which comes last. */
const answerAbout: Answer = (request) => {
  const name = request.text.match(/Graz|Vienna|Ines/gu)!.at(-1)!;
  if (isAskedFor("summary", request)) return JSON.stringify({ summary: `It is about ${name}.` });
  const written = {
    keywords: [name],
    statements: [`Somebody spoke of ${name}.`],
    hypotheticalQueries: [`Who is ${name}?`],
  };
  return JSON.stringify({ ...judgment, ...written });
};

describe("statements, links and marks", () => {
  it("are in an export; imported it says the same, byte for byte", async () => {
    const person = await remember(new MemoryStore());
    expect(await toldIn(person)).toEqual(told);
    const lines = await exportLines(person);
    for (const store of [new MemoryStore(), await SqliteStore.open({ path: scratch.next() })]) {
      const copy = await open(store);
      expect((await copy.import(lines)).mode).toBe("restored");
      expect(await exportLines(copy)).toEqual(lines);
      expect(await seenIn(copy)).toEqual(await seenIn(person));
      expect(await copy.check()).toEqual([]);
    }
  });

  it("in a sealed export too", async () => {
    const encryptionKey = "correct horse battery staple, and some more of them";
    const open_ = async (): Promise<PersonMemory> =>
      (await openMemories({ ...options, encryptionKey, path: scratch.next() })).person("ada");
    const person = await open_();
    await person.import(await exportLines(await remember(new MemoryStore())));
    const sealed: string[] = [];
    for await (const line of person.export({ sealed: true })) sealed.push(line);
    expect(sealed.join("\n")).not.toMatch(/Graz|pinned|lasting/u);
    const copy = await open_();
    await copy.import(sealed);
    expect(await toldIn(copy)).toEqual(told);
  });

  it("of the part that passes name nothing that does not", async () => {
    const person = await remember(new MemoryStore());
    const lines: string[] = [];
    for await (const line of person.export({ from: at(2) })) lines.push(line);
    expect(lines.join("\n")).not.toMatch(/"may"|Graz/u);
    const copy = await open(new MemoryStore());
    await copy.import(lines);
    expect(await toldIn(copy)).toEqual({ june: { ...told.june, ends: [] }, july: told.july });
    expect(await copy.check()).toEqual([]);
  });

  it("are passed on in a part: what was left out had ended something", async () => {
    const person = await remember(new MemoryStore());
    await person.commit({ id: "august", turns: [{ who: "user", text: graz }], at: at(4) });
    await person.settled();
    expect((await person.get("august")).updates).toEqual(["june"]);
    const middle = alterLines(await exportLines(person), ({ entries }) => ({
      entries: entries.map((entry) => ({
        ...entry,
        interaction: { ...entry.interaction, metadata: { kept: entry.interaction.id !== "june" } },
      })),
    }));
    const whole = await open(new MemoryStore());
    await whole.import(middle);
    const part: string[] = [];
    for await (const line of whole.export({ filter: { kept: true } })) part.push(line);
    expect(part.join("\n")).not.toMatch(/june|Vienna/u);
    const august = parseLines(part).nodes.find(({ node }) => node.id === "august");
    expect(august!.node.ends).toEqual([endOf("may", 0, 0)]);
  });

  it("stay when everything is embedded again", async () => {
    const store = new LastingStore();
    const before = await seenIn(await remember(store));
    const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
    await Mnemosyne.reembed(laboratory({ ...options, store, embedder }));
    const person = await open(store, { embedder });
    expect(await toldIn(person)).toEqual(told);
    expect(await seenIn(person)).toEqual(before);
  });

  it("are there after a restart, without a reader too", async () => {
    const store = new LastingStore();
    await remember(store);
    expect(await toldIn(await open(store))).toEqual(told);
    const without = await open(store, { reader: false });
    expect(await toldIn(without)).toEqual(told);
    expect((await without.get("may")).statements[0]).toMatchObject({ endedBy: ["june#0"], endedAt: at(2) });
  });

  it("stay when a language model refines the memories; its own statements come after them", async () => {
    const store = new LastingStore();
    await remember(store);
    const refined = await open(store, { languageModel: new ScriptedModel(answerAbout) });
    expect((await refined.refine()).refinedCount).toBe(3);
    const { nodes } = parseLines(await exportLines(refined));
    for (const { node } of nodes) {
      const { statements, ends, marks } = told[node.id as keyof typeof told];
      expect(node).toMatchObject({ ends, marks });
      expect(node.statements.slice(0, statements.length)).toEqual(statements);
      const others = node.statements.slice(statements.length);
      expect(others.length).toBeGreaterThan(0);
      for (const each of others) expect(each).toMatchObject({ turn: null, who: null, kind: "written" });
    }
    expect(await refined.check()).toEqual([]);
  });
});
