/** Packets for readers and the human study: blind, the same for the same seed, and scored by Equation A3. */
import { describe, expect, it } from "vitest";
import { type PacketItem, scoreGrades, shuffleItems, writePackets, writeSheets } from "../src/answers/packets.js";
import { type JudgmentSheet, type StudyKey, agreement, checkSheet, makeStudy } from "../src/study/study.js";
import { scoreStudy, tallyOf, wilsonInterval, winRate } from "../src/study/study.js";
import { writePage } from "../src/study/study-page.js";

const systems = ["ours", "plain", "vector"];
const items: PacketItem[] = shuffleItems(
  systems.flatMap((system) =>
    [1, 2, 3].map((number) => ({
      person: "ada",
      question: `q${number}`,
      kind: "now",
      text: `Question ${number}?`,
      atMs: 0,
      system,
      context: `context of ${system[0]} for ${number} </script>`,
      answer: number === 3 ? null : `answer ${number}`,
      needs: ["a fact"],
      outdated: [],
    })),
  ),
  "1",
);

describe("packets", () => {
  it("hold every item once, and name no system", () => {
    const text = Object.values(writePackets(items)).join("\n");
    expect(text.match(/^##### x\d{4}/gmu)).toHaveLength(items.length);
    expect(text).not.toMatch(/\bours|plain|vector\b/u);
  });

  it("have sheets of what was answered, with the wanted answer", () => {
    const [first] = items;
    const sheets = writeSheets(items, { [first!.id]: "Porto" });
    expect(Object.keys(sheets)).toEqual(["sheet-0.txt"]);
    expect(sheets["sheet-0.txt"]).toContain(`WANTED: ${first!.answer ?? "NEVER TOLD"}`);
    expect(sheets["sheet-0.txt"]).toContain("ANSWER: Porto");
  });

  it("are scored by system, and a grade that there is not is refused", () => {
    const given = Object.fromEntries(
      items.map(({ id, system, answer }) => [id, system === "ours" && answer ? "right" : "wrong"]),
    );
    const rows = scoreGrades(items, given);
    expect(rows).toContainEqual(["ours, told", "2", "1.000", "0.000", "0.000", "0.000", "0.000"]);
    expect(rows).toContainEqual(["ours, never told", "1", "0.000", "0.000", "0.000", "1.000", "0.000"]);
    expect(() => scoreGrades(items, { [items[0]!.id]: "good" })).toThrow(/"good"/u);
  });
});

describe("a study", () => {
  const { key, comparisons } = makeStudy(items, {}, { count: 2, seed: "1" });

  it("compares every two systems on each question, sides and order by the seed", () => {
    expect(comparisons).toHaveLength(2 * 3);
    for (const { id, left, right } of comparisons) {
      const [leftSystem, rightSystem] = key.items[id]!;
      expect([left, right]).toEqual([
        expect.stringContaining(`of ${leftSystem[0]}`),
        expect.stringContaining(`of ${rightSystem[0]}`),
      ]);
    }
    expect(makeStudy(items, {}, { count: 2, seed: "1" })).toEqual({ key, comparisons });
    expect(makeStudy(items, {}, { count: 2, seed: "2" }).key.study).not.toBe(key.study);
  });

  it("takes answers where all items have one, and refuses a single system", () => {
    const answers = Object.fromEntries(items.map(({ id }) => [id, `said ${id}`]));
    expect(
      makeStudy(items, answers, { count: 9, seed: "1" }).comparisons.every(({ left }) => left.startsWith("said")),
    ).toBe(true);
    const single = items.filter(({ system }) => system === "ours");
    expect(() => makeStudy(single, {}, { count: 9, seed: "1" })).toThrow(/two systems/u);
  });

  it("has a page without the systems' names that no text can break out of", () => {
    const page = writePage(key.study, comparisons);
    expect(page).not.toMatch(/"(?:ours|plain|vector)"/u);
    expect(page.match(/<\/script>/gu)).toHaveLength(2);
    const data = /id="data">(.*?)<\/script>/su.exec(page)![1]!;
    expect(JSON.parse(data)).toEqual({ study: key.study, comparisons });
  });
});

describe("scores", () => {
  const key: StudyKey = { study: "s", systems: ["a", "b"], items: { c1: ["a", "b"], c2: ["b", "a"], c3: ["a", "b"] } };
  const sheet = (...choices: ("left" | "right" | "tie")[]): JudgmentSheet => ({
    study: "s",
    judge: "j",
    choices: Object.fromEntries(choices.map((choice, i) => [`c${i + 1}`, choice])),
  });

  it("give a tie half a win (Equation A3)", () => {
    expect(tallyOf(key, [sheet("left", "left", "tie")], "a")).toEqual({ wins: 1, ties: 1, losses: 1 });
    expect(tallyOf(key, [sheet("left", "right", "right")], "a")).toEqual({ wins: 2, ties: 0, losses: 1 });
    expect(winRate({ wins: 3, ties: 2, losses: 3 })).toBe(1 / 2);
  });

  it("have the paper's intervals: 65.80 % and 31.07 % of 560", () => {
    const percent = (share: number): number[] =>
      wilsonInterval(share, 560).map((bound) => Number((100 * bound).toFixed(2)));
    expect(percent(0.658)).toEqual([61.78, 69.61]);
    expect(percent(0.3107)).toEqual([27.38, 35.02]);
  });

  it("have a row for each system and each two, and the agreement of judges", () => {
    const sheets = [sheet("left", "left", "tie"), sheet("left", "right", "tie")];
    expect(scoreStudy(key, sheets).map(([name, rate]) => [name, rate])).toEqual([
      ["a", "66.7"],
      ["b", "33.3"],
      ["a against b", "66.7"],
    ]);
    expect(agreement(sheets)).toBeCloseTo(2 / 3, 12);
    expect(agreement(sheets.slice(1))).toBeNull();
  });

  it.each([{ study: "another" }, { choices: { c9: "left" } }, { choices: { c1: "both" } }])("refuse %j", (change) => {
    const good = sheet("left");
    expect(checkSheet(good, key, "f.json")).toBe(good);
    expect(() => checkSheet({ ...good, ...change } as JudgmentSheet, key, "f.json")).toThrow("f.json");
  });
});
