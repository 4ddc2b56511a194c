/**
 * How the arrow from an outdated memory to what replaced it runs: bent, so that it is told from an edge between the same
 * two.
 */
import type { GraphModel } from "./graph-model.js";
import { radiusOf } from "./scene.js";

/** A curve with one control point; it ends at the rim of what it points at. */
export interface Arrow {
  readonly x: number;
  readonly y: number;
  readonly controlX: number;
  readonly controlY: number;
  readonly tipX: number;
  readonly tipY: number;
  /** Where the tip points, of length 1. */
  readonly ux: number;
  readonly uy: number;
}

/** How far the control point is from the straight line, as a share of its length. */
const usualBend = 0.18;
const tipGap = 2;

/** Null where both are at the same place. */
export function arrowBetween(
  { degrees }: GraphModel,
  positions: Float32Array,
  from: number,
  to: number,
  bend = usualBend,
): Arrow | null {
  const [fromX, fromY, toX, toY] = [from, to].flatMap((i) => [positions[2 * i]!, positions[2 * i + 1]!]) as Four;
  const [dx, dy] = [toX - fromX, toY - fromY];
  if (dx === 0 && dy === 0) return null;
  const [controlX, controlY] = [(fromX + toX) / 2 - dy * bend, (fromY + toY) / 2 + dx * bend];
  const half = Math.hypot(controlX - fromX, controlY - fromY);
  const [startGap, endGap] = [radiusOf(degrees[from]!) / half, (radiusOf(degrees[to]!) + tipGap) / half];
  return {
    x: fromX + (controlX - fromX) * startGap,
    y: fromY + (controlY - fromY) * startGap,
    controlX,
    controlY,
    tipX: toX - (toX - controlX) * endGap,
    tipY: toY - (toY - controlY) * endGap,
    ux: (toX - controlX) / half,
    uy: (toY - controlY) / half,
  };
}

type Four = [number, number, number, number];
