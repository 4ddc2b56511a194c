/** `mnemosyne eval journeys --llm` as a shell runs it: measured, answered and judged in one go, by a scripted endpoint. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/report/audit.js";
import type { JudgmentReport } from "../../src/commands/judgments.js";
import type { EvaluationReport } from "../../src/report/report.js";
import { type ChatRequest, type ScriptedEndpoint, saying, startEndpoint } from "../../../memory/test/adapters/scripted-endpoint.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { writeJourney } from "../eval/tiny-data.js";

const program = fileURLToPath(new URL("../../../server/dist/cli/main.js", import.meta.url));
const scratch = new ScratchFolder();
const journeys = writeJourney(scratch.next(""));

let endpoint: ScriptedEndpoint;
beforeEach(async () => {
  endpoint = await startEndpoint((request) => saying(isJudge(request) ? judge(request) : { answer: "60 degrees" }));
});
afterEach(() => endpoint.close());

function isJudge(request: ChatRequest): boolean {
  return request.messages[1]!.content.includes("<<<ANSWER");
}

function judge(request: ChatRequest): object {
  return { reason: "compared", correct: request.messages[1]!.content.includes("<<<EXPECTED\n60 degrees\n") };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Only words, so that nothing is embedded. */
function run(folder: string, ...args: string[]): Promise<Ran> {
  mkdirSync(folder, { recursive: true });
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot };
  const all = [program, "eval", "journeys", "--data", journeys, "--systems", "bm25", "--llm", ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, all, { cwd: folder, env }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, out, errors }),
    );
  });
}

const model = (): string[] => ["--llm-url", endpoint.baseUrl, "--llm-model", "small"];

describe("answers and verdicts", () => {
  it("come with the figures as one object, and are saved next to the audit", async () => {
    const folder = scratch.next("");
    const { code, out, errors } = await run(folder, ...model(), "--save", "audit.jsonl", "--votes", "1", "--json");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const report = JSON.parse(out) as EvaluationReport & JudgmentReport;
    expect(report.systems["bm25"]!.all.count).toBe(3);
    expect(report).toMatchObject({ dataset: "journeys", answerModel: "openai:small", file: "audit.judged.jsonl" });
    expect(report.judgments.map(({ system, judge: name, all }) => [system, name, all.correctCount, all.count])).toEqual(
      [
        ["bm25", "strict", 1, 3],
        ["bm25", "lenient", 1, 3],
      ],
    );
    expect((await readAudit(join(folder, "audit.jsonl"))).records.some(({ answer }) => answer !== undefined)).toBe(
      false,
    );
    const judged = await readAudit(join(folder, "audit.judged.jsonl"));
    expect(judged.records.map(({ answer, verdicts }) => [answer, verdicts!.length])).toEqual(
      Array.from({ length: 3 }, () => ["60 degrees", 2]),
    );
  });

  it("are shown after the figures; their file is named", async () => {
    const { code, out } = await run(scratch.next(""), ...model(), "--judges", "strict", "--save", "audit.jsonl");
    expect(code).toBe(0);
    expect(out.indexOf("nDCG@3")).toBeLessThan(out.indexOf("J-score"));
    expect(out).toMatch(/^bm25 +strict +3 +33\.3 \[/mu);
    expect(out).toContain("Every answer and verdict is in audit.judged.jsonl.");
  });

  it("are not requested again when the same command runs again", async () => {
    const folder = scratch.next("");
    const args = [...model(), "--save", "audit.jsonl", "--json"];
    const first = await run(folder, ...args);
    const asked = endpoint.requests.length;
    expect((await run(folder, ...args)).out).toBe(first.out);
    expect(endpoint.requests).toHaveLength(asked);
  });
});

describe("mistakes", () => {
  it("in the settings are found before anything is measured", async () => {
    const folder = scratch.next("");
    const { code, out, errors } = await run(folder, "--save", "audit.jsonl", "--json");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(errors).toMatch(/no language model is configured/u);
    const even = await run(folder, ...model(), "--votes", "2", "--save", "audit.jsonl", "--json");
    expect({ code: even.code, out: even.out }).toEqual({ code: 2, out: "" });
    expect(even.errors).toMatch(/votes 2 is not an odd number/u);
    const unsaved = await run(folder, ...model(), "--json");
    expect({ code: unsaved.code, out: unsaved.out }).toEqual({ code: 2, out: "" });
    expect(unsaved.errors).toMatch(/--llm needs --save/u);
    expect(readdirSync(folder)).toEqual([]);
    expect(endpoint.requests).toEqual([]);
  });

  it("of the model do not lose what was measured", async () => {
    const folder = scratch.next("");
    const args = [...model(), "--save", "audit.jsonl", "--json"];
    await endpoint.close();
    const { code, out, errors } = await run(folder, ...args);
    expect(code).toBe(5);
    expect(JSON.parse(out)).toHaveProperty("systems.bm25");
    expect(JSON.parse(out)).not.toHaveProperty("judgments");
    expect(errors).toMatch(/cannot be reached/u);
    expect(existsSync(join(folder, "audit.jsonl"))).toBe(true);
  });
});
