/** What a path on the command line points to: whether a memory exists there, and how the path is shown. */
import { existsSync } from "node:fs";
import { isRedisUrl } from "mnemosyne-edge/internal/adapters/store/redis/options.js";
import { StoreError } from "mnemosyne-edge";

interface Place {
  readonly path: string;
}

/** Whether there is a memory to open. Checking does not create one. */
export async function hasDatabase({ path }: Place): Promise<boolean> {
  if (!isRedisUrl(path)) return path === ":memory:" || existsSync(path);
  const { RedisStore } = await import("mnemosyne-edge/store/redis");
  return RedisStore.hasMemory({ url: path });
}

export async function checkDatabaseExists(place: Place, remedy = createOne): Promise<void> {
  if (place.path.trim() === "" || (await hasDatabase(place))) return;
  throw new StoreError("store_missing", `no database at ${shownPath(place.path)}; ${remedy}`);
}

const createOne = "check --path, or create one with `mnemosyne commit`";

/** A path that is safe to show: without a password. */
export function shownPath(path: string): string {
  return isRedisUrl(path) ? path.replace(/(:\/\/[^@/?:]*):[^@/?]*(?=@)/u, "$1:***") : path;
}
