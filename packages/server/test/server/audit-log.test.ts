/** The audit log: appended, without text, for its owner only, and in nobody's way. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openAuditLog } from "../../src/server/audit-log.js";
import type { AuditEntry } from "../../src/server/server-context.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { recordingLog } from "./hostile-server.js";

const scratch = new ScratchFolder();
const entry: AuditEntry = { action: "commit", operation: "commit", keyId: "abcdefgh", person: "ada", outcome: 202 };

it("appends a line per call, which is there before record returns, and readable by its owner only", () => {
  const file = scratch.next();
  for (const id of ["a-1", "a-2"]) {
    const audit = openAuditLog(file, recordingLog());
    audit.record({ ...entry, ids: [id] });
    expect(readFileSync(file, "utf8")).toContain(id);
    audit.close();
    audit.record({ ...entry, ids: ["late"] });
  }
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { ...entry, ids: ["a-1"], at: expect.stringMatching(/Z$/u) },
    { ...entry, ids: ["a-2"] },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("counts ids beyond a thousand", () => {
  const file = scratch.next();
  const audit = openAuditLog(file, recordingLog());
  audit.record({ ...entry, ids: Array.from({ length: 3_000 }, (_, i) => `a-${i}`) });
  audit.close();
  const { ids, idCount } = JSON.parse(readFileSync(file, "utf8")) as { ids: string[]; idCount: number };
  expect([ids.length, idCount]).toEqual([1_000, 3_000]);
});

it.runIf(existsSync("/dev/full"))("goes on when the disk is full, and says so in the log", () => {
  const log = recordingLog();
  openAuditLog("/dev/full", log).record(entry);
  expect(JSON.stringify(log.lines)).toContain("the audit log lost a line");
});

it("refuses a file that cannot be written when the server starts", () => {
  const file = scratch.next();
  writeFileSync(file, "");
  expect(() => openAuditLog(`${file}/below`, recordingLog())).toThrow(
    expect.objectContaining({ code: "option_invalid" }),
  );
});
