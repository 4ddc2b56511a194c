/**
 * Percentile bootstrap (Efron 1979): how much a mean over questions would vary with other questions of the same kind. Every
 * system uses the same resamples, so that two systems are compared question by question.
 */
import { createRandom } from "mnemosyne-edge/internal/core/random.js";

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
    return intervalOf(this.#means(values));
  }

  /**
   * The interval of each figure that `score` computes from units, such as items or whole stories. A resample that has no
   * value of a figure is left out of its interval; null if all are.
   */
  figureIntervals<Unit>(
    units: readonly Unit[],
    score: (units: readonly Unit[]) => Readonly<Record<string, number | null>>,
  ): Record<string, Interval | null> {
    const indices = this.#resamplesOf(units.length);
    const values = new Map(Object.keys(score(units)).map((name) => [name, [] as number[]]));
    for (let resample = 0; resample < resampleCount; resample++) {
      const drawn = indices.subarray(resample * units.length, (resample + 1) * units.length);
      const figures = score(Array.from(drawn, (index) => units[index]!));
      for (const [name, found] of values) if (typeof figures[name] === "number") found.push(figures[name]);
    }
    return Object.fromEntries(
      [...values].map(([name, found]) => [name, found.length === 0 ? null : intervalOf(Float64Array.from(found))]),
    );
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

function intervalOf(values: Float64Array): Interval {
  const sorted = values.sort();
  const tail = (1 - confidence) / 2;
  return [quantile(sorted, tail), quantile(sorted, 1 - tail)];
}

/** Interpolates linearly between neighbours; `sorted` is not empty. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}
