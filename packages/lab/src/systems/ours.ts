/** The memory itself, through its public door. */
import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import type { Person } from "../data/person.js";
import type { Models } from "../model-cache.js";
import { type OpenSystem, type System, tokenBudget } from "./system.js";

/** Stands at the moment of what is told or asked, and never goes back. */
export class ReplayClock {
  #ms = 0;

  nowMs(): number {
    return this.#ms;
  }

  advance(atMs: number): void {
    this.#ms = Math.max(this.#ms, atMs);
  }
}

export const openOurs: OpenSystem = (person, models, { parameters, isUnread }) =>
  openMemory(person, { embedder: models.embedder, reader: isUnread ? false : models.reader, parameters });

/** The paper's formulas and values, without the reader. */
export const openPaper: OpenSystem = (person, models) => openPaperMemory(person, models);

function openPaperMemory(person: Person, { embedder }: Models): Promise<System> {
  return openMemory(person, { embedder, preset: "paper" });
}

async function openMemory({ id, timeZone, profile }: Person, options: MnemosyneOptions): Promise<System> {
  const clock = new ReplayClock();
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", timeZone, profile, clock, ...options });
  const person = mnemosyne.person(id);
  return {
    async tell({ atMs, ...told }) {
      clock.advance(atMs);
      await person.commit({ ...told, at: atMs }, { wait: true });
    },
    async ask({ text, atMs }) {
      clock.advance(atMs);
      const { memories, context, confidence } = await person.recall(text, { at: atMs, seed: 1, tokenBudget });
      return { ranked: memories.map((memory) => memory.id), context, confidence };
    },
    close: () => mnemosyne.close(),
  };
}
