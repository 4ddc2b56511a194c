/** `mnemosyne doctor` for a store in Redis: its servers, and whether they keep what they acknowledge. */
import type { RedisServer } from "mnemosyne-edge/store/redis";
import { findDamage } from "./damage-finding.js";
import { type Finding, databaseName, failure } from "./doctor-finding.js";
import { type Settings, toOptions } from "../settings.js";
import { countOf, formatBytes } from "../terminal.js";

export async function checkRedis(settings: Settings): Promise<Finding[]> {
  try {
    const { RedisStore } = await import("mnemosyne-edge/store/redis");
    const { hasMemory, location, servers, waitReplicas } = await RedisStore.look({ url: settings.path });
    const nothing = { name: databaseName, ok: true, detail: `nothing at ${location} yet; the first commit creates it` };
    return [
      hasMemory ? await checkContents(settings) : nothing,
      ...servers.flatMap((server) => checkServer(server, waitReplicas)),
    ];
  } catch (error) {
    return [failure(databaseName, error)];
  }
}

async function checkContents(settings: Settings): Promise<Finding> {
  const { RedisStore } = await import("mnemosyne-edge/store/redis");
  const { encryptionKey } = toOptions(settings);
  const store = await RedisStore.open({
    url: settings.path,
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
  });
  try {
    const { location, schemaVersion, encrypted } = await store.describe();
    const state = `${location}, schema ${schemaVersion}${encrypted ? ", encrypted" : ""}`;
    return findDamage(state, await store.damage(), settings);
  } finally {
    await store.close();
  }
}

function checkServer(server: RedisServer, waitReplicas: number): Finding[] {
  return [describeServer(server), checkReplicas(server, waitReplicas), checkPersistence(server), checkEviction(server)];
}

function describeServer(server: RedisServer): Finding {
  const { address, version, mode, role, memoryByteCount, memoryByteCountMax } = server;
  const isFull = memoryByteCountMax > 0 && memoryByteCount >= memoryByteCountMax;
  const limit = memoryByteCountMax === 0 ? "no limit" : `limit ${formatBytes(memoryByteCountMax)}`;
  return {
    name: `redis ${address}`,
    ok: role === "master" && !isFull,
    detail: `${version}, ${mode}, ${role === "master" ? "master" : "replica"}, ${formatBytes(memoryByteCount)} used (${limit})`,
    remedy: isFull
      ? "its memory is full: raise maxmemory or forget something"
      : "a replica accepts no writes; use the address of its master",
  };
}

/** With fewer replicas than are waited for, nothing is acknowledged. */
function checkReplicas({ address, replicaCount, minReplicasToWrite }: RedisServer, waitReplicas: number): Finding {
  const waited = waitReplicas === 0 ? "none waited for" : `${waitReplicas} waited for`;
  const least = minReplicasToWrite === null ? "" : `, min-replicas-to-write ${minReplicasToWrite}`;
  return {
    name: `replicas of ${address}`,
    ok: replicaCount >= Math.max(waitReplicas, minReplicasToWrite ?? 0),
    detail: `${countOf(replicaCount, "replica")}, ${waited}${least}`,
    remedy: "it accepts no commits until more replicas are connected; bring them back, or require fewer",
  };
}

function checkPersistence({ address, appendOnly, appendFsync }: RedisServer): Finding {
  const isSynced = appendFsync === null || appendFsync === "always" || appendFsync === "everysec";
  const syncing =
    appendFsync === null ? "appendfsync unknown: the server does not report it" : `appendfsync ${appendFsync}`;
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
    remedy: "set `maxmemory-policy noeviction`; this policy removes memories when Redis runs out of memory",
  };
}
