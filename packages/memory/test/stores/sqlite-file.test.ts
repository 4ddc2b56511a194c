/** The file of the SQLite store: what is refused, what happens to it while it is open, several processes, and kills. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { type SqliteOptions, SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
import { describe, expect, test, vi } from "vitest";
import type { RecordPut, Store } from "../../src/stores/store.js";
import { Child } from "../durability/child-process.js";
import { seededRandom } from "../durability/hashing-embedder.mjs";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const script = fileURLToPath(new URL("sqlite-child.mjs", import.meta.url));
const isRoot = process.getuid?.() === 0;
const nobodyId = 65_534;
const hasBash = spawnSync("bash", ["-c", "ulimit -f 100"]).status === 0;

const note = (id: string, text = `text of ${id}`): RecordPut => ({ kind: "note", id, bytes: Buffer.from(text) });

function startWriting(options: object): Child {
  return new Child(process.execPath, [script, JSON.stringify(options)]);
}

async function idsIn(store: Store, person = "ada"): Promise<string[]> {
  const ids: string[] = [];
  for await (const { records, damage } of (await store.read(person)).pages) {
    expect(damage).toEqual([]);
    ids.push(...records.map(({ id }) => id));
  }
  return ids;
}

async function makeDatabase(count = 3): Promise<string> {
  const path = scratch.next();
  const store = await SqliteStore.open({ path });
  await store.write("ada", 0, { put: Array.from({ length: count }, (_, i) => note(`n${i}`)) });
  await store.close();
  return path;
}

/** Changes a closed database behind our back. */
function edit(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

describe("opening", () => {
  test("a new file is its owner's alone, in folders that are made", async () => {
    const path = join(scratch.next(""), "one", "two", "x.db");
    const before = process.umask(0o000);
    try {
      const store = await SqliteStore.open({ path });
      await store.write("ada", 0, { put: [note("n")] });
      await store.write("ada", null, { delete: [note("n")] });
      const files = readdirSync(dirname(path));
      expect(files.length).toBe(3);
      for (const file of files) expect(statSync(join(dirname(path), file)).mode & 0o777).toBe(0o600);
      await store.close();
      expect(readdirSync(dirname(path))).toEqual(["x.db"]);
    } finally {
      process.umask(before);
    }
  });

  test.each<[name: string, code: string, change: (path: string) => void]>([
    ["a text", "store_not_ours", (path) => writeFileSync(path, "All work and no play.\n".repeat(1_000))],
    ["another program's", "store_not_ours", (path) => (rmSync(path), edit(path, "CREATE TABLE person (name TEXT)"))],
    ["an older format", "store_format", (path) => edit(path, "PRAGMA user_version = 8")],
    ["a newer format", "store_format", (path) => edit(path, "PRAGMA user_version = 99")],
    ["no beginning", "store_not_ours", (path) => writeFileSync(path, readFileSync(path).fill(0xaa, 0, 4_096))],
  ])("%s is refused and left as it is", async (_, code, change) => {
    const path = await makeDatabase();
    change(path);
    const before = readFileSync(path);
    await expect(SqliteStore.open({ path })).rejects.toMatchObject({ code, message: expect.stringContaining(path) });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("of format 8 says which release can read it", async () => {
    const path = await makeDatabase();
    edit(path, "PRAGMA user_version = 8");
    await expect(SqliteStore.open({ path })).rejects.toThrow(/format 8.*export it with the release that wrote it/u);
  });

  test("a log without its database is kept", async () => {
    const path = await makeDatabase();
    writeFileSync(`${path}-wal`, "what was written last");
    rmSync(path);
    await expect(SqliteStore.open({ path })).rejects.toMatchObject({ code: "store_moved" });
    expect(readFileSync(`${path}-wal`, "utf8")).toBe("what was written last");
  });

  test("a file without a byte is new, but not without a word", async () => {
    const path = scratch.next();
    writeFileSync(path, "");
    const store = await SqliteStore.open({ path });
    expect((await store.describe()).warnings).toEqual([expect.stringContaining("was an empty file")]);
    await store.close();
    const again = await SqliteStore.open({ path });
    expect((await again.describe()).warnings).toBeUndefined();
    await again.close();
  });

  test.each(["", " ", "file:x.db", "libsql://x", "a\0b"])("the path %j is refused", async (path) => {
    await expect(SqliteStore.open({ path })).rejects.toMatchObject({ code: "option_invalid" });
  });

  test("a name with signs of a URL, and a link to the file", async () => {
    const path = join(scratch.next(""), "a b?#%41é&x=1 '.db");
    const link = scratch.next();
    const store = await SqliteStore.open({ path });
    symlinkSync(path, link);
    const linked = await SqliteStore.open({ path: link });
    await store.write("ada", 0, { put: [note("n")] });
    await linked.write("ada", null, { put: [note("m")] });
    expect(await idsIn(store)).toEqual(["n", "m"]);
    rmSync(`${path}-shm`);
    await expect(linked.read("ada")).rejects.toMatchObject({ code: "store_moved" });
    await Promise.all([store.close(), linked.close()]);
    expect(readdirSync(dirname(path))).toContain("a b?#%41é&x=1 '.db");
  });

  test("a folder, or a path below a file", async () => {
    const file = scratch.next(".txt");
    writeFileSync(file, "hello");
    await expect(SqliteStore.open({ path: scratch.path })).rejects.toMatchObject({ code: "option_invalid" });
    await expect(SqliteStore.open({ path: join(file, "x.db") })).rejects.toMatchObject({ code: "store_read_only" });
  });

  test.each(["a new file", "a file that is there"])("%s in a folder of somebody else", async (name) => {
    chmodSync(scratch.path, 0o755);
    const folder = join(scratch.path, `read-only ${name}`);
    mkdirSync(folder);
    const path = join(folder, "x.db");
    if (name !== "a new file") writeFileSync(path, readFileSync(await makeDatabase()), { mode: 0o444 });
    chmodSync(folder, 0o555);
    const argument = JSON.stringify({ path, count: 1 });
    const child = new Child(process.execPath, [script, argument], isRoot ? { uid: nobodyId, gid: nobodyId } : {});
    await child.exited;
    chmodSync(folder, 0o755);
    expect(child.lines).toEqual([expect.stringMatching(/^failed store_read_only /u)]);
  });

  test("several that open a new file at the same moment all open it", async () => {
    for (let round = 0; round < 4; round++) {
      const path = scratch.next();
      const children = ["a", "b", "c"].map((prefix) => startWriting({ path, prefix, count: 5 }));
      for (const child of children) await child.succeeded();
      const store = await SqliteStore.open({ path });
      expect((await idsIn(store)).length).toBe(15);
      await store.close();
    }
  });
});

describe("a file that is no longer there:", () => {
  const moved = { code: "store_moved" };
  const ways: Record<string, (path: string) => void> = {
    deleted: (path) => rmSync(path),
    renamed: (path) => renameSync(path, `${path}.old`),
    replaced: (path) => {
      copyFileSync(path, `${path}.new`);
      renameSync(`${path}.new`, path);
    },
    emptied: (path) => truncateSync(path, 0),
    "without its log": (path) => rmSync(`${path}-wal`),
    "without the index of its log": (path) => rmSync(`${path}-shm`),
  };

  test.each(Object.keys(ways))("%s: nothing is read or written", async (way) => {
    const path = scratch.next();
    const store = await SqliteStore.open({ path });
    const revision = await store.write("ada", 0, { put: [note("n")] });
    ways[way]!(path);
    await expect(store.write("ada", revision, { put: [note("m")] })).rejects.toMatchObject(moved);
    await expect(store.write("ada", null, { put: [note("m")] })).rejects.toMatchObject(moved);
    await expect(store.read("ada")).rejects.toMatchObject(moved);
    await expect(store.erase("ada")).rejects.toMatchObject(moved);
    await expect(store.lease("ada", "me", 1_000)).rejects.toMatchObject(moved);
    await store.close();
  });

  test("is used again when it is put back", async () => {
    const path = scratch.next();
    const store = await SqliteStore.open({ path });
    await store.write("ada", 0, { put: [note("n")] });
    renameSync(path, `${path}.old`);
    await expect(store.write("ada", null, { put: [note("m")] })).rejects.toMatchObject(moved);
    renameSync(`${path}.old`, path);
    await store.write("ada", null, { put: [note("m")] });
    expect(await idsIn(store)).toEqual(["n", "m"]);
    await store.close();
  });

  test("two processes that write while the index of the log is deleted lose nothing acknowledged", async () => {
    const path = await makeDatabase();
    const children = ["a", "b"].map((prefix) => startWriting({ path, prefix, reopens: true, pauseMs: 1 }));
    const counts = (): number[] => children.map((child) => child.said("acknowledged").length);
    const late: Child[] = [];
    for (let deletion = 0; deletion < 6; deletion++) {
      const before = counts();
      for (const [i, child] of children.entries()) {
        await child.until(() => child.said("acknowledged").length >= before[i]! + 10);
      }
      rmSync(`${path}-shm`, { force: true });
      late.push(startWriting({ path, prefix: `late${deletion}-`, count: 20, reopens: true }));
    }
    for (const child of late) await child.succeeded();
    for (const child of children) child.say("end");
    for (const child of children) await child.succeeded();
    const store = await SqliteStore.open({ path });
    const ids = new Set(await idsIn(store));
    const acknowledged = [...children, ...late].flatMap((child) => child.said("acknowledged"));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(children.flatMap((child) => child.said("refused")).length).toBeGreaterThan(5);
    expect(await store.damage()).toEqual([]);
    await store.close();
  });

  test.each([
    ["closes", true],
    ["ends", false],
  ])("a process that still has the deleted index of the log harms nothing when it %s last", async (_, closes) => {
    const path = await makeDatabase();
    const idle = startWriting({ path, prefix: "idle", count: 5, waits: true, closes });
    await idle.until((lines) => lines.includes("waiting"));
    rmSync(`${path}-shm`);
    const other = startWriting({ path, prefix: "other", count: 300, byteCount: 4_000 });
    await other.succeeded();
    idle.say("end");
    await idle.succeeded();
    const store = await SqliteStore.open({ path });
    expect((await idsIn(store)).length).toBe(308);
    expect(await store.damage()).toEqual([]);
    await store.close();
  });
});

describe("erasing", () => {
  const words = "never to be found again";
  const options: [string, SqliteOptions][] = [
    ["on a thread", { path: "" }],
    ["inline", { path: "", isInline: true }],
  ];

  test.each(options)("leaves no byte in the file or its log, %s", async (_, more) => {
    const path = scratch.next();
    const random = seededRandom("erasing");
    const store = await SqliteStore.open({ ...more, path });
    const bytesOf = (id: string): Buffer => Buffer.from(`secret of ${id}. `.repeat(1 + Math.floor(random() * 400)));
    const ids = Array.from({ length: 200 }, (_each, i) => `name${i}x`);
    for (const person of ["ada", "bea"]) {
      await store.lease(person, "owner", 1e6);
      for (const id of ids)
        await store.write(person, null, { put: [{ kind: "note", id: person + id, bytes: bytesOf(id) }] });
    }
    const gone = ids.filter(() => random() < 0.3).map((id) => `ada${id}`);
    await store.write("ada", null, { delete: gone.map((id) => ({ kind: "note", id })) });
    const found = (marks: string[]): string[] => {
      const bytes = databaseBytes(path).toString("latin1");
      return marks.filter((mark) => bytes.includes(mark));
    };
    expect(found(gone)).toEqual([]);
    expect(await store.erase("bea")).toBe(200);
    expect(found(["bea"])).toEqual([]);
    expect((await idsIn(store)).length).toBe(200 - gone.length);
    expect(await store.damage()).toEqual([]);
    await store.close();
  });

  async function makeUnfinished(): Promise<string> {
    const path = scratch.next();
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50, isInline: true });
    await store.write("ada", 0, { put: [note("kept"), ...Array.from({ length: 50 }, (_, i) => note(`n${i}`, words))] });
    const exec = Database.prototype.exec;
    const fail = vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql) {
      if (sql === "VACUUM") throw Object.assign(new Error("disk is full"), { code: "SQLITE_FULL" });
      return exec.call(this, sql);
    });
    try {
      const gone = Array.from({ length: 50 }, (_, i) => note(`n${i}`));
      await expect(store.write("ada", null, { delete: gone })).rejects.toMatchObject({ code: "store_full" });
      await store.close();
    } finally {
      fail.mockRestore();
    }
    expect(isNoted(path)).toBe(true);
    return path;
  }

  function isNoted(path: string): boolean {
    const database = new Database(path);
    const rows = database.prepare("SELECT 1 FROM setting WHERE name = 'erase'").all([]);
    database.close();
    return rows.length > 0;
  }

  test("that could not be finished is finished by the next opening", async () => {
    const path = await makeUnfinished();
    const store = await SqliteStore.open({ path });
    expect((await store.describe()).warnings).toBeUndefined();
    expect(await idsIn(store)).toEqual(["kept"]);
    await store.close();
    expect(isNoted(path)).toBe(false);
    expect(databaseBytes(path).includes(words)).toBe(false);
  });

  test("opens while somebody reads, with a warning, and closing finishes it", async () => {
    const path = await makeUnfinished();
    const reader = new Database(path);
    reader.exec("BEGIN");
    reader.exec("SELECT count(*) FROM record");
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50 });
    expect((await store.describe()).warnings).toEqual([expect.stringContaining("may remain")]);
    expect(await idsIn(store)).toEqual(["kept"]);
    reader.exec("ROLLBACK");
    reader.close();
    await store.close();
    expect(isNoted(path)).toBe(false);
    expect(databaseBytes(path).includes(words)).toBe(false);
  });

  test("is not taken for finished by a process that erased something else", async () => {
    const path = await makeUnfinished();
    const other = new Database(path);
    const exec = Database.prototype.exec;
    const during = vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql) {
      if (sql === "VACUUM") exec.call(other, "UPDATE setting SET value = 7 WHERE name = 'erase'");
      return exec.call(this, sql);
    });
    try {
      await SqliteStore.open({ path, isInline: true });
    } finally {
      during.mockRestore();
      other.close();
    }
    expect(isNoted(path)).toBe(true);
  });

  test("while other processes write and read disturbs nobody", async () => {
    const path = await makeDatabase(50);
    const children = ["a", "b"].map((prefix) => startWriting({ path, prefix, count: 60, pauseMs: 2 }));
    const store = await SqliteStore.open({ path });
    const second = await SqliteStore.open({ path, isInline: true });
    for (let i = 0; i < 20; i++) {
      await Promise.all([store.write("ada", null, { delete: [note(`n${i}`)] }), idsIn(second), idsIn(store)]);
    }
    for (const child of children) await child.succeeded();
    expect((await idsIn(second)).length).toBe(30 + 120);
    expect(await store.damage()).toEqual([]);
    expect(databaseBytes(path).includes("text of n7")).toBe(false);
    await Promise.all([store.close(), second.close()]);
  });
});

describe("trouble", () => {
  test("another process that writes for too long: busy, nothing lost, and free again afterwards", async () => {
    const path = await makeDatabase();
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50 });
    const writer = new Database(path);
    writer.exec("BEGIN IMMEDIATE");
    await expect(store.write("ada", null, { put: [note("m")] })).rejects.toMatchObject({ code: "store_busy" });
    expect(await idsIn(store)).toEqual(["n0", "n1", "n2"]);
    writer.exec("ROLLBACK");
    writer.close();
    await store.write("ada", null, { put: [note("m")] });
    expect(await idsIn(store)).toEqual(["n0", "n1", "n2", "m"]);
    await store.close();
  });

  test.runIf(hasBash).each([200, 900])(
    "a disk of %i kilobytes that is full loses nothing acknowledged",
    async (size) => {
      const path = scratch.next();
      const argument = JSON.stringify({ path, byteCount: 3_000, count: 1_000 });
      // A limit on the size of a file is the nearest thing to a full disk that needs no other file system.
      const command = `ulimit -f ${size}; exec "$0" "$@"`;
      const child = new Child("bash", ["-c", command, process.execPath, script, argument]);
      await child.exited;
      const acknowledged = child.said("acknowledged");
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(child.said("failed")).toEqual([expect.stringMatching(/^store_(?:full|failed) /u)]);
      const store = await SqliteStore.open({ path });
      expect((await idsIn(store)).slice(0, acknowledged.length)).toEqual(acknowledged);
      expect(await store.damage()).toEqual([]);
      await store.write("ada", null, { put: [note("afterwards")] });
      await store.close();
    },
  );

  test("a process killed again and again loses nothing acknowledged", async () => {
    const path = scratch.next();
    const random = seededRandom("kill");
    const acknowledged: string[] = [];
    for (let round = 0; round < 12; round++) {
      const child = startWriting({ path, prefix: `r${round}-`, isInline: round % 2 === 1, byteCount: 2_000 });
      const count = Math.floor(random() * 40);
      await child.until(() => child.said("acknowledged").length >= count && child.lines.length > 0);
      await delay(random() * 20);
      await child.kill();
      expect(child.said("failed")).toEqual([]);
      acknowledged.push(...child.said("acknowledged"));
    }
    const store = await SqliteStore.open({ path });
    const ids = await idsIn(store);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.length).toBeLessThanOrEqual(acknowledged.length + 12);
    expect(await store.damage()).toEqual([]);
    await store.close();
  });

  test("the lease of a process that was killed is free at once, that of a running one is not", async () => {
    const path = scratch.next();
    const code = `
      import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
      const store = await SqliteStore.open({ path: ${JSON.stringify(path)} });
      await store.lease("ada", "killed", 60_000);
      process.kill(process.pid, "SIGKILL");`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], { timeout: 20_000 });
    expect(run.signal).toBe("SIGKILL");
    const store = await SqliteStore.open({ path });
    expect(await store.lease("ada", "next", 60_000)).toBe(true);
    expect(await store.lease("ada", "another", 60_000)).toBe(false);
    await store.close();
  });

  test("an open store does not keep a process alive, a waiting call does", () => {
    const code = `
      import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
      const store = await SqliteStore.open({ path: ${JSON.stringify(scratch.next())} });
      void store.persons().then(() => console.log("answered"));`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], { timeout: 20_000, encoding: "utf8" });
    expect([run.status, run.stdout]).toEqual([0, "answered\n"]);
  });

  test("pages are of about two megabytes, and a large record is a page of its own", async () => {
    const store = await SqliteStore.open({ path: scratch.next() });
    const sizes = [...Array.from({ length: 2_000 }, () => 3_000), 9_000_000, 16];
    const put = sizes.map((size, i) => ({ kind: "note", id: `n${i}`, bytes: new Uint8Array(size) }));
    await store.write("ada", 0, { put });
    const pages: number[] = [];
    for await (const { records } of (await store.read("ada")).pages) {
      pages.push(records.reduce((sum, { bytes }) => sum + bytes.length, 0));
      expect(new Set(records.map(({ bytes }) => bytes.buffer)).size).toBe(1);
    }
    expect(pages.filter((size) => size > 2_000_000)).toEqual([9_000_000]);
    expect(pages.length).toBeLessThan(8);
    await store.close();
  });
});
