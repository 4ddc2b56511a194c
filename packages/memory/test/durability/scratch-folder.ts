import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder of this test file's own, removed after its last test. */
export class ScratchFolder {
  readonly path = mkdtempSync(join(tmpdir(), "mnemosyne-durability-"));
  #fileCount = 0;

  constructor() {
    afterAll(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** A path at which nothing is yet. */
  next(ending = ".db"): string {
    return join(this.path, `${++this.#fileCount}${ending}`);
  }
}

/** All bytes SQLite keeps for a database. */
export function databaseBytes(path: string): Buffer {
  const files = [path, `${path}-wal`, `${path}-journal`].filter((file) => existsSync(file));
  return Buffer.concat(files.map((file) => readFileSync(file)));
}
