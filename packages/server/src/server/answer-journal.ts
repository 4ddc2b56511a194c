/**
 * What was answered to which Idempotency-Key, for a day, so that a write which is sent again after a restart or a crash is
 * not done again. A line is appended before the answer is sent. Names are hashes and contents are sealed by whoever
 * calls (rest/idempotency.ts), so nothing here can be read without the caller's key: no name, no id, no text.
 *
 * Each process writes files of its own into the folder and reads those of others, so that servers which share the folder
 * know each other's answers. Without a folder, or where it cannot be written, the process alone remembers.
 *
 * What is kept is shared out fairly (fair-entries.ts). Old files are removed whole; what is still kept of them is written
 * to the newest first.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeUnreadable, describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { type KeptLine, FairEntries } from "./fair-entries.js";
import type { AnswerJournal, JournalEntry, ServerLog } from "./server-context.js";

const keptMs = 24 * 3_600_000;
/** Lines in memory. */
const keptBytesMax = 32 * 2 ** 20;
/** Of all files together. More than what is kept, so that removing one frees something. */
const folderBytesMax = 48 * 2 ** 20;
const fileBytesMax = 4 * 2 ** 20;
const ending = ".jsonl";

/** Without a state: what was begun was refused. */
interface JournalLine extends Partial<JournalEntry> {
  readonly name: string;
  readonly owner: string;
  readonly atMs: number;
}

interface JournalFile {
  readonly path: string;
  readonly byteCount: number;
  readonly changedMs: number;
  readonly isFile: boolean;
}

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly openedMs: number;
  /** Whole lines. */
  byteCount: number;
}

export function openAnswerJournal(folder: string | null, log: ServerLog, now = Date.now): AnswerJournal {
  return new FolderJournal(folder, log, now);
}

class FolderJournal implements AnswerJournal {
  readonly #folder: string | null;
  readonly #log: ServerLog;
  readonly #now: () => number;
  readonly #entries = new FairEntries<JournalLine & JournalEntry & KeptLine>(keptBytesMax);
  /** How much of the files of other processes has been read. */
  readonly #readBytes = new Map<string, number>();
  #file: OpenFile | null = null;
  #isClosed = false;

  constructor(folder: string | null, log: ServerLog, now: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
    this.#removeOld(null);
    this.#readOthers();
  }

  find(name: string): JournalEntry | undefined {
    // What was begun here may have been done by another.
    if (this.#entries.get(name)?.state !== "done") this.#readOthers();
    const entry = this.#entries.get(name);
    return entry === undefined || entry.atMs <= this.#now() - keptMs ? undefined : entry;
  }

  async begin(name: string, box: string, owner: string): Promise<void> {
    this.#append({ name, owner, atMs: this.#now(), state: "begun", box });
    const file = this.#file;
    // A power cut must not take it: what was begun would be done again.
    if (file !== null) await promisify(fdatasync)(file.descriptor).catch((cause) => this.#fail(cause));
  }

  keep(name: string, box: string, owner: string): void {
    this.#append({ name, owner, atMs: this.#now(), state: "done", box });
  }

  drop(name: string, owner: string): void {
    this.#append({ name, owner, atMs: this.#now() });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
    this.#isClosed = true;
  }

  #append(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#take(line, bytes.byteLength);
    const folder = this.#folder;
    if (folder === null || this.#isClosed) return;
    try {
      writeWhole(this.#fileFor(bytes.byteLength, folder), bytes);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** A file is let go of when it is full, a day old or removed by another process: whole files can be removed. */
  #fileFor(byteCount: number, folder: string): OpenFile {
    const nowMs = this.#now();
    const known = this.#file;
    if (known !== null) {
      const isFresh = known.byteCount + byteCount <= fileBytesMax && known.openedMs > nowMs - keptMs;
      if (isFresh && fstatSync(known.descriptor).nlink > 0) return known;
      closeSync(known.descriptor);
      this.#file = null;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${nowMs}-${randomBytes(6).toString("hex")}${ending}`);
    const file = { path, descriptor: openSync(path, "ax", 0o600), openedMs: nowMs, byteCount: 0 };
    this.#file = file;
    // What is written here is known already.
    this.#readBytes.set(path, Infinity);
    this.#removeOld(file);
    return file;
  }

  /** What was done stays done: another that was begun or refused at the same time, elsewhere, does not undo it. */
  #take(line: JournalLine, byteCount: number): void {
    const { name, atMs, state, box } = line;
    const before = this.#entries.get(name);
    if (before?.state === "done" && state !== "done" && before.atMs > atMs - keptMs) return;
    this.#entries.delete(name);
    if (state !== undefined && box !== undefined) this.#entries.add({ ...line, state, box, byteCount });
    this.#entries.deleteUntil(this.#now() - keptMs);
  }

  /** What other processes, or earlier ones, have written since. */
  #readOthers(): void {
    if (this.#folder === null || this.#isClosed) return;
    const lines: { readonly line: JournalLine; readonly byteCount: number }[] = [];
    for (const { path, byteCount } of this.#files()) {
      const from = this.#readBytes.get(path) ?? 0;
      if (byteCount <= from) continue;
      try {
        const bytes = readFrom(path, from, byteCount);
        this.#readBytes.set(path, from + bytes.lastIndexOf("\n") + 1);
        for (const each of parseLines(bytes)) lines.push(each);
      } catch (cause) {
        this.#readBytes.set(path, Infinity);
        this.#log.warn({ reason: describeUnreadable(path, cause) }, "kept answers could not be read");
      }
    }
    // Which came first is not told by the files: each is written to for a while.
    lines.sort((one, other) => one.line.atMs - other.line.atMs);
    for (const { line, byteCount } of lines) this.#take(line, byteCount);
  }

  /** Too old, or too much: then what is kept of it moves to the new file first. */
  #removeOld(newest: OpenFile | null): void {
    if (newest !== null) this.#readOthers();
    let byteCount = 0;
    const over = this.#files()
      .toReversed()
      .filter((file) => {
        byteCount += file.byteCount;
        const isOver = byteCount > folderBytesMax && newest !== null;
        return (isOver || file.changedMs <= this.#now() - keptMs) && file.isFile && file.path !== newest?.path;
      });
    if (newest !== null) {
      for (const file of over) this.#carryOver(file.path, newest);
      if (newest.byteCount > 0) fdatasyncSync(newest.descriptor);
    }
    for (const { path } of over) {
      rmSync(path, { force: true });
      this.#readBytes.delete(path);
    }
  }

  #carryOver(path: string, newest: OpenFile): void {
    const kept = [...readAll(path)].filter(({ line }) => {
      const entry = this.#entries.get(line.name);
      return entry !== undefined && entry.atMs === line.atMs && entry.state === line.state;
    });
    const text = kept.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
    if (text !== "") writeWhole(newest, Buffer.from(text));
  }

  /** Oldest first. */
  #files(): JournalFile[] {
    const folder = this.#folder;
    if (folder === null) return [];
    const names = listFolder(folder).filter((name) => name.endsWith(ending));
    return names.toSorted().flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) return [];
      return { path, byteCount: found.size, changedMs: found.mtimeMs, isFile: found.isFile() };
    });
  }

  /** A full disk must not keep people from forgetting. */
  #fail(cause: unknown): void {
    const reason = describeUnwritable(this.#folder ?? "", cause);
    this.#log.error({ reason }, "an answer to an idempotency key is kept by this process only");
  }
}

/** All of it or nothing: half a line would spoil the next one, and a file for each try would fill the folder. */
function writeWhole(file: OpenFile, bytes: Buffer): void {
  try {
    if (writeSync(file.descriptor, bytes) < bytes.byteLength) throw diskFull();
    file.byteCount += bytes.byteLength;
  } catch (cause) {
    ftruncateSync(file.descriptor, file.byteCount);
    throw cause;
  }
}

/** A folder that is gone has nothing in it. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readFrom(path: string, from: number, to: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.byteLength, from));
  } finally {
    closeSync(descriptor);
  }
}

/** Nothing of what cannot be read: that was said when it was tried first. */
function readAll(path: string): ReturnType<typeof parseLines> | [] {
  try {
    return parseLines(readFrom(path, 0, statSync(path).size));
  } catch {
    return [];
  }
}

/** Whole lines: the end may be half of one, of a process that is writing it, or died. What is none is passed over. */
function* parseLines(bytes: Buffer): Generator<{ readonly line: JournalLine; readonly byteCount: number }> {
  const end = bytes.lastIndexOf("\n") + 1;
  for (const text of bytes.toString("utf8", 0, end).split("\n")) {
    const line = parseLine(text);
    if (line !== null) yield { line, byteCount: text.length + 1 };
  }
}

function parseLine(text: string): JournalLine | null {
  try {
    const { name, owner = "", atMs, state, box } = JSON.parse(text) as Record<string, unknown>;
    if (typeof name !== "string" || typeof owner !== "string" || typeof atMs !== "number") return null;
    if (state === undefined) return { name, owner, atMs };
    const isEntry = (state === "begun" || state === "done") && typeof box === "string";
    return isEntry ? { name, owner, atMs, state, box } : null;
  } catch {
    return null;
  }
}

function diskFull(): Error {
  return Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
}
