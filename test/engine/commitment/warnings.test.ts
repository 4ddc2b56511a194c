/** What is about a warning, and that nothing else ends one; and that whoever moves no longer lives where they lived. */
import type { CommitTrace, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { isWarning, speaksOfWarning } from "../../../src/engine/commitment/warnings.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedJudge } from "../scripted-judge.js";

it.each([
  ["I'm allergic to penicillin.", "Turns out I'm not allergic to penicillin.", true],
  ["I'm allergic to eggs.", "The doctor says I have outgrown my egg allergy.", true],
  ["I'm allergic to eggs.", "The tests found no allergies at all.", true],
  ["Soy alérgica a las nueces.", "Ya no soy alérgica, no.", true],
  ["I have a pacemaker.", "They took my pacemaker out.", true],
  ["I'm allergic to penicillin.", "I finished the antibiotics.", false],
  ["I'm allergic to penicillin.", "She gave me doxycycline instead of penicillin.", false],
  ["I'm allergic to nuts.", "I'm vegan now.", false],
  ["I'm allergic to nuts.", "I'm allergic to latex.", false],
  ["Never give Mum ibuprofen.", "Mum no longer takes water tablets.", false],
])("%s %s", (warning, now, expected) => {
  expect(speaksOfWarning(warning, now)).toBe(expected);
});

it("is a warning by its words or by its area", () => {
  expect(isWarning({ text: "Ich bin allergisch gegen Nüsse.", facts: null })).toBe(true);
  expect(isWarning({ text: "Never give me aspirin.", facts: [{ area: "alert" }] })).toBe(true);
  expect(isWarning({ text: "I like nuts.", facts: [{ area: "food" }] })).toBe(false);
});

/** A judge to whom everything changes everything, this surely. */
async function open(update: number): Promise<PersonMemory> {
  const judge = new ScriptedJudge({
    relation: () => ({ repetition: 0, update, different: 1 - update }),
    areas: (text) => (text.includes("aspirin") ? "alert" : "food"),
  });
  const parameters = { relationCosineMin: -1, updateCosineMin: -1, updateProbabilityMin: 0.7 };
  return (await openMemories({ path: ":memory:", judge, parameters })).person("ada");
}

/** The first of two that are told one day after the other. */
const tellFirst = (person: PersonMemory, text: string) => tell(person, "first", "2025-05-01", text);

function tell(person: PersonMemory, id: string, day: string, text: string) {
  const turns = [{ who: "user", text }];
  return person.commit({ id, at: `${day}T10:00:00Z`, turns }, { wait: true });
}

async function relationAfter(person: PersonMemory, text: string) {
  const { id, updates } = await tell(person, "next", "2025-05-02", text);
  const [entry] = await person.history({ ids: [id] });
  return { updates, byWords: (entry!.trace as CommitTrace).relations?.[0]?.byWords };
}

describe("a judge who is sure", () => {
  it.each([
    ["I'm allergic to nuts.", "I'm vegan now.", "does not speak of the warning"],
    ["No aspirin for me.", "I'm vegan now.", "does not speak of the warning"],
    ["I'm allergic to nuts.", "The nut allergy has gone, says the doctor.", undefined],
    ["I eat nuts.", "I'm vegan now.", undefined],
  ])("%s %s", async (first, next, byWords) => {
    const person = await open(0.95);
    const { id } = await tellFirst(person, first);
    const expected = { updates: byWords === undefined ? [id] : [], byWords };
    expect(await relationAfter(person, next)).toEqual(expected);
    const { text } = await person.coreSummary();
    expect(text.includes(first)).toBe(byWords !== undefined);
  });

  it("is told late that somebody has a warning: what came later does not end it", async () => {
    const person = await open(0.95);
    await tell(person, "vegan", "2025-05-02", "I'm vegan now.");
    await tell(person, "nuts", "2025-05-01", "I'm allergic to nuts.");
    expect((await person.get("nuts")).outdatedBy).toEqual([]);
  });
});

describe("a judge who is half sure that a move ends a home", () => {
  it.each([
    ["I live in Lisbon with my sister.", "I moved to Porto.", true],
    ["We're living in Leeds.", "We've just moved to Bristol.", true],
    ["I live in Lisbon with my sister.", "My sister moved to Porto.", false],
    ["I work in Lisbon.", "I moved to Porto.", false],
  ])("%s %s", async (first, next, isMove) => {
    const person = await open(0.55);
    const { id } = await tellFirst(person, first);
    const expected = isMove ? { updates: [id], byWords: "tells of a move" } : { updates: [], byWords: undefined };
    expect(await relationAfter(person, next)).toEqual(expected);
  });

  it("is not followed below half", async () => {
    const person = await open(0.4);
    await tellFirst(person, "I live in Lisbon.");
    expect((await relationAfter(person, "I moved to Porto.")).updates).toEqual([]);
  });
});
