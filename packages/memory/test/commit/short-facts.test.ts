/** Short facts about the same person are alike in form and time, and are no repetitions of each other. */
import { type CommitTrace, Mnemosyne, type MnemosyneOptions, type PersonMemory } from "mnemosyne-edge";
import { describe, expect, it, onTestFinished } from "vitest";
import { laboratory } from "../durability/laboratory.mjs";

const facts = [
  "Ada has a cat.",
  "Ada moved to Lisbon for a job.",
  "Ada is allergic to penicillin.",
  "Ada takes aspirin.",
  "Ada has a dog.",
];

/** The bundled reader, and none; and why each keeps other facts apart. */
const deciders = [
  {
    name: "the reader",
    models: { embedder: "fast" },
    // Where it sees no fact, the words decide.
    reasons: ["tells facts of its own", "words of its own"],
  },
  {
    name: "the words alone",
    models: { embedder: "fast", reader: false },
    reasons: ["words of its own"],
  },
] as const;

async function open(options: MnemosyneOptions): Promise<PersonMemory> {
  const { reader: _none, ...setting } = laboratory({ path: ":memory:" });
  const memories = await Mnemosyne.open({ ...setting, ...options });
  onTestFinished(() => memories.close());
  return memories.person("ada");
}

describe.each(deciders)("by $name", ({ models, reasons }) => {
  it("submitted one after the other, each stays", async () => {
    const person = await open({ ...models });
    for (const [i, summary] of facts.entries()) await person.commit({ id: `fact-${i}`, summary });
    await person.commit({ id: "again", summary: facts[2]! });
    await person.settled();
    const outcomes = (await person.history()).map(({ id, outcome }) => [id, outcome]);
    expect(outcomes).toEqual([...facts.map((_, i) => [`fact-${i}`, "committed"]), ["again", "paired"]]);
    expect((await person.get("again")).pairId).toBe("fact-2");
    expect(await person.list()).toHaveLength(facts.length + 1);
  });

  it.each([
    [
      "things in the same place",
      ["tea pot", "cup", "spoon", "chair", "lamp"].map((thing) => `Ada sold the old ${thing} in Evora.`),
    ],
    [
      "days of the same dose",
      ["Tuesday", "Wednesday", "Friday"].map((day) => `Bob took 5 mg of ramipril on ${day} morning.`),
    ],
  ])("that differ in one word each stay: %s", async (_, texts) => {
    const person = await open({ ...models });
    for (const summary of texts) await person.commit({ summary });
    await person.commit({ id: "again", summary: texts[1]! });
    await person.settled();
    const history = await person.history();
    expect(history.map(({ outcome }) => outcome)).toEqual([...texts.map(() => "committed"), "paired"]);
    const [, ...keptApart] = history.map(({ trace }) => (trace as CommitTrace).redundancy?.keptApart);
    expect(keptApart.pop()).toBeNull();
    for (const reason of keptApart) expect(reasons).toContain(reason);
  });
});
