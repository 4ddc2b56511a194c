/**
 * k-means over the directions of vectors (section 3.3; Lloyd 1982), seeded and initialized by k-means++ (Arthur &
 * Vassilvitskii 2007). It is a generator that pauses after every slice of vectors, so a caller with an event loop can
 * let other work run in between.
 */
import type { Parameters } from "../parameters.js";
import type { Random } from "../text/random.js";
import type { VectorTable } from "../graph/vectors/vector-table.js";

const sliceLength = 200;
/** Rounds, and rows on which the centroids are found; all others are then assigned to the nearest. */
const iterationCountMax = 25;
const sampleCountMax = 2000;

/**
 * The cluster number of each of `rows`, in order. With many rows, the centroids are found on an even sample of them.
 */
export function* kMeansSteps(
  table: VectorTable,
  rows: readonly number[],
  { clusterCount }: Pick<Parameters, "clusterCount">,
  random: Random,
): Generator<void, Int32Array> {
  const assignment = new Int32Array(rows.length);
  if (rows.length === 0) return assignment;
  const sample = sampleEvenly(rows, sampleCountMax);
  const sampleAssignment = new Int32Array(sample.length);
  const centroids = yield* chooseCentroids(table, sample, Math.min(clusterCount, sample.length), random);
  for (let iteration = 0; iteration < iterationCountMax; iteration++) {
    const moved = yield* assign(table, sample, centroids, sampleAssignment);
    if (!moved && iteration > 0) break;
    yield* recenter(table, sample, centroids, sampleAssignment);
  }
  if (sample.length === rows.length) return sampleAssignment;
  yield* assign(table, rows, centroids, assignment);
  return assignment;
}

function sampleEvenly(rows: readonly number[], countMax: number): readonly number[] {
  if (rows.length <= countMax) return rows;
  return Array.from({ length: countMax }, (_, i) => rows[Math.floor((i * rows.length) / countMax)]!);
}

/** Centroids are stored one after another in a single array. */
interface Centroids {
  readonly count: number;
  readonly numbers: Float64Array;
}

/** k-means++: each further centroid is drawn with probability proportional to its squared distance from the others. */
function* chooseCentroids(
  table: VectorTable,
  rows: readonly number[],
  count: number,
  random: Random,
): Generator<void, Centroids> {
  const { dimensions } = table;
  const numbers = new Float64Array(count * dimensions);
  const distances = new Float64Array(rows.length).fill(Infinity);
  let chosen = Math.floor(random() * rows.length);
  for (let centroid = 0; centroid < count; centroid++) {
    const offset = centroid * dimensions;
    table.addUnitTo(rows[chosen]!, numbers, offset);
    let total = 0;
    for (let i = 0; i < rows.length; i++) {
      distances[i] = Math.min(distances[i]!, Math.max(0, 2 - 2 * table.unitDot(rows[i]!, numbers, offset)));
      total += distances[i]!;
      if (i % sliceLength === sliceLength - 1) yield;
    }
    chosen = drawByWeight(distances, total, random);
  }
  return { count, numbers };
}

function drawByWeight(weights: Float64Array, total: number, random: Random): number {
  let left = random() * total;
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i]!;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

function* assign(
  table: VectorTable,
  rows: readonly number[],
  { count, numbers }: Centroids,
  assignment: Int32Array,
): Generator<void, boolean> {
  const squaredLengths = Array.from({ length: count }, (_, c) => squaredLength(numbers, c, table.dimensions));
  let moved = false;
  for (let i = 0; i < rows.length; i++) {
    let nearest = 0;
    let nearestDistance = Infinity;
    for (let centroid = 0; centroid < count; centroid++) {
      const product = table.unitDot(rows[i]!, numbers, centroid * table.dimensions);
      const distance = squaredLengths[centroid]! - 2 * product;
      if (distance < nearestDistance) [nearest, nearestDistance] = [centroid, distance];
    }
    if (assignment[i] !== nearest) moved = true;
    assignment[i] = nearest;
    if (i % sliceLength === sliceLength - 1) yield;
  }
  return moved;
}

/** Moves each centroid to the mean of its vectors; one without vectors stays where it is. */
function* recenter(
  table: VectorTable,
  rows: readonly number[],
  { count, numbers }: Centroids,
  assignment: Int32Array,
): Generator<void> {
  const { dimensions } = table;
  const sums = new Float64Array(count * dimensions);
  const sizes = new Int32Array(count);
  for (let i = 0; i < rows.length; i++) {
    const centroid = assignment[i]!;
    table.addUnitTo(rows[i]!, sums, centroid * dimensions);
    sizes[centroid]! += 1;
    if (i % sliceLength === sliceLength - 1) yield;
  }
  for (let centroid = 0; centroid < count; centroid++) {
    if (sizes[centroid] === 0) continue;
    for (let d = 0; d < dimensions; d++) {
      numbers[centroid * dimensions + d] = sums[centroid * dimensions + d]! / sizes[centroid]!;
    }
  }
}

function squaredLength(numbers: Float64Array, centroid: number, dimensions: number): number {
  let sum = 0;
  for (let d = 0; d < dimensions; d++) sum += numbers[centroid * dimensions + d]! ** 2;
  return sum;
}
