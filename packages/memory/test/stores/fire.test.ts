/** Processes that write to a store at once and are killed lose nothing that was acknowledged. */
import { afterAll, expect, it } from "vitest";
import type { Store } from "../../src/stores/store.js";
import { PostgresStore } from "../../src/stores/postgres/store.js";
import { RedisStore } from "../../src/stores/redis/store.js";
import { SqliteStore } from "../../src/stores/sqlite/store.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { PostgresServer, hasPostgres } from "./postgres-server.mjs";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { underFire } from "./store-scenes.js";

const scratch = new ScratchFolder();
const crew = { workerCount: 3, personCount: 3, killCount: 8 };
const servers: { stop(): unknown }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function check<O extends object>(
  engine: string,
  options: O,
  open: (options: O) => Promise<Store>,
  disturb: () => Promise<void>,
): Promise<void> {
  const report = await underFire({ engine, options, ...crew, seed: engine, disturb }, () => open(options));
  expect(report.findings).toEqual([]);
  expect(report.acknowledgedCount).toBeGreaterThan(crew.killCount);
  expect(report.cutCount).toBeGreaterThan(0);
}

it.each([false, true])("SQLite, isInline: %s", async (isInline) => {
  await check("sqlite", { path: scratch.next(), isInline }, SqliteStore.open, () => Promise.resolve());
});

it.runIf(hasRedis)("Redis, whose server is killed, too", async () => {
  const server = await RedisServer.start();
  servers.push(server);
  await check("redis", { url: server.url }, RedisStore.open, () => restart(server));
});

it.runIf(hasPostgres)("PostgreSQL, whose server is killed, too", async () => {
  const server = await PostgresServer.start();
  servers.push(server);
  await check("postgres", { url: server.url }, PostgresStore.open, () => restart(server));
});

async function restart(server: { kill(): Promise<void>; start(): Promise<void> }): Promise<void> {
  await server.kill();
  await server.start();
}
