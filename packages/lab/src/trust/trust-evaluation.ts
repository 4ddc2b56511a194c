/** The trust evaluation: every system is told the same, part by part, and scored with the same resamples. */
import { InputError, type Embedder } from "mnemosyne-edge";
import { writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";
import { readSmallTalk } from "../data/clinc.js";
import { readCore, readCorrections, readPairs, readSubstance, readUnanswerable } from "../data/trust.js";
import { EmbeddingCache, lendEmbedder } from "../embedding-cache.js";
import { Bootstrap } from "../report/bootstrap.js";
import { findProvenance } from "../report/provenance.js";
import type { ReportFacts } from "../report/report.js";
import { type ChosenJudge, closeJudge, lendJudge, openJudge } from "../judge-of-run.js";
import { corePart } from "./core-part.js";
import { mnemosyneDoor, paperDoor } from "./door.js";
import { pairsPart } from "./pairs-part.js";
import { plainStore } from "./plain-store.js";
import { correctionsPart, unanswerablePart } from "./story-parts.js";
import { smallTalkPart, substancePart } from "./substance-part.js";
import { type TrustPart, type TrustRecord, type TrustScores, createPart } from "./trust-part.js";
import { type PartName, type TrustSetting, type TrustSystemDefinition, partNames } from "./trust-system.js";

export interface TrustOptions extends Omit<TrustSetting, "embedder" | "judge"> {
  /** Closed at the end. */
  readonly embedder: Embedder;
  /** The bundled one if omitted. Closed at the end. */
  readonly judge?: ChosenJudge;
  /** Caches vectors here for the next run. */
  readonly cacheFolder?: string;
  readonly systems?: readonly TrustSystemDefinition[];
  readonly onProgress?: (doneCount: number, totalCount: number, note: string) => void;
}

export interface TrustReport extends ReportFacts {
  readonly dataset: "trust";
  readonly profile: string;
  /** Null for none. */
  readonly judge: string | null;
  readonly systems: Readonly<Record<string, Readonly<Partial<Record<PartName, TrustScores>>>>>;
}

export interface TrustEvaluation {
  readonly report: TrustReport;
  readonly records: readonly TrustRecord[];
}

/** The chosen parts, all in the folder by default. `smallTalkFile` is a file of CLINC150, and adds a part. */
export async function readParts(
  folder: string,
  chosen: readonly string[] = [],
  smallTalkFile: string | null = null,
): Promise<TrustPart[]> {
  const readers: Readonly<Record<PartName, (() => Promise<TrustPart>) | null>> = {
    substance: async () => createPart(substancePart, await readSubstance(folder)),
    pairs: async () => createPart(pairsPart, await readPairs(folder)),
    corrections: async () => createPart(correctionsPart, await readCorrections(folder)),
    unanswerable: async () => createPart(unanswerablePart, await readUnanswerable(folder)),
    core: async () => createPart(corePart, await readCore(folder)),
    "small-talk":
      smallTalkFile === null ? null : async () => createPart(smallTalkPart, await readSmallTalk(smallTalkFile)),
  };
  const usable = partNames.filter((name) => readers[name] !== null);
  const unknown = chosen.find((name) => !usable.some((known) => known === name));
  if (unknown !== undefined) {
    throw new InputError("option_invalid", `part "${unknown}" is unknown; use some of: ${usable.join(", ")}`);
  }
  const isChosen = (name: PartName): boolean =>
    chosen.length === 0 || chosen.includes(name) || name === smallTalkPart.name;
  const parts: TrustPart[] = [];
  for (const name of usable) if (isChosen(name)) parts.push(await readers[name]!());
  return parts;
}

export async function evaluateTrust(parts: readonly TrustPart[], options: TrustOptions): Promise<TrustEvaluation> {
  const { profile, parameters, seed } = options;
  const embedder = await EmbeddingCache.open(options.embedder, options.cacheFolder);
  const judge = openJudge(options.judge, options.embedder);
  try {
    const provenance = await findProvenance();
    const { systems, records } = await measureAll(parts, { embedder, judge }, options);
    const report: TrustReport = {
      dataset: "trust",
      profile: typeof profile === "string" ? profile : profile.name,
      judge: judge === false ? null : judge.name,
      systems,
      embedder: embedder.identity.name,
      parameters: { ...parameters },
      seed,
      ...provenance,
    };
    return { report, records };
  } finally {
    await closeJudge(judge);
    await embedder.close();
  }
}

async function measureAll(
  parts: readonly TrustPart[],
  { embedder, judge }: Pick<TrustSetting, "embedder" | "judge">,
  { profile, parameters, seed, systems = [mnemosyneDoor, plainStore, paperDoor], onProgress = () => {} }: TrustOptions,
): Promise<Pick<TrustReport, "systems"> & Pick<TrustEvaluation, "records">> {
  const bootstrap = new Bootstrap(seed);
  const planned = systems
    .map((definition) => ({ ...definition, own: parts.filter(({ name }) => definition.parts.includes(name)) }))
    .filter(({ own }) => own.length > 0);
  const totalCount = planned.flatMap(({ own }) => own).reduce((sum, { unitCount }) => sum + unitCount, 0);
  let doneCount = 0;
  const scores: Record<string, Partial<Record<PartName, TrustScores>>> = {};
  const records: TrustRecord[] = [];
  for (const { name, open, own } of planned) {
    const ofSystem: Partial<Record<PartName, TrustScores>> = (scores[name] = {});
    const system = await open({
      embedder: lendEmbedder(embedder),
      judge: lendJudge(judge),
      profile,
      parameters,
      seed,
    });
    try {
      for (const part of own) {
        const onUnit = (): void => onProgress(++doneCount, totalCount, `${name}, ${part.name}`);
        const measured = await part.measure(name, system, bootstrap, onUnit);
        ofSystem[part.name] = measured.scores;
        records.push(...measured.records);
      }
    } finally {
      await system.close();
    }
  }
  return { systems: scores, records };
}

/** Writes what the figures came from, and then every verdict with its reasons, as JSON Lines. */
export function saveTrust(path: string, { report, records }: TrustEvaluation): Promise<void> {
  const { systems: _systems, ...facts } = report;
  function* lines(): Generator<string> {
    for (const line of [{ format: "mnemosyne-trust-1", ...facts }, ...records]) yield `${JSON.stringify(line)}\n`;
  }
  return writeWhole(path, lines());
}
