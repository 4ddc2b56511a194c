/** What says the same as a memory: by every fact of it in the reader's eyes, or by the paper's score where none is told. */
import type { Relation } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { type ReaderScript, surely } from "../engine/scripted-reader.js";
import { openTold, readAreas, tell, traceOf } from "./told-facts.js";

/** Repeats what it was told in the same first words. */
const alike: ReaderScript = {
  read: readAreas,
  relate: ({ older, newer }) => (older.slice(0, 9) === newer.slice(0, 9) ? "repeats" : "other"),
};

describe("told again", () => {
  it("is what the reader is sure repeats, though the words differ", async () => {
    for (const [repeats, pairId] of [
      [0.4, "a"],
      [0.399, null],
    ] as const) {
      const relation: Relation = { repeats, ends: 0, other: 1 - repeats };
      const { person } = await openTold({ read: readAreas, relate: () => relation });
      await tell(person, "a", 1, "I live in Lisbon.");
      await tell(person, "b", 2, "Near the Tagus in Lisbon I live.");
      expect(await person.get("b")).toMatchObject({ pairId });
    }
  });

  it("must be every fact, in one memory", async () => {
    const { person } = await openTold(alike);
    await tell(person, "both", 1, "I live in Porto. I work as a nurse.");
    await tell(person, "home", 2, "I live in Faro, in a house.");
    expect(await traceOf(person, "home")).toMatchObject({ outcome: "paired", pairing: { partnerId: "both" } });
    await tell(person, "more", 3, "I live in Porto. I sing in a choir.");
    expect(await traceOf(person, "more")).toMatchObject({
      outcome: "committed",
      redundancy: { keptApart: "tells facts of its own" },
    });
  });

  it("in parts of several memories is not a repetition of any", async () => {
    const { person } = await openTold(alike);
    await tell(person, "home", 1, "I live in Porto.");
    await tell(person, "work", 2, "I work as a nurse.");
    await tell(person, "both", 3, "I live in Porto. I work as a nurse.");
    expect(await traceOf(person, "both")).toMatchObject({ outcome: "committed" });
  });

  it("is paired with the oldest that holds, and with nothing that ended", async () => {
    const { person } = await openTold({
      read: readAreas,
      relate: ({ older, newer }) => (older.includes("Porto") === newer.includes("Porto") ? "repeats" : "ends"),
    });
    await tell(person, "porto", 1, "I live in Porto.");
    await tell(person, "faro", 2, "I live in Faro.");
    await tell(person, "back", 3, "I live in Porto again.");
    expect(await traceOf(person, "back")).toMatchObject({ outcome: "committed" });
    await tell(person, "still", 4, "I still live in a house in Porto.");
    expect(await person.get("still")).toMatchObject({ pairId: "back" });
  });

  it("by request is not what a caller says is changed", async () => {
    const { person } = await openTold({ read: readAreas, relate: () => "repeats" });
    await tell(person, "a", 1, "I live in Porto.");
    const trace = await tell(person, "b", 2, { turns: [{ who: "user", text: "I live in Porto." }], updates: ["a"] });
    expect(trace).toMatchObject({ outcome: "committed", ends: [{ memory: "a", position: null }] });
  });
});

describe("stays apart, whatever the reader thinks:", () => {
  it.each([
    ["a number of its own", "I take 5 mg of ramipril.", "I take 10 mg of ramipril."],
    ["a word of its own", "My sister lives in Linz.", "My brother lives in Linz."],
    ["a no", "I eat meat.", "I don't eat meat."],
    ["an end", "I live in Munich.", "I no longer live in Munich, I have a place in Hamburg."],
    ["an end of another kind", "I go to the gym on Tuesdays.", "The gym on Tuesdays is over, I swim."],
    ["an end in another language", "Vivo en Madrid.", "Ya no vivo en Madrid, ahora vivo en Valencia."],
  ])("%s: %s / %s", async (_, older, newer) => {
    const { person } = await openTold({ read: readAreas, relate: () => surely("repeats") });
    await tell(person, "a", 1, older);
    expect(await tell(person, "b", 2, newer)).toMatchObject({ outcome: "committed" });
    expect(await person.get("b")).toMatchObject({ pairId: null });
  });
});

describe("without facts the paper's score decides", () => {
  const cats = "has a cat, climbs with Petra on Saturdays and rings her mother in Passau every Sunday evening";

  it("also where a reader sees none", async () => {
    const { person } = await openTold(
      { read: () => ({ fact: 0.4 }) },
      { redundancyThreshold: 0.17, substanceProbabilityMin: 0 },
    );
    await tell(person, "a", 1, `Ada ${cats}.`);
    expect(await tell(person, "b", 2, `Ada ${cats} now.`)).toMatchObject({ outcome: "paired" });
  });

  it.each([
    ["default", "committed"],
    ["paper", "paired"],
  ] as const)("but for an end; preset paper reads no words: %s", async (preset, outcome) => {
    const memories = await openMemories({ path: ":memory:", preset, parameters: { substanceThreshold: -10 } });
    const person = memories.person("ada");
    await tell(person, "a", 1, { summary: `Ada lives in Munich, ${cats}.` });
    const trace = await tell(person, "b", 2, { summary: `Ada no longer lives in Munich, ${cats}.` });
    expect(trace).toMatchObject({ outcome });
    if (outcome === "committed") expect(trace.redundancy).toMatchObject({ keptApart: "tells of an end" });
  });
});
