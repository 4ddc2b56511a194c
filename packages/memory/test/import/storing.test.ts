/** What was read is stored through the public API: once, whole, within the limits, and continued where it has grown. */
import {
  type ExportFormat,
  type ImportedCounts,
  commitImported,
  exportMarkdown,
  readExport,
} from "mnemosyne-edge/import";
import type { PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { WordEmbedder } from "../engine/word-embedder.js";
import { chunksOf, readAll, sample } from "./chunks.js";

const nowMs = Date.UTC(2026, 0, 1);

async function openPerson(parameters: Record<string, number> = {}): Promise<PersonMemory> {
  const clock = { nowMs: () => nowMs };
  const options = { path: ":memory:", embedder: new WordEmbedder(), timeZone: "UTC", clock, parameters };
  const memories = await openMemories(options);
  return memories.person("p");
}

function store(person: PersonMemory, format: ExportFormat, text: string, more = {}): Promise<ImportedCounts> {
  const reading = readExport(format, chunksOf(text), { timeZone: "UTC", ...more });
  return commitImported(person, reading, more);
}

/** Everything stored, as id and words. */
async function stored(person: PersonMemory): Promise<string[][]> {
  const items = await person.history();
  return items.map(({ id, at, summary, turns }) => [
    id,
    at,
    summary ?? "",
    ...turns.map(({ who, text }) => `${who}: ${text}`),
  ]);
}

const samples = [
  ["chatgpt", "chatgpt.json", 3],
  ["claude", "claude.json", 2],
  ["mem0", "mem0.json", 2],
  ["whatsapp", "whatsapp-android.txt", 2],
  ["markdown", "notes.md", 5],
] as const;

describe.each(samples)("%s", (format, name, count) => {
  it("is stored once, however often it is imported", async () => {
    const person = await openPerson();
    const none = { acceptedCount: 0, knownCount: 0, changedCount: 0, refusedCount: 0 };
    expect(await store(person, format, sample(name))).toEqual({ ...none, acceptedCount: count });
    const first = await stored(person);
    expect(first).toHaveLength(count);
    expect(await store(person, format, sample(name))).toEqual({ ...none, knownCount: count });
    expect(await stored(person)).toEqual(first);
  });
});

it("facts of others are kept whatever they say", async () => {
  const person = await openPerson();
  await store(person, "mem0", '[{"id":"a","memory":"hi"}]');
  await person.settled();
  expect((await person.list()).map(({ summary }) => summary)).toEqual(["hi"]);
});

it("a file that stops in the middle is resumed with the whole one", async () => {
  const person = await openPerson();
  const text = sample("chatgpt.json");
  await expect(store(person, "chatgpt", text.slice(0, text.indexOf("Good luck")))).rejects.toThrow(
    /stops in the middle/u,
  );
  expect(await stored(person)).toHaveLength(2);
  expect(await store(person, "chatgpt", text)).toMatchObject({ acceptedCount: 1, knownCount: 2 });
});

describe("a chat that has grown since", () => {
  const lines = ["10:00 - Ana: one", "10:01 - Bo: two", "10:02 - Ana: three", "10:03 - Bo: four"];
  const chat = (count: number): string =>
    lines
      .slice(0, count)
      .map((line) => `25/03/2024, ${line}\n`)
      .join("");

  it("is continued with what is new, each time", async () => {
    const person = await openPerson();
    for (const [count, acceptedCount] of [
      [1, 1],
      [3, 1],
      [4, 1],
      [4, 0],
    ] as const) {
      expect(await store(person, "whatsapp", chat(count))).toMatchObject({ acceptedCount, changedCount: 0 });
    }
    const said = (await person.history()).flatMap(({ turns }) => turns.map(({ text }) => text));
    expect(said).toEqual(["one", "two", "three", "four"]);
  });

  it("and has changed stays as it is stored, and is counted", async () => {
    const person = await openPerson();
    await store(person, "whatsapp", chat(2));
    expect(await store(person, "whatsapp", chat(2).replace("two", "zwei"))).toMatchObject({
      acceptedCount: 0,
      changedCount: 1,
    });
    expect((await person.history()).flatMap(({ turns }) => turns.map(({ text }) => text))).toEqual(["one", "two"]);
  });
});

it("a conversation above the limits is stored in parts, and nothing is cut", async () => {
  const parameters = { interactionTurnCountMax: 3, interactionCharacterCountMax: 200 };
  const person = await openPerson(parameters);
  const long = "word ".repeat(200).trim();
  const text = Array.from(
    { length: 9 },
    (_, i) => `25/03/2024, 10:0${i} - Ana: ${i === 4 ? long : `line ${i}`}\n`,
  ).join("");
  await store(person, "whatsapp", text, { turnCountMax: 3, characterCountMax: 200 });
  const items = await person.history();
  expect(items.length).toBeGreaterThan(5);
  expect(Math.max(...items.map(({ turns }) => turns.length))).toBeLessThanOrEqual(3);
  const said = items.flatMap(({ turns }) => turns.map((turn) => turn.text));
  expect(said.join("").replaceAll(" ", "")).toBe(`line0line1line2line3${long}line5line6line7line8`.replaceAll(" ", ""));
});

describe("what the memory refuses", () => {
  const future = "25/03/2024, 10:00 - Ana: one\n26/03/2031, 10:00 - Ana: two\n27/03/2031, 10:00 - Ana: three\n";

  it("is named by its id, with what to do", async () => {
    const person = await openPerson();
    await expect(store(person, "whatsapp", future)).rejects.toMatchObject({
      code: "time_in_future",
      message: expect.stringMatching(/^whatsapp-[0-9a-f]{16}: .*lies in the future.*--skip-damaged/u) as string,
    });
    expect(await stored(person)).toHaveLength(1);
  });

  it("is left out and counted if that is asked for", async () => {
    const person = await openPerson();
    expect(await store(person, "whatsapp", future, { skipDamaged: true })).toMatchObject({
      acceptedCount: 1,
      refusedCount: 2,
    });
  });
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe("out again", () => {
  async function remember(): Promise<PersonMemory> {
    const person = await openPerson();
    const keep = true;
    await person.commit({ id: "lisbon", at: "2025-01-05T09:00:00Z", summary: "Ada lives in Lisbon.", keep });
    const turns = [
      { who: "user", text: "I take the night ferry.\n# Not a heading\n**Nobody:** speaks" },
      { who: "assistant", text: "Good night!" },
    ];
    await person.commit({ id: "ferry", at: "2025-02-05T09:30:00Z", turns, state: "on the road", keep });
    await person.correct("lisbon", "I live in Porto.", { id: "porto", at: "2025-03-05T09:00:00Z" });
    await person.coreSummary({ update: true });
    return person;
  }

  it("as Markdown it has the core summary on top, dates, speakers, and what is outdated", async () => {
    const person = await remember();
    const text = await textOf(exportMarkdown(person, { timeZone: "Europe/Lisbon" }));
    const [top, ...sections] = text.split(/^(?=## )/mu);
    expect(top).toMatch(/^# p\n\n<!-- core summary -->\n\nWhat is known, as of 2025-03-05 09:00:\n\n/u);
    expect(sections.map((section) => section.trim())).toEqual([
      "## 2025-01-05 09:00 (outdated)\n\n<!-- id lisbon; Outdated by porto -->\n\nAda lives in Lisbon.",
      "## 2025-02-05 09:30\n\n<!-- id ferry; State: on the road -->\n\n**user:** I take the night ferry.\n\\# Not a heading\n\\**Nobody:** speaks\n\n**assistant:** Good night!",
      "## 2025-03-05 09:00\n\n<!-- id porto -->\n\n**user:** I live in Porto.",
    ]);
  });

  it("as Markdown and in again, words, times and ids are the same, without the core summary", async () => {
    const person = await remember();
    const text = await textOf(exportMarkdown(person, { timeZone: "UTC" }));
    const { interactions, counts } = await readAll("markdown", text);
    const words = ({ summary, turns }: { summary: string | null; turns: readonly object[] }): readonly object[] =>
      turns.length > 0 ? turns : [{ who: "user", text: summary }];
    expect(interactions.map(({ id, at, turns }) => [id, at, turns])).toEqual(
      (await person.history()).map((item) => [item.id, Date.parse(item.at), words(item)]),
    );
    expect(counts.skipped).toEqual({ "core summaries": 1 });
  });
});
