/**
 * The Wilson score interval of a share p = wins / n at 95 %, as the paper gives it for its win rates:
 *
 *   (p + z^2 / 2n ± z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)
 *
 * Wins may be halves. Without any draws it is the whole range from 0 to 1.
 */
import type { Interval } from "../report/bootstrap.js";

const z = 1.959963984540054;

export function wilsonInterval(wins: number, n: number): Interval {
  if (!(n >= 0 && wins >= 0 && wins <= n)) throw new RangeError(`${wins} wins of ${n} are not a share`);
  if (n === 0) return [0, 1];
  const p = wins / n;
  const centre = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [wins === 0 ? 0 : (centre - half) / scale, wins === n ? 1 : (centre + half) / scale];
}
