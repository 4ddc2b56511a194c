/**
 * Opening the file: who may read it, and with which key. Only the owner may read a new file, its log and its index
 * (SQLite gives them the permissions of the file); the permissions of a file that exists stay as they are.
 *
 * libsql uses the first 32 bytes of a key, so the key it gets is derived from all of the caller's. It leaves no byte of
 * an encrypted file readable, so there is no place for a salt that has to be known before the key: the salt of the file's
 * key is fixed, that of the marks is random and lies inside.
 */
import { createHmac, randomBytes, scryptSync } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type Database from "libsql";
import { StoreError } from "../../../errors.js";
import { requireFromPackage, resolveFromPackage } from "../../../files/package-files.js";

export interface OpenedFile {
  readonly database: Database.Database;
  /** The key of the marks, before the salt in the file; null without encryption. */
  readonly markSecret: Buffer | null;
  /** There was a file without a single byte: perhaps a new one, perhaps one that lost everything. */
  readonly wasEmpty: boolean;
}

interface DerivedKeys {
  readonly file: string;
  readonly markSecret: Buffer;
}

const ownerOnly = 0o600;
const fileKeyByteCount = 24;
const markSecretByteCount = 32;
const keySalt = "mnemosyne-edge sqlite 2";
/** About 20 ms and 8 MiB, once per opening. */
const scryptCost = { N: 8_192, r: 8, p: 1 };

export function openFile(path: string, encryptionKey: string | undefined, busyTimeoutMs: number): OpenedFile {
  checkLog(path);
  const wasEmpty = !createFile(path) && statSync(path).size === 0;
  if (encryptionKey === undefined) {
    return { database: openDatabase(path, undefined, busyTimeoutMs), markSecret: null, wasEmpty };
  }
  const keys = deriveKeys(encryptionKey);
  return { database: openDatabase(path, keys.file, busyTimeoutMs), markSecret: keys.markSecret, wasEmpty };
}

/** The key of the marks of this file. */
export function saltedMarkKey(markSecret: Buffer, salt: string): Buffer {
  return createHmac("sha256", markSecret).update(salt).digest();
}

export function makeMarkSalt(): string {
  return randomBytes(16).toString("hex");
}

/** SQLite would drop the log of a database that is not there, with everything in it. */
function checkLog(path: string): void {
  const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size(path) > 0 || size(`${path}-wal`) === 0) return;
  throw new StoreError(
    "store_moved",
    `${path} is missing, but its log ${path}-wal is there and may hold memories; put the database back, or move the log away`,
  );
}

/** False if there is one already. */
function createFile(path: string): boolean {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, "wx", ownerOnly));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Node's own recursive `mkdir` tries forever below a folder that reports its new entries as missing, as /proc does. */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function openDatabase(path: string, encryptionKey: string | undefined, busyTimeoutMs: number): Database.Database {
  const options = { timeout: busyTimeoutMs, ...(encryptionKey === undefined ? {} : { encryptionKey }) };
  const Opened = loadLibsql(path);
  return new Opened(path, options as unknown as Database.Options);
}

/** Native code, which nothing loads before there is a file to open. */
function loadLibsql(path: string): typeof Database {
  try {
    return requireFromPackage("libsql") as typeof Database;
  } catch (cause) {
    const missing = /Cannot find module '?(@libsql\/[\w-]+)/u.exec(String((cause as Error).message))?.[1];
    if (missing === undefined) throw cause;
    const wanted = `${missing}@${readLibsqlVersion()}`;
    const message = `open ${path}: ${missing}, SQLite's binary for this platform, is not installed; run \`npm install ${wanted}\`, or install without \`--omit=optional\`. ":memory:" and Redis do without it`;
    throw new StoreError("store_failed", message, { cause });
  }
}

function readLibsqlVersion(): string {
  const description = join(dirname(resolveFromPackage("libsql")), "package.json");
  return (JSON.parse(readFileSync(description, "utf8")) as { readonly version: string }).version;
}

/** From every code unit of the key, so that half a surrogate pair counts too. */
function deriveKeys(encryptionKey: string): DerivedKeys {
  const length = fileKeyByteCount + markSecretByteCount;
  const derived = scryptSync(Buffer.from(encryptionKey, "utf16le"), keySalt, length, scryptCost);
  return {
    // 32 characters of ASCII, all that libsql uses.
    file: derived.subarray(0, fileKeyByteCount).toString("base64"),
    markSecret: derived.subarray(fileKeyByteCount),
  };
}
