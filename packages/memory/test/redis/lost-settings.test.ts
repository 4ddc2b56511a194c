/** Settings that Redis lost while a store was open or closed: what is acknowledged can be read by the next process. */
import { type RedisOptions, RedisStore } from "mnemosyne-edge/store/redis";
import { describe, expect, onTestFinished, test } from "vitest";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { interaction } from "./scenes.js";

const encryptionKey = "correct horse";
const variants: readonly Omit<RedisOptions, "url">[] = [{}, { encryptionKey }];

async function open(options: RedisOptions): Promise<RedisStore> {
  const store = await RedisStore.open(options);
  onTestFinished(() => store.close());
  return store;
}

const idsOf = async (store: RedisStore): Promise<string[]> =>
  (await store.history("ada")).map((entry) => entry.interaction.id);

describe.runIf(hasRedis).each(variants)("a store with %j", (options) => {
  test("whose Redis is emptied, or loses the settings alone, goes on, and the next process reads all", async () => {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    const store = await open({ url: server.url, ...options });
    await store.accept("ada", interaction("a"), "queued");
    await server.command("FLUSHALL");
    expect(await store.accept("ada", interaction("b"), "queued")).toBe(true);
    expect(await idsOf(await open({ url: server.url, ...options }))).toEqual(["b"]);
    await server.command("DEL", "mnemosyne:settings");
    expect(await store.accept("ada", interaction("c"), "queued")).toBe(true);
    const next = await open({ url: server.url, ...options });
    expect(await idsOf(next)).toEqual(["b", "c"]);
    expect(await next.accept("ada", interaction("d"), "queued")).toBe(true);
    expect(await idsOf(store)).toEqual(["b", "c", "d"]);
  });

  test("does not get new settings with a key that does not fit", async () => {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    await (await open({ url: server.url, ...options })).accept("ada", interaction("a"), "queued");
    await server.command("DEL", "mnemosyne:settings");
    const wrong = "encryptionKey" in options ? [{}, { encryptionKey: "wrong horse" }] : [{ encryptionKey }];
    for (const key of wrong) {
      await expect(RedisStore.open({ url: server.url, ...key })).rejects.toMatchObject({ code: "store_not_ours" });
    }
    expect(await server.command("EXISTS", "mnemosyne:settings")).toBe(0);
    expect(await idsOf(await open({ url: server.url, ...options }))).toEqual(["a"]);
  });
});
