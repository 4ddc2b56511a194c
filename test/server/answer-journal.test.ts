/** The folder of answers to idempotency keys: who shares it, what ages, what breaks. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAnswerJournal } from "../../src/server/answer-journal.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { recordingLog } from "./hostile-server.js";

const scratch = new ScratchFolder();
const dayMs = 24 * 3_600_000;
const filesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

it("what one process keeps, another that shares the folder finds, also while both run", async () => {
  const folder = scratch.next(".answers");
  const [one, other] = [openAnswerJournal(folder, recordingLog()), openAnswerJournal(folder, recordingLog())];
  await one.begin("a", "box 1");
  expect(other.find("a")).toMatchObject({ state: "begun", box: "box 1" });
  one.keep("b", "box 2");
  expect(other.find("b")).toMatchObject({ state: "done", box: "box 2" });
  other.keep("c", "box 3");
  expect(one.find("c")).toMatchObject({ box: "box 3" });
  for (const each of [one, other]) each.close();
  const later = openAnswerJournal(folder, recordingLog());
  expect(["a", "b", "c", "d"].map((name) => later.find(name)?.box)).toEqual(["box 1", "box 2", "box 3", undefined]);
  later.close();
});

it("what was dropped is gone, also for the next process", async () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  await journal.begin("a", "box");
  journal.drop("a");
  expect(journal.find("a")).toBeUndefined();
  journal.close();
  expect(openAnswerJournal(folder, recordingLog()).find("a")).toBeUndefined();
});

it("is for its owner only", () => {
  const folder = scratch.next(".answers");
  openAnswerJournal(folder, recordingLog()).keep("a", "box");
  const modes = [folder, ...filesOf(folder)].map((path) => statSync(path).mode & 0o077);
  expect(modes).toEqual([0, 0]);
});

it("half a line of a process that died, and lines that are none, are passed over", () => {
  const folder = scratch.next(".answers");
  openAnswerJournal(folder, recordingLog()).keep("a", "box");
  const [file] = filesOf(folder);
  appendFileSync(file!, 'null\n{"name":1}\nnonsense\n{"name":"b","atMs":');
  const next = openAnswerJournal(folder, recordingLog());
  expect(next.find("a")?.box).toBe("box");
  next.keep("b", "whole");
  expect(openAnswerJournal(folder, recordingLog()).find("b")?.box).toBe("whole");
});

it("after a day answers are let go of, and files removed", () => {
  const folder = scratch.next(".answers");
  let nowMs = Date.now();
  const journal = openAnswerJournal(folder, recordingLog(), () => nowMs);
  journal.keep("a", "box");
  const [file] = filesOf(folder);
  nowMs += dayMs - 1;
  expect(journal.find("a")).toBeDefined();
  nowMs += 1;
  expect(journal.find("a")).toBeUndefined();
  utimesSync(file!, new Date(nowMs - dayMs), new Date(nowMs - dayMs));
  journal.keep("b", "box");
  expect(filesOf(folder)).not.toContain(file);
  expect(filesOf(folder)).toHaveLength(1);
});

it("holds no more than a bounded number of bytes, the newest", () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  const box = "x".repeat(2 ** 20);
  for (let i = 0; i < 50; i++) journal.keep(`name ${i}`, box);
  const byteCount = filesOf(folder).reduce((sum, path) => sum + readFileSync(path).byteLength, 0);
  expect(byteCount).toBeLessThan(37 * 2 ** 20);
  expect(journal.find("name 49")).toBeDefined();
  expect(journal.find("name 30")).toBeDefined();
  expect(journal.find("name 0")).toBeUndefined();
});

it("where the folder cannot be used, the process alone remembers, and the log says so", async () => {
  const file = scratch.next();
  writeFileSync(file, "");
  const log = recordingLog();
  const journal = openAnswerJournal(join(file, "answers"), log);
  await journal.begin("a", "box");
  journal.keep("b", "box");
  expect([journal.find("a")?.state, journal.find("b")?.state]).toEqual(["begun", "done"]);
  expect(log.lines.map(({ level }) => level)).toEqual(["error", "error"]);
});

it("what cannot be read hides nothing else, and is said once", () => {
  const folder = scratch.next(".answers");
  mkdirSync(join(folder, "0-unreadable.jsonl"), { recursive: true });
  openAnswerJournal(folder, recordingLog()).keep("a", "box");
  const log = recordingLog();
  const journal = openAnswerJournal(folder, log);
  expect(journal.find("a")?.box).toBe("box");
  expect(journal.find("none")).toBeUndefined();
  expect(log.lines.map(({ message }) => message)).toEqual(["kept answers could not be read"]);
});

it("a folder is made when there is something to keep", () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  expect(journal.find("a")).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  journal.keep("a", "box");
  expect(openAnswerJournal(folder, recordingLog()).find("a")?.box).toBe("box");
});
