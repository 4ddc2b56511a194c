/**
 * Whether the paths of the database still lead to the files that are open. What is written to a file that was deleted,
 * renamed or replaced is lost or goes where nobody looks.
 */
import { type BigIntStats, statSync } from "node:fs";
import { StoreError } from "../../../errors.js";

export class FileIdentity {
  readonly #path: string;
  #isEmptied = false;
  readonly #opened: readonly { readonly path: string; readonly device: bigint; readonly inode: bigint }[];

  /** Of the database and its log, which both exist while the database is open. */
  constructor(path: string) {
    this.#path = path;
    this.#opened = [path, `${path}-wal`].flatMap((each) => {
      const stats = statOf(each);
      return stats === undefined ? [] : [{ path: each, device: stats.dev, inode: stats.ino }];
    });
  }

  /** Somebody cut the file itself; nothing can be saved to it. */
  get isEmptied(): boolean {
    return this.#isEmptied;
  }

  check(): void {
    for (const { path, device, inode } of this.#opened) {
      const stats = statOf(path);
      if (path === this.#path && stats?.size === 0n) this.#isEmptied = true;
      if (stats?.dev === device && stats.ino === inode && !this.#isEmptied) continue;
      const what = stats === undefined ? "deleted or renamed" : this.#isEmptied ? "emptied" : "replaced";
      throw new StoreError(
        "store_moved",
        `${path} was ${what} while ${this.#path} was open; nothing was written. Put it back, or open it under its new name`,
      );
    }
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
