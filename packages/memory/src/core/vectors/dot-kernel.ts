/**
 * Dot products of one vector with many: WebAssembly SIMD where the platform has it, plain JavaScript elsewhere. Both
 * give the same integers. The kernel has a small memory of its own; rows are copied into it chunk by chunk.
 */
import { instantiateKernel } from "./kernel.js";
import { type QuantizedVector, dot } from "./quantized-vector.js";

/** Writes the dot product of `query` with rows `from` to `to` of `codes` to `out`, starting at `out[0]`. */
export type DotKernel = (
  codes: Int8Array,
  dimensions: number,
  query: QuantizedVector,
  from: number,
  to: number,
  out: Int32Array,
) => void;

/** The most rows a caller may request at once. */
export const dotKernelRowCountMax = 256;

export const plainDots: DotKernel = (codes, dimensions, query, from, to, out) => {
  for (let row = from; row < to; row++) out[row - from] = dot(codes, row * dimensions, query, 0, dimensions);
};

export const dots: DotKernel = createSimdDots() ?? plainDots;

function createSimdDots(): DotKernel | null {
  const kernel = instantiateKernel();
  if (kernel === null) return null;
  const bytes = new Int8Array(kernel.memory.buffer);
  const results = new Int32Array(kernel.memory.buffer);
  return (codes, dimensions, query, from, to, out) => {
    // Results come first, since only they need alignment; then the query, then the rows.
    const queryStart = dotKernelRowCountMax * Int32Array.BYTES_PER_ELEMENT;
    const rowsStart = queryStart + dimensions;
    const count = to - from;
    if (rowsStart + count * dimensions > bytes.length) return plainDots(codes, dimensions, query, from, to, out);
    bytes.set(query, queryStart);
    bytes.set(codes.subarray(from * dimensions, to * dimensions), rowsStart);
    kernel.dots(rowsStart, queryStart, 0, count, dimensions);
    out.set(results.subarray(0, count));
  };
}
