/**
 * Dot products of one vector with many: by WebAssembly SIMD where the platform has it, else in plain JavaScript. Both give
 * the same whole numbers. The kernel has a small memory of its own; rows are copied into it chunk by chunk.
 */
import { dotKernelBase64 } from "./dot-kernel-bytes.js";
import { type QuantizedVector, dot } from "./quantized-vector.js";

/** Writes the dot product of `query` with rows `from` to `to` of `codes` to `out`, beginning at `out[0]`. */
export type DotKernel = (
  codes: Int8Array,
  dimensions: number,
  query: QuantizedVector,
  from: number,
  to: number,
  out: Int32Array,
) => void;

/** Rows a caller may ask for at once. */
export const dotKernelRowCountMax = 256;

export const plainDots: DotKernel = (codes, dimensions, query, from, to, out) => {
  for (let row = from; row < to; row++) out[row - from] = dot(codes, row * dimensions, query, 0, dimensions);
};

export const dots: DotKernel = createSimdDots() ?? plainDots;

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly dots: (rows: number, query: number, out: number, count: number, dimensions: number) => void;
}

function createSimdDots(): DotKernel | null {
  const kernel = instantiate();
  if (kernel === null) return null;
  const bytes = new Int8Array(kernel.memory.buffer);
  const results = new Int32Array(kernel.memory.buffer);
  return (codes, dimensions, query, from, to, out) => {
    // Results first, since they are the ones that must be aligned; then the query, then the rows.
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

/** The part of the platform's WebAssembly we use; its types come only with those of a browser. */
interface WebAssemblyGlobal {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: KernelExports };
  };
}

/** Null where the platform has no WebAssembly or no SIMD. */
function instantiate(): KernelExports | null {
  try {
    const { WebAssembly } = globalThis as unknown as WebAssemblyGlobal;
    const module = new WebAssembly.Module(Buffer.from(dotKernelBase64, "base64"));
    return new WebAssembly.Instance(module).exports;
  } catch {
    return null;
  }
}
