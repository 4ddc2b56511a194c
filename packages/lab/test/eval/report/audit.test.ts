import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditHeader, type AuditRecord, readAudit, writeAudit } from "../../../src/report/audit.js";
import { InputError } from "../../../../memory/src/index.js";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";

const scratch = new ScratchFolder();
const header: AuditHeader = { format: "mnemosyne-audit-1", dataset: "journeys", seed: 3, commit: null };
const record: AuditRecord = {
  system: "bm25",
  group: "ada",
  questionId: "q1",
  question: "Who visits?",
  kind: "single",
  at: "2025-03-05T10:00:00.000Z",
  gold: ["i7"],
  goldAnswer: null,
  ranked: [],
  context: "",
  contextTokens: 0,
};
const judged: AuditRecord = {
  ...record,
  context: "line one\nline two \u2028 three",
  ranked: ["i7", "i1"],
  answer: "Ruth",
  verdicts: [{ judge: "strict", correct: true, reply: '{"correct": true}' }],
};

async function refusal(path: string): Promise<string> {
  const error: unknown = await readAudit(path).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

it("what was written is read back, one line each", async () => {
  const path = scratch.next(".jsonl");
  await writeAudit(path, header, [record, judged]);
  expect(await readAudit(path)).toEqual({ header, records: [record, judged] });
  expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(3);
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});

it("who answered and who judged, and how, is kept", async () => {
  const path = scratch.next(".jsonl");
  const asked = { judges: ["strict"], votes: 3, temperatures: { answer: 0, judge: 0.3 } };
  const named = { ...header, answerModel: "small", judgeModel: "large", ...asked };
  await writeAudit(path, named, [judged]);
  expect((await readAudit(path)).header).toEqual(named);
});

it("the origin of the figures is kept: version, embedder and parameters", async () => {
  const path = scratch.next(".jsonl");
  const whole = { ...header, version: "1.2.3", embedder: "small", parameters: { startCountMax: 3 } };
  await writeAudit(path, whole, [record]);
  expect((await readAudit(path)).header).toEqual(whole);
});

it("a path that cannot be written is an invalid option", async () => {
  const path = join(scratch.next(""), "missing", "audit.jsonl");
  await expect(writeAudit(path, header, [])).rejects.toMatchObject({ code: "option_invalid" });
});

describe("refused with file, line and field:", () => {
  const cases: [string, string, RegExp][] = [
    ["an empty file", "", /is empty/u],
    ["another format", '{"format":"other"}', /line 1: format must be "mnemosyne-audit-1", but is "other"/u],
    [
      "a parameter that is not a number",
      JSON.stringify({ ...header, parameters: { startCountMax: "3" } }),
      /line 1: parameters\.startCountMax must be a number/u,
    ],
    ["a line that is not JSON", `${JSON.stringify(header)}\n{`, /line 2 is not JSON/u],
    [
      "a ranking that is not a list",
      `${JSON.stringify(header)}\n\n${JSON.stringify({ ...record, ranked: "i7" })}`,
      /line 3: ranked must be a list/u,
    ],
    [
      "a verdict without a reply",
      `${JSON.stringify(header)}\n${JSON.stringify({ ...record, verdicts: [{ judge: "strict", correct: true }] })}`,
      /line 2: verdicts\[0\]\.reply is missing/u,
    ],
  ];

  it.each(cases)("%s", async (_, text, message) => {
    const path = scratch.next(".jsonl");
    writeFileSync(path, text);
    expect(await refusal(path)).toMatch(message);
    expect(await refusal(path)).toContain(path);
  });

  it("a file that is not there", async () => expect(await refusal(scratch.next(".jsonl"))).toMatch(/cannot be read/u));
});
