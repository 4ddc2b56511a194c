/** The file while it is open: who may read it, whether it is still there, and an erasure that could not be finished. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import Database from "libsql";
import { type LogEvent } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { Child, scriptPath } from "./child-process.js";
import { interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const endings = ["", "-wal", "-shm"];

function modesOf(path: string): string[] {
  return endings.filter((ending) => existsSync(path + ending)).map((ending) => modeOf(path + ending));
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe("permissions", () => {
  test.each([{}, { encryptionKey: "a key" }])("a new file is its owner's alone, %o", async (options) => {
    const path = scratch.next();
    const before = process.umask(0o000);
    try {
      const memories = await openMemories({ path, ...options });
      await memories.person("ada").commit(interactionAt(1));
      await memories.settled();
      expect(modesOf(path)).toEqual(["600", "600", "600"]);
      await memories.person("ada").forgetAll();
      expect(modesOf(path)).toEqual(["600", "600", "600"]);
    } finally {
      process.umask(before);
    }
  });

  test.each(["400", "640"])("a file that is %s stays so", async (mode) => {
    const path = scratch.next();
    await (await SqliteStore.open({ path })).close();
    chmodSync(path, parseInt(mode, 8));
    // Only root can go on writing to a file that is read-only.
    if (mode === "400" && process.getuid?.() !== 0) return;
    const memories = await openMemories({ path });
    await memories.person("ada").commit(interactionAt(1));
    expect(new Set(modesOf(path))).toEqual(new Set([mode]));
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
  };

  test.each(Object.keys(ways))("%s: commits are refused", async (way) => {
    const path = scratch.next();
    const memories = await openMemories({ path });
    const memory = memories.person("ada");
    await memory.commit(interactionAt(1));
    await memory.settled();
    ways[way]!(path);
    await expect(memory.commit(interactionAt(2))).rejects.toMatchObject(moved);
    await expect(memory.recall("the garden")).rejects.toMatchObject(moved);
    await expect(memory.forgetAll()).rejects.toMatchObject(moved);
  });

  test("is used again when it is put back", async () => {
    const path = scratch.next();
    const memory = (await openMemories({ path })).person("ada");
    await memory.commit(interactionAt(1));
    await memory.settled();
    renameSync(path, `${path}.old`);
    await expect(memory.commit(interactionAt(2))).rejects.toMatchObject(moved);
    renameSync(`${path}.old`, path);
    await memory.commit(interactionAt(2));
    await memory.settled();
    expect(await memory.history()).toHaveLength(2);
  });
});

test("a file without a byte is a new memory, but not without a word", async () => {
  const path = scratch.next();
  writeFileSync(path, "");
  const events: LogEvent[] = [];
  const memories = await openMemories({ path, log: (event) => events.push(event) });
  expect(events).toEqual([{ level: "warn", message: expect.stringContaining("was an empty file") }]);
  await memories.person("ada").commit(interactionAt(1));
  await openMemories({ path: scratch.next(), log: (event) => events.push(event) });
  expect(events).toHaveLength(1);
});

describe("an erasure that could not be finished", () => {
  /** A file with the note of an erasure, as a full disk or a crash leaves it. */
  async function makeUnfinished(): Promise<string> {
    const path = scratch.next();
    const memories = await openMemories({ path, parameters: { edgeThreshold: 0.99 } });
    const memory = memories.person("ada");
    for (let position = 0; position < 120; position++) await memory.commit(interactionAt(position));
    await memory.settled();
    await memories.close();
    const database = new Database(path);
    database.prepare("INSERT INTO setting VALUES ('erase', 7)").run([]);
    database.close();
    return path;
  }

  function isNoted(path: string): boolean {
    const database = new Database(path);
    const rows = database.prepare("SELECT 1 FROM setting WHERE name = 'erase'").all([]);
    database.close();
    return rows.length > 0;
  }

  const hasBash = spawnSync("bash", ["-c", "ulimit -f 100"]).status === 0;

  test.runIf(hasBash)("opens on a disk that is still full, with a warning, and is finished later", async () => {
    const path = await makeUnfinished();
    expect(isNoted(path)).toBe(true);
    const command = `ulimit -f 100; exec "$0" "$@"`;
    const child = new Child("bash", [
      "-c",
      command,
      process.execPath,
      scriptPath("opening-child.mjs"),
      JSON.stringify({ path }),
    ]);
    await child.exited;
    expect(child.lines).toEqual([expect.stringMatching(/^warned erase .* their bytes may remain/u), "opened"]);
    expect(isNoted(path)).toBe(true);
    await (await openMemories({ path })).close();
    expect(isNoted(path)).toBe(false);
  });

  test("opens while somebody reads, with a warning, and closing finishes it when they are gone", async () => {
    const path = await makeUnfinished();
    const reader = new Database(path);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM record").get([]);
    const events: LogEvent[] = [];
    const store = await SqliteStore.open({ path, busyTimeoutMs: 50 });
    const memories = await openMemories({ store, log: (event) => events.push(event) });
    expect(events).toEqual([{ level: "warn", message: expect.stringContaining("their bytes may remain") }]);
    expect(await memories.person("ada").history()).toHaveLength(120);
    expect(isNoted(path)).toBe(true);
    reader.exec("ROLLBACK");
    reader.close();
    await memories.close();
    expect(isNoted(path)).toBe(false);
  });
});
