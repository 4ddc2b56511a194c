/** The store in a Redis Cluster: three masters with a replica each, real servers, started here once. */
import { storeConformance } from "mnemosyne-edge/store/conformance";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, test } from "vitest";
import { RedisCluster, hasRedis } from "./redis-server.js";

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
