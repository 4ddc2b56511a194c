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
 * The best match over all memories is exact: joint counts of sixteen memories at a time, logarithms from a table.
 */
import type { Parameters } from "../../parameters.js";
import { type BinTable, blockOf, blockSlotCount } from "../vectors/bin-table.js";
import { entropyOfCounts, xLogX } from "./entropy.js";
import { type FirstBins, jointSumCount, jointSums } from "../vectors/joint-kernel.js";
import { jaccardFromCounts } from "../text/keywords.js";
import { hourMs } from "../time.js";

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
  const shares = new Float64Array(blockSlotCount);
  const bonusMax = 1 + parameters.temporalBonusWeight;
  let sharesOf = -1;
  for (let slot = from; slot < to; slot++) {
    const initMs = memories.initMs[slot]!;
    if (Number.isNaN(initMs)) continue;
    if (blockOf(slot) !== sharesOf) {
      sharesOf = blockOf(slot);
      newMemory.information.normalized(memories.bins.block(sharesOf), shares);
    }
    const nmi = shares[slot % blockSlotCount]!;
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

/** Normalized mutual information of one vector's bins with many others', corrected for bias. */
export class MutualInformation {
  readonly #dimensions: number;
  readonly #bias: number;
  readonly #first: FirstBins;
  readonly #firstEntropy: number;
  readonly #sums = new Float64Array(jointSumCount);

  constructor(bins: Uint8Array, binCount: number) {
    this.#dimensions = bins.length;
    this.#bias = (binCount - 1) ** 2 / (2 * bins.length);
    const counts = new Int32Array(binCount);
    for (const bin of bins) counts[bin]! += 1;
    const order = Uint16Array.from(bins.keys()).sort((x, y) => bins[x]! - bins[y]! || x - y);
    let end = 0;
    const ends = counts.map((count) => (end += count));
    const table = Float64Array.from({ length: bins.length + 1 }, (_, count) => xLogX(count));
    this.#first = { binCount, order, ends, table };
    this.#firstEntropy = entropyOfCounts(counts, bins.length);
  }

  /** NMI with each of a block's sixteen vectors, written to `out`. */
  normalized(block: Uint8Array, out: Float64Array): void {
    jointSums(this.#first, block, this.#sums);
    for (let lane = 0; lane < blockSlotCount; lane++) {
      const jointEntropy = this.#entropy(this.#sums[lane]!);
      const ownEntropy = this.#entropy(this.#sums[blockSlotCount + lane]!);
      const largest = Math.max(this.#firstEntropy, ownEntropy);
      const information = this.#firstEntropy + ownEntropy - jointEntropy;
      const share = largest <= this.#bias ? 0 : (information - this.#bias) / (largest - this.#bias);
      out[lane] = Math.min(1, Math.max(0, share));
    }
  }

  #entropy(sum: number): number {
    return Math.log(this.#dimensions) - sum / this.#dimensions;
  }
}
