/** Mnemosyne as its callers know it: opened, committed to, asked and looked up through the public API only. */
import {
  type HistoryItem,
  type InteractionInput,
  Mnemosyne,
  type PersonMemory,
  type Recall,
  type RecallTrace,
} from "../../index.js";
import { mnemosyneName } from "../systems/mnemosyne-systems.js";
import { ReplayClock } from "../systems/replay-clock.js";
import type {
  Fate,
  Said,
  TrustAnswer,
  TrustPerson,
  TrustSetting,
  TrustSystem,
  TrustSystemDefinition,
} from "./trust-system.js";

const timeZone = "UTC";

export const mnemosyneDoor: TrustSystemDefinition = {
  name: mnemosyneName,
  open: async ({ embedder, judge, profile, parameters, seed }: TrustSetting): Promise<TrustSystem> => {
    const clock = new ReplayClock();
    const mnemosyne = await Mnemosyne.open({
      path: ":memory:",
      embedder,
      judge,
      profile,
      timeZone,
      clock,
      // No part asks for the core summary.
      parameters: { coreSummaryIntervalCommits: 0, ...parameters },
    });
    return {
      person: (name) => new DoorPerson(mnemosyne.person(name), clock, seed),
      close: () => mnemosyne.close(),
    };
  },
};

class DoorPerson implements TrustPerson {
  readonly #memory: PersonMemory;
  readonly #clock: ReplayClock;
  readonly #seed: number;

  constructor(memory: PersonMemory, clock: ReplayClock, seed: number) {
    this.#memory = memory;
    this.#clock = clock;
    this.#seed = seed;
  }

  async commit({ id, atMs, turns, keep }: Said): Promise<void> {
    this.#clock.ms = atMs;
    const input: InteractionInput = { id, at: atMs, turns, ...(keep === undefined ? {} : { keep }) };
    await this.#memory.commit(input);
    await this.#memory.settled();
  }

  async fates(): Promise<Map<string, Fate>> {
    return new Map((await this.#memory.history()).map((item) => [item.id, toFate(item)]));
  }

  async ask({ text, atMs }: { readonly text: string; readonly atMs: number }): Promise<TrustAnswer> {
    this.#clock.ms = atMs;
    return toAnswer(await this.#memory.recall(text, { at: atMs, seed: this.#seed }));
  }
}

function toFate({ outcome, updates, trace }: HistoryItem): Fate {
  return {
    outcome,
    isLost: outcome === "discarded",
    isMerged: outcome === "paired" || outcome === "replaced",
    updates: updates ?? [],
    trace,
  };
}

function toAnswer({ memories, confidence, answerable, trace }: Recall): TrustAnswer {
  return {
    ranked: memories.map(({ id }) => id),
    confidence: confidence ?? Math.max(0, ...memories.map(({ score }) => score ?? 0)),
    isAbstained: memories.length === 0 || answerable === false,
    trace: scoresOf(trace),
  };
}

/** The trace without how the context was written and where the walk went, which decide none of the figures. */
function scoresOf({ context: _context, steps: _steps, ...scores }: RecallTrace): object {
  return scores;
}
