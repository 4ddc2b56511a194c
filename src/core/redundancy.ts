/**
 * Redundancy filter (section 3.1.1, Algorithm B2): finds the memory that a new one repeats. The score mixes mutual
 * information between the binned summary vectors with the Jaccard similarity of the keywords and grows when both were
 * said close in time (Table C3):
 *
 *   RS(n, m) = (alpha_NMI NMI + (1 - alpha_NMI) Jaccard) (1 + w 2^(-hours apart / half-life))
 *
 * Mutual information from few draws is too high by about (B - 1)^2 / 2D nats for B bins and D dimensions, so two
 * unrelated texts would look alike; the same amount is taken off the information and off its maximum:
 *
 *   NMI = max(0, (MI - bias) / (H - bias)),  H the larger entropy of the two; 0 where D is too small for H > bias
 *
 * The best match over all memories is exact: joint counts in one pass over bytes, logarithms from a table.
 */
import type { Parameters } from "../parameters.js";
import { entropyOfCounts, xLogX } from "./entropy.js";
import { jaccardFromCounts } from "./keywords.js";
import { hourMs } from "./time.js";

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
  const { redundancyNmiWeight, temporalBonusWeight, temporalBonusHalfLifeHours } = parameters;
  const hoursApart = Math.abs(apartMs) / hourMs;
  const temporalBonus = 1 + temporalBonusWeight * 2 ** (-hoursApart / temporalBonusHalfLifeHours);
  const base = redundancyNmiWeight * nmi + (1 - redundancyNmiWeight) * jaccard;
  return { nmi, jaccard, temporalBonus, score: base * temporalBonus };
}

/** What a scan needs of the memories it goes over, by slot. A slot without a memory has NaN as its time. */
export interface RedundancyCandidates {
  readonly slotCount: number;
  readonly bins: Uint8Array;
  readonly initMs: Float64Array;
  readonly keywordCounts: Uint16Array;
}

export interface NewMemoryBins {
  readonly bins: Uint8Array;
  readonly initMs: number;
  readonly keywordCount: number;
  /** How many keywords each slot shares with the new memory; absent slots share none. */
  readonly sharedKeywords: ReadonlyMap<number, number>;
}

export interface MostRedundant extends RedundancyScore {
  readonly slot: number;
}

/** The most redundant memory in slots `from` to `to`, if it beats `best`; ties go to the older memory, then the lower slot. */
export function findMostRedundant(
  candidate: NewMemoryBins,
  memories: RedundancyCandidates,
  parameters: Parameters,
  best: MostRedundant | null = null,
  from = 0,
  to = memories.slotCount,
): MostRedundant | null {
  const dimensions = candidate.bins.length;
  const information = new MutualInformation(dimensions, parameters.redundancyBinCount);
  information.setFirst(candidate.bins);
  for (let slot = from; slot < to; slot++) {
    const initMs = memories.initMs[slot]!;
    if (Number.isNaN(initMs)) continue;
    const shared = candidate.sharedKeywords.get(slot) ?? 0;
    const jaccard = jaccardFromCounts(shared, candidate.keywordCount, memories.keywordCounts[slot]!);
    const nmi = information.normalized(memories.bins, slot * dimensions);
    const found = redundancyScore(nmi, jaccard, candidate.initMs - initMs, parameters);
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

/** Normalized mutual information of one vector's bins with many others', with its tables and counters kept. */
export class MutualInformation {
  readonly #dimensions: number;
  readonly #binCount: number;
  readonly #bias: number;
  readonly #xLogX: Float64Array;
  readonly #joint: Uint16Array;
  readonly #secondCounts: Uint32Array;
  readonly #firstOffsets: Uint16Array;
  #firstEntropy = 0;

  constructor(dimensions: number, binCount: number) {
    this.#dimensions = dimensions;
    this.#binCount = binCount;
    this.#bias = (binCount - 1) ** 2 / (2 * dimensions);
    this.#xLogX = Float64Array.from({ length: dimensions + 1 }, (_, count) => xLogX(count));
    this.#joint = new Uint16Array(binCount * binCount);
    this.#secondCounts = new Uint32Array(binCount);
    this.#firstOffsets = new Uint16Array(dimensions);
  }

  setFirst(bins: Uint8Array): void {
    const counts = new Uint32Array(this.#binCount);
    for (let i = 0; i < this.#dimensions; i++) {
      this.#firstOffsets[i] = bins[i]! * this.#binCount;
      counts[bins[i]!]! += 1;
    }
    this.#firstEntropy = entropyOfCounts(counts, this.#dimensions);
  }

  /** NMI with the bins that start at `start` of `bins`, corrected for bias. */
  normalized(bins: Uint8Array, start: number): number {
    const joint = this.#joint;
    const firstOffsets = this.#firstOffsets;
    const dimensions = this.#dimensions;
    joint.fill(0);
    for (let i = 0; i < dimensions; i++) joint[firstOffsets[i]! + bins[start + i]!]! += 1;
    const secondEntropy = this.#countSecond();
    const jointEntropy = this.#entropy(joint);
    const information = this.#firstEntropy + secondEntropy - jointEntropy;
    const largest = Math.max(this.#firstEntropy, secondEntropy);
    if (largest <= this.#bias) return 0;
    return Math.min(1, Math.max(0, (information - this.#bias) / (largest - this.#bias)));
  }

  #countSecond(): number {
    const binCount = this.#binCount;
    for (let second = 0; second < binCount; second++) {
      let count = 0;
      for (let first = 0; first < binCount; first++) count += this.#joint[first * binCount + second]!;
      this.#secondCounts[second] = count;
    }
    return this.#entropy(this.#secondCounts);
  }

  #entropy(counts: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += this.#xLogX[counts[i]!]!;
    return Math.log(this.#dimensions) - sum / this.#dimensions;
  }
}
