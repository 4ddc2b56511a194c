// @ts-nocheck
/** Mnemosyne itself, with the paper's settings, and with one part of it left out at a time. */
import {
  type CommitTrace,
  Mnemosyne,
  type ParameterName,
  type Parameters,
  type PersonMemory,
  type Preset,
  parameterDefinitions,
  parseParameters,
} from "mnemosyne-edge";
import type { DatasetInteraction } from "../data/dataset.js";
import type { RecordedModel } from "./recorded-model.js";
import { ReplayClock } from "./replay-clock.js";
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
  "without-spelling": { spellingRead: 0 },
  "without-late-interaction": { tokenWeight: 0, tokenWindowWeight: 0, tokenWholeWeight: 0 },
  "with-six-starts": { startCountMax: 6 },
  "without-several-asked": { severalSpread: 0 },
  "without-speaker-gain": { speakerGain: 0 },
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

/** The table's minimum start score is on the scale of another embedder's cosines; how memories are ranked is the paper's. */
const anyScore: Partial<Parameters> = { startScoreMin: parameterDefinitions.startScoreMin.min };

export const mnemosyneSystems: readonly SystemDefinition[] = [
  { name: "mnemosyne-paper", open: (setting) => MnemosyneSystem.open(setting, "paper", anyScore) },
  { name: "mnemosyne-paper-strict", open: (setting) => MnemosyneSystem.open(setting, "paper") },
  { name: mnemosyneName, open: (setting) => MnemosyneSystem.open(setting) },
];

/** Names the same system without what stands in for a language model. */
export function withoutModelName(name: string): string {
  return `${name}-without-model`;
}

/** The systems, each that a language model takes part in followed by itself without one. */
export function compareWithoutModel(systems: readonly SystemDefinition[]): SystemDefinition[] {
  return systems.flatMap((system) => {
    if (!mnemosyneSystems.includes(system)) return [system];
    const open: SystemDefinition["open"] = (setting) => system.open({ ...setting, recordedModel: null });
    return [system, { name: withoutModelName(system.name), open }];
  });
}

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
  readonly #recordedModel: RecordedModel | null;

  static async open(
    { embedder, judge, timeZone, profile, seed, parameters, recordedModel }: SystemSetting,
    preset: Preset = "default",
    ablation: Partial<Parameters> = {},
  ): Promise<MnemosyneSystem> {
    const clock = new ReplayClock();
    const mnemosyne = await Mnemosyne.open({
      path: ":memory:",
      embedder,
      judge: preset === "paper" ? false : judge,
      timeZone,
      profile,
      clock,
      preset,
      parameters: { ...parameters, ...ablation },
      ...(recordedModel === null ? {} : { languageModel: recordedModel }),
    });
    return new MnemosyneSystem(mnemosyne, clock, seed, recordedModel);
  }

  private constructor(mnemosyne: Mnemosyne, clock: ReplayClock, seed: number, recordedModel: RecordedModel | null) {
    this.#mnemosyne = mnemosyne;
    this.#memory = mnemosyne.person();
    this.#clock = clock;
    this.#seed = seed;
    this.#recordedModel = recordedModel;
  }

  async commit(interaction: DatasetInteraction): Promise<FilterDecision> {
    const { id, atMs, turns, summary, state } = interaction;
    this.#clock.ms = atMs;
    this.#recordedModel?.turnTo(interaction);
    const known = { ...(summary === null ? {} : { summary }), ...(state === null ? {} : { state }) };
    await this.#memory.commit({ id, at: atMs, turns, ...known });
    await this.#memory.settled();
    this.#recordedModel?.check();
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

  async ask(question: SystemQuestion, tokenBudget: number): Promise<SystemAnswer> {
    const { id, text, atMs } = question;
    const rewrite = this.#recordedModel?.turnToQuestion(question) ?? false;
    this.#clock.ms = atMs;
    const seed = `${this.#seed} ${id}`;
    const { memories, context, trace } = await this.#memory.recall(text, { at: atMs, seed, tokenBudget, rewrite });
    this.#recordedModel?.check();
    return { ranked: memories.map((memory) => memory.id), context, contextTokens: trace.context.tokenCount };
  }

  close(): Promise<void> {
    return this.#mnemosyne.close();
  }
}
