/**
 * Whether the paths of a database still lead to the files that are open. A write to a file that was deleted, renamed or
 * replaced is lost or goes to a file that no other process reads. The index of the log (-shm) holds the locks: once it is
 * gone, a process that opens the database makes a new one, and the writers no longer see each other.
 */
import { type BigIntStats, readFileSync, realpathSync, statSync } from "node:fs";
import { StoreError } from "../errors.js";

export class FileIdentity {
  readonly #path: string;
  readonly #opened: readonly { readonly path: string; readonly device: bigint; readonly inode: bigint }[];

  /** Of a database, its log and the index of that, all of which exist while the database is open. */
  constructor(path: string) {
    this.#path = path;
    if (isDeletedIndexMapped(path)) throw moved(path, `${path}-shm was deleted while this process had it open`);
    // Where the path is a link, they lie next to its target.
    const target = realpathSync(path);
    this.#opened = [path, `${target}-wal`, `${target}-shm`].map((each) => {
      const stats = statOf(each);
      if (stats === undefined) throw moved(path, `${each} is missing although the database is open here`);
      return { path: each, device: stats.dev, inode: stats.ino };
    });
  }

  check(): void {
    for (const { path, device, inode } of this.#opened) {
      const stats = statOf(path);
      const isEmptied = path === this.#path && stats?.size === 0n;
      if (stats?.dev === device && stats.ino === inode && !isEmptied) continue;
      const what = stats === undefined ? "deleted or renamed" : isEmptied ? "emptied" : "replaced";
      throw moved(this.#path, `${path} was ${what} while ${this.#path} was open`);
    }
  }

  /** Whether only the database itself was renamed or deleted, so that its log still belongs to it. */
  get hasItsLog(): boolean {
    const [own, ...log] = this.#opened;
    return statOf(own!.path)?.size !== 0n && log.every(({ path, inode }) => statOf(path)?.ino === inode);
  }
}

/**
 * Connections of a process share the index of the log, so a new one gets the old index if another one is still open. Only
 * Linux tells.
 */
function isDeletedIndexMapped(path: string): boolean {
  try {
    return readFileSync("/proc/self/maps", "utf8").includes(`${realpathSync(path)}-shm (deleted)`);
  } catch {
    return false;
  }
}

function moved(path: string, what: string): StoreError {
  const advice = `Nothing was acknowledged. Put it back, or close the store and open it again`;
  return new StoreError("store_moved", `${path}: ${what}. ${advice}`);
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
