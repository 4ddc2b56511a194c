/** A backup is a whole moment of each person, in a file with the same key, without what was forgotten; or it is not there. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import {
  type BackupProgress,
  Mnemosyne,
  type ReadSelection,
  type RecordSnapshot,
  StaleRevisionError,
  type StoreOptions,
} from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRecords } from "../../src/opening.js";
import { Codec } from "../../src/stores/codec.js";
import { type StartedPlace, places } from "../stores/places.js";
import { Child, startChild } from "./child-process.js";
import { exportEverybody } from "./export-lines.js";
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
  return options.path ?? path;
}

/** So much that copying takes a while. */
async function pad(path: string, megabytes: number): Promise<void> {
  const records = await openRecords({ path });
  for (let i = 0; i < megabytes; i++) await records.cache(`ballast ${i}`, new Uint8Array(megabyte).fill(i));
  await records.close();
}

async function everything(options: StoreOptions): Promise<Record<string, string[]>> {
  const memories = await openMemories(options);
  const said = await sayAll(memories);
  await memories.close();
  return said;
}

async function sayAll(memories: Mnemosyne): Promise<Record<string, string[]>> {
  for (const name of await memories.persons()) expect(await memories.person(name).check()).toEqual([]);
  return exportEverybody(memories);
}

async function damageOf(options: StoreOptions): Promise<unknown> {
  const records = await openRecords(options);
  try {
    return await records.damage();
  } finally {
    await records.close();
  }
}

describe.each(places.filter(({ name }) => name !== "a Redis Cluster"))("a backup of a memory in $name", (place) => {
  describe.runIf(place.isHere)("that is there", () => {
    let started: StartedPlace;
    beforeAll(async () => {
      started = await place.start();
    });
    afterAll(() => started?.stop());

    test.each([
      ["plain", {}],
      ["encrypted", { encryptionKey: key }],
    ])("%s: opened as a file, it says the same, to its owner only, and nothing is left behind", async (_, sealing) => {
      const options = { path: await makeDatabase({ path: started.nextPath(), ...sealing }), ...sealing };
      const file = join(nextFolder(), "copy.db");
      const progress: BackupProgress[] = [];
      const report = await Mnemosyne.backup(options, file, (each) => progress.push(each));
      const encrypted = "encryptionKey" in sealing;
      const counts = { personCount: 2, interactionCount: 4, memoryCount: 4 };
      expect(report).toEqual({ file, byteCount: statSync(file).size, formatVersion: 2, encrypted, ...counts });
      expect(progress.length).toBeGreaterThan(2);
      expect(progress.map(({ doneBytes }) => doneBytes)).toEqual(
        progress.map(({ doneBytes }) => doneBytes).toSorted((x, y) => x - y),
      );
      expect(readdirSync(dirname(file))).toEqual(["copy.db"]);
      if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file).includes("ada")).toBe(!encrypted);
      expect(await damageOf({ path: file, ...sealing })).toEqual([]);
      const said = await everything(options);
      expect(await everything({ path: file, ...sealing })).toEqual(said);

      // Restored: a memory like any other, which goes on.
      const memories = await openMemories({ path: file, ...sealing });
      await memories.person("ada").commit(interactionAt(9));
      await memories.settled();
      expect(await memories.person("ada").history()).toHaveLength(4);
      expect(await everything(options)).toEqual(said);
    });

    test("encrypted, it opens with no other key, and needs the right one to be made", async () => {
      const path = await makeDatabase({ path: started.nextPath(), encryptionKey: key });
      const file = join(nextFolder(), "copy.db");
      for (const wrong of [{ path }, { path, encryptionKey: `${key}.` }]) {
        await expect(Mnemosyne.backup(wrong, file)).rejects.toMatchObject({ code: "store_not_ours" });
      }
      expect(readdirSync(dirname(file))).toEqual([]);
      await Mnemosyne.backup({ path, encryptionKey: key }, file);
      for (const wrong of [{}, { encryptionKey: `${key}.` }]) {
        await expect(openRecords({ path: file, ...wrong })).rejects.toMatchObject({ code: "store_not_ours" });
      }
    });

    test.each([
      ["a memory is damaged", "alter", "memory", "i001", /"ada", "i001": the memory is damaged/u],
      ["an interaction is damaged", "alter", "interaction", "i002", /"bea", "i002": the interaction is damaged/u],
      ["a record is gone", "remove", "links", "i001", /"ada".*(?:incomplete|the memory's record of links is )/u],
    ] as const)("is refused if %s, says so, and leaves nothing", async (_, how, kind, id, message) => {
      for (const sealing of [{}, { encryptionKey: key }]) {
        const path = await makeDatabase({ path: started.nextPath(), ...sealing });
        const person = id === "i002" ? "bea" : "ada";
        const text = new Codec(sealing.encryptionKey).toText(id, person);
        expect(await started.spoil(path, how, kind, text)).toBe(1);
        const folder = nextFolder();
        const failed = Mnemosyne.backup({ path, ...sealing }, join(folder, "copy.db"));
        await expect(failed).rejects.toMatchObject({ code: "store_damaged", message: expect.stringMatching(message) });
        await expect(failed).rejects.toThrow(/--skip-damaged/u);
        expect(readdirSync(folder)).toEqual([]);
      }
    });

    test("while another process commits: all that was acknowledged before it, in one piece, and no commit fails", async () => {
      const path = await makeDatabase({ path: started.nextPath() });
      const tasks = Array.from({ length: 1_500 }, (__, position) => {
        const id = `w${String(position).padStart(4, "0")}`;
        return { id, person: "cleo", position };
      });
      const child = startChild("../stores/under-fire-child.mjs", { path, tasks, lanes: 1 });
      const backups: { file: string; before: readonly string[] }[] = [];
      for (let i = 1; i <= 3; i++) {
        await child.until((lines) => lines.filter((line) => line.startsWith("acknowledged")).length >= 40 * i);
        const before = child.said("acknowledged");
        const file = scratch.next();
        await Mnemosyne.backup({ path }, file);
        backups.push({ file, before });
      }
      // The last one was made while it was still at work.
      expect(child.lines).not.toContain("submitted");
      await child.kill();
      expect(child.said("again")).toEqual([]);
      for (const { file, before } of backups) {
        expect(await damageOf({ path: file })).toEqual([]);
        const memories = await openMemories({ path: file });
        const memory = memories.person("cleo");
        const ids = (await memory.history()).map(({ id }) => id);
        expect(ids.length).toBeGreaterThanOrEqual(before.length);
        expect(ids).toEqual(tasks.slice(0, ids.length).map(({ id }) => id));
        await memory.settled();
        expect(await memory.check()).toEqual([]);
        await memories.close();
      }
      expect(await damageOf({ path })).toEqual([]);
    });
  });
});

describe("a backup of a file", () => {
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
    expect(await everything({ path: file })).toEqual(await everything({ path }));
  });
});

describe("while somebody forgets", () => {
  /** A store whose first reading of ada is interrupted by a change, as that of a server can be. */
  class InterruptedStore extends MemoryStore {
    interrupt: (() => Promise<void>) | undefined;

    override async read(person: string, selection?: ReadSelection): Promise<RecordSnapshot> {
      const snapshot = await super.read(person, selection);
      const { interrupt } = this;
      if (person !== "ada" || interrupt === undefined || selection !== undefined) return snapshot;
      this.interrupt = undefined;
      const pages = (async function* cut() {
        yield* snapshot.pages;
        await interrupt();
        throw new StaleRevisionError(person, 1, 2);
      })();
      return { ...snapshot, pages };
    }
  }

  test.each(["one memory", "everything"])("%s of a person who is being copied is not in the copy", async (what) => {
    const store = new InterruptedStore();
    const memories = await openMemories({ store });
    const secret = "Quetzalcoatl hid emeralds beneath the veranda.";
    const ada = memories.person("ada");
    await ada.commit({ id: "secret", summary: secret });
    if (what === "one memory") await ada.commit(interactionAt(1));
    await memories.person("bea").commit(interactionAt(2));
    await memories.settled();
    store.interrupt = async () => (what === "everything" ? ada.forgetAll() : ada.forget("secret")).then(() => {});
    const file = join(nextFolder(), "copy.db");
    const report = await Mnemosyne.backup({ store }, file);
    expect(store.interrupt).toBe(undefined);
    expect(report).toMatchObject(what === "everything" ? { personCount: 1 } : { personCount: 2, interactionCount: 2 });
    for (const word of ["Quetzalcoatl", "emeralds", "secret"]) expect(readFileSync(file).includes(word)).toBe(false);
    expect(await everything({ path: file })).toEqual(await sayAll(memories));
  });

  test("without end, the backup says that the person changes too often", async () => {
    const store = new InterruptedStore();
    const memories = await openMemories({ store });
    await memories.person("ada").commit(interactionAt(1));
    await memories.settled();
    const again = async (): Promise<void> => void (store.interrupt = again);
    store.interrupt = again;
    const folder = nextFolder();
    const failed = Mnemosyne.backup({ store }, join(folder, "copy.db"));
    await expect(failed).rejects.toMatchObject({ code: "store_busy", message: expect.stringContaining('"ada"') });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a backup that does not come to its end", () => {
  test("because it is killed leaves nothing under its name", async () => {
    const path = await makeDatabase();
    await pad(path, 60);
    const before = await everything({ path });
    let halves = 0;
    for (let kill = 0; kill < 2; kill++) {
      const folder = nextFolder();
      const file = join(folder, "copy.db");
      const child = new Child(process.execPath, [program, "--path", path, "backup", file]);
      await hasBegun(folder, child);
      await delay(kill * 40);
      await child.kill();
      if (existsSync(file)) expect(await damageOf({ path: file })).toEqual([]);
      else halves++;
      const left = readdirSync(folder).filter((name) => name !== "copy.db");
      expect(left.every((name) => /^mnemosyne-[0-9a-f]+\.unfinished/u.test(name))).toBe(true);
      if (process.platform !== "win32") {
        expect(left.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)).toEqual([]);
      }
      expect(await Mnemosyne.backup({ path }, file, undefined, { replace: true })).toMatchObject({ personCount: 2 });
      expect(await damageOf({ path: file })).toEqual([]);
    }
    expect(halves).toBeGreaterThan(0);
    expect(await everything({ path })).toEqual(before);
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
    expect(await damageOf({ path })).toEqual([]);
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
    expect(await everything({ path: file })).toEqual(await everything({ path }));
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

describe("what cannot be copied", () => {
  test("is refused with what to do", async () => {
    const file = scratch.next();
    const ended = Mnemosyne.backup({ path: ":memory:" }, file);
    await expect(ended).rejects.toMatchObject({ code: "option_invalid", message: expect.stringMatching(/export/u) });
    const gone = Mnemosyne.backup({ path: "redis://:secret@127.0.0.1:1" }, file);
    await expect(gone).rejects.toMatchObject({ code: "store_failed" });
    await expect(gone).rejects.not.toThrow(/secret/u);
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

  test("because the name of a person is damaged is missed: nothing is left out without a word", async () => {
    const path = await makeDatabase();
    const database = new Database(path);
    database.exec("UPDATE person SET name = x'ff' WHERE name = CAST('bea' AS BLOB)");
    database.close();
    const folder = nextFolder();
    const failed = Mnemosyne.backup({ path }, join(folder, "copy.db"));
    await expect(failed).rejects.toMatchObject({ code: "store_damaged", message: expect.stringContaining(path) });
    expect(readdirSync(folder)).toEqual([]);
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
