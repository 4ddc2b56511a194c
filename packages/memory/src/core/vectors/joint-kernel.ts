/**
 * Sums of x log x over the joint counts of one binned vector with sixteen others, from which their mutual information
 * follows: WebAssembly SIMD where the platform has it, plain JavaScript elsewhere. The counts are integers and their
 * logarithms are added in the same order, so both give the same sums.
 */
import { blockSlotCount } from "./bin-table.js";
import { type KernelExports, instantiateKernel } from "./kernel.js";

/** The vector that the others are compared with. */
export interface FirstBins {
  readonly binCount: number;
  /** Components sorted by their bin. */
  readonly order: Uint16Array;
  /** Where each bin ends in `order`. */
  readonly ends: Int32Array;
  /** x log x of every possible count. */
  readonly table: Float64Array;
}

/**
 * Writes to `out`, for each of the block's sixteen, the sum over the joint counts, then the sums over its own counts.
 */
export type JointKernel = (first: FirstBins, block: Uint8Array, out: Float64Array) => void;

/** How many numbers a kernel writes. */
export const jointSumCount = 2 * blockSlotCount;

export const plainJointSums: JointKernel = ({ binCount, order, ends, table }, block, out) => {
  const joint = new Uint16Array(binCount);
  for (let lane = 0; lane < blockSlotCount; lane++) {
    const own = new Uint16Array(binCount);
    let jointSum = 0;
    let from = 0;
    for (let first = 0; first < binCount; first++) {
      joint.fill(0);
      for (; from < ends[first]!; from++) joint[block[order[from]! * blockSlotCount + lane]!]! += 1;
      for (let bin = 0; bin < binCount; bin++) {
        jointSum += table[joint[bin]!]!;
        own[bin]! += joint[bin]!;
      }
    }
    let ownSum = 0;
    for (let bin = 0; bin < binCount; bin++) ownSum += table[own[bin]!]!;
    out[lane] = jointSum;
    out[blockSlotCount + lane] = ownSum;
  }
};

export const jointSums: JointKernel = createSimdJointSums() ?? plainJointSums;

function createSimdJointSums(): JointKernel | null {
  const kernel = instantiateKernel();
  if (kernel === null) return null;
  let layout: Layout | null = null;
  return (first, block, out) => {
    if (layout?.first !== first) layout = placeFirst(first, block.length, kernel);
    if (layout === null) return plainJointSums(first, block, out);
    layout.bytes.set(block, layout.block);
    kernel.jointSums(layout.block, layout.order, layout.ends, first.binCount, layout.table, layout.counts, layout.out);
    out.set(layout.results);
  };
}

/** The layout of the kernel's memory while one vector is compared with many. */
interface Layout {
  readonly first: FirstBins;
  readonly bytes: Uint8Array;
  readonly results: Float64Array;
  readonly out: number;
  readonly table: number;
  readonly ends: number;
  readonly order: number;
  readonly counts: number;
  readonly block: number;
}

/** Copies the first vector into the kernel's memory; null if it does not fit. */
function placeFirst(first: FirstBins, blockLength: number, { memory }: KernelExports): Layout | null {
  const out = 0;
  const table = jointSumCount * Float64Array.BYTES_PER_ELEMENT;
  const ends = table + first.table.byteLength;
  const order = ends + first.ends.byteLength;
  const counts = aligned(order + first.order.byteLength);
  const block = aligned(counts + 2 * blockSlotCount * Uint16Array.BYTES_PER_ELEMENT * roundUp(first.binCount, 8));
  const bytes = new Uint8Array(memory.buffer);
  if (block + blockLength > bytes.length) return null;
  for (const [part, at] of [
    [first.table, table],
    [first.ends, ends],
    [first.order, order],
  ] as const) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
  }
  const results = new Float64Array(memory.buffer, out, jointSumCount);
  return { first, bytes, results, out, table, ends, order, counts, block };
}

function aligned(at: number): number {
  return roundUp(at, 16);
}

function roundUp(number: number, unit: number): number {
  return Math.ceil(number / unit) * unit;
}
