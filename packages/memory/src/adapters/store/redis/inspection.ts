/** What a Redis reports about itself: its memory, and whether it persists its data. */
import { StoreError } from "../../../errors.js";
import type { RedisNode, RedisReply } from "./client.js";
import type { RedisConnection } from "./connection.js";

export interface RedisServer {
  readonly address: string;
  readonly memoryByteCount: number;
  readonly appendOnly: boolean;
  /** Null if the server does not allow the query. */
  readonly appendFsync: string | null;
}

/** A Redis that makes room by removing keys loses what it has acknowledged. */
export async function refuseEviction(connection: RedisConnection): Promise<void> {
  const found = await connection.askNodes(async (node) => parseInfo(await node.sendCommand(["INFO", "memory"])));
  const policy = found.find(isEvicting)?.get("maxmemory_policy");
  if (policy === undefined) return;
  const message = `${connection.target.location}: its maxmemory-policy ${policy} removes memories when Redis runs out of memory; set it to noeviction`;
  throw new StoreError("store_failed", message);
}

/** Only a claim on a queue expires, so the volatile policies find nothing to remove. */
function isEvicting(info: ReadonlyMap<string, string>): boolean {
  return info.get("maxmemory") !== "0" && info.get("maxmemory_policy")?.startsWith("allkeys-") === true;
}

export function inspectServers(connection: RedisConnection): Promise<RedisServer[]> {
  return connection.askNodes(inspectServer);
}

async function inspectServer(node: RedisNode): Promise<RedisServer> {
  const info = parseInfo(await node.sendCommand(["INFO"]));
  return {
    address: `${node.options.socket.host}:${node.options.socket.port}`,
    memoryByteCount: Number(info.get("used_memory") ?? 0),
    appendOnly: info.get("aof_enabled") === "1",
    appendFsync: await readAppendFsync(node),
  };
}

function parseInfo(reply: RedisReply): Map<string, string> {
  const pairs = String(reply)
    .split("\r\n")
    .filter((line) => line.includes(":"))
    .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]);
  return new Map(pairs);
}

/** Hosted services often do not allow reading the configuration. */
async function readAppendFsync(node: RedisNode): Promise<string | null> {
  try {
    const [, value] = (await node.sendCommand(["CONFIG", "GET", "appendfsync"])) as Buffer[];
    return value?.toString() ?? null;
  } catch (error) {
    if (/NOPERM|unknown command|not allowed|disabled/iu.test(String(error))) return null;
    throw error;
  }
}
