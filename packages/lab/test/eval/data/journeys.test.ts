/** Journeys are read completely, or refused with the file and the field that is wrong. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InputError } from "../../../../memory/src/index.js";
import { readJourneys } from "../../../src/data/journeys.js";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type RawJourney, makeJourney, writeJourney } from "../tiny-data.js";

const scratch = new ScratchFolder();

async function refusal(data: string): Promise<string> {
  const error: unknown = await readJourneys(data).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).code).toBe("dataset_invalid");
  return (error as InputError).message;
}

it("a journey is read with its states, labels, times and questions", async () => {
  const { groups, kinds } = await readJourneys(writeJourney(scratch.next("")));
  const [group] = groups;
  expect(kinds).toContain("relative");
  expect(group).toMatchObject({ id: "ada", timeZone: "Europe/London", profile: "healthcare" });
  expect(group!.interactions.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 4 }, () => "before the operation"),
    ...Array.from({ length: 3 }, () => "after the operation"),
  ]);
  expect(group!.interactions[3]).toMatchObject({
    id: "i4",
    atMs: Date.UTC(2025, 0, 12, 9),
    labels: { substantial: true, redundantWith: "i3" },
  });
  expect(group!.questions[0]).toEqual({
    id: "q1",
    atMs: Date.UTC(2025, 0, 20, 10),
    text: "Which tablets do I take for blood pressure?",
    kind: "single",
    gold: ["i3", "i4"],
    answer: "10 mg of amlodipine",
    evidence: [],
  });
});

it("the journeys of the project are complete: three people with 40 questions each", async () => {
  const { groups } = await readJourneys(fileURLToPath(new URL("../../../benchmarks/journeys", import.meta.url)));
  expect(groups.map(({ questions }) => questions.length)).toEqual([40, 40, 40]);
  expect(groups.every(({ interactions }) => interactions.every(({ state }) => state !== null))).toBe(true);
});

describe("refused:", () => {
  it("a path that does not exist", async () => {
    expect(await refusal(scratch.next(""))).toMatch(/is not a readable folder/u);
  });

  it("an empty folder", async () => {
    const folder = scratch.next("");
    mkdirSync(folder);
    expect(await refusal(folder)).toMatch(/contains no journey/u);
  });

  it("text that is not JSON", async () => {
    expect(await refusal(writeJourney(scratch.next(""), "{ nope"))).toMatch(/ada\.json is not JSON/u);
  });

  const changes: [string, (journey: RawJourney) => void, RegExp][] = [
    ["a missing field", (j) => Reflect.deleteProperty(j.interactions[2]!, "at"), /interactions\[2\]\.at is missing/u],
    [
      "a wrong type",
      (j) => Object.assign(j.interactions[1]!, { at: 5 }),
      /interactions\[1\]\.at must be non-empty text.*is 5/u,
    ],
    ["not a moment", (j) => (j.interactions[1]!.at = "yesterday"), /interactions\[1\]\.at must be a moment/u],
    [
      "a moment of a day that does not exist",
      (j) => (j.interactions[1]!.at = "2025-02-30T09:00:00Z"),
      /interactions\[1\]\.at must be a moment/u,
    ],
    [
      "a label that is not a boolean",
      (j) => Object.assign(j.interactions[0]!, { substantial: "yes" }),
      /substantial must/u,
    ],
    ["a turn without text", (j) => (j.interactions[0]!.turns[1]!.text = ""), /interactions\[0\]\.turns\[1\]\.text/u],
    ["turns that are not a list", (j) => Object.assign(j.interactions[0]!, { turns: {} }), /interactions\[0\]\.turns/u],
    ["no question", (j) => (j.queries = []), /ada\.json: queries must contain at least one question/u],
    ["an id twice", (j) => (j.interactions[1]!.id = "i1"), /interactions\[1\]\.id "i1" occurs twice/u],
    ["a partner that is later", (j) => (j.interactions[0]!.redundantWith = "i3"), /interactions\[0\]\.redundantWith/u],
    ["an unknown time zone", (j) => (j.person.timezone = "Mars/Base"), /person\.timezone must be a time zone/u],
    ["a state without a day", (j) => (j.states[0]!.from = "January"), /states\[0\]\.from must be a day/u],
    ["a day that does not exist", (j) => (j.states[0]!.from = "2025-02-30"), /states\[0\]\.from must be a day/u],
    ["no interaction", (j) => (j.interactions = []), /interactions must contain at least one/u],
    ["gold that does not exist", (j) => (j.queries[1]!.gold = ["i5", "i99"]), /queries\[1\]\.gold\[1\] names "i99"/u],
    ["gold that is later", (j) => (j.queries[0]!.gold = ["i7"]), /queries\[0\]\.gold\[0\].*later than the question/u],
    ["a question without gold", (j) => (j.queries[0]!.gold = []), /queries\[0\]\.gold must name/u],
    [
      "a question before every interaction",
      (j) => (j.queries[0]!.at = "2024-01-01T00:00:00Z"),
      /queries\[0\]\.at is before every/u,
    ],
    ["an unknown kind", (j) => (j.queries[0]!.kind = "odd"), /queries\[0\]\.kind must be one of dated/u],
  ];

  it.each(changes)("%s", async (_, change, message) => {
    const journey = makeJourney();
    change(journey);
    const folder = scratch.next("");
    const refused = await refusal(writeJourney(folder, journey));
    expect(refused).toMatch(message);
    expect(refused).toContain("ada.json");
  });
});
