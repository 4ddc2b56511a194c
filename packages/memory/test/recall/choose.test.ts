/** Which statements a context quotes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimeFocus } from "../../src/english/time/question-time.js";
import { type ChoiceRules, chooseStatements } from "../../src/recall/choose.js";
import { type QuotedStatement, compareQuoted } from "../../src/recall/quoted-statements.js";
import { embed } from "../graph/graph-fixtures.js";

const dayMs = 86_400_000;

interface Sketch {
  readonly value: number;
  /** Names of what ended it. */
  readonly by?: readonly string[];
  /** The name of the statement that it points back to. */
  readonly needs?: string;
}

/** The statements of a memory that was told on a day. */
function told(id: string, day: number, ...sketches: readonly (number | Sketch)[]): QuotedStatement[] {
  const memory = embed({ id, initMs: day * dayMs }).node;
  return sketches.map((sketch, position) => {
    const { value, by, needs }: Sketch = typeof sketch === "number" ? { value: sketch } : sketch;
    const ended = by === undefined ? null : { untilMs: (day + 1) * dayMs, by };
    return {
      memory,
      position,
      name: `${id}#${position}`,
      who: null,
      text: "",
      asked: null,
      value,
      needs: needs ?? null,
      ended,
    };
  });
}

/** A statement costs 10 tokens, and the day of its memory 5. */
const costOf = (_: QuotedStatement, isFirst: boolean): number => (isFirst ? 15 : 10);

function choose(statements: readonly QuotedStatement[], available: number, rules: Partial<ChoiceRules> = {}): string[] {
  const chosen = chooseStatements(statements, available, { foci: [], asksAboutThen: false, costOf, ...rules });
  return chosen.map(({ name }) => name);
}

const focus = (fromDay: number, untilDay: number): TimeFocus => ({
  words: "then",
  weight: 1,
  fromMs: fromDay * dayMs,
  untilMs: untilDay * dayMs,
});

describe("chosen are", () => {
  it("the most valuable statements of any memory, until the budget is used", () => {
    const statements = [...told("a", 1, 5, 1), ...told("b", 2, 4, 3)];
    expect(choose(statements, 40)).toEqual(["a#0", "b#0", "b#1"]);
    expect(choose(statements, 39)).toEqual(["a#0", "b#0"]);
    expect(choose(statements, 14)).toEqual([]);
  });

  it("smaller ones where a larger one no longer fits", () => {
    const large = told("large", 2, 4);
    const cost = (statement: QuotedStatement): number => (statement === large[0] ? 100 : 10);
    expect(choose([...told("a", 1, 5, 3), ...large], 30, { costOf: cost })).toEqual(["a#0", "a#1"]);
  });
});

describe("what ended", () => {
  const old = told("old", 1, { value: 9, by: ["new#0"] }, 2);
  const newer = told("new", 2, 8);

  it("comes only beside what replaced it", () => {
    expect(choose([...old, ...newer], 100)).toEqual(["new#0", "old#0", "old#1"]);
    expect(choose(old, 100)).toEqual(["old#1"]);
  });

  it("stays out where what replaced it finds no room", () => {
    const cost = ({ name }: QuotedStatement): number => (name === "new#0" ? 50 : 10);
    expect(choose([...old, ...newer], 40, { costOf: cost })).toEqual(["old#1"]);
  });

  it("comes by its own value for a question about then", () => {
    const rules = { asksAboutThen: true };
    expect(choose([...old, ...newer], 100, rules)).toEqual(["old#0", "new#0", "old#1"]);
    expect(choose([...old, ...newer], 15, rules)).toEqual(["old#0"]);
    expect(choose(old, 100, rules)).toEqual(["old#0", "old#1"]);
  });

  it("comes beside what ended it last only, where that ended in turn", () => {
    const chain = [
      ...told("a", 1, { value: 9, by: ["b#0"] }),
      ...told("b", 2, { value: 9, by: ["c#0"] }),
      ...told("c", 3, 9),
    ];
    expect(choose(chain, 100)).toEqual(["c#0", "b#0"]);
  });
});

describe("a statement that points back", () => {
  const job = told("job", 1, 1, { value: 9, needs: "job#0" });
  const other = told("other", 2, 5);

  it("brings the one it points to before anything else", () => {
    expect(choose([...job, ...other], 100)).toEqual(["job#1", "job#0", "other#0"]);
    expect(choose([...job, ...other], 25)).toEqual(["job#1", "job#0"]);
  });

  it("brings none that ended, unless the question is about then, and none that finds no room", () => {
    const ended = told("job", 1, { value: 1, by: ["other#0"] }, { value: 9, needs: "job#0" });
    expect(choose(ended, 100)).toEqual(["job#1"]);
    expect(choose(ended, 100, { asksAboutThen: true })).toEqual(["job#1", "job#0"]);
    expect(choose([...job, ...other], 15)).toEqual(["job#1"]);
  });
});

describe("a time in the question", () => {
  const talk = told("talk", 5, 9, 8, 7, 6);
  const quiet = [...told("quiet", 6, 2), ...told("calm", 7, 1)];
  const outside = told("outside", 20, 5);

  it("shares the budget over all memories of that time before any of them says more", () => {
    expect(choose([...talk, ...quiet, ...outside], 60)).toEqual(["talk#0", "talk#1", "talk#2", "talk#3", "outside#0"]);
    const asked = choose([...talk, ...quiet, ...outside], 75, { foci: [focus(5, 8)] });
    expect(asked).toEqual(["talk#0", "quiet#0", "calm#0", "talk#1", "talk#2", "talk#3"]);
  });

  it("leaves two fifths of the budget to what is most valuable", () => {
    const days = Array.from({ length: 10 }, (_, i) => told(`d${i}`, 5, i / 100)).flat();
    const best = told("best", 20, 9, 8, 7);
    const chosen = choose([...days, ...best], 100, { foci: [focus(5, 6)] });
    expect(chosen.filter((name) => name.startsWith("d"))).toHaveLength(4);
    expect(chosen.slice(4)).toEqual(["best#0", "best#1", "best#2"]);
  });

  it("is none that lasts longer than a hundred days or has no end", () => {
    const all = [...talk, ...quiet, ...outside];
    for (const long of [focus(-100, 8), focus(5, Infinity), focus(-Infinity, 8)]) {
      expect(choose(all, 75, { foci: [long] })).toEqual(choose(all, 75));
    }
    expect(choose(all, 75, { foci: [focus(-92, 8)] })).not.toEqual(choose(all, 75));
  });

  it("begins with what holds, unless the question is about then", () => {
    const left = told("left", 6, { value: 5, by: ["came#0"] }, 1);
    const came = told("came", 30, 4);
    const foci = [focus(5, 8)];
    expect(choose([...left, ...came], 100, { foci })[0]).toBe("left#1");
    expect(choose([...left, ...came], 100, { foci, asksAboutThen: true })[0]).toBe("left#0");
  });
});

describe("of any statements", () => {
  const some = fc
    .array(
      fc.record({
        day: fc.nat({ max: 20 }),
        pieces: fc.array(
          fc.record({
            value: fc.integer({ min: -3, max: 9 }),
            by: fc.option(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 3 })), { nil: undefined }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      { maxLength: 6 },
    )
    .map((list) =>
      list.flatMap(({ day, pieces }, i) =>
        told(
          `m${i}`,
          day,
          ...pieces.map(({ value, by }) => (by === undefined ? value : { value, by: [`m${by[0]}#${by[1]}`] })),
        ),
      ),
    );
  const asked = fc.record({
    asksAboutThen: fc.boolean(),
    foci: fc.array(
      fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })).map(([x, y]) => focus(x, x + y)),
      {
        maxLength: 2,
      },
    ),
  });
  const budgets = fc.nat({ max: 200 });

  it("the budget is kept, and nothing that may be told is left out while it would fit", () => {
    fc.assert(
      fc.property(some, budgets, asked, (statements, budget, rules) => {
        const chosen = chooseStatements(statements, budget, { ...rules, costOf });
        const begun = new Set(chosen.map(({ memory }) => memory.id));
        const left = budget - 10 * chosen.length - 5 * begun.size;
        expect(left).toBeGreaterThanOrEqual(0);
        const names = new Set(chosen.map(({ name }) => name));
        expect(names.size).toBe(chosen.length);
        for (const { name, memory, ended } of statements.filter((each) => !names.has(each.name))) {
          const mayBeTold = ended === null || rules.asksAboutThen;
          if (mayBeTold) expect(costOf(statements[0]!, !begun.has(memory.id)), name).toBeGreaterThan(left);
        }
      }),
    );
  });

  it("what ended stands there for a question about then, or beside what ended it", () => {
    fc.assert(
      fc.property(some, budgets, asked, (statements, budget, rules) => {
        const chosen = chooseStatements(statements, budget, { ...rules, costOf });
        const holding = new Set(chosen.filter(({ ended }) => ended === null).map(({ name }) => name));
        for (const { ended } of rules.asksAboutThen ? [] : chosen) {
          if (ended !== null) expect(ended.by.some((name) => holding.has(name))).toBe(true);
        }
      }),
    );
  });

  it("without a time they come by their value, what ended behind what ended it", () => {
    fc.assert(
      fc.property(some, (statements) => {
        const chosen = chooseStatements(statements, Infinity, { foci: [], asksAboutThen: false, costOf });
        const holding = chosen.filter(({ ended }) => ended === null);
        expect(holding).toEqual(statements.filter(({ ended }) => ended === null).sort(compareQuoted));
        for (const [i, { ended }] of chosen.entries()) {
          if (ended === null) continue;
          expect(chosen.slice(0, i).some(({ name }) => ended.by.includes(name))).toBe(true);
        }
      }),
    );
  });
});
