/**
 * Dot products of one vector of signed bytes with many, in WebAssembly SIMD (AssemblyScript). Products of bytes fit in 16
 * bits and their sums in 32, so the results are integers, and the order of addition does not matter.
 * `npm run build:kernel` compiles this into src/core/vectors/kernel-bytes.ts.
 */

/**
 * Writes the dot product of `query` with each of `count` rows to `out`, as 32-bit integers. Two rows meet the query at a
 * time, so that it is loaded and widened once for both.
 */
export function dots(rows: usize, query: usize, out: usize, count: i32, dimensions: i32): void {
  const width = <usize>dimensions;
  const vectorized = width & ~15;
  for (let row = 0; row < count; row += 2) {
    // Of an odd number the last row is multiplied twice, and written once.
    const second = row + 1 < count ? rows + width : rows;
    let sums0 = i32x4.splat(0);
    let sums1 = i32x4.splat(0);
    for (let i: usize = 0; i < vectorized; i += 16) {
      const q = v128.load(query + i);
      const low = i16x8.extend_low_i8x16_s(q);
      const high = i16x8.extend_high_i8x16_s(q);
      const a = v128.load(rows + i);
      const b = v128.load(second + i);
      sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(a), low));
      sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(b), low));
      sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(a), high));
      sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(b), high));
    }
    store<i32>(out, total(sums0, rows, query, vectorized, width));
    if (row + 1 < count) store<i32>(out + 4, total(sums1, second, query, vectorized, width));
    rows += width * 2;
    out += 8;
  }
}

/** The four lanes, and the products from `from` to `end` that fill no lane. */
function total(lanes: v128, row: usize, query: usize, from: usize, end: usize): i32 {
  let sum =
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3);
  for (let i = from; i < end; i++) sum += <i32>load<i8>(row + i) * <i32>load<i8>(query + i);
  return sum;
}
