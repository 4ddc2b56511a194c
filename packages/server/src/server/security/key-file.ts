/**
 * Keys in a file of their own: added, listed and revoked by the command line, read by the server. It is written whole, for
 * its owner only, under a lock, so that two processes that add a key at the same time keep both.
 */
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describeUnreadable, describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";
import { InputError, MnemosyneError } from "mnemosyne-edge";
import type { KeyRing, ServerLog } from "../server-context.js";
import type { Access } from "./access.js";
import {
  type KeyDescription,
  type KeyEntry,
  type KeyScope,
  accessOf,
  describeKey,
  hashSecret,
  isSecretOf,
  isUsable,
  makeKeyParts,
  makeSalt,
  readEntries,
  readKey,
  readKeyId,
  writeEntries,
  writeKey,
} from "./key-entry.js";

export interface NewKey extends KeyScope {
  readonly label: string;
  readonly expiresAt: Date | null;
}

/** Whoever may change the file can let themselves in, and it names people. A group may read it: a server's own. */
const forbiddenModes = 0o027;
const labelLengthMax = 200;
const lockWaitMs = 20;
const lockTriesMax = 500;

/** `key` is shown this once and kept nowhere. */
export async function addKey(
  file: string,
  wanted: NewKey,
  now = new Date(),
): Promise<{ key: string; entry: KeyDescription }> {
  checkWanted(wanted, now);
  return withLock(file, async () => {
    const entries = await readKeyFile(file, "may be missing");
    const parts = makeKeyParts((id) => entries.some((entry) => entry.id === id));
    const salt = makeSalt();
    const entry: KeyEntry = {
      id: parts.id,
      label: wanted.label,
      isAdmin: wanted.isAdmin,
      persons: wanted.persons,
      isReadOnly: wanted.isReadOnly,
      createdAt: now.toISOString(),
      expiresAt: wanted.expiresAt?.toISOString() ?? null,
      revokedAt: null,
      salt,
      hash: hashSecret(salt, parts.secret),
    };
    await writeWhole(file, [writeEntries([...entries, entry])]);
    return { key: writeKey(parts), entry: describeKey(entry) };
  });
}

export async function listKeys(file: string): Promise<KeyDescription[]> {
  return (await readKeyFile(file)).map(describeKey);
}

/** By its id, or by the key itself. Its hash is gone at once; a running server notices within a second. */
export async function revokeKey(file: string, idOrKey: string, now = new Date()): Promise<KeyDescription> {
  const id = readKeyId(idOrKey);
  return withLock(file, async () => {
    const entries = await readKeyFile(file);
    const found = entries.find((entry) => entry.id === id);
    if (found === undefined) {
      const named = id ?? (idOrKey.length > 40 ? "what was given" : `"${idOrKey}"`);
      throw new InputError("option_invalid", `no key ${named} in ${file}; \`mnemosyne keys list\` shows their ids`);
    }
    const revoked = { ...found, revokedAt: found.revokedAt ?? now.toISOString(), hash: null };
    await writeWhole(file, [writeEntries(entries.map((entry) => (entry === found ? revoked : entry)))]);
    return describeKey(revoked);
  });
}

/** Every failure is an InputError that names the file and says what to do. */
async function readKeyFile(
  file: string,
  missing: "may be missing" | "must be there" = "must be there",
): Promise<KeyEntry[]> {
  try {
    await checkMode(file);
    return readEntries(await readFile(file, "utf8"));
  } catch (cause) {
    if (cause instanceof MnemosyneError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" && missing === "may be missing") return [];
    const advice = code === "ENOENT" ? `; \`mnemosyne keys add --keys ${file}\` makes it` : "";
    const message =
      code === undefined
        ? `${file} is not a file of keys: ${(cause as Error).message}; restore it, or delete it and add keys again`
        : `${describeUnreadable(file, cause)}${advice}`;
    throw new InputError("option_invalid", message, { cause });
  }
}

async function checkMode(file: string): Promise<void> {
  if (process.platform === "win32") return;
  const { mode } = await stat(file);
  if ((mode & forbiddenModes) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(3, "0");
  throw new InputError("option_invalid", `${file} is open to other users (mode ${shown}); run: chmod 600 ${file}`);
}

function checkWanted({ isAdmin, persons, label, expiresAt }: NewKey, now: Date): void {
  const refuse = (message: string): never => {
    throw new InputError("option_invalid", message);
  };
  if (isAdmin && persons.length > 0) refuse("an admin's key is for everybody; leave out the persons, or admin");
  if (!isAdmin && persons.length === 0)
    refuse("whom is the key for? Name a person or a pattern such as team-* with --for, or use --admin");
  for (const person of persons) {
    if (person === "") refuse("the name of a person is empty");
    if (person.slice(0, -1).includes("*")) refuse(`"${person}": a * stands at the end of a pattern only`);
  }
  if (label.length > labelLengthMax)
    refuse(`the label has ${label.length} characters; at most ${labelLengthMax} are kept`);
  if (expiresAt !== null && !(expiresAt.getTime() > now.getTime())) refuse("the key would have expired already");
}

/**
 * One change at a time, also between processes: who creates the lock's file has it. A lock that a killed process left is not
 * taken away, because two who do that at once would both have it; the message says what to do.
 */
async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  for (let tries = 1; !(await createLock(lock)); tries++) {
    if (tries === lockTriesMax) {
      throw new InputError(
        "option_invalid",
        `${file} is being changed by another process: ${lock} exists. If no \`mnemosyne keys\` is running, delete that file`,
      );
    }
    await delay(lockWaitMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function createLock(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", 0o600);
    await handle.close();
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new InputError("option_invalid", describeUnwritable(lock, cause), { cause });
  }
}

export interface KeyRingOptions {
  /** For tests: what the time is, and how long the file is not looked at again. */
  readonly now?: () => number;
  readonly recheckMs?: number;
}

const recheckMsDefault = 1_000;

/**
 * The keys of a running server. The file is looked at again at most once a second, so a revocation takes effect without a
 * restart. A file that vanished or cannot be read closes the door: no key is known until it is whole again.
 */
export class FileKeyRing implements KeyRing {
  readonly #file: string;
  readonly #log: ServerLog;
  readonly #now: () => number;
  readonly #recheckMs: number;
  #entries = new Map<string, KeyEntry>();
  /** What the file looked like when it was read; null while it cannot be. */
  #stamp: string | null = null;
  #checkedAtMs = -Infinity;
  #checking: Promise<void> | null = null;
  /** The failure that was logged last, so that each is logged once. */
  #failure: string | null = null;

  private constructor(file: string, log: ServerLog, { now = Date.now, recheckMs = recheckMsDefault }: KeyRingOptions) {
    this.#file = file;
    this.#log = log;
    this.#now = now;
    this.#recheckMs = recheckMs;
  }

  /** A file that cannot be read when the server starts is an error there. */
  static async open(file: string, log: ServerLog, options: KeyRingOptions = {}): Promise<FileKeyRing> {
    await readKeyFile(file);
    const ring = new FileKeyRing(file, log, options);
    await ring.#refresh();
    return ring;
  }

  async verify(key: string): Promise<Access | null> {
    const parts = readKey(key);
    if (parts === null) return null;
    await this.#refresh();
    const entry = this.#entries.get(parts.id);
    const isRight = isSecretOf(entry, parts.secret);
    return isRight && entry !== undefined && isUsable(entry, this.#now()) ? accessOf(entry) : null;
  }

  async isStillGood(keyId: string): Promise<boolean> {
    await this.#refresh();
    const entry = this.#entries.get(keyId);
    return entry !== undefined && isUsable(entry, this.#now());
  }

  /** The interval is measured by a clock that nobody sets. Calls at the same time share one look. */
  async #refresh(): Promise<void> {
    if (this.#checking === null && performance.now() - this.#checkedAtMs >= this.#recheckMs) {
      this.#checking = this.#readIfChanged().finally(() => {
        this.#checkedAtMs = performance.now();
        this.#checking = null;
      });
    }
    await this.#checking;
  }

  async #readIfChanged(): Promise<void> {
    try {
      const stamp = await stampOf(this.#file);
      if (stamp === this.#stamp) return;
      const entries = await readKeyFile(this.#file);
      this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
      this.#stamp = stamp;
      if (this.#failure !== null) this.#log.info({ file: this.#file }, "the file of keys can be read again");
      this.#failure = null;
    } catch (error) {
      this.#entries = new Map();
      this.#stamp = null;
      const { message } = error as Error;
      if (message !== this.#failure) {
        this.#log.error({ file: this.#file, reason: message }, "the file of keys cannot be read: nobody gets in");
      }
      this.#failure = message;
    }
  }
}

/** A file that is written whole is a new one: its inode and times differ, even within a millisecond. */
async function stampOf(file: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}
