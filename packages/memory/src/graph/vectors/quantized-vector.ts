/**
 * Vectors as the memory keeps them: one signed byte per component, the largest at 127. Every use of a vector in the
 * paper is a cosine or a binning, and both ignore length, so no scale is kept. Products of bytes are integers, and
 * integers add up the same in any order, so a score is the same on every machine. See docs/design-choices.md for what
 * the rounding costs.
 */

export type QuantizedVector = Int8Array;

const codeMax = 127;

export function quantizeVector(vector: ArrayLike<number>): QuantizedVector {
  const codes = new Int8Array(vector.length);
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  if (largest === 0 || !Number.isFinite(largest)) return codes;
  for (let i = 0; i < vector.length; i++) codes[i] = Math.round((vector[i]! / largest) * codeMax);
  return codes;
}

export function cosine(a: QuantizedVector, b: QuantizedVector): number {
  const product = dot(a, 0, b, 0, a.length);
  if (product === 0) return 0;
  return product / Math.sqrt(dot(a, 0, a, 0, a.length) * dot(b, 0, b, 0, b.length));
}

/** Dot product of `length` bytes of `a` from `aStart` and of `b` from `bStart`. */
export function dot(a: Int8Array, aStart: number, b: Int8Array, bStart: number, length: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    sum0 = (sum0 + a[aStart + i]! * b[bStart + i]!) | 0;
    sum1 = (sum1 + a[aStart + i + 1]! * b[bStart + i + 1]!) | 0;
    sum2 = (sum2 + a[aStart + i + 2]! * b[bStart + i + 2]!) | 0;
    sum3 = (sum3 + a[aStart + i + 3]! * b[bStart + i + 3]!) | 0;
  }
  for (; i < length; i++) sum0 = (sum0 + a[aStart + i]! * b[bStart + i]!) | 0;
  return sum0 + sum1 + sum2 + sum3;
}

/** The mean direction of several vectors. */
export function meanVector(vectors: readonly QuantizedVector[], dimensions: number): QuantizedVector {
  const sum = new Float64Array(dimensions);
  for (const vector of vectors) {
    const norm = Math.sqrt(dot(vector, 0, vector, 0, dimensions)) || 1;
    for (let i = 0; i < dimensions; i++) sum[i]! += vector[i]! / norm;
  }
  return quantizeVector(sum);
}
