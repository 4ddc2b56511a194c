/** Memories with links between all of each, set in the store, so that no text has to be understood. */
import type { MnemosyneOptions, PersonMemory, Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { noChange } from "../../src/graph/memory-node.js";
import { endOf } from "../graph/graph-fixtures.js";
import { openMemories } from "../durability/opened-memories.js";
import { applyBatch } from "./records/opened-records.js";

export const dayMs = 86_400_000;
export const startMs = Date.parse("2025-05-01T10:00:00Z");

/** So unlike each other that nothing is a repetition. */
const texts = {
  plums: "Plums ripened early.",
  trains: "Trains were late at Graz.",
  choir: "A choir sang Bach on Sunday.",
  violin: "Violins need other strings.",
};
export type LinkedId = keyof typeof texts;

/** Plums, trains, choir and violin, a day apart. */
async function commitLinked(person: PersonMemory): Promise<void> {
  for (const [i, [id, summary]] of Object.entries(texts).entries()) {
    await person.commit({ id, summary, at: startMs + i * dayMs });
  }
  await person.settled();
}

async function setLinks(store: Store, links: Partial<Record<LinkedId, LinkedId[]>>): Promise<void> {
  const setEnds = Object.entries(links).map(([id, updates]) => ({ id, ends: updates.map((older) => endOf(older)) }));
  await applyBatch(store, { change: { ...noChange, setEnds } });
}

export async function openLinked(
  links: Partial<Record<LinkedId, LinkedId[]>>,
  options: MnemosyneOptions = {},
  store: Store = new MemoryStore(),
): Promise<{ person: PersonMemory; store: Store }> {
  const person = (await openMemories({ ...options, store })).person("ada");
  await commitLinked(person);
  await setLinks(store, links);
  return { person, store };
}

/** What each memory made outdated, without those that made nothing outdated. */
export async function linksOf(person: PersonMemory): Promise<Record<string, readonly string[]>> {
  const linked = (await person.list()).filter(({ updates }) => updates.length > 0);
  return Object.fromEntries(linked.map(({ id, updates }) => [id, updates]));
}
