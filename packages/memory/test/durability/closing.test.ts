/** Closing really closes: neither files nor sockets nor threads of a memory stay open in the process. */
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { afterAll, describe, expect, test } from "vitest";
import { PostgresServer, hasPostgres } from "../stores/postgres-server.mjs";
import { RedisServer, hasRedis } from "../stores/redis-server.mjs";
import { laboratory } from "./laboratory.mjs";
import { ScratchFolder } from "./scratch-folder.js";

const folder = new ScratchFolder();

/** What the process has open, as the system names it; sockets and pipes have a number of their own. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
}

const redis = hasRedis ? await RedisServer.start() : null;
const postgres = hasPostgres ? await PostgresServer.start() : null;
afterAll(() => Promise.all([redis?.stop(), postgres?.stop()]));

const paths = { memory: ":memory:", SQLite: folder.next(), Redis: redis?.url, Postgres: postgres?.url };

describe.runIf(existsSync("/proc/self/fd"))("closing a memory in", () => {
  for (const [store, path] of Object.entries(paths)) {
    test.skipIf(path === undefined)(`${store} closes every file and socket`, async () => {
      // The driver of SQLite starts a runtime of its own, once for the process.
      await (await Mnemosyne.open(laboratory({ path: path! }))).close();
      const before = new Set(openFiles());
      const memories = await Mnemosyne.open(laboratory({ path: path! }));
      await memories.person("ada").commit("The violin is out of tune.", { wait: true });
      await memories.person("ada").recall("What about the violin?");
      if (store !== "memory") expect(openFiles().filter((file) => !before.has(file))).not.toEqual([]);
      await memories.close();
      // A socket is gone a moment after it was closed.
      await expect.poll(() => openFiles().filter((file) => !before.has(file)), { timeout: 5_000 }).toEqual([]);
    });
  }
});
