/** `mnemosyne doctor` on a store in Redis: what it is, and whether it keeps what it acknowledges. */
import type { RedisServer } from "../adapters/store/redis.js";
import { type Finding, failure } from "./doctor-finding.js";
import { type Settings, toOptions } from "./settings.js";
import { formatBytes } from "./terminal.js";

export async function checkRedis(settings: Settings): Promise<Finding[]> {
  try {
    const { RedisStore } = await import("../adapters/store/redis.js");
    const { hasMemory, location, servers } = await RedisStore.look({ url: settings.path });
    const database = hasMemory
      ? await describeDatabase(settings)
      : `nothing at ${location} yet; the first commit makes it`;
    return [{ name: "database", ok: true, detail: database }, ...servers.flatMap(checkServer)];
  } catch (error) {
    return [failure("database", error)];
  }
}

async function describeDatabase(settings: Settings): Promise<string> {
  const { RedisStore } = await import("../adapters/store/redis.js");
  const { encryptionKey } = toOptions(settings);
  const store = await RedisStore.open({
    url: settings.path,
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
  });
  try {
    const { location, schemaVersion, encrypted } = await store.describe();
    return `${location}, schema ${schemaVersion}${encrypted ? ", encrypted" : ""}`;
  } finally {
    await store.close();
  }
}

function checkServer(server: RedisServer): Finding[] {
  return [describeServer(server), checkPersistence(server), checkEviction(server)];
}

function describeServer(server: RedisServer): Finding {
  const { address, version, mode, role, replicaCount, memoryByteCount, memoryByteCountMax } = server;
  const limit = memoryByteCountMax === 0 ? "no limit" : `limit ${formatBytes(memoryByteCountMax)}`;
  const rank = role === "master" ? `master with ${replicaCount} replicas` : "replica";
  return {
    name: `redis ${address}`,
    ok: role === "master",
    detail: `${version}, ${mode}, ${rank}, ${formatBytes(memoryByteCount)} used (${limit})`,
    remedy: "a replica takes no writes; use the address of its master",
  };
}

function checkPersistence({ address, appendOnly, appendFsync }: RedisServer): Finding {
  const isSynced = appendFsync === null || appendFsync === "always" || appendFsync === "everysec";
  const syncing = appendFsync === null ? "appendfsync unknown: the server does not tell" : `appendfsync ${appendFsync}`;
  const detail = appendOnly ? `appendonly yes, ${syncing}` : "appendonly no: what is acknowledged can be lost";
  return {
    name: `persistence of ${address}`,
    ok: appendOnly && isSynced,
    detail,
    remedy: "set `appendonly yes` and `appendfsync always` (or everysec, which can lose a second); see docs/redis.md",
  };
}

function checkEviction({ address, evictionPolicy }: RedisServer): Finding {
  return {
    name: `eviction of ${address}`,
    ok: evictionPolicy === "noeviction" || evictionPolicy.startsWith("volatile-"),
    detail: `maxmemory-policy ${evictionPolicy}`,
    remedy: "set `maxmemory-policy noeviction`; this one removes memories when there is no room",
  };
}
