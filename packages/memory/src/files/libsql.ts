/** Native code, which is not loaded before there is a database to open. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type Database from "libsql";
import { InputError, StoreError } from "../errors.js";
import { requireFromPackage, resolveFromPackage } from "./package-files.js";

export function openDatabase(path: string, busyTimeoutMs: number): Database.Database {
  const Opened = loadLibsql(path);
  return new Opened(path, { timeout: busyTimeoutMs } as unknown as Database.Options);
}

/** A connection that cannot write, not even when it is closed. */
export function openToRead(path: string, busyTimeoutMs: number): Database.Database {
  return openDatabase(`${pathToFileURL(path).href}?mode=ro`, busyTimeoutMs);
}

function loadLibsql(path: string): typeof Database {
  try {
    return requireFromPackage("libsql") as typeof Database;
  } catch (cause) {
    const missing = /Cannot find module '?(@libsql\/[\w-]+)/u.exec(String((cause as Error).message))?.[1];
    if (missing === undefined) throw cause;
    const wanted = `${missing}@${readLibsqlVersion()}`;
    const message = `open ${path}: ${missing}, SQLite's binary for this platform, is not installed; run \`npm install ${wanted}\`, or install without \`--omit=optional\`. The other stores do without it`;
    throw new StoreError("store_failed", message, { cause });
  }
}

function readLibsqlVersion(): string {
  const description = join(dirname(resolveFromPackage("libsql")), "package.json");
  return (JSON.parse(readFileSync(description, "utf8")) as { readonly version: string }).version;
}

/** libsql takes an empty path for a temporary database, and a URL for a server. */
export function checkDatabasePath(path: unknown): void {
  if (typeof path !== "string" || path.trim() === "" || /\0|^(?:file:|[a-z][a-z\d+.-]+:\/\/)/iu.test(path)) {
    throw new InputError("option_invalid", `path is ${JSON.stringify(path)}; it must be the path of a file`);
  }
  if (!isFolder(path)) return;
  const message = `${path} is a folder, not a database file; name a file, such as ${join(path, "mnemosyne.db")}`;
  throw new InputError("option_invalid", message);
}

/** If the path cannot be inspected, opening it reports the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
