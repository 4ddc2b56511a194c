/** The folder of answers to idempotency keys: who shares it, what ages, what breaks. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAnswerJournal } from "../../src/server/answer-journal.js";
import { FairEntries, type KeptLine } from "../../src/server/fair-entries.js";
import type { AnswerJournal } from "../../src/server/server-context.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { recordingLog } from "./hostile-server.js";

const scratch = new ScratchFolder();
const dayMs = 24 * 3_600_000;
const filesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

it("what one process keeps, another that shares the folder finds, also while both run", async () => {
  const folder = scratch.next(".answers");
  const [one, other] = [openAnswerJournal(folder, recordingLog()), openAnswerJournal(folder, recordingLog())];
  await one.begin("a", "box 1", "key");
  expect(other.find("a")).toMatchObject({ state: "begun", box: "box 1" });
  one.keep("b", "box 2", "key");
  expect(other.find("b")).toMatchObject({ state: "done", box: "box 2" });
  other.keep("c", "box 3", "key");
  expect(one.find("c")).toMatchObject({ box: "box 3" });
  for (const each of [one, other]) each.close();
  const later = openAnswerJournal(folder, recordingLog());
  expect(["a", "b", "c", "d"].map((name) => later.find(name)?.box)).toEqual(["box 1", "box 2", "box 3", undefined]);
  later.close();
});

it("what was dropped is gone, also for the next process", async () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  await journal.begin("a", "box", "key");
  journal.drop("a", "key");
  expect(journal.find("a")).toBeUndefined();
  journal.close();
  expect(openAnswerJournal(folder, recordingLog()).find("a")).toBeUndefined();
});

it("is for its owner only", () => {
  const folder = scratch.next(".answers");
  openAnswerJournal(folder, recordingLog()).keep("a", "box", "key");
  const modes = [folder, ...filesOf(folder)].map((path) => statSync(path).mode & 0o077);
  expect(modes).toEqual([0, 0]);
});

it("half a line of a process that died, and lines that are none, are passed over", () => {
  const folder = scratch.next(".answers");
  openAnswerJournal(folder, recordingLog()).keep("a", "box", "key");
  const [file] = filesOf(folder);
  appendFileSync(file!, 'null\n{"name":1}\nnonsense\n{"name":"b","atMs":');
  const next = openAnswerJournal(folder, recordingLog());
  expect(next.find("a")?.box).toBe("box");
  next.keep("b", "whole", "key");
  expect(openAnswerJournal(folder, recordingLog()).find("b")?.box).toBe("whole");
});

it("after a day answers are let go of, and files removed", () => {
  const folder = scratch.next(".answers");
  let nowMs = Date.now();
  const journal = openAnswerJournal(folder, recordingLog(), () => nowMs);
  journal.keep("a", "box", "key");
  const [file] = filesOf(folder);
  nowMs += dayMs - 1;
  expect(journal.find("a")).toBeDefined();
  nowMs += 1;
  expect(journal.find("a")).toBeUndefined();
  utimesSync(file!, new Date(nowMs - dayMs), new Date(nowMs - dayMs));
  journal.keep("b", "box", "key");
  expect(filesOf(folder)).not.toContain(file);
  expect(filesOf(folder)).toHaveLength(1);
});

it("holds no more than a bounded number of bytes, the newest", () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  const box = "x".repeat(2 ** 20);
  for (let i = 0; i < 80; i++) journal.keep(`name ${i}`, box, "key");
  const byteCount = filesOf(folder).reduce((sum, path) => sum + readFileSync(path).byteLength, 0);
  expect(byteCount).toBeLessThan(57 * 2 ** 20);
  for (const each of [journal, openAnswerJournal(folder, recordingLog())]) {
    expect([0, 47, 50, 79].map((i) => each.find(`name ${i}`) !== undefined)).toEqual([false, false, true, true]);
  }
});

it("who keeps much pushes out its own answers only, also on the disk", async () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  const small = "x".repeat(1_000);
  for (let i = 0; i < 500; i++) journal.keep(`modest ${i}`, small, "modest");
  await journal.begin("modest begun", small, "modest");
  const box = "x".repeat(2 ** 19);
  for (let i = 0; i < 400; i++) journal.keep(`greedy ${i}`, box, "greedy");
  const byteCount = filesOf(folder).reduce((sum, path) => sum + readFileSync(path).byteLength, 0);
  expect(byteCount).toBeLessThan(57 * 2 ** 20);
  for (const each of [journal, openAnswerJournal(folder, recordingLog())]) {
    const found = Array.from({ length: 500 }, (_, i) => each.find(`modest ${i}`)?.state);
    expect(found.filter((state) => state === "done")).toHaveLength(500);
    expect(each.find("modest begun")?.state).toBe("begun");
    expect([each.find("greedy 0"), each.find("greedy 399")?.box.length]).toEqual([undefined, box.length]);
  }
});

it("many small shares leave each other alone; of two that are too large both lose the oldest", () => {
  const entries = new FairEntries<KeptLine>(1_000);
  const add = (owner: string, atMs: number, byteCount: number): void =>
    entries.add({ name: `${owner} ${atMs}`, owner, atMs, byteCount });
  for (let i = 0; i < 10; i++) add(`small ${i}`, 0, 20);
  for (let i = 0; i < 50; i++) for (const owner of ["a", "b"]) add(owner, i, 50);
  const has = (owner: string): number[] =>
    Array.from({ length: 50 }, (_, i) => i).filter((i) => entries.get(`${owner} ${i}`) !== undefined);
  expect(Array.from({ length: 10 }, (_, i) => has(`small ${i}`))).toEqual(Array.from({ length: 10 }, () => [0]));
  const newest = [42, 43, 44, 45, 46, 47, 48, 49];
  expect([has("a"), has("b")]).toEqual([newest, newest]);
});

it("what another did is known, whichever file is read first, and is not undone by what was begun or refused elsewhere", async () => {
  const folder = scratch.next(".answers");
  let nowMs = Date.now();
  const open = (): AnswerJournal => openAnswerJournal(folder, recordingLog(), () => nowMs++);
  const older = open();
  older.keep("first", "box", "key");
  // Its file has the later name, and its line is the earlier one.
  const newer = open();
  for (const name of ["a", "b"]) await newer.begin(name, "begun box", "key");
  older.keep("a", "done box", "key");
  older.drop("b", "key");
  newer.drop("a", "key");
  expect(newer.find("a")).toMatchObject({ state: "done", box: "done box" });
  const later = open();
  expect(later.find("a")).toMatchObject({ state: "done", box: "done box" });
  expect(later.find("b")).toBeUndefined();
});

it("lines that somebody damaged change nothing for the others, and a file that another removes is not written to", () => {
  const folder = scratch.next(".answers");
  const journal = openAnswerJournal(folder, recordingLog());
  journal.keep("a", "box", "key");
  const lines = [
    '{"name":"a","atMs":1e99,"state":"done","box":5}',
    '{"name":"a","atMs":1e99,"state":"undone","box":"x"}',
    '{"name":"a","atMs":1e99,"state":"done"}',
    '{"name":"a","owner":{},"atMs":1e99}',
    "[]",
    "\0\0\0",
  ];
  writeFileSync(join(folder, "9-damaged.jsonl"), `${lines.join("\n")}\n`);
  const next = openAnswerJournal(folder, recordingLog());
  expect(next.find("a")?.box).toBe("box");
  next.keep("b", "box", "key");
  for (const path of filesOf(folder)) rmSync(path);
  next.keep("c", "box", "key");
  expect(openAnswerJournal(folder, recordingLog()).find("c")?.box).toBe("box");
});

/** What the process does that may write no file of more than 8 kB: the nearest thing to a full disk that needs no other. */
const onFullDisk = `
  import { openAnswerJournal } from "${new URL("../../dist/server/answer-journal.js", import.meta.url).href}";
  let errors = 0;
  const log = { error: () => errors++ };
  const journal = openAnswerJournal(process.argv[1], log);
  journal.keep("a", "box", "key");
  for (let i = 0; i < 20; i++) journal.keep("full " + i, "x".repeat(10_000), "key");
  journal.keep("b", "box", "key");
  console.log(JSON.stringify({ errors, own: journal.find("full 3").box.length }));
`;

it.skipIf(process.platform === "win32")("a full disk: nothing half is left, and it goes on where there is room", () => {
  const folder = scratch.next(".answers");
  const limited = ["-c", 'ulimit -f 8; exec "$0" "$@"', process.execPath, "--input-type=module", "-e", onFullDisk];
  const { stdout, stderr } = spawnSync("bash", [...limited, folder], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ errors: 20, own: 10_000 });
  expect(filesOf(folder).map((path) => readFileSync(path, "utf8").split("\n").length)).toEqual([3]);
  const next = openAnswerJournal(folder, recordingLog());
  expect(["a", "full 3", "b"].map((name) => next.find(name)?.box)).toEqual(["box", undefined, "box"]);
});

it("where the folder cannot be used, the process alone remembers, and the log says so", async () => {
  const file = scratch.next();
  writeFileSync(file, "");
  const log = recordingLog();
  const journal = openAnswerJournal(join(file, "answers"), log);
  await journal.begin("a", "box", "key");
  journal.keep("b", "box", "key");
  expect([journal.find("a")?.state, journal.find("b")?.state]).toEqual(["begun", "done"]);
  expect(log.lines.map(({ level }) => level)).toEqual(["error", "error"]);
});

it("what cannot be read hides nothing else, and is said once", () => {
  const folder = scratch.next(".answers");
  mkdirSync(join(folder, "0-unreadable.jsonl"), { recursive: true });
  openAnswerJournal(folder, recordingLog()).keep("a", "box", "key");
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
  journal.keep("a", "box", "key");
  expect(openAnswerJournal(folder, recordingLog()).find("a")?.box).toBe("box");
});
