/** Everybody from one store to another: the same to the last byte, again after an interruption, and nothing overwritten. */
import { describe, expect, it } from "vitest";
import { type Batch, Mnemosyne, StoreError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { exportEverybody } from "../../durability/export-lines.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const parameters = { substanceThreshold: -10 };
const names = ["ada", "bob", "Zoë {1}"];

async function fillStore(path: string): Promise<Record<string, string[]>> {
  const memories = await openMemories({ path, parameters });
  for (const name of names) {
    for (let i = 0; i < 6; i++) {
      const at = new Date(Date.UTC(2025, 0, 1 + i)).toISOString();
      await memories
        .person(name)
        .commit({ id: `v${i}`, at, summary: `Visit ${i}: the knee of ${name} bends to ${60 + i}.` });
    }
  }
  await memories.settled();
  const everybody = await exportEverybody(memories);
  await memories.close();
  return everybody;
}

async function readStore(path: string): Promise<Record<string, string[]>> {
  const memories = await openMemories({ path, parameters });
  const everybody = await exportEverybody(memories);
  await memories.close();
  return everybody;
}

describe("a migration", () => {
  it("brings everybody over, byte for byte, and tells how far it is", async () => {
    const [from, to] = [scratch.next(), scratch.next()];
    const everybody = await fillStore(from);
    const seen: number[] = [];
    const report = await Mnemosyne.migrate({ path: from }, { path: to }, ({ doneCount, totalCount }) => {
      seen.push(doneCount);
      expect(totalCount).toBe(3);
    });
    expect(report).toMatchObject({ migratedCount: 3, knownCount: 0, differentPersons: [], interactionCount: 18 });
    expect(seen).toEqual([1, 2, 3]);
    expect(await readStore(to)).toEqual(everybody);
    expect(await readStore(from)).toEqual(everybody);
  });

  it("encrypts and decrypts on the way", async () => {
    const [from, to] = [scratch.next(), scratch.next()];
    const everybody = await fillStore(from);
    const encryptionKey = "a key of some length";
    await Mnemosyne.migrate({ path: from }, { path: to, encryptionKey });
    const back = scratch.next();
    await Mnemosyne.migrate({ path: to, encryptionKey }, { path: back });
    expect(await readStore(back)).toEqual(everybody);
  });

  it("that was interrupted goes on where it stopped", async () => {
    const from = scratch.next();
    const everybody = await fillStore(from);
    const store = new InterruptedStore(1);
    await expect(Mnemosyne.migrate({ path: from }, { store })).rejects.toThrow("pulled the plug");
    store.applyCountMax = Infinity;
    expect(await Mnemosyne.migrate({ path: from }, { store })).toMatchObject({ migratedCount: 2, knownCount: 1 });
    const memories = await openMemories({ store, parameters });
    expect(await exportEverybody(memories)).toEqual(everybody);
  });

  it("overwrites nobody", async () => {
    const [from, to] = [scratch.next(), scratch.next()];
    await fillStore(from);
    const other = await openMemories({ path: to, parameters });
    await other.person("bob").commit({ id: "own", summary: "Another Bob, with a cat." });
    await other.settled();
    const before = (await exportEverybody(other))["bob"];
    await other.close();
    const report = await Mnemosyne.migrate({ path: from }, { path: to });
    expect(report).toMatchObject({ migratedCount: 2, differentPersons: ["bob"] });
    expect((await readStore(to))["bob"]).toEqual(before);
  });

  it("of a person who gets something new meanwhile begins again, and brings that too", async () => {
    const from = scratch.next();
    await fillStore(from);
    const store = new SlowStore();
    store.meanwhile = async () => {
      store.meanwhile = async () => {};
      const memories = await openMemories({ path: from, parameters });
      await memories.person(names[0]!).commit({ id: "late", summary: "One more thing about the garden." });
      await memories.settled();
      await memories.close();
    };
    expect(await Mnemosyne.migrate({ path: from }, { store })).toMatchObject({
      migratedCount: 3,
      interactionCount: 19,
    });
    const memories = await openMemories({ store, parameters });
    expect(await exportEverybody(memories)).toEqual(await readStore(from));
  });

  it("of somebody who never stops changing is given up, and leaves nothing of theirs", async () => {
    const from = scratch.next();
    await fillStore(from);
    const store = new SlowStore();
    const busy = await openMemories({ path: from, parameters });
    let count = 0;
    store.meanwhile = async () => {
      await busy.person(names[0]!).commit({ id: `late ${count++}`, summary: `The garden, again: ${count}.` });
      await busy.settled();
    };
    await expect(Mnemosyne.migrate({ path: from }, { store })).rejects.toMatchObject({ code: "store_busy" });
    // Whoever came before in the list stays; it can be started again when things are quiet.
    expect(await store.persons()).toEqual(["Zoë {1}"]);
  });

  it("takes back what does not read back as it was written", async () => {
    const from = scratch.next();
    await fillStore(from);
    const store = new LossyStore();
    await expect(Mnemosyne.migrate({ path: from }, { store })).rejects.toThrow(StoreError);
    expect(await store.persons()).toEqual([]);
  });
});

/** Something else happens between the writing of somebody and the reading back. */
class SlowStore extends MemoryStore {
  meanwhile: () => Promise<void> = async () => {};

  override async apply(person: string, batch: Batch): Promise<number> {
    const revision = await super.apply(person, batch);
    await this.meanwhile();
    return revision;
  }

  override async close(): Promise<void> {}
}

class InterruptedStore extends MemoryStore {
  applyCountMax: number;

  constructor(applyCountMax: number) {
    super();
    this.applyCountMax = applyCountMax;
  }

  override async apply(person: string, batch: Batch): Promise<number> {
    if (this.applyCountMax-- <= 0) throw new Error("somebody pulled the plug");
    return super.apply(person, batch);
  }

  override async close(): Promise<void> {}
}

class LossyStore extends MemoryStore {
  override apply(person: string, batch: Batch): Promise<number> {
    return super.apply(person, { ...batch, coreSummary: null, commitsSinceCoreSummary: 99 });
  }

  override async close(): Promise<void> {}
}
