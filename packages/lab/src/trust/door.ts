/** Mnemosyne as its callers know it: opened, committed to, asked and looked up through the public API only. */
import {
  type HistoryItem,
  type InteractionInput,
  Mnemosyne,
  type PersonMemory,
  type Preset,
  type Recall,
  type RecallTrace,
} from "mnemosyne-edge";
import { mnemosyneName } from "../systems/mnemosyne-systems.js";
import { ReplayClock } from "../systems/replay-clock.js";
import {
  type Fate,
  type PersonNeeds,
  type Said,
  type TrustAnswer,
  type TrustPerson,
  type TrustSetting,
  type TrustSystem,
  type TrustSystemDefinition,
  partNames,
} from "./trust-system.js";

const timeZone = "UTC";

export const mnemosyneDoor: TrustSystemDefinition = {
  name: mnemosyneName,
  parts: partNames,
  open: async (setting) => new Door(setting, "default"),
};

/** With the paper's settings and no judge: the core summary is sentences of the central memories. */
export const paperDoor: TrustSystemDefinition = {
  name: "mnemosyne-paper",
  parts: ["core"],
  open: async (setting) => new Door({ ...setting, judge: false }, "paper"),
};

class Door implements TrustSystem {
  readonly #setting: TrustSetting;
  readonly #preset: Preset;
  readonly #clock = new ReplayClock();
  /** One for people who need the same. */
  readonly #opened = new Map<string, Promise<Mnemosyne>>();

  constructor(setting: TrustSetting, preset: Preset) {
    this.#setting = setting;
    this.#preset = preset;
  }

  async person(name: string, needs: PersonNeeds = {}): Promise<TrustPerson> {
    const key = JSON.stringify(needs);
    const opened = this.#opened.get(key) ?? this.#open(needs);
    this.#opened.set(key, opened);
    return new DoorPerson((await opened).person(name), this.#clock, this.#setting.seed);
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened).close();
  }

  #open({ profile, coreSummary }: PersonNeeds): Promise<Mnemosyne> {
    const { seed: _seed, parameters, ...setting } = this.#setting;
    return Mnemosyne.open({
      path: ":memory:",
      ...setting,
      ...(profile === undefined ? {} : { profile }),
      preset: this.#preset,
      timeZone,
      clock: this.#clock,
      parameters: coreSummary === true ? parameters : { coreSummaryIntervalCommits: 0, ...parameters },
    });
  }
}

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

  async coreSummary(atMs: number): Promise<string> {
    this.#clock.ms = atMs;
    return (await this.#memory.coreSummary({ update: true })).text;
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
