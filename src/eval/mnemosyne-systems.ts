/** Mnemosyne itself, with the paper's settings, and with one part of it left out at a time. */
import { type Clock, type CommitTrace, Mnemosyne, type Parameters, type PersonMemory, type Preset } from "../index.js";
import type { DatasetInteraction } from "./dataset.js";
import type {
  FilterDecision,
  System,
  SystemAnswer,
  SystemDefinition,
  SystemQuestion,
  SystemSetting,
} from "./system.js";

/** The system whose filters are scored, and that the others are compared with. */
export const mnemosyneName = "mnemosyne";

/** Each leaves out one part of the default. */
const ablationParameters: Readonly<Record<string, Partial<Parameters>>> = {
  "without-cues": { statementCountMax: 0 },
  "without-lexical": { lexicalWeight: 0 },
  "without-s-meta": { metaWeightBase: 0, metaWeightMax: 0 },
  "without-traversal": { traversalNodeCountPerStartMax: 0 },
  "without-decay": { decayFloor: 1 },
  "without-redundancy-filter": { redundancyThreshold: 10 },
  "without-core-summary": { coreSummaryIntervalCommits: 0 },
};

export const mnemosyneSystems: readonly SystemDefinition[] = [
  { name: "mnemosyne-paper", open: (setting) => MnemosyneSystem.open(setting, "paper") },
  { name: mnemosyneName, open: (setting) => MnemosyneSystem.open(setting) },
];

export const ablations: readonly SystemDefinition[] = Object.entries(ablationParameters).map(([name, parameters]) => ({
  name,
  open: (setting) => MnemosyneSystem.open(setting, "default", parameters),
}));

class MnemosyneSystem implements System {
  readonly #mnemosyne: Mnemosyne;
  readonly #memory: PersonMemory;
  readonly #clock: ReplayClock;
  readonly #seed: number;

  static async open(
    { embedder, timeZone, profile, seed, parameters }: SystemSetting,
    preset: Preset = "default",
    ablation: Partial<Parameters> = {},
  ): Promise<MnemosyneSystem> {
    const clock = new ReplayClock();
    const mnemosyne = await Mnemosyne.open({
      path: ":memory:",
      embedder,
      timeZone,
      profile,
      clock,
      preset,
      parameters: { ...parameters, ...ablation },
    });
    return new MnemosyneSystem(mnemosyne, clock, seed);
  }

  private constructor(mnemosyne: Mnemosyne, clock: ReplayClock, seed: number) {
    this.#mnemosyne = mnemosyne;
    this.#memory = mnemosyne.person();
    this.#clock = clock;
    this.#seed = seed;
  }

  async commit({ id, atMs, turns, summary, state }: DatasetInteraction): Promise<FilterDecision> {
    this.#clock.ms = atMs;
    await this.#memory.commit({ id, at: atMs, turns, summary, ...(state === null ? {} : { state }) });
    await this.#memory.settled();
    const [item] = await this.#memory.history({ ids: [id] });
    const { redundancy, pairing } = item!.trace as CommitTrace;
    const isRepetition = pairing !== null && pairing.case !== "add";
    return {
      id,
      isDiscarded: item!.outcome === "discarded",
      repeatsId: isRepetition ? redundancy!.id : null,
      mostRedundantId: redundancy?.id ?? null,
    };
  }

  async ask({ id, text, atMs }: SystemQuestion, tokenBudget: number): Promise<SystemAnswer> {
    this.#clock.ms = atMs;
    const seed = `${this.#seed} ${id}`;
    const { memories, context, trace } = await this.#memory.recall(text, { at: atMs, seed, tokenBudget });
    return { ranked: memories.map((memory) => memory.id), context, contextTokens: trace.context.tokenCount };
  }

  close(): Promise<void> {
    return this.#mnemosyne.close();
  }
}

/** Stands at the moment that is being replayed. */
class ReplayClock implements Clock {
  ms = 0;

  nowMs(): number {
    return this.ms;
  }
}
