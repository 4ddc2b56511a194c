/** Whole memories in Redis: the same as in SQLite, byte for byte, and for several processes. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { exportLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { interactionAt, laboratory } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { fillRichDatabase } from "../durability/rich-database.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { RedisServer, hasRedis } from "./redis-server.mjs";

const scratch = new ScratchFolder();

/** A life with pairs, replacements, something forgotten, something restored, a small memory limit and a core summary. */
async function live(options: MnemosyneOptions): Promise<{ exported: string[]; recalls: string }> {
  const memories = await openMemories({
    ...options,
    parameters: { memoryCountMax: 22, coreSummaryIntervalCommits: 10 },
  });
  const memory = memories.person("Zoë {1}");
  for (let position = 0; position < 35; position++) {
    await memory.commit(interactionAt(position));
    await memory.settled();
  }
  await memory.forget("i007");
  const [pruned] = await memory.history({ outcomes: ["pruned"] });
  await memory.restore(pruned!.id);
  await memory.settled();
  const ask = async (position: number): Promise<unknown> =>
    memory.recall(interactionAt(position).summary ?? "What about the garden?", { seed: position });
  const recalls = JSON.stringify([await ask(3), await ask(20), await ask(34)]);
  return { exported: await exportLines(memory), recalls };
}

describe.runIf(hasRedis)("memories in Redis", () => {
  let server: RedisServer;
  let prefixCount = 0;
  const nextPath = (): string => `${server.url}/0?prefix=test${++prefixCount}:`;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  test("of one person processed by three at once take effect once, each claim given back", async () => {
    const path = nextPath();
    const parameters = { substanceThreshold: -10, redundancyThreshold: 10 };
    const three = await Promise.all([1, 2, 3].map(() => openMemories({ path, parameters })));
    for (let i = 0; i < 30; i++) {
      await three[i % 3]!.person("ada").commit({ id: `v${i}`, summary: `Visit number ${i}: the knee is better.` });
    }
    await Promise.all(three.map((memories) => memories.settled()));
    const person = three[0]!.person("ada");
    expect((await person.history()).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 30 }, () => "committed"),
    );
    expect(await person.check()).toEqual([]);
    const store = await RedisStore.open({ url: path });
    onTestFinished(() => store.close());
    expect(await store.claimQueue("ada", "one", 60_000)).toBe(true);
    expect(await store.claimQueue("ada", "two", 60_000)).toBe(false);
    expect(await store.claimQueue("ada", "one", 1)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.claimQueue("ada", "two", 60_000)).toBe(true);
    await store.releaseQueue("ada", "one");
    expect(await store.claimQueue("ada", "one", 60_000)).toBe(false);
    await store.releaseQueue("ada", "two");
    expect(await store.claimQueue("ada", "one", 60_000)).toBe(true);
  });

  test("move to SQLite and back, byte for byte", async () => {
    const [path, file, back] = [nextPath(), scratch.next(), nextPath()];
    const { exported } = await live({ path });
    for (const [from, to] of [
      [path, file],
      [file, back],
    ] as const) {
      const [source, target] = [await openMemories({ path: from }), await openMemories({ path: to })];
      for (const name of await source.persons()) await target.person(name).import(source.person(name).export());
      expect(await exportLines(target.person("Zoë {1}"))).toEqual(exported);
    }
  });

  test("are those of SQLite, byte for byte, encrypted or not, and after opening them again", async () => {
    const path = nextPath();
    const inSqlite = await live({ path: scratch.next() });
    const inRedis = await live({ path });
    expect(inSqlite.exported.length).toBeGreaterThan(50);
    expect(inRedis.exported).toEqual(inSqlite.exported);
    expect(inRedis.recalls).toBe(inSqlite.recalls);
    const encrypted = await live({ path: nextPath(), encryptionKey: "correct horse" });
    expect(encrypted.exported).toEqual(inSqlite.exported);
    const again = (await openMemories({ path })).person("Zoë {1}");
    expect(await exportLines(again)).toEqual(inSqlite.exported);
    expect(await again.check()).toEqual([]);
  });

  test("with links, facts and pins say the same after another opening, and do not name what was forgotten", async () => {
    const rich = await fillRichDatabase({ path: scratch.next() });
    for (const part of ['"updates":["i0', '"pinnedArea":"', '"facts":', '"questions":', '"tokens":']) {
      expect(
        rich.filter((line) => line.includes(part)),
        part,
      ).not.toEqual([]);
    }
    const updated = rich.map((line) => /"updates":\["(i\d+)"\]/u.exec(line)?.[1]).find((id) => id !== undefined)!;
    const options = { path: nextPath(), encryptionKey: "correct horse" };
    const memories = await openMemories(options);
    await memories.person("Zoë").import(rich);
    await memories.close();
    const again = (await openMemories(options)).person("Zoë");
    expect(await exportLines(again)).toEqual(rich);
    await again.forget(updated);
    const lines = await exportLines((await openMemories(options)).person("Zoë"));
    expect(lines.filter((line) => line.includes(updated))).toEqual([]);
    expect(await again.check()).toEqual([]);
  });

  test("of two processes: each sees what the other did, and nothing is lost or done twice", async () => {
    const path = nextPath();
    const [one, two] = [await openMemories({ path }), await openMemories({ path })];
    const positions = Array.from({ length: 40 }, (_, i) => i);
    await Promise.all(
      positions.map((position) => (position % 2 === 0 ? one : two).person("ada").commit(interactionAt(position))),
    );
    await Promise.all([one.settled(), two.settled()]);
    await Promise.all([one.settled(), two.settled()]);
    const [mine, theirs] = [await one.person("ada").graph(), await two.person("ada").graph()];
    expect(JSON.stringify(mine)).toBe(JSON.stringify(theirs));
    const history = await one.person("ada").history();
    expect(history.map(({ id }) => id).sort()).toEqual(positions.map((position) => interactionAt(position).id));
    expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
    expect(await two.person("ada").check()).toEqual([]);
    await one.person("ada").forgetAll();
    await expect(two.person("ada").graph()).rejects.toMatchObject({ code: "unknown_person" });
  });

  test("that another process made or forgot are seen by the next recall, of whoever is in memory", async () => {
    const path = nextPath();
    const [one, two] = [await openMemories({ path }), await openMemories({ path })];
    const recalledBy = async (memories: Mnemosyne, query: string): Promise<string[]> => {
      const recall = await memories.person("ada").recall(query, { seed: 1 });
      return recall.memories.map(({ id }) => id);
    };
    const [aboutMarta, aboutOskar] = ["Who plays in the choir?", "Who sold something to a bakery?"];
    await one.person("ada").commit({ id: "a", summary: "Marta plays the violin in the choir." });
    await one.settled();
    expect(await recalledBy(two, aboutMarta)).toContain("a");
    await one.person("ada").commit({ id: "b", summary: "Oskar sold his violin to a bakery." });
    await one.settled();
    expect(await recalledBy(two, aboutOskar)).toContain("b");
    await two.person("ada").forget("a");
    expect(await recalledBy(one, aboutMarta)).not.toContain("a");
    await one.person("ada").forgetAll();
    expect(await recalledBy(two, aboutOskar)).toEqual([]);
  });

  test("get new vectors from another embedder", async () => {
    const path = nextPath();
    const first = await openMemories({ path });
    for (let position = 0; position < 20; position++) await first.person("ada").commit(interactionAt(position));
    await first.settled();
    await first.close();
    const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
    await expect(Mnemosyne.open(laboratory({ path, embedder }))).rejects.toMatchObject({ code: "embedder_mismatch" });
    await Mnemosyne.reembed(laboratory({ path, embedder }));
    const memory = (await openMemories({ path, embedder })).person("ada");
    expect(await memory.check()).toEqual([]);
    expect(await memory.history()).toHaveLength(20);
  });

  test("an open store does not keep a process alive", async () => {
    const door = new URL("../../dist/adapters/store/redis/store.js", import.meta.url).href;
    const script = `
      const { RedisStore } = await import(${JSON.stringify(door)});
      const store = await RedisStore.open({ url: ${JSON.stringify(nextPath())} });
      process.stdout.write(String(await store.revision("ada")));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    expect(stdout).toBe("0");
  });

  const openssl = process.env["MNEMOSYNE_OPENSSL"] ?? "/usr/bin/openssl";
  const hasOpenssl = existsSync(openssl) || process.env["CI"] === "true";

  test.runIf(hasOpenssl)("go through TLS", async () => {
    const file = (name: string): string => join(scratch.path, name);
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const keys = ["-newkey", "rsa:2048", "-nodes", "-keyout", file("key.pem"), "-out", file("cert.pem")];
    execFileSync(openssl, ["req", "-x509", "-days", "2", ...keys, ...subject], { stdio: "ignore" });
    const secured = await RedisServer.start({
      "tls-port": "0",
      "tls-cert-file": file("cert.pem"),
      "tls-key-file": file("key.pem"),
      "tls-ca-cert-file": file("cert.pem"),
      "tls-auth-clients": "no",
    });
    onTestFinished(() => secured.stop());
    const tlsPort = secured.busPort;
    await secured.command("CONFIG", "SET", "tls-port", String(tlsPort));
    const url = `rediss://127.0.0.1:${tlsPort}`;
    await expect(RedisStore.open({ url })).rejects.toThrow(/TLS does not work/u);
    const store = await RedisStore.open({ url, tls: { ca: readFileSync(file("cert.pem")) } });
    onTestFinished(() => store.close());
    await store.setEmbedder({ name: "one", dimensions: 8 });
    expect(await store.embedder()).toEqual({ name: "one", dimensions: 8 });
  });
});
