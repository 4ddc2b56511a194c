/** Native code, which is not loaded before there is a database to open. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type Database from "libsql";
import { StoreError } from "../errors.js";
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
