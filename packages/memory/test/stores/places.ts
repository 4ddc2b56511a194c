/** Every place where a memory can be kept, for tests of what must be the same in all of them. Servers are real. */
import Database from "libsql";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { PostgresServer, hasPostgres } from "./postgres-server.mjs";
import { RedisCluster, RedisServer, hasRedis } from "./redis-server.mjs";

export interface Place {
  readonly name: string;
  readonly isHere: boolean;
  start(): Promise<StartedPlace>;
}

export interface StartedPlace {
  /** For `Mnemosyne.open`; nothing is there yet. */
  nextPath(): string;
  /**
   * Alters or removes, behind the back of the store, records of a kind, or one of them; returns how many. On a server,
   * altering twice makes it what it was.
   */
  spoil(path: string, how: Harm, kind: string, id?: string): Promise<number>;
  /** All names, ids and bytes that the store keeps, one after the other. */
  contents(path: string): Promise<string>;
  stop(): Promise<void>;
}

export type Harm = "alter" | "remove";

const scratch = new ScratchFolder();

const sqlite: Place = {
  name: "SQLite",
  isHere: true,
  start: async () => ({
    nextPath: () => scratch.next(),
    spoil: async (path, how, kind, id) => spoilFile(path, how, kind, id),
    contents: async (path) => databaseBytes(path).toString("latin1"),
    stop: async () => {},
  }),
};

function spoilFile(path: string, how: Harm, kind: string, id?: string): number {
  const change = how === "alter" ? "UPDATE record SET bytes = zeroblob(length(bytes))" : "DELETE FROM record";
  const ofKind = "kind = (SELECT key FROM kind WHERE name = CAST(? AS BLOB))";
  const database = new Database(path);
  try {
    if (how === "remove") database.exec("DROP TRIGGER IF EXISTS record_removed");
    const sql = `${change} WHERE ${ofKind} ${id === undefined ? "" : "AND id = CAST(? AS BLOB)"}`;
    return database.prepare(sql).run(...[kind, id].filter((value) => value !== undefined)).changes;
  } finally {
    database.close();
  }
}

const redis: Place = {
  name: "Redis",
  isHere: hasRedis,
  start: async () => {
    const server = await RedisServer.start();
    return placeInRedis(server.url, [server], () => server.stop());
  },
};

const redisCluster: Place = {
  name: "a Redis Cluster",
  isHere: hasRedis,
  start: async () => {
    const cluster = await RedisCluster.start({ hasReplicas: false });
    return placeInRedis(cluster.url, cluster.masters, () => cluster.stop());
  },
};

const spoilScript = `
local count, kind = 0, ARGV[2] .. '\\0'
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, #kind) == kind and (not ARGV[3] or field == kind .. ARGV[3]) then
    count = count + 1
    local row = redis.call('HGET', KEYS[1], field)
    if ARGV[1] == 'remove' then redis.call('HDEL', KEYS[1], field)
    else redis.call('HSET', KEYS[1], field, string.sub(row, 1, -2) .. string.char((string.byte(row, -1) + 128) % 256)) end
  end
end
return count`;

const contentsScript = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'hash' then return redis.call('HGETALL', KEYS[1]) end
if kind == 'zset' then return redis.call('ZRANGE', KEYS[1], '0', '-1') end
if kind == 'list' then return redis.call('LRANGE', KEYS[1], '0', '-1') end
return {redis.call('GET', KEYS[1])}`;

/** The addresses of a cluster are no URL. */
function prefixOf(path: string): string {
  return /prefix=(.*)$/u.exec(path)![1]!;
}

function placeInRedis(url: string, servers: readonly RedisServer[], stop: () => Promise<void>): StartedPlace {
  let count = 0;
  return {
    nextPath: () => `${url}?prefix=test${++count}:`,
    spoil: async (path, how, kind, id) => {
      const prefix = prefixOf(path);
      let spoilt = 0;
      for (const server of servers) {
        for (const key of (await server.command("KEYS", `${prefix}{*}:rows`)) as string[]) {
          const named = id === undefined ? [kind] : [kind, id];
          spoilt += Number(await server.command("EVAL", spoilScript, "1", key, how, ...named));
        }
      }
      return spoilt;
    },
    contents: async (path) => {
      const parts: unknown[] = [];
      for (const server of servers) {
        for (const key of (await server.command("KEYS", `${prefixOf(path)}*`)) as string[]) {
          parts.push(key, await server.command("EVAL", contentsScript, "1", key));
        }
      }
      return parts.flat().join(" ");
    },
    stop,
  };
}

const postgres: Place = {
  name: "PostgreSQL",
  isHere: hasPostgres,
  start: async () => {
    const server = await PostgresServer.start();
    let count = 0;
    return {
      nextPath: () => `${server.url}?schema=test${++count}`,
      spoil: async (path, how, kind, id) => {
        const table = `"${new URL(path).searchParams.get("schema")}".records`;
        const change =
          how === "alter"
            ? `UPDATE ${table} SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1)`
            : `DELETE FROM ${table}`;
        const sql = `${change} WHERE kind = $1 AND ($2::bytea IS NULL OR id = $2) RETURNING 1`;
        return (await server.query(sql, [Buffer.from(kind), id === undefined ? null : Buffer.from(id)])).length;
      },
      contents: async (path) => {
        const schema = `"${new URL(path).searchParams.get("schema")}"`;
        const rows = [
          ...(await server.query(`SELECT person, kind, id, bytes FROM ${schema}.records`)),
          ...(await server.query(`SELECT name FROM ${schema}.persons`)),
          ...(await server.query(`SELECT person, owner FROM ${schema}.leases`)),
        ];
        return Buffer.concat(rows.flatMap((row) => Object.values(row) as Buffer[])).toString("latin1");
      },
      stop: () => server.stop(),
    };
  },
};

export const places: readonly Place[] = [sqlite, redis, redisCluster, postgres];
