/** The servers that the scenarios of a run share, each started when the first needs it. */
import { PostgresServer, hasPostgres } from "../../../memory/test/stores/postgres-server.mjs";
import { RedisCluster, RedisServer, hasRedis } from "../../../memory/test/stores/redis-server.mjs";

const engines = {
  redis: { isThere: hasRedis, start: () => RedisServer.start() },
  cluster: { isThere: hasRedis, start: () => RedisCluster.start({ hasReplicas: false }) },
  postgres: { isThere: hasPostgres, start: () => PostgresServer.start() },
};

export const serverStores = ["redis", "redis-encrypted", "cluster", "postgres", "postgres-encrypted"];
export const allStores = ["sqlite", "sqlite-encrypted", ...serverStores];

export class Servers {
  #started = new Map();

  isMissing(store) {
    return engines[engineOf(store)]?.isThere === false;
  }

  /** Undefined for a file. */
  async of(store) {
    const name = engineOf(store);
    if (engines[name] === undefined) return undefined;
    if (!this.#started.has(name)) this.#started.set(name, await engines[name].start());
    return this.#started.get(name);
  }

  async stop() {
    for (const server of this.#started.values()) await server.stop();
  }
}

/** The address of a store of its own on a server. */
export function addressOf(server, name) {
  return `${server.url}?${server.query === undefined ? "prefix" : "schema"}=${encodeURIComponent(name)}`;
}

/** The server, or one of those of a cluster, as if the power failed. */
export async function killOne(server, random) {
  const one = random.pick(server.masters ?? [server]);
  await one.kill();
  return one;
}

/** All values of a Redis as text; nothing of other servers. */
export async function valuesOf(server) {
  const texts = [];
  for (const node of nodesOf(server)) {
    for (const key of await node.command("KEYS", "*")) {
      const read = readings[await node.command("TYPE", key)];
      texts.push(String(key), JSON.stringify(await node.command(read[0], key, ...read.slice(1))));
    }
  }
  return texts.join("\n");
}

const readings = { string: ["GET"], hash: ["HGETALL"], list: ["LRANGE", "0", "-1"], zset: ["ZRANGE", "0", "-1"] };

/** So that a long run does not fill the machine. */
export async function emptyServer(server) {
  for (const node of nodesOf(server)) await node.command("FLUSHALL");
  if (server.query === undefined) return;
  const schemas = await server.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'torture-%'`);
  for (const { nspname } of schemas) await server.query(`DROP SCHEMA "${nspname}" CASCADE`);
}

function nodesOf(server) {
  return server.masters ?? (server.command === undefined ? [] : [server]);
}

function engineOf(store) {
  return store.replace("-encrypted", "");
}
