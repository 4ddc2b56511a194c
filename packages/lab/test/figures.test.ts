/** Equations A2 and A3, with numbers worked by hand. */
import { expect, it } from "vitest";
import { ndcgAt } from "../src/recall/measures.js";
import { tallyOf, wilsonInterval, winRate } from "../src/study/study.js";

it("nDCG at k: relevant at 1 and 3 of 3 gives (1 + 1/2) / (1 + 1/log2(3)) = 0.9197", () => {
  expect(ndcgAt(3, ["a", "x", "b"], ["a", "b"])).toBeCloseTo(0.9197, 4);
  expect(ndcgAt(3, ["a", "a", "b"], ["a", "b"])).toBe(1);
  expect(ndcgAt(3, ["x", "y", "z", "a"], ["a"])).toBe(0);
});

it("a win rate counts a tie as half a win", () => {
  const items = {
    c1: ["ours", "other"],
    c2: ["other", "ours"],
    c3: ["ours", "other"],
    c4: ["other", "third"],
  } as const;
  const key = { study: "s", systems: ["ours", "other", "third"], items };
  const sheet = { study: "s", judge: "j", choices: { c1: "left", c2: "left", c3: "tie", c4: "left" } } as const;
  const tally = tallyOf(key, [sheet], "ours");
  expect(tally).toEqual({ wins: 1, ties: 1, losses: 1 });
  expect(winRate(tally)).toBe(0.5);
  // Wilson's interval of 1/2 in 4: centre 1/2, half width 0.35.
  const [low, high] = wilsonInterval(0.5, 4);
  expect([low, high].map((end) => end.toFixed(3))).toEqual(["0.150", "0.850"]);
});
