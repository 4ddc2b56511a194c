/**
 * The WebAssembly kernel of assembly/, where the platform has WebAssembly with SIMD; every instance has its own memory.
 */
import { kernelBase64 } from "./kernel-bytes.js";

export interface KernelExports {
  /** Growing it replaces its buffer. */
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pageCount: number) => void };
  readonly dots: (rows: number, query: number, out: number, count: number, dimensions: number) => void;
  readonly jointSums: (
    block: number,
    order: number,
    ends: number,
    binCount: number,
    table: number,
    counts: number,
    out: number,
  ) => void;
  readonly addProducts: (
    rows: number,
    rowStride: number,
    rowCount: number,
    weights: number,
    weightStride: number,
    weightCount: number,
    width: number,
    out: number,
    outStride: number,
  ) => void;
}

/** The part of the platform's WebAssembly we use; the official types come only with those of a browser. */
interface WebAssemblyGlobal {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: KernelExports };
  };
}

/** Null where the platform has no WebAssembly or no SIMD. */
export function instantiateKernel(): KernelExports | null {
  try {
    const { WebAssembly } = globalThis as unknown as WebAssemblyGlobal;
    const module = new WebAssembly.Module(Buffer.from(kernelBase64, "base64"));
    return new WebAssembly.Instance(module).exports;
  } catch {
    return null;
  }
}
