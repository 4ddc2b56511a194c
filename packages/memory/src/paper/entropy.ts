/**
 * Entropy over binned vectors (section 3.1.1): a vector's components, sorted into bins, are treated as draws of a
 * random variable. Mutual information between two vectors uses quantile bins (every bin holds equally many components);
 * the density of a single vector uses bins of equal width (with quantile bins it would be the same for every vector).
 */
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";

/** Shared by all vectors: counts never overlap, and opening a memory counts many vectors. */
const ranks = new Uint32Array(257);

/** The bin of each component, such that all bins hold equally many; ties go by position. */
export function quantileBins(vector: QuantizedVector, binCount: number): Uint8Array {
  const { length } = vector;
  // Components are bytes, so counting gives their ranks without sorting.
  ranks.fill(0);
  for (let i = 0; i < length; i++) ranks[vector[i]! + 129]! += 1;
  for (let code = 1; code <= 256; code++) ranks[code]! += ranks[code - 1]!;
  const bins = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const rank = ranks[vector[i]! + 128]!++;
    bins[i] = Math.floor((rank * binCount) / length);
  }
  return bins;
}

/** Entropy in nats of a vector's components in `binCount` bins of equal width between its minimum and maximum. */
export function binnedEntropy(vector: QuantizedVector, binCount: number): number {
  let smallest = Infinity;
  let largest = -Infinity;
  for (const component of vector) {
    smallest = Math.min(smallest, component);
    largest = Math.max(largest, component);
  }
  if (!(largest > smallest)) return 0;
  const counts = new Uint32Array(binCount);
  for (const component of vector) {
    counts[Math.min(binCount - 1, Math.floor(((component - smallest) / (largest - smallest)) * binCount))]! += 1;
  }
  return entropyOfCounts(counts, vector.length);
}

export function entropyOfCounts(counts: ArrayLike<number>, total: number): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += xLogX(counts[i]!);
  return Math.log(total) - sum / total;
}

export function xLogX(count: number): number {
  return count === 0 ? 0 : count * Math.log(count);
}
