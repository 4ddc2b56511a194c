/** Whoever moves, loses a job or separates no longer has what was told before, though they do not name it. */
import type { LifeArea } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { findEndedState } from "../../../src/engine/commitment/states.js";
import { openWithDoubt, relationAfter, tell, tellFirst } from "./doubting-judge.js";

const areas = (text: string): LifeArea => (/work|teach|nurse/u.test(text) ? "work" : "home");

describe("a judge who is half sure", () => {
  it.each([
    ["I live in Lisbon with my sister.", "I moved to Porto.", "tells of a move"],
    ["We're living in Leeds.", "We've just moved in with my parents.", "tells of a move"],
    ["I live in Lisbon with my sister.", "My sister moved to Porto.", undefined],
    ["I work in Lisbon.", "I moved to Porto.", undefined],
    ["I live in Lisbon.", "I might have moved to Porto if I could.", undefined],
    ["I live in Lisbon.", "We moved to Porto in May.", "tells of a move"],
    ["I moved to Lisbon.", "I moved to Porto.", "tells of a move"],
    ["Ada moved to Lisbon for a new job.", "Ada has moved to Porto.", "tells of a move"],
    ["My sister lives in Lisbon.", "My sister moved to Porto.", "tells of a move"],
    ["Marta lives in Lisbon.", "Ada moved to Porto.", undefined],
    ["I moved to Porto, to my sister.", "I moved to Porto.", undefined],
    ["I work at the bakery.", "I got fired.", "tells of a job's end"],
    ["I'm a nurse at the infirmary.", "They laid me off.", "tells of a job's end"],
    ["I teach chemistry.", "I retired in June.", "tells of a job's end"],
    ["I work at the bakery.", "My brother got fired.", undefined],
    ["I lost my job, so no work.", "They sacked me.", undefined],
    ["I work at the bakery.", "I quit smoking.", undefined],
    ["I live near the bakery.", "I got fired.", undefined],
    ["I'm married to Tom.", "We got divorced.", "tells of a separation"],
    ["Sara is my girlfriend.", "Sara and I broke up.", "tells of a separation"],
    ["I'm married to Tom.", "I left me hat on the bus.", undefined],
  ])("%s %s", async (first, next, byWords) => {
    const person = await openWithDoubt({ update: 0.55, areas });
    const { id } = await tellFirst(person, first);
    expect(await relationAfter(person, next)).toEqual({ updates: byWords === undefined ? [] : [id], byWords });
  });

  it("is followed for a job also below half, but not if it excludes it", async () => {
    for (const [update, isFollowed] of [
      [0.1, true],
      [0.01, false],
    ] as const) {
      const person = await openWithDoubt({ update, areas });
      await tellFirst(person, "I work at the bakery.");
      expect((await relationAfter(person, "I got fired.")).updates).toEqual(isFollowed ? ["first"] : []);
    }
  });

  it.each([
    ["I moved to a flat of my own.", false],
    ["I moved to Porto.", true],
    ["I moved to Porto as a child.", false],
  ])("is not followed below half for a home, unless its place is named: %s", async (next, isEnd) => {
    const person = await openWithDoubt({ update: 0.01, areas });
    await tellFirst(person, "I live in Lisbon.");
    expect((await relationAfter(person, next)).updates).toEqual(isEnd ? ["first"] : []);
  });
});

it("finds what has ended however unlike it is, and among memories that are closer; not what ended before", async () => {
  const parameters = { relationCosineMin: 1, updateCosineMin: 1, relationCountMax: 1 };
  const person = await openWithDoubt({ update: 0.55, areas, parameters });
  await tell(person, "earlier", "2025-04-01", "I teach chemistry.");
  await tell(person, "quit", "2025-04-02", "I resigned.");
  await tellFirst(person, "I work at the bakery.");
  await tell(person, "near", "2025-05-01", "I got tired, got home, got fired up and got to bed.");
  expect((await relationAfter(person, "I got fired.")).updates).toEqual(["first"]);
});

it.each([
  ["I'm thinking of quitting, but I never resigned.", undefined],
  ["I was all fired up.", undefined],
  ["I retired the old laptop.", undefined],
  ["My husband left me.", "tells of a separation"],
  ["I've left my job.", "tells of a job's end"],
])("%s", (text, end) => {
  expect(findEndedState(text)?.end).toBe(end);
});
