import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type AuditRecord, readAudit, writeAudit } from "../../src/eval/audit.js";
import { header, recordOf } from "./study-audit.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => join(folder, name);

describe("the audit file", () => {
  it("comes back as it was written", async () => {
    const verdicts = [{ judge: "strict", correct: true, reply: "Yes." }];
    const records: AuditRecord[] = [recordOf("heron", 1), recordOf("teal", 1, { answer: "By the sea.", verdicts })];
    await writeAudit(file("round.jsonl"), header, records);
    expect(await readAudit(file("round.jsonl"))).toEqual({ header, records });
  });

  const wrong: [string, unknown[], string][] = [
    ["another format", [{ ...header, format: "x" }], "line 1: format should be"],
    ["a seed that is no number", [{ ...header, seed: "7" }], "line 1: seed should be a number"],
    ["a record that is a list", [header, []], "line 2: not a JSON object"],
    [
      "a question that is missing",
      [header, { ...recordOf("a", 1), question: undefined }],
      "line 2: question should be",
    ],
    ["a time that is none", [header, recordOf("a", 1), recordOf("b", 1, { at: "soon" })], "line 3: at should be"],
    ["gold that is no list", [header, { ...recordOf("a", 1), gold: "i1" }], "line 2: gold should be a list of texts"],
    ["tokens below zero", [header, recordOf("a", 1, { contextTokens: -1 })], "line 2: contextTokens should be"],
    [
      "a verdict without reply",
      [header, { ...recordOf("a", 1), verdicts: [{ judge: "s" }] }],
      "line 2: verdicts should",
    ],
  ];

  it.each(wrong)("is refused with %s, by name of file, line and field", async (_, lines, message) => {
    writeFileSync(file("wrong.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    await expect(readAudit(file("wrong.jsonl"))).rejects.toThrow(`wrong.jsonl, ${message}`);
  });

  it("is refused where it is empty, no JSON, or not there", async () => {
    writeFileSync(file("wrong.jsonl"), "");
    await expect(readAudit(file("wrong.jsonl"))).rejects.toThrow("is empty");
    writeFileSync(file("wrong.jsonl"), "{\n");
    await expect(readAudit(file("wrong.jsonl"))).rejects.toThrow("line 1: not JSON");
    await expect(readAudit(file("none.jsonl"))).rejects.toThrow("cannot be read");
  });
});
