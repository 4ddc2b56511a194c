/** `eval study` as a shell runs it: files in, files out, and clear messages about what is wrong with them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAudit } from "../../../src/report/audit.js";
import type { Choice, StudyKey } from "../../../src/study/study-format.js";
import type { StudyScores } from "../../../src/study/study-scores.js";
import { header, recordOf, recordsOf, runStudy } from "./study-audit.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-study-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const systems = ["heron", "lapwing", "teal"];
const file = (name: string): string => join(folder, name);
const readJson = <Value>(name: string): Value => JSON.parse(readFileSync(file(name), "utf8")) as Value;

function writeJson(name: string, value: unknown): string {
  writeFileSync(file(name), JSON.stringify(value));
  return file(name);
}

/** Judgments in which the first of the preferred systems wins each of its pairs. */
function judge(key: StudyKey, preferred: readonly string[], changes: object = {}): object {
  const rank = (system: string): number => preferred.indexOf(system);
  const judgments = key.items.map(({ id, left, right }) => {
    const choice: Choice = rank(left) < rank(right) ? "left" : "right";
    return { item: id, choice };
  });
  const sheet = preferred.join();
  return { format: "study-judgments-1", pack: key.pack, sheet, judge: "", judgments, ...changes };
}

async function expectRefusal(args: readonly string[], ...words: readonly string[]): Promise<void> {
  const { code, out, errors } = await runStudy(...args, "--json");
  expect({ code, out }).toEqual({ code: 2, out: "" });
  for (const word of words) expect(errors).toContain(word);
}

beforeAll(async () => {
  const same = systems.map((system) => recordOf(system, 20, { context: "All the same." }));
  await writeAudit(file("audit.jsonl"), header, [...recordsOf(systems, 4), ...same]);
  const made = await runStudy(
    "make",
    file("audit.jsonl"),
    "--systems",
    "heron, lapwing,teal",
    "--out",
    file("page.html"),
  );
  expect(made).toMatchObject({ code: 0, errors: "" });
  expect(made.out).toContain("12 pairs of contexts for 5 questions.");
  expect(made.out).toContain("3 pairs left out: both texts are the same.");
});

describe("make", () => {
  const make = (out: string, ...more: readonly string[]): string[] => [
    "make",
    file("audit.jsonl"),
    "--systems",
    systems.join(),
    "--out",
    file(out),
    ...more,
  ];

  it("writes page and key, and says so as JSON", async () => {
    const { code, out } = await runStudy(...make("other.html", "--seed", "5", "--questions", "2", "--json"));
    expect(code).toBe(0);
    const said = JSON.parse(out) as Record<string, unknown>;
    expect(said).toMatchObject({ questionCount: 2, seed: 5, show: "context", systems, incompleteCount: 0 });
    const key = readJson<StudyKey>("other.key.json");
    expect(said["pack"]).toBe(key.pack);
    expect(readFileSync(file("other.html"), "utf8")).toContain(key.pack);
  });

  it("run again with the same options gives the same files, with others never overwrites a key", async () => {
    const before = readFileSync(file("page.html"), "utf8");
    expect((await runStudy(...make("page.html"))).code).toBe(0);
    expect(readFileSync(file("page.html"), "utf8")).toBe(before);
    await expectRefusal(make("page.html", "--seed", "2"), "page.key.json is the key of another study");
    expect(readFileSync(file("page.html"), "utf8")).toBe(before);
  });

  it("refuses invalid options", async () => {
    await expectRefusal(make("page.txt"), "must end in .html");
    await expectRefusal(make(join("nowhere", "page.html")), "cannot be written");
    expect((await runStudy(...make("page.html", "--questions", "0"))).code).toBe(2);
    expect((await runStudy(...make("page.html", "--show", "names"))).code).toBe(2);
    await expectRefusal(["make", file("none.jsonl"), "--systems", "a,b", "--out", file("x.html")], "none.jsonl");
    expect(existsSync(file("page.txt"))).toBe(false);
  });
});

describe("score", () => {
  it("gives the win rates from two judges, and how far they agree", async () => {
    const key = readJson<StudyKey>("page.key.json");
    const first = writeJson("first.json", judge(key, ["heron", "lapwing", "teal"], { judge: "Ada" }));
    const second = writeJson("second.json", judge(key, ["heron", "teal", "lapwing"]));
    const { code, out } = await runStudy("score", "--key", file("page.key.json"), first, second, "--json");
    expect(code).toBe(0);
    const scores = JSON.parse(out) as StudyScores;
    expect(scores.systems["heron"]).toMatchObject({ wins: 16, ties: 0, losses: 0, winRate: 1 });
    expect(scores.systems["teal"]).toMatchObject({ wins: 4, ties: 0, losses: 12, winRate: 0.25 });
    expect(scores.pairs.map(({ winRate, identicalCount }) => [winRate, identicalCount])).toEqual([
      [1, 1],
      [1, 1],
      [0.5, 1],
    ]);
    expect(scores.judges.map(({ judge: name }) => name)).toEqual(["Ada", "second.json"]);
    expect(scores.agreement).toMatchObject({ measure: "Cohen's kappa", sharedCount: 12, observed: 8 / 12 });

    const { out: text } = await runStudy("score", "--key", file("page.key.json"), first, second);
    expect(text).toMatch(/^invented: 24 judgments on 12 pairs \(Ada 12, second\.json 12\)$/mu);
    expect(text).toMatch(/^heron +100\.0 +80\.6 - 100\.0 +100\.0 +80\.6 - 100\.0 +16 +0 +0$/mu);
    expect(text).toMatch(/^lapwing over teal +50\.0 .* 1$/mu);
    expect(text).toContain("A tie is half a win for both");
    expect(text).toMatch(/^2 judges, 12 pairs judged by all of them: the same choice in 66\.7 %, Cohen's kappa/mu);
  });

  it("gives no rates without judgments", async () => {
    const key = readJson<StudyKey>("page.key.json");
    const empty = writeJson("empty.json", judge(key, systems, { judgments: [] }));
    const { code, out } = await runStudy("score", "--key", file("page.key.json"), empty);
    expect(code).toBe(0);
    expect(out).toMatch(/^heron +- +0\.0 - 100\.0 +- /mu);
  });

  it("refuses judgments of another pack and invalid ones, and names file and field", async () => {
    const key = readJson<StudyKey>("page.key.json");
    const refused = (changes: object, ...words: string[]): Promise<void> => {
      const wrong = writeJson("wrong.json", judge(key, systems, changes));
      return expectRefusal(["score", "--key", file("page.key.json"), wrong], "wrong.json", ...words);
    };
    await refused({ pack: "0123" }, "another page than the one of this key", '\\"0123\\"');
    await refused({ format: "study-judgments-2" }, "format must be");
    await refused({ sheet: 4 }, "sheet must be non-empty text, but is 4");
    await refused({ judge: undefined }, "judge is missing; it must be text");
    await refused({ judgments: {} }, "judgments must be a list");
    await refused({ judgments: ["left"] }, "judgments[0] must be an object");
    await refused({ judgments: [{ item: "1", choice: "up" }] }, "judgments[0].choice must be");
    await refused({ judgments: [{ item: "99", choice: "tie" }] }, "judgments[0].item must be an item of the key");
    const twice = { item: "1", choice: "tie" };
    await refused({ judgments: [twice, twice] }, "judgments[1].item must be an item of the key, each once");
    await refused({ judgments: [{ ...twice, note: 1 }] }, "judgments[0].note must be text");
    writeFileSync(file("wrong.json"), "{");
    await expectRefusal(["score", "--key", file("page.key.json"), file("wrong.json")], "wrong.json is not JSON");
    await expectRefusal(["score", "--key", file("page.key.json"), file("none.json")], "none.json cannot be read");
  });

  it("refuses two files of one sheet", async () => {
    const key = readJson<StudyKey>("page.key.json");
    const early = writeJson("early.json", judge(key, systems, { judgments: [] }));
    const late = writeJson("late.json", judge(key, systems));
    await expectRefusal(["score", "--key", file("page.key.json"), early, late], "pass only the later one");
  });

  it("refuses a changed key, and a file that is not a key", async () => {
    const key = readJson<StudyKey>("page.key.json");
    const judgments = writeJson("judgments.json", judge(key, systems));
    const refused = (changed: unknown, ...words: string[]): Promise<void> =>
      expectRefusal(["score", "--key", writeJson("wrong.key.json", changed), judgments], "wrong.key.json", ...words);
    const [first, ...rest] = key.items;
    const turned = [{ ...first, left: first!.right, right: first!.left }, ...rest];
    await refused({ ...key, items: turned }, "was changed after it was created");
    await refused({ ...key, items: [{ ...first, left: 3 }, ...rest] }, "items[0].left must be non-empty text");
    await refused({ ...key, identical: [{ systems: ["heron"] }] }, "identical[0].systems must be two systems");
    await refused({ ...key, format: "" }, "format must be");
    await refused([], "the value must be an object");
  });
});
