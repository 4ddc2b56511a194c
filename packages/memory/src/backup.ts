/**
 * A backup: every record of a store, as it lies there, in a new SQLite file, while others go on using the store. Each person
 * is from one moment. Everything is read again and opened before the file gets its name, so a backup that exists is whole.
 */
import { type BigIntStats, existsSync, rmSync, statSync } from "node:fs";
import { kinds } from "./engine/records/kinds.js";
import { describeDamage } from "./engine/records/opened-store.js";
import { Records } from "./engine/records/records.js";
import { InputError, StaleRevisionError, StoreError } from "./errors.js";
import { makeWhole } from "./files/whole-file.js";
import { type StoreOptions, defaultPath, isFilePath, openStore, readStoreOptions, toCodec } from "./opening.js";
import type { Codec } from "./stores/codec.js";
import { SqliteStore } from "./stores/sqlite/store.js";
import type { Store, StoreDamage } from "./stores/store.js";

export interface BackupOptions {
  /** Replaces the file if there is one; otherwise that is refused. */
  readonly replace?: boolean;
}

export interface BackupProgress {
  readonly doneBytes: number;
  /** About: what the store occupies. */
  readonly totalBytes: number;
}

export interface BackupReport {
  readonly file: string;
  readonly byteCount: number;
  readonly formatVersion: number;
  /** With the same key as the original. */
  readonly encrypted: boolean;
  readonly personCount: number;
  readonly interactionCount: number;
  readonly memoryCount: number;
}

const triesMax = 50;

export async function backUp(
  from: StoreOptions,
  file: string,
  mayReplace: boolean,
  onProgress: (progress: BackupProgress) => void,
): Promise<BackupReport> {
  const options = readStoreOptions(from);
  const { path = defaultPath } = options;
  if (typeof file !== "string" || file.trim() === "" || file.includes("\0")) {
    throw new InputError("option_invalid", `backup to ${JSON.stringify(file)}: name the file to write`);
  }
  if (options.store === undefined && isFilePath(path)) checkApart(path, file);
  if (options.store === undefined && path === ":memory:") {
    throw new InputError("option_invalid", "backup: a memory at :memory: ends with its process; export its persons");
  }
  const codec = toCodec(options);
  const source = options.store ?? (await openStore(path));
  try {
    const records = await Records.open(source, codec);
    const { location } = await records.describe();
    return await makeWhole(file, mayReplace, async (unfinished) => {
      try {
        await refuseDamage(source, records, location);
        await copyAll(source, records, unfinished, onProgress);
        const counts = await readAgain(unfinished, location, codec);
        return { file, byteCount: statSync(unfinished).size, ...counts };
      } catch (error) {
        if (!(error instanceof StoreError) || !error.message.includes(unfinished)) throw error;
        throw new StoreError(error.code, error.message.replaceAll(unfinished, file), { cause: error });
      } finally {
        for (const ending of ["-wal", "-shm"]) rmSync(unfinished + ending, { force: true });
      }
    });
  } finally {
    if (options.store === undefined) await source.close();
  }
}

/** Before anything is copied: a name that was lost leads to nobody. */
async function refuseDamage(source: Store, records: Records, location: string): Promise<void> {
  const [lost] = await source.damage();
  if (lost === undefined) return;
  const [named] = await records.damage();
  throw damagedSource(location, named === undefined ? lost.part : describeDamage(named));
}

async function copyAll(
  source: Store,
  records: Records,
  file: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  const { byteCount: totalBytes } = await source.describe();
  const target = await SqliteStore.open({ path: file });
  let doneBytes = 0;
  const onBytes = (byteCount: number): void => {
    doneBytes += byteCount;
    onProgress({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes });
  };
  try {
    onBytes(0);
    for (const person of ["", ...(await source.persons())]) await copyPerson(person, source, records, target, onBytes);
  } finally {
    await target.close();
  }
}

/** Something may be forgotten while it is copied: then it is not in the copy, either. */
async function copyPerson(
  person: string,
  source: Store,
  { codec }: Records,
  target: Store,
  onBytes: (byteCount: number) => void,
): Promise<void> {
  const name = JSON.stringify(codec.toName(person));
  for (let tries = 1; ; tries++) {
    try {
      const { pages } = await source.read(person);
      let revision = 0;
      let damaged: StoreDamage | undefined;
      for await (const { records, damage } of pages) {
        damaged ??= damage[0];
        revision = await target.write(person, revision, { put: records });
        onBytes(records.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
      }
      if (damaged !== undefined) throw damagedSource(`what belongs to ${name}`, damaged.part);
      return;
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
      if (tries === triesMax) {
        throw new StoreError("store_busy", `backup: ${name} changes too often to be read whole now; try again`);
      }
      await target.erase(person);
    }
  }
}

async function readAgain(file: string, path: string, codec: Codec) {
  const store = await SqliteStore.open({ path: file });
  try {
    const records = await Records.open(store, codec);
    const [first] = await records.damage();
    if (first !== undefined) throw damagedSource(path, describeDamage(first));
    const { formatVersion, encrypted } = await records.describe();
    const persons = await records.persons();
    let [interactionCount, memoryCount] = [0, 0];
    for (const person of persons) {
      const { pages } = await records.read(person, { kinds: [kinds.interaction, kinds.memory] });
      for await (const page of pages) {
        for (const { kind, bytes } of page.records) {
          if (kind === kinds.interaction) interactionCount++;
          else if (bytes.byteLength > 0) memoryCount++;
        }
      }
    }
    return { formatVersion, encrypted, personCount: persons.length, interactionCount, memoryCount };
  } finally {
    await store.close();
  }
}

function damagedSource(path: string, part: string): StoreError {
  return new StoreError(
    "store_damaged",
    `backup: something in ${path} is damaged, so nothing was written: ${part}; \`mnemosyne doctor\` lists it, \`mnemosyne export --skip-damaged\` saves what is whole`,
  );
}

/** A log that belongs to another file would be read as that of the copy. */
function checkApart(path: string, file: string): void {
  if (!existsSync(path)) throw new StoreError("store_missing", `backup: there is no database at ${path}`);
  const target = statOf(file);
  const own = [path, `${path}-wal`, `${path}-shm`].map(statOf);
  if (target !== undefined && own.some((each) => each?.dev === target.dev && each.ino === target.ino)) {
    throw new InputError("option_invalid", `backup to ${file}: that is the database itself; choose another name`);
  }
  if ((statOf(`${file}-wal`)?.size ?? 0n) > 0n) {
    const message = `backup to ${file}: ${file}-wal is there, so the file is in use or was left by a crash; choose another name`;
    throw new InputError("option_invalid", message);
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
