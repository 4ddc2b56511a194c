import fc from "fast-check";
import { InputError } from "../../../../memory/src/index.js";
import { describe, expect, it } from "vitest";
import { type StudyOptions, planStudy } from "../../../src/study/study-pack.js";
import { header, recordOf, recordsOf } from "./study-audit.js";

const systems = ["heron", "lapwing", "teal"];
const options: StudyOptions = { systems, seed: 1, pairCountMax: 3 };

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

const spread = (counts: Record<string, number>): number =>
  Math.max(...Object.values(counts)) - Math.min(...Object.values(counts));

describe("a pack", () => {
  const study = planStudy(header, recordsOf(systems, 12), options);

  it("has every pair of systems for every question, each text where the key says", () => {
    expect(study.pack.items).toHaveLength(36);
    const records = recordsOf(systems, 12);
    study.pack.items.forEach(({ id, question, left, right }, i) => {
      const key = study.key.items[i]!;
      const contextOf = (system: string): string =>
        records.find((record) => record.system === system && record.questionId === key.questionId)!.context;
      expect({ id, left, right }).toEqual({ id: key.id, left: contextOf(key.left), right: contextOf(key.right) });
      expect(question).toBe(`What was said on walk ${key.questionId.slice(1)}?`);
    });
    const pairs = countBy(study.key.items, ({ questionId, left, right }) =>
      [questionId, ...[left, right].sort()].join(),
    );
    expect(Object.values(pairs)).toEqual(Array.from({ length: 36 }, () => 1));
  });

  it("shows the judges no system's name and no question's id", () => {
    expect(JSON.stringify(study.pack)).not.toMatch(/heron|lapwing|teal|harbour|q\d/u);
    expect(study.nameMentionCount).toBe(0);
  });

  it("is the same for the same seed, whatever the order of the lines, and another for another seed", () => {
    expect(planStudy(header, recordsOf(systems, 12).toReversed(), options)).toEqual(study);
    const other = planStudy(header, recordsOf(systems, 12), { ...options, seed: 2 });
    expect(other.pack.pack).not.toBe(study.pack.pack);
    expect(other.key.items).not.toEqual(study.key.items);
  });

  it("shuffles questions, but keeps the pairs of one question together", () => {
    const order = study.key.items.map(({ questionId }) => questionId);
    const asked = order.filter((questionId, i) => questionId !== order[i - 1]);
    expect(asked).toHaveLength(12);
    expect(asked).not.toEqual(asked.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
  });

  it("puts each system of a pair left as often as the other, give or take one, and in no fixed order", () => {
    const anySeed = fc.record({ seed: fc.nat(), questionCount: fc.integer({ min: 1, max: 15 }) });
    fc.assert(
      fc.property(anySeed, ({ seed, questionCount }) => {
        const { items } = planStudy(header, recordsOf(["heron", "teal"], questionCount), {
          systems: ["heron", "teal"],
          seed,
          pairCountMax: 1,
        }).key;
        expect(spread({ heron: 0, teal: 0, ...countBy(items, ({ left }) => left) })).toBe(questionCount % 2);
      }),
      { numRuns: 30 },
    );
    const sides = Array.from({ length: 20 }, (_, seed) =>
      planStudy(header, recordsOf(systems, 1), { ...options, seed }),
    );
    expect(new Set(sides.map(({ key }) => key.items.find(({ right }) => right !== "teal")!.left)).size).toBeGreaterThan(
      1,
    );
  });

  it("with many systems shows each pair equally often", () => {
    const many = ["one", "three", "fifteen", "nineteens", "forty-three"];
    const { key } = planStudy(header, recordsOf(many, 20), { systems: many, seed: 3, pairCountMax: 3 });
    expect(key.items.length + key.identical.length).toBe(60);
    const asked = [...key.items.map(({ left, right }) => [left, right]), ...key.identical.map((pair) => pair.systems)];
    expect(countBy(asked, (pair) => pair.toSorted().join())).toMatchObject({ "one,three": 6, "nineteens,one": 6 });
    expect(spread(countBy(asked, (pair) => pair.toSorted().join()))).toBe(0);
  });

  it("with fewer questions keeps the kinds in proportion: of 4 and 8, 2 and 4", () => {
    const { key, questionCount } = planStudy(header, recordsOf(systems, 12), { ...options, questionCountMax: 6 });
    expect(questionCount).toBe(6);
    expect(countBy(key.items, ({ kind }) => kind)).toEqual({ when: 2 * 3, what: 4 * 3 });
  });
});

describe("texts", () => {
  it("that differ only in white space are counted and not shown", () => {
    const records = [
      recordOf("heron", 1, { context: "By the  sea." }),
      recordOf("teal", 1, { context: "By the sea.\n" }),
      recordOf("lapwing", 1, { context: "On the hill." }),
    ];
    const { pack, key } = planStudy(header, records, options);
    expect(pack.items).toHaveLength(2);
    expect(key.identical).toEqual([{ group: "harbour", questionId: "q1", systems: ["heron", "teal"] }]);
    expect(() => planStudy(header, records, { ...options, systems: ["heron", "teal"] })).toThrow(InputError);
  });

  it("are answers if all systems have them, else contexts, or as requested", () => {
    const withAnswers = recordsOf(systems, 2).map((record) => ({
      ...record,
      answer: `Answer of ${record.system.length}`,
    }));
    expect(planStudy(header, withAnswers, options).pack.items[0]!.left).toMatch(/^Answer of/u);
    expect(planStudy(header, withAnswers, { ...options, show: "context" }).pack.items[0]!.left).toMatch(/^Walk/u);
    expect(planStudy(header, recordsOf(systems, 2), options).pack.show).toBe("context");
  });

  it("that a system lacks exclude the question, and that is counted", () => {
    const records = recordsOf(systems, 3).slice(1);
    expect(planStudy(header, records, options)).toMatchObject({ questionCount: 2, incompleteCount: 1 });
  });

  it("that contain a system's name as a word are counted", () => {
    const records = [
      recordOf("heron", 1, { context: "A Heron stood there." }),
      recordOf("teal", 1, { context: "steals" }),
    ];
    expect(planStudy(header, records, { ...options, systems: ["heron", "teal"] }).nameMentionCount).toBe(1);
    const odd = [recordOf("c++ (v2)", 1), recordOf("teal", 1)];
    expect(planStudy(header, odd, { ...options, systems: ["c++ (v2)", "teal"] }).nameMentionCount).toBe(0);
  });
});

describe("what cannot be compared is refused:", () => {
  const refused = (records: Parameters<typeof planStudy>[1], changes: Partial<StudyOptions>, message: string): void => {
    expect(() => planStudy(header, records, { ...options, ...changes })).toThrow(InputError);
    expect(() => planStudy(header, records, { ...options, ...changes })).toThrow(message);
  };

  it("an unknown system", () => {
    refused(
      recordsOf(systems, 2),
      { systems: ["heron", "owl"] },
      "no system owl in the audit; it has heron, lapwing, teal",
    );
  });

  it("one system, or the same twice", () => {
    refused(recordsOf(systems, 2), { systems: ["heron"] }, "two or more different systems");
    refused(recordsOf(systems, 2), { systems: ["heron", "heron"] }, "two or more different systems");
  });

  it("a question that occurs twice", () => {
    refused([...recordsOf(systems, 2), recordOf("teal", 1)], {}, "question q1 of harbour twice for teal");
  });

  it("answers that nobody gave", () => refused(recordsOf(systems, 2), { show: "answers" }, "different answers"));
});
