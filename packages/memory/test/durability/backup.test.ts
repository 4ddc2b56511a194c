/** A backup is one moment of a database that others go on using: whole or not there, with its key, without what was forgotten. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { type BackupReport, Mnemosyne, type StoreOptions } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { Child, startChild } from "./child-process.js";
import { exportLines } from "./export-lines.js";
import { interactionAt, laboratory } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const program = fileURLToPath(new URL("../../../server/dist/cli/main.js", import.meta.url));
const key = "correct horse battery staple";
const megabyte = 1_000_000;

/** A folder of its own, so that whatever is left behind is seen. */
function nextFolder(): string {
  const folder = scratch.next("");
  mkdirSync(folder);
  return folder;
}

async function makeDatabase(options: StoreOptions = {}): Promise<string> {
  const path = join(nextFolder(), "memory.db");
  const memories = await Mnemosyne.open(laboratory({ path, ...options }));
  for (const [position, person] of ["ada", "ada", "bea", "ada"].entries()) {
    await memories.person(person).commit(interactionAt(position));
  }
  await memories.settled();
  await memories.close();
  return path;
}

/** So much that copying takes a while. */
async function pad(path: string, megabytes: number): Promise<void> {
  const store = await SqliteStore.open({ path });
  for (let i = 0; i < megabytes; i++) await store.cache(`ballast ${i}`, new Uint8Array(megabyte).fill(i));
  await store.close();
}

async function everything(path: string, options: StoreOptions = {}): Promise<Record<string, string[]>> {
  const memories = await openMemories({ path, ...options });
  const said: Record<string, string[]> = {};
  for (const name of await memories.persons()) {
    expect(await memories.person(name).check()).toEqual([]);
    said[name] = await exportLines(memories.person(name));
  }
  await memories.close();
  return said;
}

async function damageOf(path: string, options: StoreOptions = {}): Promise<unknown> {
  const store = await SqliteStore.open({ path, ...options } as { path: string });
  try {
    return await store.damage();
  } finally {
    await store.close();
  }
}

describe("a backup", () => {
  test.each([
    ["of a plain file", {}],
    ["of an encrypted file", { encryptionKey: key }],
  ])("%s says the same, for its owner only, and leaves nothing else behind", async (_, options) => {
    const path = await makeDatabase(options);
    const file = join(nextFolder(), "copy.db");
    const report = await Mnemosyne.backup({ path, ...options }, file);
    expect(report).toEqual({
      file,
      byteCount: statSync(file).size,
      schemaVersion: 8,
      encrypted: "encryptionKey" in options,
      personCount: 2,
      interactionCount: 4,
      memoryCount: 4,
    } satisfies BackupReport);
    expect(readdirSync(dirname(file))).toEqual(["copy.db"]);
    expect(readdirSync(dirname(path))).toEqual(["memory.db"]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes("SQLite format")).toBe(!("encryptionKey" in options));
    expect(await damageOf(file, options)).toEqual([]);
    expect(await everything(file, options)).toEqual(await everything(path, options));
  });

  test("of an encrypted file opens with no other key, and needs the right one to be made", async () => {
    const path = await makeDatabase({ encryptionKey: key });
    const file = join(nextFolder(), "copy.db");
    for (const wrong of [{ path }, { path, encryptionKey: `${key}.` }]) {
      await expect(Mnemosyne.backup(wrong, file)).rejects.toMatchObject({ code: "store_not_ours" });
    }
    expect(readdirSync(dirname(file))).toEqual([]);
    await Mnemosyne.backup({ path, encryptionKey: key }, file);
    await expect(SqliteStore.open({ path: file })).rejects.toMatchObject({ code: "store_not_ours" });
  });

  test("has nothing that is only left over in the file", async () => {
    const path = await makeDatabase();
    const leftOver = "the secret that nobody has any more";
    const database = new Database(path);
    database.exec(`PRAGMA secure_delete = OFF; CREATE TABLE scrap (text); INSERT INTO scrap VALUES ('${leftOver}');
      DROP TABLE scrap; PRAGMA wal_checkpoint(TRUNCATE);`);
    database.close();
    expect(databaseBytes(path).includes(leftOver)).toBe(true);
    const file = scratch.next();
    await Mnemosyne.backup({ path }, file);
    expect(readFileSync(file).includes(leftOver)).toBe(false);
    expect(readFileSync(file).includes("ada")).toBe(true);
  });

  test("has what the log holds that is not in the file yet", async () => {
    const path = await makeDatabase();
    const memories = await openMemories({ path });
    await memories.person("ada").commit(interactionAt(9));
    await memories.settled();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const file = scratch.next();
    expect(await Mnemosyne.backup({ path }, file)).toMatchObject({ interactionCount: 5 });
    await memories.close();
    expect(await everything(file)).toEqual(await everything(path));
  });
});

describe("while another process commits", () => {
  const positions = Array.from({ length: 300 }, (_, position) => position);

  test("each backup has all that was acknowledged before it, in one piece, and no commit fails", async () => {
    const path = await makeDatabase();
    const child = startChild("committing-child.mjs", { path, positions, person: "cleo" });
    const backups: { file: string; before: readonly string[] }[] = [];
    for (let i = 1; i <= 3; i++) {
      await child.until((lines) => lines.filter((line) => line.startsWith("acknowledged")).length >= 40 * i);
      const before = child.said("acknowledged");
      const file = scratch.next();
      await Mnemosyne.backup({ path }, file);
      backups.push({ file, before });
    }
    // The last one was made while it was still at work.
    expect(child.lines).not.toContain("settled");
    await child.kill();
    for (const { file, before } of backups) {
      expect(await damageOf(file)).toEqual([]);
      const memories = await openMemories({ path: file });
      const memory = memories.person("cleo");
      const ids = (await memory.history()).map(({ id }) => id);
      expect(ids.length).toBeGreaterThanOrEqual(before.length);
      expect(ids).toEqual(positions.slice(0, ids.length).map((position) => interactionAt(position).id));
      await memory.settled();
      expect(await memory.check()).toEqual([]);
      await memories.close();
    }
    expect(await damageOf(path)).toEqual([]);
  });
});

describe("a backup that does not come to its end", () => {
  test("because it is killed leaves nothing under its name", async () => {
    const path = await makeDatabase();
    await pad(path, 60);
    const before = await everything(path);
    let halves = 0;
    for (let kill = 0; kill < 2; kill++) {
      const folder = nextFolder();
      const file = join(folder, "copy.db");
      const child = new Child(process.execPath, [program, "--path", path, "backup", file]);
      await hasBegun(folder, child);
      await delay(kill * 40);
      await child.kill();
      if (existsSync(file)) expect(await damageOf(file)).toEqual([]);
      else halves++;
      const left = readdirSync(folder).filter((name) => name !== "copy.db");
      expect(left.every((name) => /^mnemosyne-[0-9a-f]+\.unfinished/u.test(name))).toBe(true);
      if (process.platform !== "win32") {
        expect(left.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)).toEqual([]);
      }
      expect(await Mnemosyne.backup({ path }, file, undefined, { replace: true })).toMatchObject({ personCount: 2 });
      expect(await damageOf(file)).toEqual([]);
    }
    expect(halves).toBeGreaterThan(0);
    expect(await everything(path)).toEqual(before);
  });

  const hasBash = spawnSync("bash", ["-c", "ulimit -f 100"]).status === 0;

  test.runIf(hasBash)("because the disk is full leaves nothing at all", async () => {
    const path = await makeDatabase();
    await pad(path, 3);
    const folder = nextFolder();
    const file = join(folder, "copy.db");
    // As in store-trouble.test.ts: the nearest thing to a full disk.
    const command = 'ulimit -f 1000; exec "$0" "$@"';
    const args = [process.execPath, program, "--path", path, "backup", file, "--json"];
    const child = new Child("bash", ["-c", command, ...args]);
    expect((await child.exited).code).toBe(4);
    expect(JSON.parse(child.errors)).toMatchObject({
      error: { code: expect.stringMatching(/^store_(?:full|failed)$/u), message: expect.stringContaining(file) },
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await damageOf(path)).toEqual([]);
  });

  test.each([
    ["a memory", "store_damaged", "UPDATE memory SET content_mark = content_mark + 1 WHERE key = 2"],
    ["what is known of an interaction", "store_damaged", "UPDATE interaction SET mark = mark + 1 WHERE sequence = 1"],
  ])("because %s is damaged says so and leaves nothing", async (_, code, sql) => {
    const path = await makeDatabase();
    const database = new Database(path);
    database.exec(sql);
    database.close();
    const folder = nextFolder();
    const failed = Mnemosyne.backup({ path }, join(folder, "copy.db"));
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining("--skip-damaged") });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("because pages are damaged says so and leaves nothing", async () => {
    const path = await makeDatabase();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096 * 2);
    writeFileSync(path, bytes);
    const folder = nextFolder();
    const failed = Mnemosyne.backup({ path }, join(folder, "copy.db"));
    await expect(failed).rejects.toMatchObject({ code: "store_corrupt" });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("nothing is overwritten", () => {
  test("unless that is asked for", async () => {
    const path = await makeDatabase();
    const file = scratch.next();
    writeFileSync(file, "mine");
    await expect(Mnemosyne.backup({ path }, file)).rejects.toMatchObject({ code: "option_invalid" });
    expect(readFileSync(file, "utf8")).toBe("mine");
    await Mnemosyne.backup({ path }, file, () => {}, { replace: true });
    expect(await everything(file)).toEqual(await everything(path));
  });

  test("and never the database itself, by whatever name, nor a database whose log is there", async () => {
    const path = await makeDatabase();
    const before = readFileSync(path);
    const roundabout = join(dirname(path), "..", dirname(path).split("/").at(-1)!, "memory.db");
    for (const file of [path, roundabout]) {
      const failed = Mnemosyne.backup({ path }, file, undefined, { replace: true });
      await expect(failed).rejects.toMatchObject({ code: "option_invalid" });
    }
    const used = scratch.next();
    writeFileSync(`${used}-wal`, "somebody's");
    const failed = Mnemosyne.backup({ path }, used);
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining("-wal") });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("what is no SQLite file of ours", () => {
  test("is refused with what to do", async () => {
    const file = scratch.next();
    const store = await SqliteStore.open({ path: scratch.next() });
    const refused: [StoreOptions, RegExp][] = [
      [{ path: "redis://:secret@127.0.0.1:1" }, /RDB.*export every person/u],
      [{ path: ":memory:" }, /export every person/u],
      [{ store }, /by their path/u],
    ];
    for (const [from, message] of refused) {
      const failed = Mnemosyne.backup(from, file);
      await expect(failed).rejects.toMatchObject({ code: "option_invalid", message: expect.stringMatching(message) });
      await expect(failed).rejects.not.toThrow(/secret/u);
    }
    await store.close();
    const missing = scratch.next();
    await expect(Mnemosyne.backup({ path: missing }, file)).rejects.toMatchObject({ code: "store_missing" });
    expect(existsSync(missing)).toBe(false);
    const other = scratch.next();
    const database = new Database(other);
    database.exec("CREATE TABLE person (name TEXT)");
    database.close();
    await expect(Mnemosyne.backup({ path: other }, file)).rejects.toMatchObject({ code: "store_not_ours" });
    expect(existsSync(file)).toBe(false);
  });
});

/** The first bytes of the copy are there. */
async function hasBegun(folder: string, child: Child): Promise<void> {
  let hasExited = false;
  void child.exited.then(() => (hasExited = true));
  const size = (): number =>
    readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  while (!hasExited && size() < megabyte) await delay(1);
}
