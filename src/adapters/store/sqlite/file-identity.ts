/**
 * Whether the paths of the database still lead to the files that are open. What is written to a file that was deleted,
 * renamed or replaced is lost or goes where nobody looks.
 */
import { type BigIntStats, statSync } from "node:fs";
import { StoreError } from "../../../errors.js";

export class FileIdentity {
  readonly #path: string;
  readonly #opened: readonly { readonly path: string; readonly device: bigint; readonly inode: bigint }[];

  /** Of the database and its log, which both exist while the database is open. */
  constructor(path: string) {
    this.#path = path;
    this.#opened = [path, `${path}-wal`].flatMap((each) => {
      const stats = statOf(each);
      return stats === undefined ? [] : [{ path: each, device: stats.dev, inode: stats.ino }];
    });
  }

  check(): void {
    for (const { path, device, inode } of this.#opened) {
      const stats = statOf(path);
      if (stats?.dev === device && stats.ino === inode) continue;
      const what = stats === undefined ? "deleted or renamed" : "replaced";
      throw new StoreError(
        "store_moved",
        `${path} was ${what} while ${this.#path} was open; nothing was written. Put it back, or close and open again`,
      );
    }
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
