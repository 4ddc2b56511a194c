/** The audit log: appended, chained, without text, and honest about what it lost. */
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openAuditLog, verifyAuditLog } from "../../src/server/audit-log.js";
import type { AuditEntry } from "../../src/server/server-context.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { recordingLog } from "./hostile-server.js";

const scratch = new ScratchFolder();
const entry: AuditEntry = {
  action: "commit",
  operation: "commit",
  keyId: "abcdefgh",
  person: "ada",
  ids: ["a-1"],
  outcome: 202,
};

async function writeSome(file: string, count: number): Promise<string[]> {
  const audit = openAuditLog(file);
  for (let index = 0; index < count; index++) audit.record({ ...entry, ids: [`a-${index}`] });
  await audit.close();
  return linesOf(file);
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

describe("the audit log", () => {
  it("has a line for each call, for its owner only", async () => {
    const file = scratch.next(".jsonl");
    const audit = openAuditLog(file, { now: () => new Date("2026-01-02T03:04:05.678Z") });
    audit.record(entry);
    // It is there at once: a process that dies next loses nothing.
    expect(JSON.parse(linesOf(file)[0]!)).toEqual({
      at: "2026-01-02T03:04:05.678Z",
      ...entry,
      previous: "0".repeat(64),
    });
    audit.record({ action: "read", operation: "export", keyId: null, person: "a\u2028b\nc", outcome: "ok" });
    await audit.close();
    await audit.close();
    audit.record(entry);
    expect(linesOf(file)).toHaveLength(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await verifyAuditLog(file)).findings).toEqual([]);
  });

  it("is continued by the next process, after half a line too", async () => {
    const file = scratch.next(".jsonl");
    await writeSome(file, 3);
    await writeSome(file, 3);
    const whole = await verifyAuditLog(file);
    expect(whole).toMatchObject({ lineCount: 6, findings: [] });
    truncateSync(file, statSync(file).size - 10);
    expect((await verifyAuditLog(file)).findings).toEqual([{ line: 6, what: "incomplete" }]);
    await writeSome(file, 1);
    expect(await verifyAuditLog(file)).toMatchObject({ lineCount: 7, findings: [{ line: 6, what: "not JSON" }] });
  });

  it("is continued after a line longer than what is read at once", async () => {
    const file = scratch.next(".jsonl");
    const audit = openAuditLog(file);
    audit.record({ ...entry, ids: Array.from({ length: 2_000 }, (_, index) => `${index}-${"x".repeat(200)}`) });
    await audit.close();
    await writeSome(file, 1);
    expect(await verifyAuditLog(file)).toMatchObject({ lineCount: 2, findings: [] });
    expect(JSON.parse(linesOf(file)[0]!)).toMatchObject({ idCount: 2_000 });
  });

  it.each([
    ["changed", (lines: string[]) => lines.with(2, lines[2]!.replace("ada", "eve")), 4],
    ["taken out", (lines: string[]) => lines.toSpliced(2, 1), 3],
    ["put in", (lines: string[]) => lines.toSpliced(2, 0, lines[1]!), 3],
    ["moved", (lines: string[]) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)], 2],
  ])("shows that a line was %s", async (_, tamper, line) => {
    const file = scratch.next(".jsonl");
    const lines = await writeSome(file, 6);
    writeFileSync(file, `${tamper(lines).join("\n")}\n`);
    const { findings } = await verifyAuditLog(file);
    expect(findings[0]).toEqual({ line, what: "not tied to the line before" });
  });

  it("cut at its end is whole, and its last hash is another", async () => {
    const file = scratch.next(".jsonl");
    const lines = await writeSome(file, 6);
    const { lastHash } = await verifyAuditLog(file);
    writeFileSync(file, `${lines.slice(0, 5).join("\n")}\n`);
    const cut = await verifyAuditLog(file);
    expect(cut.findings).toEqual([]);
    expect(cut.lastHash).not.toBe(lastHash);
  });

  it("that is not wanted is not written, and one that cannot be is refused", async () => {
    const none = openAuditLog(null);
    none.record(entry);
    await none.close();
    expect(() => openAuditLog("/no/such/folder/audit.jsonl")).toThrow(/audit log .*no such folder/u);
    await expect(verifyAuditLog(scratch.next(".jsonl"))).rejects.toThrow(/no such file/u);
  });

  it("says when lines are lost, without failing the call", async (context) => {
    // A device that is always full. Elsewhere there is none.
    if (!existsSync("/dev/full")) return context.skip();
    const log = recordingLog();
    const audit = openAuditLog("/dev/full", { log });
    audit.record(entry);
    audit.record(entry);
    expect(log.lines).toMatchObject([
      { level: "error", fields: { lostCount: 1, reason: expect.stringContaining("the disk is full") } },
      { level: "error", fields: { lostCount: 2 } },
    ]);
    await audit.close().catch(() => {});
  });

  it("names lines that were lost", async () => {
    const file = scratch.next(".jsonl");
    writeFileSync(file, `${JSON.stringify({ at: "2026-01-01", lostBefore: 3, previous: "0".repeat(64) })}\n`);
    expect((await verifyAuditLog(file)).findings).toEqual([{ line: 1, what: "lines were lost before it" }]);
  });
});
