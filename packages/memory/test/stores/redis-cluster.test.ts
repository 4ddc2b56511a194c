/** The store in a Redis Cluster: three masters with a replica each, real servers. */
import { afterAll, beforeAll, describe, test } from "vitest";
import { storeConformance } from "../../src/stores/conformance.js";
import { RedisStore } from "../../src/stores/redis/store.js";
import { RedisCluster, hasRedis } from "./redis-server.mjs";

describe.runIf(hasRedis)("a store in a Redis Cluster", () => {
  let cluster: RedisCluster;
  let prefixCount = 0;
  const nextPrefix = (): string => `test${++prefixCount}:`;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(() => cluster?.stop());

  for (const { name, check } of storeConformance) {
    test(name, () => check(() => RedisStore.open({ url: cluster.url, prefix: nextPrefix() })));
  }
});
