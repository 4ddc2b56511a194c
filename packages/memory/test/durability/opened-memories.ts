import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { onTestFinished } from "vitest";
import { laboratory } from "./laboratory.mjs";

/** Opens a memory under laboratory conditions; it is closed when the test has finished. */
export async function openMemories(options: MnemosyneOptions = {}): Promise<Mnemosyne> {
  const memories = await Mnemosyne.open(laboratory(options));
  onTestFinished(() => memories.close());
  return memories;
}
