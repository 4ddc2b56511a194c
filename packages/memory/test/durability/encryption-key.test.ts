/** Which keys open an encrypted file, and what becomes of files that were encrypted with the first 32 bytes of one. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { type Child, startChild } from "./child-process.js";
import { exportLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { frozenKey } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const original = fileURLToPath(new URL("../fixtures/schema-1-encrypted.db", import.meta.url));
const refusal = { code: "store_not_ours" };

function copyOriginal(): string {
  const path = scratch.next();
  copyFileSync(original, path);
  return path;
}

/** Whether libsql itself reads the file with a key. */
function opensWith(path: string, encryptionKey: string): boolean {
  const database = new Database(path, { encryptionKey } as unknown as Database.Options);
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

describe("all of the key counts:", () => {
  const long = "0123456789".repeat(7);

  test.each([
    ["what follows the 32nd byte", `${long}a`, `${long}b`],
    ["a key and its first 32 bytes", long, long.slice(0, 32)],
    ["halves of surrogate pairs", "\ud800", "\ud801"],
    ["a half and the sign for what is no text", "\udc00", "\ufffd"],
    ["composed and decomposed letters", "caf\u00e9", "cafe\u0301"],
  ])("%s", async (_, key, other) => {
    const path = scratch.next();
    await (await SqliteStore.open({ path, encryptionKey: key })).close();
    await expect(SqliteStore.open({ path, encryptionKey: other })).rejects.toMatchObject(refusal);
    await (await SqliteStore.open({ path, encryptionKey: key })).close();
  });
});

describe("a file that was encrypted with the first 32 bytes", () => {
  test("opens once more and is then encrypted with all of the key", async () => {
    const path = copyOriginal();
    const mode = statSync(path).mode;
    const store = await SqliteStore.open({ path, encryptionKey: frozenKey });
    expect(await store.damage()).toEqual([]);
    await store.close();
    expect(opensWith(path, frozenKey)).toBe(false);
    await expect(SqliteStore.open({ path, encryptionKey: frozenKey.slice(0, 32) })).rejects.toMatchObject(refusal);
    expect(statSync(path).mode).toBe(mode);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual([basename(path)]);
    const memories = await openMemories({ path, encryptionKey: frozenKey });
    expect(await memories.person("Zoë").check()).toEqual([]);
  });

  test("says the same afterwards as before", async () => {
    const [path, untouched] = [copyOriginal(), copyOriginal()];
    const lines = async (file: string): Promise<string[]> =>
      exportLines((await openMemories({ path: file, encryptionKey: frozenKey })).person("Zoë"));
    await (await SqliteStore.open({ path, encryptionKey: frozenKey })).close();
    expect(await lines(path)).toEqual(await lines(untouched));
  });

  test("is used as it is while it cannot be copied, and copied by a later opening", async () => {
    const path = copyOriginal();
    mkdirSync(`${path}-copy`);
    const store = await SqliteStore.open({ path, encryptionKey: frozenKey });
    expect(await store.persons()).toEqual(["Zoë", "bea"]);
    await store.close();
    rmSync(`${path}-copy`, { recursive: true });
    const asItWas = scratch.next();
    copyFileSync(path, asItWas);
    expect(opensWith(asItWas, frozenKey)).toBe(true);
    await (await SqliteStore.open({ path, encryptionKey: frozenKey })).close();
    expect(opensWith(path, frozenKey)).toBe(false);
  });

  test("survives a copy that was left half-way", async () => {
    const path = copyOriginal();
    copyFileSync(path, `${path}-copy`);
    await (await SqliteStore.open({ path, encryptionKey: frozenKey })).close();
    expect(existsSync(`${path}-copy`)).toBe(false);
    expect(opensWith(path, frozenKey)).toBe(false);
  });

  test("is whole whenever the process that copies it is killed", async () => {
    const random = seededRandom("kill while copying");
    for (let kill = 0; kill < 8; kill++) {
      const path = copyOriginal();
      const child = startChild("opening-child.mjs", { path, encryptionKey: frozenKey });
      // The file is touched first when the log appears.
      await appears(path, child);
      await delay(random() * 60);
      await child.kill();
      const store = await SqliteStore.open({ path, encryptionKey: frozenKey });
      expect(await store.persons()).toEqual(["Zoë", "bea"]);
      expect(await store.history("Zoë")).toHaveLength(25);
      expect(await store.damage()).toEqual([]);
      await store.close();
    }
  });
});

async function appears(path: string, child: Child): Promise<void> {
  const files = [`${path}-copy`, `${path}-wal`, `${path}-journal`];
  let hasExited = false;
  void child.exited.then(() => (hasExited = true));
  while (!hasExited && !files.some((file) => existsSync(file))) await delay(1);
}
