/** The store in one Redis, encrypted: a real server, started here. */
import { storeConformance } from "../store-conformance/suite.js";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, test } from "vitest";
import { RedisServer, hasRedis } from "./redis-server.mjs";

describe.runIf(hasRedis)("a store in one Redis", () => {
  let server: RedisServer;
  let prefixCount = 0;
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  // Without encryption the same checks run on a cluster.
  for (const { name, check } of storeConformance) {
    const encryptionKey = "correct horse";
    test(name, () => check(() => RedisStore.open({ url: server.url, prefix: nextPrefix(), encryptionKey })));
  }
});
