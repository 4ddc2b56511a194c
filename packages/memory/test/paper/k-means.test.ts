import { describe, expect, it } from "vitest";
import { kMeansSteps } from "../../src/paper/k-means.js";
import { quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { createRandom, type Random } from "../../src/text/random.js";
import { VectorTable } from "../../src/graph/vectors/vector-table.js";

const dimensions = 6;
const iterationCountMax = 25;

describe("by hand", () => {
  it("vectors all alike share the first of equally near clusters", () => {
    const same = Array.from({ length: 5 }, () => [1, 2, 3, 4, 5, 6]);
    expect(clustersOf(same, 3, 1)).toEqual([0, 0, 0, 0, 0]);
  });

  it("no vectors, no clusters; one vector, cluster 0; a vector of zeros has one too", () => {
    expect(clustersOf([], 3, 1)).toEqual([]);
    expect(clustersOf([[1, 2, 3, 4, 5, 6]], 3, 1)).toEqual([0]);
    expect(clustersOf([[0, 0, 0, 0, 0, 0]], 3, 1)).toEqual([0]);
  });

  it("only the rows that are named count, in the order they are named", () => {
    const table = tableOf([
      blobVector(createRandom(1), 0),
      blobVector(createRandom(2), 3),
      blobVector(createRandom(3), 0),
    ]);
    const clusters = [...kMeans(table, [1, 2, 0], 2, createRandom(5))];
    expect(clusters[1]).toBe(clusters[2]);
    expect(clusters[0]).not.toBe(clusters[1]);
  });
});

describe("the clusters", () => {
  /** k-means++ and Lloyd's rounds, written down without tables and slices. */
  function naiveClusters(list: readonly (readonly number[])[], k: number, random: Random): number[] {
    const units = list.map(unitOf);
    const first = Math.floor(random() * units.length);
    const centroids = [units[first]!];
    while (centroids.length < Math.min(k, units.length)) {
      const weights = units.map((unit) => Math.min(...centroids.map((centroid) => squaredDistance(unit, centroid))));
      let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
      const drawn = weights.findIndex((weight) => (left -= weight) < 0);
      centroids.push(units.at(drawn)!);
    }
    const nearest = (unit: readonly number[]): number => {
      const distances = centroids.map((centroid) => squaredDistance(unit, centroid));
      return distances.indexOf(Math.min(...distances));
    };
    let clusters = units.map(nearest);
    for (let round = 1; round < iterationCountMax; round++) {
      for (const cluster of new Set(clusters)) {
        centroids[cluster] = meanOf(units.filter((_, i) => clusters[i] === cluster));
      }
      clusters = units.map(nearest);
    }
    return clusters;
  }

  it("are those of a naive version", () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = createRandom(`naive ${seed}`);
      const length = 2 + Math.floor(random() * 20);
      const list = Array.from({ length }, () => Array.from({ length: dimensions }, () => randomCode(random)));
      const k = 1 + (seed % 9);
      const clusters = [...kMeans(tableOf(list), [...list.keys()], k, createRandom(seed))];
      expect(clusters).toEqual(naiveClusters(list, k, createRandom(seed)));
    }
  });
});

it("finds the centroids of many on a sample, and gives everybody to the nearest", () => {
  const random = createRandom("sample");
  const list = Array.from({ length: 2_500 }, (_, i) => blobVector(random, i % 2 === 0 ? 0 : 3));
  const clusters = [...kMeans(tableOf(list), [...list.keys()], 2, createRandom(2))];
  expect(new Set(clusters.filter((_, i) => i % 2 === 0)).size).toBe(1);
  expect(new Set(clusters.filter((_, i) => i % 2 === 1)).size).toBe(1);
  expect(clusters[0]).not.toBe(clusters[1]);
});

function clustersOf(list: readonly (readonly number[])[], k: number, seed: number): number[] {
  return [...kMeans(tableOf(list), [...list.keys()], k, createRandom(seed))];
}

function tableOf(list: readonly (readonly number[])[]): VectorTable {
  const table = new VectorTable(dimensions);
  for (const vector of list) table.add(Int8Array.from(vector));
  return table;
}

/** A vector that points along an axis, with a little noise on the others. */
function blobVector(random: Random, axis: number): number[] {
  return [...quantizeVector(Array.from({ length: dimensions }, (_, i) => (i === axis ? 1 : 0.2 * (random() - 0.5))))];
}

function randomCode(random: Random): number {
  return Math.floor(random() * 255) - 127;
}

function unitOf(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((component) => component / length);
}

function meanOf(units: readonly (readonly number[])[]): number[] {
  return units[0]!.map((_, d) => units.reduce((sum, unit) => sum + unit[d]!, 0) / units.length);
}

function squaredDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, component, i) => sum + (component - b[i]!) ** 2, 0);
}

/** The generator run to its end. */
function kMeans(table: VectorTable, rows: readonly number[], clusterCount: number, random: Random): Int32Array {
  const steps = kMeansSteps(table, rows, { clusterCount }, random);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
