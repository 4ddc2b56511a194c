/** Whole memories in a Redis that is full, emptied or secured, and in a cluster that loses a master. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { exportEverybody, exportLines } from "../durability/export-lines.js";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { RedisCluster, RedisServer, eventually, hasRedis } from "./redis-server.mjs";

const scratch = new ScratchFolder();
const encryptionKey = "correct horse";

async function startServer(settings: Record<string, string> = {}): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.stop());
  return server;
}

describe.runIf(hasRedis)("a Redis at its limit", () => {
  let server: RedisServer;
  let prefixCount = 0;
  const nextPath = (): string => `${server.url}?prefix=test${++prefixCount}:`;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function fill(): Promise<void> {
    await server.command("CONFIG", "SET", "maxmemory", "1");
    onTestFinished(empty);
  }

  async function empty(): Promise<void> {
    await server.command("CONFIG", "SET", "maxmemory", "0");
  }

  test.each([{}, { encryptionKey }])("%j: refuses what is new, changes nothing, reads and forgets", async (sealing) => {
    const options = { path: nextPath(), ...sealing };
    const memories = await openMemories(options);
    const ada = memories.person("ada");
    for (let position = 0; position < 6; position++) await ada.commit(interactionAt(position));
    await ada.settled();
    const before = await exportLines(ada);
    await fill();
    const full = { code: "store_full", message: expect.stringContaining("maxmemory") as unknown };
    await expect(ada.commit(interactionAt(7))).rejects.toMatchObject(full);
    await expect(memories.person("bea").commit(interactionAt(7))).rejects.toMatchObject(full);
    await expect(ada.update("i001", { summary: "Pelicans nested." })).rejects.toMatchObject(full);
    await expect(ada.pin("i001", "home")).rejects.toMatchObject(full);
    await expect(memories.person("cem").import(before)).rejects.toMatchObject(full);
    const again = await openMemories(options);
    expect(await exportLines(again.person("ada"))).toEqual(before);
    expect((await again.person("ada").recall("the garden", { seed: 1 })).memories).not.toEqual([]);
    expect(await again.persons()).toEqual(["ada"]);

    await again.person("ada").forget("i002");
    expect((await ada.history()).map(({ id }) => id)).not.toContain("i002");
    expect(await ada.check()).toEqual([]);
    await ada.forgetAll();
    expect(await again.persons()).toEqual([]);
    await empty();
    await ada.commit(interactionAt(7));
    await ada.settled();
    expect((await again.person("ada").history()).map(({ id }) => id)).toEqual(["i007"]);
  });

  test("forgets what a core summary was written from, and says so", async () => {
    const parameters = { coreSummaryIntervalCommits: 5, redundancyThreshold: 10 };
    const memories = await openMemories({ path: nextPath(), parameters });
    const person = memories.person("ada");
    for (let position = 0; position < 10; position++) await person.commit(interactionAt(position));
    await person.settled();
    const { sourceIds } = (await person.coreSummary())!;
    await fill();
    const receipt = await person.forget(sourceIds[0]!);
    expect(receipt).toMatchObject({ forgotten: [sourceIds[0]], coreSummaryRebuilt: true });
    await expect(person.forget(sourceIds[0]!)).rejects.toMatchObject({ code: "unknown_id" });
    await empty();
    await person.forgetAll();
    expect(await memories.persons()).toEqual([]);
  });
});

describe.runIf(hasRedis)("a Redis that is emptied", () => {
  test.each([{}, { encryptionKey }])("%j: an open memory goes on, and the next process reads all", async (sealing) => {
    const server = await startServer();
    const options = { path: server.url, ...sealing };
    const one = await openMemories(options);
    await one.person("ada").commit(interactionAt(1));
    await one.settled();
    await server.command("FLUSHALL");
    await one.person("ada").commit(interactionAt(2));
    await one.settled();
    const two = await openMemories(options);
    await two.person("ada").commit(interactionAt(3));
    await two.settled();
    expect((await one.person("ada").history()).map(({ id }) => id)).toEqual(["i002", "i003"]);
    expect(await exportEverybody(two)).toEqual(await exportEverybody(one));
    expect(await two.person("ada").check()).toEqual([]);
  });
});

describe.runIf(hasRedis)("a Redis Cluster", () => {
  test("a master dies while several people are written for: its replica goes on with all that was acknowledged", async () => {
    const cluster = await RedisCluster.start();
    onTestFinished(() => cluster.stop());
    const path = `${cluster.url}?waitReplicas=1&waitMs=5000`;
    const memories = await openMemories({ path });
    const names = Array.from({ length: 9 }, (_, i) => `person ${i}`);
    for (const name of names) await memories.person(name).commit(interactionAt(0));
    await memories.settled();
    let isOver = false;
    const acknowledged = new Map(names.map((name) => [name, ["i000"]]));
    const writing = names.map(async (name) => {
      for (let position = 1; !isOver; position++) {
        const input = interactionAt(position);
        const isKept = await memories
          .person(name)
          .commit(input)
          .then(
            () => true,
            (error: unknown) => {
              expect(error).toMatchObject({ family: "store" });
              return false;
            },
          );
        if (isKept) acknowledged.get(name)!.push(input.id!);
      }
    });
    await eventually("commits", async () => names.every((name) => acknowledged.get(name)!.length > 2));
    await cluster.masters[1]!.kill();
    await eventually("new master", async () =>
      String(await cluster.replicas[1]!.command("INFO", "replication")).includes("role:master"),
    );
    // As its replica: without one nothing would be acknowledged there.
    await cluster.masters[1]!.start();
    const counts = names.map((name) => acknowledged.get(name)!.length);
    await eventually("commits", async () => names.every((name, i) => acknowledged.get(name)!.length > counts[i]! + 2));
    isOver = true;
    await Promise.all(writing);
    await memories.settled();
    const again = await openMemories({ path });
    await again.settled();
    expect(await again.persons()).toEqual(names);
    for (const name of names) {
      const history = await again.person(name).history();
      const ids = history.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(acknowledged.get(name)!.filter((id) => !ids.includes(id))).toEqual([]);
      expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
      expect(await again.person(name).check()).toEqual([]);
    }
  });
});

const openssl = process.env["MNEMOSYNE_OPENSSL"] ?? "/usr/bin/openssl";
const hasOpenssl = existsSync(openssl) || process.env["CI"] === "true";

describe.runIf(hasRedis && hasOpenssl)("a Redis with TLS", () => {
  test("is trusted if its certificate is", async () => {
    const file = (name: string): string => join(scratch.path, name);
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const keys = ["-newkey", "rsa:2048", "-nodes", "-keyout", file("key.pem"), "-out", file("cert.pem")];
    execFileSync(openssl, ["req", "-x509", "-days", "2", ...keys, ...subject], { stdio: "ignore" });
    const secured = await startServer({
      "tls-port": "0",
      "tls-cert-file": file("cert.pem"),
      "tls-key-file": file("key.pem"),
      "tls-ca-cert-file": file("cert.pem"),
      "tls-auth-clients": "no",
    });
    const tlsPort = secured.busPort;
    await secured.command("CONFIG", "SET", "tls-port", String(tlsPort));
    const url = `rediss://127.0.0.1:${tlsPort}`;
    await expect(RedisStore.open({ url })).rejects.toThrow(/TLS does not work/u);
    const store = await RedisStore.open({ url, tls: { ca: readFileSync(file("cert.pem")) } });
    const ada = (await openMemories({ store })).person("ada");
    await ada.commit(interactionAt(1));
    await ada.settled();
    expect(await ada.history()).toHaveLength(1);
  });
});
