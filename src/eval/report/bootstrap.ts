/**
 * Percentile bootstrap (Efron 1979): how much a mean over questions would vary with other questions of the same kind. Every
 * system uses the same resamples, so that two systems are compared question by question.
 */
import { createRandom } from "../../core/random.js";

export type Interval = readonly [low: number, high: number];

const resampleCount = 2_000;
const confidence = 0.95;

export class Bootstrap {
  readonly #seed: number;
  readonly #resamples = new Map<number, Uint32Array>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The interval of the mean of these values. */
  interval(values: readonly number[]): Interval {
    const means = this.#means(values).sort();
    const tail = (1 - confidence) / 2;
    return [quantile(means, tail), quantile(means, 1 - tail)];
  }

  #means(values: readonly number[]): Float64Array {
    const count = values.length;
    const indices = this.#resamplesOf(count);
    const means = new Float64Array(resampleCount);
    for (let resample = 0, at = 0; resample < resampleCount; resample++) {
      let sum = 0;
      for (const end = at + count; at < end; at++) sum += values[indices[at]!]!;
      means[resample] = sum / count;
    }
    return means;
  }

  /** The questions that each resample draws, one resample after the other. */
  #resamplesOf(count: number): Uint32Array {
    let indices = this.#resamples.get(count);
    if (indices === undefined) {
      const random = createRandom(`bootstrap ${this.#seed} ${count}`);
      indices = Uint32Array.from({ length: resampleCount * count }, () => Math.floor(random() * count));
      this.#resamples.set(count, indices);
    }
    return indices;
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Interpolates linearly between neighbours; `sorted` is not empty. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}
