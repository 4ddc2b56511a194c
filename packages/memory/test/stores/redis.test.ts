/** The store in one Redis, a real server. */
import { afterAll, beforeAll, describe, test } from "vitest";
import { storeConformance } from "../../src/stores/conformance.js";
import { RedisStore } from "../../src/stores/redis/store.js";
import { RedisServer, hasRedis } from "./redis-server.mjs";

describe.runIf(hasRedis)("a store in one Redis", () => {
  let server: RedisServer;
  let prefixCount = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  for (const { name, check } of storeConformance) {
    test(name, () => check(() => RedisStore.open({ url: server.url, prefix: `test${++prefixCount}:` })));
  }
});
