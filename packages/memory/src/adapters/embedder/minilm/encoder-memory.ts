/**
 * The numbers of the portable encoder in one block: the weights of the bundled model but for the vectors of word pieces,
 * the judge's adapters, and room for what is computed.
 */
import {
  type Matrix,
  type MatrixKernel,
  MatrixPlan,
  type createMatrixKernel,
} from "../../../core/vectors/matrix-kernel.js";
import { type BertAdapter, type BertWeights, findHalfPrecision, layerName, wordsName } from "../onnx/bert-graph.js";
import { readHalfPrecision } from "../onnx/safetensors.js";
import { transpose } from "./encoder-steps.js";

/** Like weights, both have a row for each of their outputs: `reads` for each rank, `writes` for each output of the layer. */
export interface PlacedChange {
  readonly reads: Matrix;
  readonly writes: Matrix;
}

export interface EncoderMemory {
  readonly kernel: MatrixKernel;
  readonly weights: ReadonlyMap<string, Matrix>;
  readonly changes: ReadonlyMap<string, PlacedChange>;
  /** Where a text's numbers go; the next text overwrites them. */
  placeScratch(pieceCount: number, rankCount: number): EncoderScratch;
}

export type EncoderScratch = ReturnType<typeof placeScratch>;

export function fillEncoderMemory(
  file: BertWeights,
  adapter: BertAdapter,
  pieceCountMax: number,
  createKernel: typeof createMatrixKernel,
): EncoderMemory {
  const plan = new MatrixPlan();
  const weights = placeWeights(plan, file);
  const changes = placeChanges(plan, adapter);
  const { end: start } = plan;
  const widening = weights.get(`${layerName(0)}.intermediate.dense.weight`)!;
  const rankMax = Math.max(0, ...[...adapter.values()].map(({ rank }) => rank));
  placeScratch(plan, pieceCountMax, rankMax, widening);
  const kernel = createKernel(plan.end);
  readWeights(kernel.numbers, file, weights);
  copyChanges(kernel.numbers, adapter, changes);
  return {
    kernel,
    weights,
    changes,
    placeScratch: (pieceCount, rankCount) => placeScratch(new MatrixPlan(start), pieceCount, rankCount, widening),
  };
}

function placeWeights(plan: MatrixPlan, { tensors }: BertWeights): Map<string, Matrix> {
  const names = [...tensors.keys()].filter((name) => /^(?:embeddings|encoder)\..*\.(?:weight|bias)$/u.test(name));
  return new Map(
    names
      .filter((name) => name !== wordsName)
      .map((name) => {
        const [first, second] = tensors.get(name)!.shape as [number, number?];
        return [name, second === undefined ? plan.place(1, first) : plan.place(first, second)];
      }),
  );
}

function placeChanges(plan: MatrixPlan, adapter: BertAdapter): Map<string, PlacedChange> {
  return new Map(
    [...adapter].map(([name, { rank, reads, writes }]) => [
      name,
      { reads: plan.place(rank, reads.length / rank), writes: plan.place(writes.length / rank, rank) },
    ]),
  );
}

/** `widening` are the weights that lead from a state to the widest rows of a layer. */
function placeScratch(plan: MatrixPlan, pieceCount: number, rankCount: number, widening: Matrix) {
  const { width: size, rowCount: wideSize } = widening;
  const place = (width: number): Matrix => plan.place(pieceCount, width);
  return {
    state: place(size),
    change: place(size),
    query: place(size),
    key: place(size),
    value: place(size),
    valueColumns: plan.place(size, pieceCount),
    shares: place(pieceCount),
    attended: place(size),
    wide: place(wideSize),
    low: place(rankCount),
  };
}

function readWeights(numbers: Float32Array, file: BertWeights, weights: ReadonlyMap<string, Matrix>): void {
  const parts = [...weights.keys()].map((name) => findHalfPrecision(file, name));
  const places = [...weights.values()].map(({ start, rowCount, width }) =>
    numbers.subarray(start, start + rowCount * width),
  );
  readHalfPrecision(file.path, parts, places);
}

function copyChanges(numbers: Float32Array, adapter: BertAdapter, changes: ReadonlyMap<string, PlacedChange>): void {
  for (const [name, { rank, reads, writes }] of adapter) {
    const placed = changes.get(name)!;
    const width = writes.length / rank;
    numbers.set(reads, placed.reads.start);
    transpose(writes, { start: 0, rowCount: rank, width, stride: width }, numbers, placed.writes);
  }
}
