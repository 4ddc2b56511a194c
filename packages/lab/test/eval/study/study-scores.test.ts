import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureAgreement } from "../../../src/study/study-agreement.js";
import type { Choice, JudgmentSheet, StudyKey } from "../../../src/study/study-format.js";
import { scoreJudgments, winRate } from "../../../src/study/study-scores.js";
import { wilsonInterval } from "../../../src/study/wilson.js";

describe("the Wilson interval by hand, z^2 = 3.841459", () => {
  it("of 5 of 10: (0.5 + 0.192073 ± 1.959964 sqrt(0.025 + 0.009604)) / 1.384146", () => {
    // sqrt(0.034604) = 0.186020; 0.692073 ± 0.364592 over 1.384146
    const [low, high] = wilsonInterval(5, 10);
    expect(low).toBeCloseTo(0.236593, 5);
    expect(high).toBeCloseTo(0.763407, 5);
  });

  it("of 0 of 4: from 0 to z^2 / (4 + z^2) = 3.841459 / 7.841459", () => {
    expect(wilsonInterval(0, 4)[0]).toBe(0);
    expect(wilsonInterval(0, 4)[1]).toBeCloseTo(0.489891, 5);
  });

  it("of nothing is the whole range", () => expect(wilsonInterval(0, 0)).toEqual([0, 1]));

  // 7 judges, 40 questions, 2 pairs with each system: 560 opportunities. 0.6580 * 560 = 368.5 wins, ties as halves, and
  // 368.5 + 297.5 + 174 = 840 = 7 * 40 * 3 judgments.
  it.each([
    [368.5, 65.8, 61.78, 69.61],
    [297.5, 53.13, 48.98, 57.22],
    [174, 31.07, 27.38, 35.02],
  ])("of the paper's table: %f of 560 is %f %% [%f, %f]", (wins, rate, low, high) => {
    const interval = wilsonInterval(wins, 560);
    const percentages = [wins / 560, ...interval].map((share) => Number((100 * share).toFixed(2)));
    expect(percentages).toEqual([rate, low, high]);
  });

  it("refuses what is not a share", () => {
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
    expect(() => wilsonInterval(-1, 2)).toThrow(RangeError);
    expect(() => wilsonInterval(Number.NaN, 2)).toThrow(RangeError);
  });
});

describe("the Wilson interval of any share", () => {
  const anyShare = fc
    .integer({ min: 1, max: 5000 })
    .chain((n) =>
      fc.record({ n: fc.constant(n), wins: fc.integer({ min: 0, max: 2 * n }).map((halves) => halves / 2) }),
    );

  it("contains the share and lies between 0 and 1", () => {
    fc.assert(
      fc.property(anyShare, ({ wins, n }) => {
        const [low, high] = wilsonInterval(wins, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(wins / n);
        expect(high).toBeGreaterThanOrEqual(wins / n);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is where |p - share| = z sqrt(p (1 - p) / n): the definition", () => {
    fc.assert(
      fc.property(anyShare, ({ wins, n }) => {
        for (const p of wilsonInterval(wins, n).filter((bound) => bound > 0 && bound < 1)) {
          expect(Math.abs(p - wins / n)).toBeCloseTo(1.959963984540054 * Math.sqrt((p * (1 - p)) / n), 9);
        }
      }),
    );
  });

  it("of losses mirrors that of wins, and grows narrower with more of the same", () => {
    fc.assert(
      fc.property(anyShare, ({ wins, n }) => {
        const [low, high] = wilsonInterval(wins, n);
        expect(wilsonInterval(n - wins, n)[0]).toBeCloseTo(1 - high, 9);
        const more = wilsonInterval(4 * wins, 4 * n);
        expect(more[1] - more[0]).toBeLessThan(high - low);
      }),
    );
  });
});

describe("the win rate", () => {
  it("is the formula of its comment: 3 wins, 2 ties, 5 losses give (3 + 1) / 10", () => {
    expect(winRate({ wins: 3, ties: 2, losses: 5 })).toBe(0.4);
  });

  it("of nothing is none", () => expect(winRate({ wins: 0, ties: 0, losses: 0 })).toBeNull());
});

/** Items of pairs a-b, b-c, a-c in turn, with sides swapped now and then. */
function keyOf(itemCount: number): StudyKey {
  const sides = [
    ["a", "b"],
    ["c", "b"],
    ["a", "c"],
  ] as const;
  const items = Array.from({ length: itemCount }, (_, i) => {
    const [left, right] = sides[i % 3]!;
    return { id: String(i + 1), group: "g", questionId: `q${i}`, kind: "k", left, right };
  });
  const identical = [{ group: "g", questionId: "q9", systems: ["a", "c"] as const }];
  const rest = { dataset: "invented", seed: 1, show: "context", systems: ["a", "b", "c"], texts: "" } as const;
  return { format: "mnemosyne-study-key-1", pack: "p", items, identical, ...rest };
}

function sheetOf(letters: string): JudgmentSheet {
  const names: Record<string, Choice> = { l: "left", r: "right", t: "tie" };
  const judgments = [...letters].flatMap((letter, i) =>
    letter === "-" ? [] : [{ item: String(i + 1), choice: names[letter]! }],
  );
  return { format: "study-judgments-1", pack: "p", sheet: letters, judge: letters, judgments };
}

describe("scores of judgments by hand", () => {
  // Items: a-b, c-b, a-c, a-b, c-b, a-c. "lrtlt-": a, b, a=c, a, c=b.
  const scores = scoreJudgments(keyOf(6), [sheetOf("lrtlt-")]);

  it("count each system's wins, ties and losses, ties half", () => {
    expect(scores.systems["a"]).toMatchObject({ wins: 2, ties: 1, losses: 0, winRate: 2.5 / 3, winRateWithoutTies: 1 });
    expect(scores.systems["b"]).toMatchObject({
      wins: 1,
      ties: 1,
      losses: 2,
      winRate: 1.5 / 4,
      winRateWithoutTies: 1 / 3,
    });
    expect(scores.systems["c"]).toMatchObject({ wins: 0, ties: 2, losses: 1, winRate: 1 / 3, winRateWithoutTies: 0 });
    expect(scores.systems["a"]!.interval).toEqual(wilsonInterval(2.5, 3));
    expect(scores.systems["a"]!.intervalWithoutTies).toEqual(wilsonInterval(2, 2));
  });

  it("count each pair, with the pairs that were not shown", () => {
    expect(scores.pairs).toMatchObject([
      { systems: ["a", "b"], wins: 2, ties: 0, losses: 0, winRate: 1, identicalCount: 0 },
      { systems: ["a", "c"], wins: 0, ties: 1, losses: 0, winRate: 0.5, winRateWithoutTies: null, identicalCount: 1 },
      { systems: ["b", "c"], wins: 1, ties: 1, losses: 0, winRate: 0.75, identicalCount: 0 },
    ]);
  });

  it("say how often the left was chosen: 2 of 3", () => expect(scores.leftShare).toBeCloseTo(2 / 3, 12));

  it("of several judges add up, and the rates of all systems weigh to one half", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[lrt-]{6}$/u), { minLength: 1, maxLength: 4 }), (sheets) => {
        const { systems, judgmentCount } = scoreJudgments(keyOf(6), sheets.map(sheetOf));
        const rates = Object.values(systems);
        const points = rates.reduce((sum, { wins, ties }) => sum + wins + 0.5 * ties, 0);
        expect(points).toBe(judgmentCount);
        expect(rates.reduce((sum, { wins, ties, losses }) => sum + wins + ties + losses, 0)).toBe(2 * judgmentCount);
      }),
    );
  });
});

describe("agreement", () => {
  const kappaOf = (...letters: string[]): number | null | undefined => measureAgreement(letters.map(sheetOf))?.kappa;

  it("of one judge is none", () => expect(measureAgreement([sheetOf("lr")])).toBeNull());

  it("Cohen by hand: observed 0.7, expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5, so 0.4", () => {
    // First judge: 5 left, 5 right. Second: 6 left, 4 right. The same in 4 left and 3 right.
    const agreement = measureAgreement([sheetOf("lllllrrrrr"), sheetOf("llllrllrrr")]);
    expect(agreement).toMatchObject({ measure: "Cohen's kappa", judgeCount: 2, sharedCount: 10, observed: 0.7 });
    expect(agreement!.kappa).toBeCloseTo(0.4, 12);
  });

  it("Fleiss by hand: rows lll, llr, rrr, tlr give (1 + 1/3 + 1 + 0) / 4 against (6^2 + 5^2 + 1^2) / 144", () => {
    // Columns are judges: l l r t, l l r l, l r r r.
    // observed 0.583333, expected 0.430556: 0.152778 / 0.569444 = 0.268293
    const agreement = measureAgreement([sheetOf("llrt"), sheetOf("llrl"), sheetOf("lrrr")]);
    expect(agreement).toMatchObject({ measure: "Fleiss' kappa", judgeCount: 3, sharedCount: 4 });
    expect(agreement!.observed).toBeCloseTo(0.583333, 6);
    expect(agreement!.kappa).toBeCloseTo(0.268293, 6);
  });

  it("counts only items that everybody judged", () => {
    expect(measureAgreement([sheetOf("lr-t"), sheetOf("l-rt")])).toMatchObject({
      sharedCount: 2,
      observed: 1,
      kappa: 1,
    });
    expect(measureAgreement([sheetOf("l-"), sheetOf("-l")])).toMatchObject({
      sharedCount: 0,
      observed: null,
      kappa: null,
    });
  });

  it("is undefined if everybody always chooses the same", () => expect(kappaOf("lll", "lll")).toBeNull());

  it("is 1 for identical judges, at most 1 for any, and does not depend on their order", () => {
    const anySheets = fc.array(fc.stringMatching(/^[lrt]{8}$/u), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(anySheets, (sheets) => {
        const kappa = kappaOf(...sheets);
        if (kappa != null) expect(kappa).toBeLessThanOrEqual(1);
        const reversed = kappaOf(...sheets.toReversed());
        if (kappa == null) expect(reversed).toBeNull();
        else expect(reversed).toBeCloseTo(kappa, 12);
        const alike = kappaOf(...sheets.map(() => `${sheets[0]!}lrt`));
        expect(alike).toBeCloseTo(1, 12);
      }),
    );
  });
});
