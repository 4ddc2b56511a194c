/**
 * How the arrow from an outdated memory to what replaced it runs: bent, so that it is told from an edge between the same
 * two, and to the side on which it crosses the fewest other memories.
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

/** How far the control point is from the straight line, as a share of its length; the first is the usual one. */
const bends = [0.18, -0.18, 0.4, -0.4, 0.65, -0.65] as const;
const tipGap = 2;
/** Between two points at which a curve is compared with memories. */
const stepLength = 5;
const stepCountMax = 200;
const cellSize = 32;

const chosenBends = new WeakMap<Float32Array, Float32Array>();

/** One for each of the model's replacements. Places are compared once, whatever is seen of them. */
export function bendsOf(model: GraphModel, positions: Float32Array): Float32Array {
  const known = chosenBends.get(positions);
  if (known?.length === model.replacements.length) return known;
  const isHit = hitTest(model, positions);
  const chosen = Float32Array.from(model.replacements, ({ old, by }) => {
    const hits = bends.map((bend) => countHits(arrowBetween(model, positions, old, by, bend), isHit, old, by));
    return bends[hits.indexOf(Math.min(...hits))]!;
  });
  chosenBends.set(positions, chosen);
  return chosen;
}

/** Null where both are at the same place. */
export function arrowBetween(
  { degrees }: GraphModel,
  positions: Float32Array,
  from: number,
  to: number,
  bend: number,
): Arrow | null {
  const [fromX, fromY, toX, toY] = [from, to].flatMap((i) => [positions[2 * i]!, positions[2 * i + 1]!]) as Four;
  const [dx, dy] = [toX - fromX, toY - fromY];
  if (dx === 0 && dy === 0) return null;
  const [controlX, controlY] = [(fromX + toX) / 2 - dy * bend, (fromY + toY) / 2 + dx * bend];
  const half = Math.hypot(controlX - fromX, controlY - fromY);
  const [startGap, endGap] = [radiusOf(degrees[from]!) / half, (radiusOf(degrees[to]!) + tipGap) / half];
  const [ux, uy] = [(toX - controlX) / half, (toY - controlY) / half];
  return {
    x: fromX + (controlX - fromX) * startGap,
    y: fromY + (controlY - fromY) * startGap,
    controlX,
    controlY,
    tipX: toX - (toX - controlX) * endGap,
    tipY: toY - (toY - controlY) * endGap,
    ux,
    uy,
  };
}

type Four = [number, number, number, number];
type HitTest = (x: number, y: number) => number;

/** The memory under a point, or -1. */
function hitTest({ degrees }: GraphModel, positions: Float32Array): HitTest {
  const cells = new Map<string, number[]>();
  const cellOf = (x: number, y: number): string => `${Math.floor(x / cellSize)} ${Math.floor(y / cellSize)}`;
  for (let i = 0; i < degrees.length; i++) {
    const name = cellOf(positions[2 * i]!, positions[2 * i + 1]!);
    const cell = cells.get(name);
    if (cell === undefined) cells.set(name, [i]);
    else cell.push(i);
  }
  // A memory is smaller than a cell, so that it is in one of the four around a point.
  const half = cellSize / 2;
  const around: readonly (readonly [number, number])[] = [
    [-half, -half],
    [half, -half],
    [-half, half],
    [half, half],
  ];
  return (x, y) => {
    for (const [dx, dy] of around) {
      for (const i of cells.get(cellOf(x + dx, y + dy)) ?? []) {
        if (Math.hypot(positions[2 * i]! - x, positions[2 * i + 1]! - y) < radiusOf(degrees[i]!) + tipGap) return i;
      }
    }
    return -1;
  };
}

function countHits(arrow: Arrow | null, hitAt: HitTest, from: number, to: number): number {
  if (arrow === null) return 0;
  const { x, y, controlX, controlY, tipX, tipY } = arrow;
  const length = Math.hypot(controlX - x, controlY - y) + Math.hypot(tipX - controlX, tipY - controlY);
  const stepCount = Math.min(stepCountMax, Math.ceil(length / stepLength));
  const hits = new Set<number>();
  for (let step = 1; step < stepCount; step++) {
    const t = step / stepCount;
    const along = (start: number, control: number, end: number): number =>
      (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t ** 2 * end;
    hits.add(hitAt(along(x, controlX, tipX), along(y, controlY, tipY)));
  }
  for (const other of [-1, from, to]) hits.delete(other);
  return hits.size;
}
