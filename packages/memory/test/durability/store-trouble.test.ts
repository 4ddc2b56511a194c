/** Files that are no memory, cannot be written or do not fit: a clear error, and nothing acknowledged is ever lost. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { type Embedder, Mnemosyne, type MnemosyneOptions, type RecordChange, StoreError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { Child, scriptPath, startChild } from "./child-process.js";
import { encryptionKey, engines } from "./engines.js";
import { HashingEmbedder } from "./hashing-embedder.mjs";
import { interactionAt, laboratory } from "./laboratory.mjs";
import { damageIn, openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const isRoot = process.getuid?.() === 0;
const nobodyId = 65_534;

/** Some memories of "ada". */
async function fill(open: MnemosyneOptions): Promise<void> {
  const memories = await openMemories(open);
  for (let position = 0; position < 24; position++) await memories.person("ada").commit(interactionAt(position));
  await memories.settled();
  await memories.close();
}

async function makeDatabase(options: MnemosyneOptions = {}): Promise<string> {
  const path = scratch.next();
  await fill({ path, ...options });
  return path;
}

/** Changes a closed database behind our back. */
function edit(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

async function expectRefused(code: string, options: { path: string }): Promise<void> {
  const before = readFileSync(options.path);
  for (const open of [() => SqliteStore.open(options), () => Mnemosyne.open(laboratory(options))]) {
    const error: unknown = await open().then(
      () => "opened",
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).code).toBe(code);
    expect((error as StoreError).message).toContain(options.path);
  }
  expect(readFileSync(options.path).equals(before)).toBe(true);
}

test.runIf(process.platform === "linux")(
  "a folder in which nothing can be created: an error, not a wait without end",
  async () => {
    const child = startChild("opening-child.mjs", { path: "/proc/nope/x.db" });
    await child.succeeded();
    expect(child.lines).toEqual(["failed store store_read_only"]);
  },
  30_000,
);

test("folders that are missing are created, from the first to the last", async () => {
  const path = join(scratch.next(""), "one", "two", "x.db");
  await (await SqliteStore.open({ path })).close();
  await (await SqliteStore.open({ path })).close();
  expect(statSync(path).isFile()).toBe(true);
});

test("a store that may have taken an interaction or not: the error names the id to hand it in with again", async () => {
  let isBusy = true;
  class UnsureStore extends MemoryStore {
    override async write(person: string, base: number | null, change: RecordChange): Promise<number> {
      const revision = await super.write(person, base as number, change);
      if (isBusy && person !== "") throw new StoreError("store_busy", "0 of 1 replicas had it.");
      return revision;
    }
  }
  const memory = (await openMemories({ store: new UnsureStore() })).person("ada");
  const { id: _, ...input } = interactionAt(0);
  const error = await memory.commit(input).catch((reason: Error) => reason);
  expect(error).toMatchObject({
    code: "store_busy",
    message: expect.stringMatching(/again with the id "(.+)" stores it only once/u),
  });
  isBusy = false;
  const id = /with the id "(.+)" stores it/u.exec((error as Error).message)![1]!;
  expect(await memory.commit({ ...input, id })).toEqual({ id, isNew: false });
  expect(await memory.history()).toHaveLength(1);
});

describe("what is no database of ours is refused and left as it is:", () => {
  test.each([
    ["a short text", "hello"],
    ["a long text", "All work and no play makes Jack a dull boy.\n".repeat(1000)],
  ])("%s", async (_, text) => {
    const path = scratch.next(".txt");
    writeFileSync(path, text);
    await expectRefused("store_not_ours", { path });
  });

  test("a database of another program", async () => {
    const path = scratch.next();
    edit(path, "CREATE TABLE person (name TEXT); INSERT INTO person VALUES ('ada');");
    await expectRefused("store_not_ours", { path });
  });

  test("a database of another program that has the same schema version", async () => {
    const path = scratch.next();
    edit(path, "PRAGMA user_version = 1; PRAGMA application_id = 7; CREATE TABLE setting (name TEXT, value TEXT);");
    await expectRefused("store_not_ours", { path });
  });

  test.each([7, 99])("a file of format %i", async (version) => {
    const path = await makeDatabase();
    edit(path, `PRAGMA user_version = ${version}`);
    await expectRefused("store_format", { path });
  });

  test("a sealed file tells neither names nor words", async () => {
    const path = await makeDatabase({ encryptionKey });
    const bytes = databaseBytes(path).toString("latin1");
    for (const word of ["ada", "i001", "Marta", "hashing"]) expect(bytes).not.toContain(word);
  });
});

describe("a damaged file", () => {
  test("is called so", async () => {
    const path = await makeDatabase();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096 * 2);
    writeFileSync(path, bytes);
    await expect(useDatabase(path)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  test("cut short is called so", async () => {
    const path = await makeDatabase();
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
    await expect(useDatabase(path)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  async function useDatabase(path: string): Promise<void> {
    const memories = await openMemories({ path });
    await memories.person("ada").list();
    await memories.person("ada").history();
    await memories.close();
  }
});

describe("a place that cannot be written", () => {
  test("a folder instead of a file", async () => {
    const path = join(scratch.path, "a folder");
    mkdirSync(path);
    await expect(SqliteStore.open({ path })).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringContaining("is a folder, not a database file") as string,
    });
  });

  test("a path below a file", async () => {
    const file = scratch.next(".txt");
    writeFileSync(file, "hello");
    for (const path of [join(file, "x.db"), join(file, "y", "x.db")]) {
      await expect(SqliteStore.open({ path })).rejects.toMatchObject({ code: "store_read_only" });
    }
    expect(readFileSync(file, "utf8")).toBe("hello");
  });

  test.each([
    ["a file in a folder", async (folder: string) => copyInto(folder)],
    ["no file in a folder", async (folder: string) => join(folder, "memory.db")],
    ["a folder in a folder", async (folder: string) => join(folder, "deeper", "memory.db")],
  ])("%s of somebody else", async (name, prepare) => {
    chmodSync(scratch.path, 0o755);
    const folder = join(scratch.path, `read-only ${name}`);
    mkdirSync(folder);
    const path = await prepare(folder);
    chmodSync(folder, 0o555);
    const child = startChild("opening-child.mjs", { path }, isRoot ? { uid: nobodyId, gid: nobodyId } : {});
    await child.succeeded();
    chmodSync(folder, 0o755);
    expect(child.lines).toEqual(["failed store store_read_only"]);
  });

  async function copyInto(folder: string): Promise<string> {
    const path = join(folder, "memory.db");
    writeFileSync(path, readFileSync(await makeDatabase()), { mode: 0o444 });
    return path;
  }
});

describe("somebody else at work on the file", () => {
  test("who writes for too long: busy, nothing lost, and free again afterwards", async () => {
    const path = await makeDatabase();
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50 });
    const memory = (await openMemories({ store })).person("ada");
    const writer = new Database(path);
    writer.exec("BEGIN IMMEDIATE");
    await expect(memory.commit(interactionAt(30))).rejects.toMatchObject({ code: "store_busy" });
    expect(await memory.history()).toHaveLength(24);
    writer.exec("ROLLBACK");
    writer.close();
    await memory.commit(interactionAt(30));
    await memory.settled();
    expect(await memory.history()).toHaveLength(25);
    expect(await memory.check()).toEqual([]);
  });

  test("who reads while something is forgotten: gone from the memory at once, from the bytes at the next opening", async () => {
    const path = await makeDatabase();
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50 });
    const memories = await openMemories({ store });
    const memory = memories.person("ada");
    const { id, summary } = await memory.get("i004");
    const reader = new Database(path);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM record").get([]);
    const failure: unknown = await memory.forget(id).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure !== null) expect(failure).toMatchObject({ code: "store_busy" });
    expect(await memory.history({ ids: [id] })).toEqual([]);
    await expect(memory.get(id)).rejects.toMatchObject({ code: "unknown_id" });
    expect(await memory.check()).toEqual([]);
    reader.exec("ROLLBACK");
    reader.close();
    await memories.close();

    const reopened = await SqliteStore.open({ path });
    expect(databaseBytes(path).includes(summary)).toBe(false);
    expect(databaseBytes(path).includes(id)).toBe(false);
    await reopened.close();
  });
});

describe("a full disk", () => {
  const hasBash = spawnSync("bash", ["-c", "ulimit -f 100"]).status === 0;

  test.runIf(hasBash).each([300, 900])("of %i kilobytes loses nothing acknowledged", async (kilobytes) => {
    const path = scratch.next();
    const positions = Array.from({ length: 400 }, (_, position) => position);
    const argument = JSON.stringify({ open: { path }, positions, person: "ada" });
    // A limit on the size of a file is the nearest thing to a full disk that needs no other file system.
    const command = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
    const child = new Child("bash", ["-c", command, process.execPath, scriptPath("committing-child.mjs"), argument]);
    await child.exited;
    const acknowledged = child.said("acknowledged");
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(positions.length);
    expect(child.said("failed")).toEqual([expect.stringMatching(/^store_(?:full|failed) /u)]);

    expect(await damageIn({ path })).toEqual([]);
    const memory = (await openMemories({ path })).person("ada");
    await memory.settled();
    const ids = (await memory.history()).map(({ id }) => id);
    expect(ids.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(ids.length).toBeLessThanOrEqual(acknowledged.length + 1);
    expect(await memory.check()).toEqual([]);
    await memory.commit({ id: "afterwards", summary: "The disk has room again for the garden of plums." });
    await memory.settled();
    expect((await memory.get("afterwards")).outcome).toBe("committed");
  });
});

describe.each(engines({ isSealed: false }))("another embedder in $name", ({ next }) => {
  const other = (): Embedder => new HashingEmbedder({ name: "another", dimensions: 48 });

  test("is refused with the command that mends it, and re-embedding mends it", async () => {
    const open = await next();
    await fill(open);
    const first = await openMemories(open);
    const before = await first.person("ada").graph();
    await first.close();
    const mismatch = Mnemosyne.open(laboratory({ ...open, embedder: other() }));
    await expect(mismatch).rejects.toMatchObject({ code: "embedder_mismatch", family: "store" });
    await expect(mismatch).rejects.toThrow(/hashing.*64.*another.*48.*`mnemosyne reembed`/su);

    const steps: number[] = [];
    const result = await Mnemosyne.reembed(laboratory({ ...open, embedder: other() }), (step) =>
      steps.push(step.doneCount),
    );
    expect(result).toEqual({ personCount: 1, memoryCount: before.memories.length });
    expect(steps).toEqual(before.memories.map((_, i) => i + 1));
    await expect(Mnemosyne.open(laboratory(open))).rejects.toMatchObject({ code: "embedder_mismatch" });

    const memory = (await openMemories({ ...open, embedder: other() })).person("ada");
    const after = await memory.graph();
    const pairs = (graph: typeof before): unknown[] => graph.memories.map(({ id, pairId }) => [id, pairId]);
    const boosts = (graph: typeof before): unknown[] =>
      graph.edges
        .filter(({ boostMs }) => boostMs > 0)
        .map(({ a, b, boostMs, boostedMs }) => [a, b, boostMs, boostedMs]);
    expect(pairs(before).some((pair) => (pair as unknown[])[1] !== null)).toBe(true);
    expect(pairs(after)).toEqual(pairs(before));
    expect(boosts(after)).toEqual(boosts(before));
    expect(await memory.check()).toEqual([]);
    const [oldest] = after.memories;
    const { memories: found } = await memory.recall(oldest!.summary, { seed: 1 });
    expect(found.map(({ id }) => id)).toContain(oldest!.id);
    await memory.commit(interactionAt(30));
    await memory.settled();
    expect(await memory.check()).toEqual([]);
  });

  test("whose re-embedding was killed says how to finish it, and is finished", async () => {
    const open = await next();
    await fill(open);
    const child = startChild("reembedding-child.mjs", { open, person: "ada" });
    expect((await child.exited).signal).toBe("SIGKILL");
    for (const embedder of [new HashingEmbedder(), other()]) {
      const refused: unknown = await Mnemosyne.open(laboratory({ ...open, embedder })).catch((e: unknown) => e);
      expect(refused).toMatchObject({ code: "embedder_mismatch", family: "store" });
      const { message } = refused as StoreError;
      expect(message).toContain('re-embedding the store for "another" was interrupted');
      expect(message).toContain("`mnemosyne reembed`");
      // Nobody has an embedder of that name, and the first one's vectors are partly gone.
      expect(message).not.toMatch(/unfinished|open it with the first/u);
    }
    await Mnemosyne.reembed(laboratory({ ...open, embedder: other() }));
    const ada = (await openMemories({ ...open, embedder: other() })).person("ada");
    expect(await ada.check()).toEqual([]);
    expect(await ada.history()).toHaveLength(24);
  });

  test("that does not work at all leaves the store to the first", async () => {
    const open = await next();
    await fill(open);
    class BrokenEmbedder extends HashingEmbedder {
      override embed(): Promise<Float32Array[]> {
        return Promise.reject(new Error("out of order"));
      }
    }
    const failing = Mnemosyne.reembed(laboratory({ ...open, embedder: new BrokenEmbedder({ name: "another" }) }));
    await expect(failing).rejects.toMatchObject({ code: "embedder_failed" });
    expect(await (await openMemories(open)).person("ada").check()).toEqual([]);
  });

  test("that opens a new store at the same moment is refused, or the first one is", async () => {
    const open = await next();
    const embedders = [new HashingEmbedder(), other()];
    const openings = await Promise.allSettled(
      embedders.map((embedder) => Mnemosyne.open(laboratory({ ...open, embedder }))),
    );
    const won = openings.findIndex(({ status }) => status === "fulfilled");
    const lost = openings[1 - won] as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: "embedder_mismatch" });
    const memories = (openings[won] as PromiseFulfilledResult<Mnemosyne>).value;
    await memories.person("ada").commit(interactionAt(0));
    await memories.settled();
    await memories.close();
    const refused = Mnemosyne.open(laboratory({ ...open, embedder: embedders[1 - won]! }));
    await expect(refused).rejects.toMatchObject({ code: "embedder_mismatch" });
    const ada = (await openMemories({ ...open, embedder: embedders[won]! })).person("ada");
    expect(await ada.list()).toHaveLength(1);
  });
});
