/** Short facts about the same person are alike in form and time, and are no repetitions of each other. */
import { expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";

const facts = [
  "Ada has a cat.",
  "Ada moved to Lisbon for a job.",
  "Ada is allergic to penicillin.",
  "Ada takes aspirin.",
  "Ada has a dog.",
];

it.each(["general", "healthcare"] as const)("handed in one after the other, each stays (%s)", async (profile) => {
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
