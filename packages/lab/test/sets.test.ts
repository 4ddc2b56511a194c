/** The readers of data sets, on small files of each format; what cannot be scored is refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Person, checkPerson } from "../src/data/person.js";
import { readSets, setNames } from "../src/data/sets.js";
import type { Committed } from "../src/filters/commit-people.js";
import { labelledNames, readLabelled } from "../src/filters/labelled-talk.js";

let data: string;

beforeEach(() => (data = mkdtempSync(join(tmpdir(), "mnemosyne-lab-"))));
afterEach(() => rmSync(data, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(join(data, path, ".."), { recursive: true });
  writeFileSync(join(data, path), JSON.stringify(content));
}

const said = (text: string): object[] => [{ who: "user", text }];
const life = {
  id: "life",
  now: "2026-03-01T12:00",
  interactions: [
    { id: "i1", at: "2026-01-01T09:00", turns: said("I live in Lyon.") },
    { id: "i2", at: "2026-02-01T09:00", turns: said("I moved to Porto.") },
    { id: "i3", at: "2026-02-02T09:00", turns: said("ok") },
  ],
  facts: [
    { id: "f1", text: "lives in Lyon", in: "i1", marks: ["lyon"], until: "i2" },
    { id: "f2", text: "lives in Porto", in: "i2", marks: ["porto"], until: null },
  ],
  questions: [
    { id: "q1", kind: "now", question: "Where?", needs: ["f2"], stale: ["f1"], answer: "Porto" },
    { id: "q2", kind: "never", question: "A dog?", needs: [], answer: "" },
  ],
};

describe("people of", () => {
  const only = (name: string): Person => readSets([name], data)[0]!.people[0]!;

  it("lives: questions at the end, with gold, evidence and what is stale", () => {
    write("lives/a.json", life);
    const { interactions, questions, timeZone } = only("lives");
    expect(timeZone).toBe("UTC");
    expect(interactions.map(({ atMs }) => new Date(atMs).toISOString().slice(0, 10))).toEqual([
      "2026-01-01",
      "2026-02-01",
      "2026-02-02",
    ]);
    expect(questions[0]).toMatchObject({ after: 3, gold: ["i2"], evidence: [["porto"]], stale: ["lives in Lyon"] });
    expect(questions[1]).toMatchObject({ gold: [], evidence: [] });
  });

  it("crowd: others' talk between what the life tells, cut to a length", () => {
    write("lives/a.json", life);
    const turns = said("x".repeat(900));
    write("outside/beam.json", [{ id: "b", interactions: [{ id: "1", at: 0, turns }], questions: [] }]);
    const { interactions, questions } = only("crowd");
    expect(interactions.map(({ id }) => id)).toEqual(["i1", "c0-1", "i2", "i3"]);
    expect(interactions[1]!.turns[0]!.text).toHaveLength(500);
    expect(questions[0]!.after).toBe(4);
  });

  it("beam: interactions and questions as they are", () => {
    const questions = [{ id: "q", at: 9, after: 1, text: "Where?", kind: "k", gold: ["1"] }];
    write("outside/beam.json", [{ id: "b", interactions: [{ id: "1", at: 5, turns: said("Lyon") }], questions }]);
    expect(only("beam")).toMatchObject({ id: "b", questions: [{ atMs: 9, after: 1, gold: ["1"] }] });
  });

  it("locomo: a session is an interaction; evidence that points nowhere and adversarial questions are left out", () => {
    const turn = { speaker: "Ann", dia_id: "D1:1", text: "I sing. I dance." };
    const ask = (category: number, ...evidence: string[]): object => ({ question: "Who?", evidence, category });
    write("locomo/a.json", [
      {
        sample_id: "conv",
        conversation: { session_1: [turn], session_1_date_time: "1:56 pm on 8 May, 2023" },
        qa: [ask(2, "D1:1"), ask(1, "D9:9"), ask(5, "D1:1")],
      },
    ]);
    const { interactions, questions } = only("locomo");
    expect(interactions).toMatchObject([{ id: "D1", atMs: Date.parse("2023-05-08T13:56Z") }]);
    expect(questions).toMatchObject([
      { id: "q1", kind: "temporal", gold: ["D1"], evidence: [["I sing.", "I dance."]] },
    ]);
  });

  it("the repository have gold that was told before, and questions of each", () => {
    const sets = readSets(null, null);
    expect(sets.map(({ name }) => name)).toEqual(["chats", "chats-held-out", "journeys", "journeys-held-out"]);
    for (const { name, people } of sets) {
      expect(
        people.filter(({ questions }) => questions.every(({ gold }) => gold.length === 0)),
        name,
      ).toEqual([]);
    }
  });
});

describe("what cannot be scored is refused:", () => {
  const person: Person = {
    id: "ada",
    timeZone: "UTC",
    profile: "general",
    interactions: [{ id: "i1", atMs: 0, turns: [] }],
    questions: [{ id: "q1", kind: "k", text: "?", atMs: 1, after: 1, gold: ["i1"], evidence: [] }],
  };
  const question = person.questions[0]!;

  it.each<[string, Partial<Person>]>([
    ["gold that is told later", { questions: [{ ...question, after: 0 }] }],
    ["gold that is nowhere", { questions: [{ ...question, gold: ["i9"] }] }],
    ["an id twice", { interactions: [person.interactions[0]!, person.interactions[0]!] }],
    ["no questions", { questions: [] }],
  ])("%s", (_, change) => {
    expect(checkPerson(person)).toBe(person);
    expect(() => checkPerson({ ...person, ...change })).toThrow(/ada/u);
  });

  it("a set that is unknown, or has no files", () => {
    expect(() => readSets(["bem"], data)).toThrow(setNames.join(", "));
    expect(() => readSets(["beam"], data)).toThrow("--data");
  });
});

describe("labels of", () => {
  const result = { outcome: "committed", reason: "", probability: null, isNew: true, repeats: null } as const;
  const none = { updates: [], ended: [], forgetAsked: [], statements: [], ends: [], relations: [], redundancy: null };
  const committed = (id: string, changes: Partial<Committed> = {}): Committed => ({
    id,
    ...result,
    ...none,
    ...changes,
  });

  it("lives: facts are kept, and a statement is ended where a fact it tells was ended", () => {
    write("lives/a.json", life);
    const [only] = readLabelled("lives", data);
    const tells = (...texts: string[]): Pick<Committed, "statements"> => ({
      statements: texts.map((text) => ({ text, asked: null, who: "user" })),
    });
    const [first, second] = ["Hi there.", "I live in Lyon."];
    const ends = [
      { memory: "i1", position: 1, by: 0 },
      { memory: "i1", position: 0, by: 0 },
    ];
    const verdicts = only!.compare([
      committed("i1", tells(first, second)),
      committed("i2", { ...tells("I moved to Porto."), ends }),
      committed("i3", { outcome: "discarded" }),
    ]);
    expect(verdicts.map(({ question, said: isSaid, label }) => [question, isSaid, label])).toEqual([
      ["keeps", true, true],
      ["keeps", true, true],
      ["keeps", false, false],
      ["ends", true, true],
      ["ends", true, false],
    ]);
    expect(verdicts.map(({ text }) => text).slice(3)).toEqual([
      `life ${second} / I moved to Porto.`,
      `life ${first} / I moved to Porto.`,
    ]);
  });

  it("lives: a statement that may have ended is not ended", () => {
    write("lives/a.json", life);
    const [only] = readLabelled("lives", data);
    const statements = [{ text: "I live in Lyon.", asked: null, who: "user" }];
    const ends = [{ memory: "i1", position: 0, by: 0, isDoubtful: true as const }];
    const verdicts = only!.compare([committed("i1", { statements }), committed("i2", { ends }), committed("i3")]);
    expect(verdicts.at(-1)).toMatchObject({ question: "ends", said: false, label: true });
  });

  it("lives: an end that nothing was linked for is missed, also where the fact is in no statement", () => {
    write("lives/a.json", life);
    const [only] = readLabelled("lives", data);
    const dropped = (id: string): Committed => committed(id, { outcome: "forgetAsked" });
    const verdicts = only!.compare(["i1", "i2", "i3"].map(dropped));
    expect(verdicts.map(({ said: isSaid, label }) => [isSaid, label])).toEqual([
      [false, true],
      [false, true],
      [false, false],
      [false, true],
    ]);
  });

  it("messages: those with a persona sentence are kept, after what the other said", () => {
    write("outside/msc.json", [
      { text: "I have a dog.", label: "I have a dog.", before: "Any pets?" },
      { text: "Nice!", label: null, before: null },
    ]);
    const cases = readLabelled("msc", data);
    expect(cases.map(({ speaker }) => speaker.interactions[0]!.turns.map(({ who }) => who))).toEqual([
      ["assistant", "user"],
      ["user"],
    ]);
    expect(cases.flatMap(({ compare }) => compare([committed("only")]).map(({ label }) => label))).toEqual([
      true,
      false,
    ]);
  });

  it("requests: none that training took, and none that tells something", () => {
    const train = Array.from({ length: 30 }, (_, i) => [`weather ${i}`, "weather"]);
    write("clinc150/train.json", { train: [...train, ["what do I owe", "bill_balance"]] });
    const texts = readLabelled("clinc150", data).map(({ speaker }) => speaker.interactions[0]!.turns[0]!.text);
    expect(texts).toEqual(["weather 1", "weather 7", "weather 14", "weather 21", "weather 28"]);
  });

  it("the repository's lists have both answers to each question", () => {
    expect(labelledNames).toContain("trust");
    const cases = readLabelled("trust", null);
    const verdicts = cases.flatMap(({ speaker, compare }) =>
      compare(speaker.interactions.map(({ id }) => committed(id))),
    );
    for (const question of ["keeps", "repeats", "ends"]) {
      const labels = verdicts.filter((verdict) => verdict.question === question).map(({ label }) => label);
      expect(new Set(labels), question).toEqual(new Set([true, false]));
    }
  });
});
