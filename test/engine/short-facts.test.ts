/** Short facts about the same person are alike in form and time, and are no repetitions of each other. */
import type { CommitTrace } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";

const facts = [
  "Ada has a cat.",
  "Ada moved to Lisbon for a job.",
  "Ada is allergic to penicillin.",
  "Ada takes aspirin.",
  "Ada has a dog.",
];

it.each(["general", "healthcare"] as const)("submitted one after the other, each stays (%s)", async (profile) => {
  const memories = await openMemories({
    path: ":memory:",
    profile,
    embedder: "portable",
    parameters: { substanceThreshold: -10 },
  });
  const person = memories.person("ada");
  for (const [i, summary] of facts.entries()) await person.commit({ id: `fact-${i}`, summary });
  await person.commit({ id: "again", summary: "Ada is allergic to penicillin, she says again." });
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
  const memories = await openMemories({
    path: ":memory:",
    embedder: "portable",
    parameters: { substanceThreshold: -10 },
  });
  const person = memories.person("ada");
  for (const summary of texts) await person.commit({ summary });
  await person.commit({ id: "again", summary: texts[1]! });
  await person.settled();
  const history = await person.history();
  expect(history.map(({ outcome }) => outcome)).toEqual([...texts.map(() => "committed"), "paired"]);
  const reasons = history.map(({ trace }) => (trace as CommitTrace).redundancy?.keptApart);
  expect(reasons.slice(1)).toEqual([...texts.slice(1).map(() => "few words, some its own"), null]);
});
