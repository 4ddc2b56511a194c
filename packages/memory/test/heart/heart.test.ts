/**
 * Through the public door, with the bundled reader: what ends, what must not, what must not become a fact, what is forgotten
 * on a wish. `cases.json` was written in four voices by an author who knew neither the code nor its data. Cases that the
 * reader misses so far are marked in it, and have to fail: a better reader then asks for the mark to go.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Mnemosyne, type PersonMemory } from "../../src/index.js";

let mnemosyne: Mnemosyne;
let count = 0;

beforeAll(async () => {
  mnemosyne = await Mnemosyne.open({ path: ":memory:", timeZone: "UTC" });
});

afterAll(() => mnemosyne.close());

const dayMs = 86_400_000;
const firstMs = Date.parse("2026-03-02T10:00:00Z");

/** Tells one thing a day. */
async function tell(...texts: readonly string[]): Promise<PersonMemory> {
  const person = mnemosyne.person(`p${count++}`);
  for (const [i, text] of texts.entries()) {
    await person.commit({ id: `i${i}`, at: firstMs + i * dayMs, turns: [{ who: "user", text }] }, { wait: true });
  }
  return person;
}

async function core(person: PersonMemory): Promise<string> {
  return (await person.coreSummary()).text;
}

/** Names of the statements that ended. */
async function ended(person: PersonMemory): Promise<string[]> {
  const memories = await person.list();
  return memories.flatMap(({ statements }) =>
    statements.flatMap(({ text, endedBy }) => (endedBy.length > 0 ? text : [])),
  );
}

describe("a change ends exactly the statement that it changes", () => {
  it("a diet, and not the allergy beside it", async () => {
    const person = await tell(
      "can't eat shellfish, my throat swells up. and I'm vegetarian on weekdays",
      "I'm not vegetarian anymore",
    );
    expect(await ended(person)).toEqual(["and I'm vegetarian on weekdays"]);
    const { context } = await person.recall("What must I not eat?", { seed: 1 });
    expect(context).toContain("can't eat shellfish");
    expect(await core(person)).toContain("my throat swells up");
    expect(await core(person)).not.toContain("vegetarian on weekdays");
  });

  it("a job is no longer said, and the name beside it stays", async () => {
    const person = await tell("I'm Ines, 41, I work at Fjordline", "I quit my job");
    expect(await core(person)).toContain("I'm Ines, 41");
    expect(await core(person)).not.toContain("Fjordline");
  });

  it("a maybe ends nothing", async () => {
    const person = await tell("We live in Bergen, on the hill.", "we might move to Voss. or not.");
    expect(await ended(person)).toEqual([]);
    expect(await core(person)).toContain("We live in Bergen");
  });

  it("coming back ends what had replaced it", async () => {
    const person = await tell(
      "Anneke heads design on Project Tern.",
      "Jules Maar is head of design on Project Tern from today.",
      "Anneke leads design on Project Tern again, Jules went to procurement.",
    );
    expect(await ended(person)).toContain("Jules Maar is head of design on Project Tern from today.");
  });
});

it.each([
  ["a character of a novel", "Write me a page about Anna, a baker who lives in Turku with two cats.", "Anna"],
  ["a sentence to translate", "translate to German: I am allergic to eggs and I live in Bonn", "eggs"],
  ["a pet that there is not", "if I had a dog I'd call it Pixel", "Pixel"],
  ["a pasted e-mail", "Hi,\nDear Tom,\nI'm moving to Oslo in May.\nBest regards,\nKari\n\nanswer it politely", "Oslo"],
  ["a greeting", "hey there", "hey there"],
])("%s is no fact", async (_, text, mark) => {
  expect(await core(await tell(text))).not.toContain(mark);
});

describe("a wish to forget", () => {
  it("is held back from recall and core at once, strengthens nothing, and is told", async () => {
    const person = await tell("I have been drinking a bottle of wine every evening since March.", "I like chess.");
    const heard: (readonly string[])[] = [];
    person.on("forgetAsked", ({ forgetAsked }) => heard.push(forgetAsked));
    const wish = { id: "w", at: firstMs + 5 * dayMs, text: "Please forget what I told you about drinking" };
    const decision = await person.commit(wish, { wait: true });
    expect(decision).toMatchObject({ outcome: "forgetAsked", forgetAsked: ["i0#0"], repeats: null });
    expect(heard).toEqual([["i0#0"]]);
    const { context } = await person.recall("How much do I drink?", { seed: 1 });
    expect(context).not.toContain("wine");
    expect(await core(person)).not.toContain("wine");
    await person.restore("w");
    expect((await person.recall("How much do I drink?", { seed: 1 })).context).toContain("wine");
    await person.forget("i0#0");
    expect((await person.recall("How much do I drink?", { seed: 1 })).context).not.toContain("wine");
  });

  it("may be about what is said with it", async () => {
    const person = await tell("My PIN is 4711. Don't remember this, please.");
    expect((await person.recall("What is my PIN?", { seed: 1 })).context).not.toContain("4711");
  });
});

it("a month that is asked about is told whole, in order", async () => {
  const person = mnemosyne.person("october");
  const told = Array.from({ length: 24 }, (_, i) => ({
    id: `i${i}`,
    at: Date.parse("2026-09-25T10:00:00Z") + i * 2 * dayMs,
    text: `On this day I met ${["Bea", "Carl", "Dora", "Emil"][i % 4]} at the ${["lake", "bridge", "station"][i % 3]}, number ${i}.`,
  }));
  await person.commitMany(told);
  await person.settled();
  const recalled = await person.recall("What happened in October?", { at: "2026-12-01T10:00:00Z", seed: 1 });
  const context = recalled.context.slice(recalled.context.indexOf("From earlier conversations"));
  const inOctober = told.filter(({ at }) => new Date(at).getUTCMonth() === 9).map(({ text }) => text);
  const places = inOctober.map((text) => context.indexOf(text));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((x, y) => x - y));
});

interface Case {
  readonly voice: number;
  readonly kind: string;
  readonly told: readonly { readonly at: string; readonly turns: readonly { who: string; text: string }[] }[];
  readonly question: { readonly at: string; readonly text: string } | null;
  readonly holds?: readonly string[];
  readonly ended?: readonly string[];
  readonly notInCore?: readonly string[];
  readonly why: string;
  readonly missed?: true;
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as Case[];
const flat = (text: string): string => text.toLowerCase().replaceAll(/[’‘]/gu, "'").replaceAll(/\s+/gu, " ");

async function check({ told, question, holds = [], ended: gone = [], notInCore = [] }: Case): Promise<void> {
  const person = mnemosyne.person(`p${count++}`);
  for (const [i, { at, turns }] of told.entries()) await person.commit({ id: `i${i}`, at, turns }, { wait: true });
  const known = flat(await core(person));
  const asked = question ?? { text: "What do you know about me?", at: "2027-01-01T10:00" };
  const lines = (await person.recall(asked.text, { at: asked.at, seed: 1 })).context.split("\n").map(flat);
  const isSaid = (words: string): boolean =>
    lines.some((line) => line.includes(flat(words)) && !/\(until /u.test(line));
  expect(holds.filter((words) => !known.includes(flat(words)) && !isSaid(words))).toEqual([]);
  expect(gone.filter((words) => known.includes(flat(words)) || isSaid(words))).toEqual([]);
  expect(notInCore.filter((words) => known.includes(flat(words)))).toEqual([]);
}

describe.each(["ends", "stays", "no fact", "forget", "back"])("four voices: %s", (kind) => {
  for (const [i, each] of cases.entries()) {
    if (each.kind !== kind) continue;
    (each.missed === true ? it.fails : it)(`${i}: ${each.why}`, () => check(each));
  }
});
