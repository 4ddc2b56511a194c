/** The place a path of the command line names: whether there is a memory, and how it is shown. */
import { existsSync } from "node:fs";
import { isRedisUrl } from "../adapters/store/redis/options.js";
import { StoreError } from "../index.js";

interface Place {
  readonly path: string;
}

/** Whether there is a memory to be opened. Looking makes none. */
export async function hasDatabase({ path }: Place): Promise<boolean> {
  if (!isRedisUrl(path)) return path === ":memory:" || existsSync(path);
  const { RedisStore } = await import("../adapters/store/redis/store.js");
  return RedisStore.hasMemory({ url: path });
}

export async function checkDatabaseExists(place: Place, remedy = makeOne): Promise<void> {
  if (place.path.trim() === "" || (await hasDatabase(place))) return;
  throw new StoreError("store_missing", `there is no database at ${shownPath(place.path)}; ${remedy}`);
}

const makeOne = "check --path, or make one with `mnemosyne commit`";

/** A path as it may be shown to anybody: without a password. */
export function shownPath(path: string): string {
  return isRedisUrl(path) ? path.replace(/(?<=:\/\/[^@/?]*):[^@/?]*(?=@)/u, ":***") : path;
}
