/** Files that only their owner may read, in folders that are made where they are missing. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const ownerOnly = 0o600;

/** Makes an empty file; false if there is one already, whose permissions stay. */
export function makeFile(path: string): boolean {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, "wx", ownerOnly));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Its bytes; 0 if there is none. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
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
