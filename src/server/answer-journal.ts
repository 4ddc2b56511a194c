/**
 * What was answered to which Idempotency-Key, for a day, so that a write which is sent again after a restart or a crash is
 * not done again. A line is appended before the answer is sent. Names are hashes and contents are sealed by whoever
 * calls (rest/idempotency.ts), so nothing here can be read without the caller's key: no name, no id, no text.
 *
 * Each process writes files of its own into the folder and reads those of others, so that servers which share the folder
 * know each other's answers. Without a folder, or where it cannot be written, the process alone remembers.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fdatasync, mkdirSync, openSync, readSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeUnreadable, describeUnwritable } from "../files/file-error.js";
import type { AnswerJournal, JournalEntry, ServerLog } from "./server-context.js";

const keptMs = 24 * 3_600_000;
/** Of all files together, and of what is in memory: beyond it the oldest answers go first. */
const keptBytesMax = 32 * 2 ** 20;
const fileBytesMax = 4 * 2 ** 20;
const ending = ".jsonl";

interface JournalLine extends Partial<JournalEntry> {
  readonly name: string;
  readonly atMs: number;
}

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly openedMs: number;
  byteCount: number;
}

export function openAnswerJournal(folder: string | null, log: ServerLog, now = Date.now): AnswerJournal {
  return new FolderJournal(folder, log, now);
}

class FolderJournal implements AnswerJournal {
  readonly #folder: string | null;
  readonly #log: ServerLog;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #entries = new Map<string, JournalEntry & { readonly atMs: number }>();
  /** How much of the files of other processes has been read. */
  readonly #readBytes = new Map<string, number>();
  #entryBytes = 0;
  #file: OpenFile | null = null;
  #isClosed = false;

  constructor(folder: string | null, log: ServerLog, now: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
    this.#removeOld();
    this.#readOthers();
  }

  find(name: string): JournalEntry | undefined {
    const entry = this.#entries.get(name) ?? this.#findOfOthers(name);
    return entry === undefined || entry.atMs <= this.#now() - keptMs ? undefined : entry;
  }

  async begin(name: string, box: string): Promise<void> {
    this.#append({ name, atMs: this.#now(), state: "begun", box });
    const file = this.#file;
    // A power cut must not take it: what was begun would be done again.
    if (file !== null) await promisify(fdatasync)(file.descriptor).catch((cause) => this.#fail(cause));
  }

  keep(name: string, box: string): void {
    this.#append({ name, atMs: this.#now(), state: "done", box });
  }

  drop(name: string): void {
    this.#append({ name, atMs: this.#now() });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
    this.#isClosed = true;
  }

  #append(line: JournalLine): void {
    this.#take(line);
    if (this.#folder === null || this.#isClosed) return;
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      const file = this.#fileFor(bytes.byteLength, this.#folder);
      file.byteCount += bytes.byteLength;
      if (writeSync(file.descriptor, bytes) < bytes.byteLength) throw diskFull();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** A file is let go of when it is full or a day old, so that whole files can be removed. */
  #fileFor(byteCount: number, folder: string): OpenFile {
    const nowMs = this.#now();
    const known = this.#file;
    const isUsable = known !== null && known.byteCount + byteCount <= fileBytesMax && known.openedMs > nowMs - keptMs;
    if (isUsable) return known;
    if (known !== null) {
      closeSync(known.descriptor);
      this.#removeOld();
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${nowMs}-${randomBytes(6).toString("hex")}${ending}`);
    this.#file = { path, descriptor: openSync(path, "ax", 0o600), openedMs: nowMs, byteCount: 0 };
    // What is written here is known already.
    this.#readBytes.set(path, Infinity);
    return this.#file;
  }

  #take(line: JournalLine): void {
    const { name, atMs, state, box } = line;
    const before = this.#entries.get(name);
    this.#entries.delete(name);
    this.#entryBytes -= before?.box.length ?? 0;
    if (state === undefined || box === undefined) return;
    this.#entries.set(name, { atMs, state, box });
    this.#entryBytes += box.length;
    for (const [oldest, entry] of this.#entries) {
      if (entry.atMs > this.#now() - keptMs && this.#entryBytes <= keptBytesMax) return;
      this.#entries.delete(oldest);
      this.#entryBytes -= entry.box.length;
    }
  }

  #findOfOthers(name: string): (JournalEntry & { readonly atMs: number }) | undefined {
    if (this.#folder === null || this.#isClosed) return undefined;
    this.#readOthers();
    return this.#entries.get(name);
  }

  /** What other processes, or earlier ones, have written since. */
  #readOthers(): void {
    for (const { path, byteCount } of this.#files()) {
      const from = this.#readBytes.get(path) ?? 0;
      if (byteCount <= from) continue;
      try {
        this.#readBytes.set(path, from + this.#readLines(readFrom(path, from, byteCount)));
      } catch (cause) {
        this.#readBytes.set(path, Infinity);
        this.#log.warn({ reason: describeUnreadable(path, cause) }, "kept answers could not be read");
      }
    }
  }

  /** Returns how much of it are lines: the end may be half a line, of a process that is writing it, or died. */
  #readLines(bytes: Buffer): number {
    const end = bytes.lastIndexOf("\n") + 1;
    for (const text of bytes.toString("utf8", 0, end).split("\n")) {
      const line = parseLine(text);
      if (line !== null) this.#take(line);
    }
    return end;
  }

  #removeOld(): void {
    let byteCount = 0;
    for (const file of this.#files().toReversed()) {
      byteCount += file.byteCount;
      const isOver = file.changedMs <= this.#now() - keptMs || byteCount > keptBytesMax;
      if (!isOver) continue;
      rmSync(file.path, { force: true });
      this.#readBytes.delete(file.path);
    }
  }

  /** Oldest first. */
  #files(): { readonly path: string; readonly byteCount: number; readonly changedMs: number }[] {
    const folder = this.#folder;
    if (folder === null) return [];
    const names = listFolder(folder).filter((name) => name.endsWith(ending));
    return names.toSorted().flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : { path, byteCount: found.size, changedMs: found.mtimeMs };
    });
  }

  /** A full disk must not keep people from forgetting. The next line goes to another file: this one may end in half a line. */
  #fail(cause: unknown): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
    const reason = describeUnwritable(this.#folder ?? "", cause);
    this.#log.error({ reason }, "an answer to an idempotency key is kept by this process only");
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

function parseLine(text: string): JournalLine | null {
  try {
    const line = JSON.parse(text) as JournalLine | null;
    return typeof line?.name === "string" && typeof line.atMs === "number" ? line : null;
  } catch {
    return null;
  }
}

function diskFull(): Error {
  return Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
}
