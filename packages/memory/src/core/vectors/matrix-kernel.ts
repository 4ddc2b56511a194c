/**
 * Rows of numbers times rows of weights: WebAssembly SIMD where the platform has it, plain JavaScript elsewhere. Both
 * compute in single precision and add in the same order, so they give the same numbers. All matrices lie in one block,
 * the kernel's own memory, so that nothing is copied.
 */
import { instantiateKernel } from "./kernel.js";

/** Rows of a block of numbers, `stride` numbers apart. */
export interface Matrix {
  readonly start: number;
  readonly rowCount: number;
  readonly width: number;
  readonly stride: number;
}

export interface MatrixKernel {
  readonly numbers: Float32Array;
  /** Adds to `out`, for each row, its dot product with each row of weights. */
  addProducts(rows: Matrix, weights: Matrix, out: Matrix): void;
}

/** Lays matrices one after another. */
export class MatrixPlan {
  #end: number;

  constructor(start = 0) {
    this.#end = start;
  }

  /** Where the last one ends. */
  get end(): number {
    return this.#end;
  }

  place(rowCount: number, width: number): Matrix {
    const start = this.#end;
    this.#end += rowCount * width;
    return { start, rowCount, width, stride: width };
  }
}

const pageByteCount = 65_536;

/** A block for so many numbers, all 0 at first. */
export function createMatrixKernel(numberCount: number): MatrixKernel {
  return createSimdKernel(numberCount) ?? createPlainKernel(numberCount);
}

export function createPlainKernel(numberCount: number): MatrixKernel {
  const numbers = new Float32Array(numberCount);
  return {
    numbers,
    addProducts: (rows, weights, out) => {
      for (let w = 0; w < weights.rowCount; w++) {
        const weight = weights.start + w * weights.stride;
        for (let r = 0; r < rows.rowCount; r++) {
          const at = out.start + r * out.stride + w;
          numbers[at]! += multiply(numbers, rows.start + r * rows.stride, weight, rows.width);
        }
      }
    },
  };
}

function createSimdKernel(numberCount: number): MatrixKernel | null {
  const kernel = instantiateKernel();
  if (kernel === null) return null;
  const bytesPerNumber = Float32Array.BYTES_PER_ELEMENT;
  const missing = numberCount * bytesPerNumber - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / pageByteCount));
  return {
    numbers: new Float32Array(kernel.memory.buffer, 0, numberCount),
    addProducts: (rows, weights, out) =>
      kernel.addProducts(
        rows.start * bytesPerNumber,
        rows.stride * bytesPerNumber,
        rows.rowCount,
        weights.start * bytesPerNumber,
        weights.stride * bytesPerNumber,
        weights.rowCount,
        rows.width,
        out.start * bytesPerNumber,
        out.stride * bytesPerNumber,
      ),
  };
}

/** In four parts, as the kernel does; `fround` keeps every step in single precision. */
function multiply(numbers: Float32Array, a: number, b: number, width: number): number {
  const { fround } = Math;
  const vectorized = width & ~3;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0; i < vectorized; i += 4) {
    s0 = fround(s0 + fround(numbers[a + i]! * numbers[b + i]!));
    s1 = fround(s1 + fround(numbers[a + i + 1]! * numbers[b + i + 1]!));
    s2 = fround(s2 + fround(numbers[a + i + 2]! * numbers[b + i + 2]!));
    s3 = fround(s3 + fround(numbers[a + i + 3]! * numbers[b + i + 3]!));
  }
  let sum = fround(fround(s0 + s1) + fround(s2 + s3));
  for (let i = vectorized; i < width; i++) sum = fround(sum + fround(numbers[a + i]! * numbers[b + i]!));
  return sum;
}
