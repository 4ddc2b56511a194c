/**
 * Dot products of one vector of signed bytes with many, in WebAssembly SIMD (AssemblyScript). Products of bytes fit in 16
 * bits and their sums in 32, so the results are integers, and the order of addition does not matter.
 * `npm run build:kernel` compiles this into src/core/vectors/kernel-bytes.ts.
 */

/** Writes the dot product of `query` with each of `count` rows to `out`, as 32-bit integers. */
export function dots(rows: usize, query: usize, out: usize, count: i32, dimensions: i32): void {
  const vectorized = dimensions & ~15;
  for (let row = 0; row < count; row++) {
    let sums = i32x4.splat(0);
    for (let i = 0; i < vectorized; i += 16) {
      const a = v128.load(rows + i);
      const b = v128.load(query + i);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_low_i8x16_s(a, b)));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_high_i8x16_s(a, b)));
    }
    let sum =
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3);
    for (let i = vectorized; i < dimensions; i++) {
      sum += <i32>load<i8>(rows + i) * <i32>load<i8>(query + i);
    }
    store<i32>(out, sum);
    rows += dimensions;
    out += 4;
  }
}
