/** Every engine that a memory can be kept in: a file, or a real server of the test's own, which ends with it. */
import type { MnemosyneOptions } from "mnemosyne-edge";
import { afterAll } from "vitest";
import { PostgresServer, hasPostgres } from "../stores/postgres-server.mjs";
import { RedisServer, hasRedis } from "../stores/redis-server.mjs";
import { ScratchFolder } from "./scratch-folder.js";

type Place = MnemosyneOptions & { readonly path: string };

export interface Engine {
  readonly name: string;
  /** Options for a place at which nothing is yet; a child process can use them, too. */
  next(): Promise<Place>;
  redis(): Promise<RedisServer>;
  postgres(): Promise<PostgresServer>;
}

export const encryptionKey = "correct horse battery staple, and some more of them";

/** Engines for one test file; a server starts when the first test needs it. */
export function engines({ isSealed = true, names = ["SQLite", "Redis", "PostgreSQL"] } = {}): Engine[] {
  const scratch = new ScratchFolder();
  let placeCount = 0;
  let redisServer: Promise<RedisServer> | undefined;
  let postgresServer: Promise<PostgresServer> | undefined;
  const redis = (): Promise<RedisServer> => (redisServer ??= RedisServer.start());
  const postgres = (): Promise<PostgresServer> => (postgresServer ??= PostgresServer.start());
  afterAll(async () => {
    await (await redisServer)?.stop();
    await (await postgresServer)?.stop();
  });
  const paths: Readonly<Record<string, () => Promise<string>>> = {
    SQLite: async () => scratch.next(),
    ...(hasRedis ? { Redis: async () => `${(await redis()).url}/0?prefix=x${++placeCount}:` } : {}),
    ...(hasPostgres ? { PostgreSQL: async () => `${(await postgres()).url}?schema=x${++placeCount}` } : {}),
  };
  return names
    .filter((name) => paths[name] !== undefined)
    .flatMap((name) => {
      const plain = { name, next: async () => ({ path: await paths[name]!() }), redis, postgres };
      const sealed = {
        ...plain,
        name: `${name}, sealed`,
        next: async () => ({ path: await paths[name]!(), encryptionKey }),
      };
      return isSealed ? [plain, sealed] : [plain];
    });
}
