/**
 * Temporal decay (section 3.1.2, Equation 2): how much of its chance of being recalled a memory keeps at an effective
 * age. The equation as printed gives 0 at age 0 and never reaches its floor; the text says 1 at age 0 and a floor d. We
 * follow the text:
 *
 *   s(x)   = d + (1 - d) / (1 + exp((x - a) / b))
 *   tau(x) = 1                          for x < 0
 *   tau(x) = 1 - x (1 - s(c)) / c       for 0 <= x < c
 *   tau(x) = s(x)                       for x >= c
 *
 * with a the midpoint, b the scale, c the end of the straight line and d the floor.
 */
import type { Parameters } from "../parameters.js";
import { dayMs } from "../text/time.js";

export function decay(effectiveAgeMs: number, parameters: Parameters): number {
  const x = effectiveAgeMs / dayMs;
  const c = parameters.decayLinearDays;
  if (x < 0) return 1;
  if (x >= c) return reverseSigmoid(x, parameters);
  return 1 - (x * (1 - reverseSigmoid(c, parameters))) / c;
}

function reverseSigmoid(x: number, parameters: Parameters): number {
  const { decayMidpointDays: a, decayScaleDays: b, decayFloor: d } = parameters;
  return d + (1 - d) / (1 + Math.exp((x - a) / b));
}
