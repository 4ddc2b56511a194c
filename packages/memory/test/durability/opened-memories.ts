import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { onTestFinished } from "vitest";
import type { DamagedPart } from "../../src/engine/records/opened-store.js";
import type { Records } from "../../src/engine/records/records.js";
import { type StoreOptions, openRecords } from "../../src/opening.js";
import { laboratory } from "./laboratory.mjs";

/** Opens a memory under laboratory conditions; it is closed when the test has finished. */
export async function openMemories(options: MnemosyneOptions = {}): Promise<Mnemosyne> {
  const memories = await Mnemosyne.open(laboratory(options));
  onTestFinished(() => memories.close());
  return memories;
}

/** Works on the records of a store that is opened for it. */
async function useRecords<Result>(options: StoreOptions, work: (records: Records) => Promise<Result>): Promise<Result> {
  const records = await openRecords(options);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}

export function damageIn(options: StoreOptions): Promise<DamagedPart[]> {
  return useRecords(options, (records) => records.damage());
}
