/**
 * Percentile bootstrap (Efron 1979): how much a mean over questions would vary with other questions of the same kind. Of
 * two systems the differences are resampled question by question.
 */
import { createRandom } from "mnemosyne-edge/internal/text/random.js";

export type Interval = readonly [low: number, high: number];

const resampleCount = 2_000;
const tail = 0.025;

/** The 95 % interval of the mean of these values, of which there is at least one. */
export function meanInterval(values: readonly number[], seed = 1): Interval {
  const random = createRandom(`bootstrap ${seed} ${values.length}`);
  const means = Float64Array.from({ length: resampleCount }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++) sum += values[Math.floor(random() * values.length)]!;
    return sum / values.length;
  }).sort();
  return [quantile(means, tail), quantile(means, 1 - tail)];
}

/** Interpolates linearly between neighbours. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  return below + (sorted[Math.ceil(position)]! - below) * (position - Math.floor(position));
}
