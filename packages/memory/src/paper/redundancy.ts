/**
 * Redundancy filter (section 3.1.1, Algorithm B2): finds the memory that a new one repeats. The score mixes mutual
 * information between the binned summary vectors with the Jaccard similarity of the keywords, and grows when both were
 * said close in time (Table C3):
 *
 *   RS(n, m) = (alpha_NMI NMI + (1 - alpha_NMI) Jaccard) (1 + w 2^(-hours apart / half-life))
 *
 * Mutual information from few draws is too high by about (B - 1)^2 / 2D nats for B bins and D dimensions, so two
 * unrelated texts would look alike; the bias is subtracted from both the information and its maximum:
 *
 *   NMI = max(0, (MI - bias) / (H - bias)),  H the larger entropy of the two; 0 where D is too small for H > bias
 *
 * The best match over all memories is exact.
 */
import type { Parameters } from "../parameters.js";
import type { BinTable } from "../graph/vectors/bin-table.js";
import { xLogX } from "./entropy.js";
import { jaccardFromCounts } from "../text/keywords.js";
import { hourMs } from "../text/time.js";

export interface RedundancyScore {
  readonly nmi: number;
  readonly jaccard: number;
  readonly temporalBonus: number;
  readonly score: number;
}

export function redundancyScore(
  nmi: number,
  jaccard: number,
  apartMs: number,
  parameters: Parameters,
): RedundancyScore {
  const { temporalBonusWeight, temporalBonusHalfLifeHours } = parameters;
  const hoursApart = Math.abs(apartMs) / hourMs;
  const temporalBonus = 1 + temporalBonusWeight * 2 ** (-hoursApart / temporalBonusHalfLifeHours);
  return { nmi, jaccard, temporalBonus, score: timelessScore(nmi, jaccard, parameters) * temporalBonus };
}

function timelessScore(nmi: number, jaccard: number, { redundancyNmiWeight }: Parameters): number {
  return redundancyNmiWeight * nmi + (1 - redundancyNmiWeight) * jaccard;
}

/** What a scan reads about the memories it covers, by slot. A slot without a memory has NaN as its time. */
export interface ScannedMemories {
  readonly slotCount: number;
  readonly bins: BinTable;
  readonly initMs: Float64Array;
  readonly keywordCounts: Uint16Array;
}

export interface NewMemory {
  readonly information: MutualInformation;
  readonly initMs: number;
  readonly keywordCount: number;
  /** How many keywords each slot shares with the new memory; slots not listed share none. */
  readonly sharedKeywords: ReadonlyMap<number, number>;
}

export interface MostRedundant extends RedundancyScore {
  readonly slot: number;
}

/** A part of a scan: the slots to cover and the best match before them. */
export interface RedundancyScan {
  readonly from?: number;
  readonly to?: number;
  readonly best?: MostRedundant | null;
}

/** The most redundant memory in slots `from` to `to`, if it beats `best`; ties go to the older memory, then the lower slot. */
export function findMostRedundant(
  newMemory: NewMemory,
  memories: ScannedMemories,
  parameters: Parameters,
  { from = 0, to = memories.slotCount, best = null }: RedundancyScan = {},
): MostRedundant | null {
  const bonusMax = 1 + parameters.temporalBonusWeight;
  for (let slot = from; slot < to; slot++) {
    const initMs = memories.initMs[slot]!;
    if (Number.isNaN(initMs)) continue;
    const nmi = newMemory.information.normalized(memories.bins.at(slot));
    const shared = newMemory.sharedKeywords.get(slot) ?? 0;
    const jaccard = jaccardFromCounts(shared, newMemory.keywordCount, memories.keywordCounts[slot]!);
    // Even said at the very same time, it would score lower.
    if (best !== null && timelessScore(nmi, jaccard, parameters) * bonusMax < best.score) continue;
    const found = redundancyScore(nmi, jaccard, newMemory.initMs - initMs, parameters);
    if (
      best === null ||
      found.score > best.score ||
      (found.score === best.score && initMs < memories.initMs[best.slot]!)
    ) {
      best = { slot, ...found };
    }
  }
  return best;
}

/** Normalized mutual information of one vector's bins with another's, corrected for bias. */
export class MutualInformation {
  readonly #binCount: number;
  readonly #bias: number;
  readonly #entropy: number;
  /** By component, where the row of its bin begins in the table of joint counts. */
  readonly #rows: Uint16Array;
  readonly #joint: Int32Array;
  readonly #own: Int32Array;
  /** x log x of every possible count. */
  readonly #xLogX: Float64Array;

  constructor(bins: Uint8Array, binCount: number) {
    this.#binCount = binCount;
    this.#bias = (binCount - 1) ** 2 / (2 * bins.length);
    this.#rows = Uint16Array.from(bins, (bin) => bin * binCount);
    this.#joint = new Int32Array(binCount * binCount);
    this.#own = new Int32Array(binCount);
    this.#xLogX = Float64Array.from({ length: bins.length + 1 }, (_, count) => xLogX(count));
    for (const bin of bins) this.#own[bin]! += 1;
    this.#entropy = this.#entropyOf(this.#own);
  }

  normalized(other: Uint8Array): number {
    const rows = this.#rows;
    const joint = this.#joint.fill(0);
    for (let i = 0; i < rows.length; i++) joint[rows[i]! + other[i]!]! += 1;
    const own = this.#own.fill(0);
    for (let cell = 0; cell < joint.length; cell++) own[cell % this.#binCount]! += joint[cell]!;
    const ownEntropy = this.#entropyOf(own);
    const largest = Math.max(this.#entropy, ownEntropy);
    const information = this.#entropy + ownEntropy - this.#entropyOf(joint);
    const share = largest <= this.#bias ? 0 : (information - this.#bias) / (largest - this.#bias);
    return Math.min(1, Math.max(0, share));
  }

  #entropyOf(counts: Int32Array): number {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += this.#xLogX[counts[i]!]!;
    return Math.log(this.#rows.length) - sum / this.#rows.length;
  }
}
