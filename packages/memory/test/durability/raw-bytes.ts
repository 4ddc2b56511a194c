/** What a store holds, as its engine sees it, and what files on a disk say. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StoreOptions } from "mnemosyne-edge";
import { openStore } from "../../src/opening.js";
import { Codec } from "../../src/stores/codec.js";

/** By which a sealed record is known wherever a copy of it lies: its id as keyed text, and its nonce and tag, as latin1. */
export interface SealedTraces {
  readonly ids: ReadonlySet<string>;
  readonly frames: ReadonlySet<string>;
}

const [nonceStart, tagEnd] = [4, 32];

export async function tracesOf({ path, encryptionKey }: StoreOptions, person: string): Promise<SealedTraces> {
  const store = await openStore(path!);
  const traces = { ids: new Set<string>(), frames: new Set<string>() };
  try {
    const { pages } = await store.read(new Codec(encryptionKey).toText(person));
    for await (const { records } of pages) {
      for (const { id, bytes } of records) {
        if (id !== "") traces.ids.add(id);
        traces.frames.add(Buffer.from(bytes.subarray(nonceStart, tagEnd)).toString("latin1"));
      }
    }
  } finally {
    await store.close();
  }
  return traces;
}

export function without(all: ReadonlySet<string>, left: ReadonlySet<string>): string[] {
  return [...all].filter((each) => !left.has(each));
}

/** How often a text occurs in each file below a folder, by the file's path; files without it are left out. */
export function filesWith(folder: string, text: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const count = countIn(join(folder, entry), text);
    if (count > 0) found[entry] = count;
  }
  return found;
}

/** A server may remove a file while we look. */
function countIn(path: string, text: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 0;
  try {
    return readFileSync(path).toString("latin1").split(text).length - 1;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}
