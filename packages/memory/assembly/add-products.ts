/**
 * Rows of numbers times rows of weights, in WebAssembly SIMD (AssemblyScript). Every product of two rows is added up in
 * four parts, one per lane, whose order is fixed, so the sums equal those of the plain JavaScript to the last bit. Four
 * rows meet two rows of weights at a time: each number that is loaded is used more than once. Also compiled by
 * `npm run build:kernel`.
 */

/** Adds the dot product of each of `rowCount` rows with each of `weightCount` weights to `out`; strides are in bytes. */
export function addProducts(
  rows: usize,
  rowStride: usize,
  rowCount: i32,
  weights: usize,
  weightStride: usize,
  weightCount: i32,
  width: i32,
  out: usize,
  outStride: usize,
): void {
  const vectorized: usize = ((<usize>width) & ~3) << 2;
  const end: usize = (<usize>width) << 2;
  for (let weight = 0; weight < weightCount; weight += 2) {
    const w0 = weights + <usize>weight * weightStride;
    // At the edges the last one is multiplied again, and not written.
    const w1 = weights + <usize>min(weight + 1, weightCount - 1) * weightStride;
    const hasSecond = weight + 1 < weightCount;
    for (let row = 0; row < rowCount; row += 4) {
      const r0 = rows + <usize>row * rowStride;
      const r1 = rows + <usize>min(row + 1, rowCount - 1) * rowStride;
      const r2 = rows + <usize>min(row + 2, rowCount - 1) * rowStride;
      const r3 = rows + <usize>min(row + 3, rowCount - 1) * rowStride;
      let s00 = f32x4.splat(0);
      let s01 = f32x4.splat(0);
      let s10 = f32x4.splat(0);
      let s11 = f32x4.splat(0);
      let s20 = f32x4.splat(0);
      let s21 = f32x4.splat(0);
      let s30 = f32x4.splat(0);
      let s31 = f32x4.splat(0);
      for (let i: usize = 0; i < vectorized; i += 16) {
        const a = v128.load(w0 + i);
        const b = v128.load(w1 + i);
        const x0 = v128.load(r0 + i);
        s00 = f32x4.add(s00, f32x4.mul(x0, a));
        s01 = f32x4.add(s01, f32x4.mul(x0, b));
        const x1 = v128.load(r1 + i);
        s10 = f32x4.add(s10, f32x4.mul(x1, a));
        s11 = f32x4.add(s11, f32x4.mul(x1, b));
        const x2 = v128.load(r2 + i);
        s20 = f32x4.add(s20, f32x4.mul(x2, a));
        s21 = f32x4.add(s21, f32x4.mul(x2, b));
        const x3 = v128.load(r3 + i);
        s30 = f32x4.add(s30, f32x4.mul(x3, a));
        s31 = f32x4.add(s31, f32x4.mul(x3, b));
      }
      const at = out + <usize>row * outStride + ((<usize>weight) << 2);
      const left = min(4, rowCount - row);
      addSum(at, s00, r0, w0, vectorized, end);
      if (left > 1) addSum(at + outStride, s10, r1, w0, vectorized, end);
      if (left > 2) addSum(at + outStride * 2, s20, r2, w0, vectorized, end);
      if (left > 3) addSum(at + outStride * 3, s30, r3, w0, vectorized, end);
      if (!hasSecond) continue;
      addSum(at + 4, s01, r0, w1, vectorized, end);
      if (left > 1) addSum(at + outStride + 4, s11, r1, w1, vectorized, end);
      if (left > 2) addSum(at + outStride * 2 + 4, s21, r2, w1, vectorized, end);
      if (left > 3) addSum(at + outStride * 3 + 4, s31, r3, w1, vectorized, end);
    }
  }
}

/** The four lanes, then the products from `from` to `end` that fill no lane. */
function addSum(at: usize, lanes: v128, row: usize, weight: usize, from: usize, end: usize): void {
  let sum =
    f32x4.extract_lane(lanes, 0) +
    f32x4.extract_lane(lanes, 1) +
    (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3));
  for (let i = from; i < end; i += 4) sum += load<f32>(row + i) * load<f32>(weight + i);
  store<f32>(at, load<f32>(at) + sum);
}
