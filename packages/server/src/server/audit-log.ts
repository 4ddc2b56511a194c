/**
 * Who read, committed, changed or forgot what, and when: lines of JSON that are only ever appended. A line carries the
 * SHA-256 of the line before, so that a line that is changed, taken out or put in later can be found. It has names of persons
 * and ids, and no memory text.
 *
 * A line is written before `record` returns, so it survives the death of the process; the disk is told to keep it once a
 * second, so a power cut may take the last second. If it cannot be written the request goes on: a full disk must not keep
 * people from forgetting. The log says so, and the next line that can be written says how many are missing.
 */
import { createHash } from "node:crypto";
import { closeSync, createReadStream, fstatSync, fsync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { describeUnreadable, describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { InputError } from "mnemosyne-edge";
import type { AuditEntry, AuditLog, ServerLog } from "./server-context.js";

export interface AuditLogOptions {
  readonly now?: () => Date;
  /** Lines that are lost are said here. */
  readonly log?: ServerLog;
}

const firstPrevious = "0".repeat(64);
const syncMs = 1_000;
const idCountMax = 1_000;
const newline = 10;

/** Null writes nothing. One process at a time may write to a file: two would tie their lines to the same one. */
export function openAuditLog(file: string | null, { now = () => new Date(), log }: AuditLogOptions = {}): AuditLog {
  return file === null ? { record: () => {}, close: async () => {} } : new FileAuditLog(file, now, log);
}

class FileAuditLog implements AuditLog {
  readonly #file: string;
  readonly #now: () => Date;
  readonly #log: ServerLog | undefined;
  readonly #descriptor: number;
  readonly #timer: NodeJS.Timeout;
  #previous: string;
  #lostCount = 0;
  #isTorn = false;
  #isDirty = false;
  #isClosed = false;

  constructor(file: string, now: () => Date, log: ServerLog | undefined) {
    this.#file = file;
    this.#now = now;
    this.#log = log;
    try {
      this.#descriptor = openSync(file, "a+", 0o600);
      const last = readLastLine(this.#descriptor);
      // A process that died while writing left half a line. It stays, as a line that cannot be read.
      this.#isTorn = last.isTorn;
      this.#previous = last.line === null ? firstPrevious : hashOf(last.line);
    } catch (cause) {
      throw new InputError("option_invalid", `audit log ${describeUnwritable(file, cause)}`, { cause });
    }
    this.#timer = setInterval(() => this.#sync(), syncMs);
    this.#timer.unref();
  }

  record({ ids, ...entry }: AuditEntry): void {
    if (this.#isClosed) return;
    const shown =
      ids === undefined
        ? {}
        : { ids: ids.slice(0, idCountMax), ...(ids.length > idCountMax ? { idCount: ids.length } : {}) };
    const missing = this.#lostCount === 0 ? {} : { lostBefore: this.#lostCount };
    const at = this.#now().toISOString();
    const line = Buffer.from(JSON.stringify({ at, ...entry, ...shown, ...missing, previous: this.#previous }));
    try {
      this.#append(line);
      this.#previous = hashOf(line);
      this.#lostCount = 0;
      this.#isDirty = true;
    } catch (cause) {
      this.#lostCount++;
      this.#log?.error(
        { lostCount: this.#lostCount, reason: describeUnwritable(this.#file, cause) },
        "the audit log lost a line",
      );
    }
  }

  /** One write for a line, so that none is in the middle of another. */
  #append(line: Buffer): void {
    const bytes = Buffer.concat([this.#isTorn ? Buffer.from("\n") : Buffer.alloc(0), line, Buffer.from("\n")]);
    const written = writeSync(this.#descriptor, bytes);
    if (written === bytes.byteLength) {
      this.#isTorn = false;
      return;
    }
    // Half a line is on the disk: the chain goes on from there, as it does after a process has died.
    if (written > 0) {
      const half = bytes.subarray(this.#isTorn ? 1 : 0, written);
      this.#isTorn = half.byteLength > 0;
      if (this.#isTorn) this.#previous = hashOf(half);
    }
    throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  }

  #sync(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    fsync(this.#descriptor, (cause) => {
      if (cause !== null && !this.#isClosed) {
        this.#log?.error({ reason: describeUnwritable(this.#file, cause) }, "the audit log may lose its last lines");
      }
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    try {
      fsyncSync(this.#descriptor);
    } finally {
      closeSync(this.#descriptor);
    }
  }
}

function hashOf(line: Uint8Array): string {
  return createHash("sha256").update(line).digest("hex");
}

const tailBytes = 64 * 1_024;

/** From the end, in larger and larger pieces until one holds a whole line. */
function readLastLine(descriptor: number): { line: Buffer | null; isTorn: boolean } {
  const { size } = fstatSync(descriptor);
  if (size === 0) return { line: null, isTorn: false };
  for (let length = Math.min(size, tailBytes); ; length = Math.min(size, length * 4)) {
    const tail = Buffer.alloc(length);
    readSync(descriptor, tail, 0, length, size - length);
    const isTorn = tail.at(-1) !== newline;
    const body = isTorn ? tail : tail.subarray(0, -1);
    const start = body.lastIndexOf(newline);
    if (start >= 0 || length === size) return { line: body.subarray(start + 1), isTorn };
  }
}

export interface AuditFinding {
  /** From 1. */
  readonly line: number;
  readonly what: "not JSON" | "not tied to the line before" | "lines were lost before it" | "incomplete";
}

export interface AuditVerification {
  readonly lineCount: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** Kept elsewhere, it shows whether lines at the end were taken away, or everything was written again. */
  readonly lastHash: string;
  readonly findings: readonly AuditFinding[];
}

export async function verifyAuditLog(file: string): Promise<AuditVerification> {
  const findings: AuditFinding[] = [];
  let lineCount = 0;
  let firstAt: string | null = null;
  let lastAt: string | null = null;
  let lastHash = firstPrevious;
  try {
    for await (const { bytes, isComplete } of linesOf(file)) {
      lineCount++;
      const find = (what: AuditFinding["what"]): void => void findings.push({ line: lineCount, what });
      const entry = parseLine(bytes);
      if (!isComplete) find("incomplete");
      else if (entry === null) find("not JSON");
      else {
        if (entry.previous !== lastHash) find("not tied to the line before");
        if (entry.lostBefore !== undefined) find("lines were lost before it");
        firstAt ??= entry.at;
        lastAt = entry.at;
      }
      lastHash = hashOf(bytes);
    }
  } catch (cause) {
    throw new InputError("option_invalid", `audit log ${describeUnreadable(file, cause)}`, { cause });
  }
  return { lineCount, firstAt, lastAt, lastHash, findings };
}

interface AuditLine {
  readonly at: string;
  readonly previous: string;
  readonly lostBefore?: number;
}

function parseLine(bytes: Buffer): AuditLine | null {
  try {
    const value = JSON.parse(bytes.toString("utf8")) as AuditLine | null;
    return typeof value?.previous === "string" && typeof value.at === "string" ? value : null;
  } catch {
    return null;
  }
}

async function* linesOf(file: string): AsyncGenerator<{ bytes: Buffer; isComplete: boolean }, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    let bytes = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece]);
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
      yield { bytes: bytes.subarray(0, end), isComplete: true };
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  if (rest.byteLength > 0) yield { bytes: rest, isComplete: false };
}
