/** Rows times weights: the kernel and plain JavaScript give the same numbers, wherever in the block the matrices lie. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  type Matrix,
  type MatrixKernel,
  MatrixPlan,
  createMatrixKernel,
  createPlainKernel,
} from "../../../src/core/vectors/matrix-kernel.js";
import { createRandom } from "../../../src/core/random.js";

interface Sizes {
  readonly rowCount: number;
  readonly weightCount: number;
  readonly width: number;
  /** Numbers between rows that belong to neither. */
  readonly gap: number;
}

const sizes = fc.record<Sizes>({
  rowCount: fc.integer({ min: 0, max: 9 }),
  weightCount: fc.integer({ min: 0, max: 5 }),
  width: fc.integer({ min: 0, max: 21 }),
  gap: fc.integer({ min: 0, max: 3 }),
});

function multiply(create: (numberCount: number) => MatrixKernel, size: Sizes, seed: number): Float32Array {
  const { rows, weights, out, numberCount } = lay(size);
  const kernel = create(numberCount);
  const random = createRandom(seed);
  for (let i = 0; i < numberCount; i++) kernel.numbers[i] = random() * 20 - 10;
  kernel.addProducts(rows, weights, out);
  return kernel.numbers;
}

function lay({ rowCount, weightCount, width, gap }: Sizes): Record<"rows" | "weights" | "out", Matrix> & {
  numberCount: number;
} {
  const plan = new MatrixPlan(3);
  const place = (count: number, used: number): Matrix => ({ ...plan.place(count, used + gap), width: used });
  const [rows, weights, out] = [place(rowCount, width), place(weightCount, width), place(rowCount, weightCount)];
  return { rows, weights, out, numberCount: plan.end };
}

describe("rows times weights", () => {
  it("are the same to the last bit in the SIMD kernel and in plain JavaScript, and nothing else changes", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, seed) => {
        expect(multiply(createMatrixKernel, size, seed)).toEqual(multiply(createPlainKernel, size, seed));
      }),
    );
  });

  it("are added to what is there: the dot product of each row with each row of weights", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, seed) => {
        const { rows, weights, out, numberCount } = lay(size);
        const random = createRandom(seed);
        const expected = Array.from({ length: numberCount }, () => Math.fround(random() * 20 - 10));
        for (let r = 0; r < rows.rowCount; r++) {
          for (let w = 0; w < weights.rowCount; w++) {
            for (let i = 0; i < rows.width; i++) {
              const product =
                expected[rows.start + r * rows.stride + i]! * expected[weights.start + w * weights.stride + i]!;
              expected[out.start + r * out.stride + w]! += product;
            }
          }
        }
        const found = multiply(createMatrixKernel, size, seed);
        expect(Math.max(0, ...expected.map((value, i) => Math.abs(value - found[i]!)))).toBeLessThan(1e-3);
      }),
    );
  });

  it("1 2 3 4 5 by 1 10 100 1000 10000 is 54321, and 1 more if 1 is there", () => {
    const kernel = createMatrixKernel(11);
    kernel.numbers.set([1, 2, 3, 4, 5, 1, 10, 100, 1000, 10_000, 1]);
    const row = (start: number, width: number): Matrix => ({ start, rowCount: 1, width, stride: width });
    kernel.addProducts(row(0, 5), row(5, 5), row(10, 1));
    expect(kernel.numbers[10]).toBe(54_322);
  });
});

describe("the kernel", () => {
  it("has its own block, as large as wanted and empty", () => {
    const numberCount = 3_000_000;
    const [one, other] = [createMatrixKernel(numberCount), createMatrixKernel(numberCount)];
    expect(one.numbers).toHaveLength(numberCount);
    expect(one.numbers.every((value) => value === 0)).toBe(true);
    one.numbers[numberCount - 1] = 1;
    expect(other.numbers[numberCount - 1]).toBe(0);
  });

  it("is WebAssembly here, and plain JavaScript where there is none", () => {
    expect(createMatrixKernel(1).numbers.buffer.byteLength).toBeGreaterThan(4);
    vi.stubGlobal("WebAssembly", undefined);
    try {
      expect(createMatrixKernel(1).numbers.buffer.byteLength).toBe(4);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
