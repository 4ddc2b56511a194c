/** Mnemosyne itself, with the paper's settings, and with one part of it left out at a time. */
import {
  type Clock,
  type CommitTrace,
  Mnemosyne,
  type ParameterName,
  type Parameters,
  type PersonMemory,
  type Preset,
  parameterDefinitions,
  parseParameters,
} from "../../index.js";
import type { DatasetInteraction } from "../data/dataset.js";
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

const paper = parseParameters({}, "paper");

/**
 * Each leaves out one part of the default, or gives it the weight it has in the paper. Ablations that change nothing are
 * dropped, so a part may be listed both ways.
 */
const ablationParameters: Readonly<Record<string, Partial<Parameters>>> = {
  "without-cues": { statementCountMax: 0 },
  "without-statement-context": { statementContextWeight: 0 },
  "without-lexical": { lexicalWeight: 0, statementLexicalWeight: 0 },
  "without-s-meta": { metaWeightBase: 0, metaWeightMax: 0 },
  "with-paper-s-meta": { metaWeightBase: paper.metaWeightBase, metaWeightMax: paper.metaWeightMax },
  "without-question-time": { questionTimeWeight: 0 },
  "without-life-anchors": { lifeAnchorWeight: 0 },
  "without-change-recency": { changeRecencyWeight: 0 },
  "without-traversal": { traversalNodeCountPerStartMax: 0 },
  "without-decay": { decayFloor: 1 },
  "without-redundancy-filter": { redundancyThreshold: 10 },
  "without-core-summary": { coreSummaryIntervalCommits: 0 },
};

export const ablationNames = Object.keys(ablationParameters);

/** The paper's minimum start score was chosen for another embedder's cosines; this is the paper without it. */
const anyScore: Partial<Parameters> = { startScoreMin: parameterDefinitions.startScoreMin.min };

export const mnemosyneSystems: readonly SystemDefinition[] = [
  { name: "mnemosyne-paper", open: (setting) => MnemosyneSystem.open(setting, "paper") },
  { name: "mnemosyne-paper-any-score", open: (setting) => MnemosyneSystem.open(setting, "paper", anyScore) },
  { name: mnemosyneName, open: (setting) => MnemosyneSystem.open(setting) },
];

/** The ablations that differ from Mnemosyne with these parameters. */
export function ablationsOf(parameters: Parameters): SystemDefinition[] {
  return Object.entries(ablationParameters)
    .filter(([, changes]) =>
      Object.entries(changes).some(([name, value]) => parameters[name as ParameterName] !== value),
    )
    .map(([name, changes]) => ({ name, open: (setting) => MnemosyneSystem.open(setting, "default", changes) }));
}

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

/** Shows the moment that is being replayed. */
class ReplayClock implements Clock {
  ms = 0;

  nowMs(): number {
    return this.ms;
  }
}
