/**
 * Joint counts of one binned vector with sixteen others at a time, in WebAssembly SIMD (AssemblyScript). The others are
 * interleaved by component, so one instruction compares a component of all sixteen with a bin. The counts are integers,
 * and their logarithms come from a table and are added in a fixed order, so the sums equal those of the plain
 * JavaScript. Also compiled by `npm run build:kernel`.
 */

const laneCount: i32 = 16;
/** The largest count an unsigned byte can hold. */
const byteCountMax: i32 = 255;

/**
 * `block`: a row of sixteen bins for each component. `order`: components sorted by the first vector's bin, 16 bits each.
 * `ends`: where each of its bins ends in `order`, 32 bits each. `table`: x log x of every count, 64 bits each. Writes to
 * `out`, for each of the sixteen, the sum over the joint counts, then the sum over its own bins' counts. `counts` is
 * scratch space for 16-bit counts: twice sixteen per bin, with the number of bins rounded up to a multiple of eight.
 */
export function jointSums(
  block: usize,
  order: usize,
  ends: usize,
  binCount: i32,
  table: usize,
  counts: usize,
  out: usize,
): void {
  // Bins are counted eight at a time; those past the last one stay at 0, and so do their logarithms.
  const width = (binCount + 7) & ~7;
  const ownCounts = counts + width * laneCount * 2;
  memory.fill(counts, 0, width * laneCount * 4);
  memory.fill(out, 0, laneCount * 16);
  let from = 0;
  for (let first = 0; first < binCount; first++) {
    const to = load<i32>(ends + first * 4);
    for (let base = 0; base < width; base += 8) countBins(block, order, from, to, base, counts);
    addUp(counts, ownCounts, width, table, out);
    from = to;
  }
  for (let i = 0; i < width * laneCount; i++) {
    const sum = out + laneCount * 8 + (i & 15) * 8;
    store<f64>(sum, load<f64>(sum) + load<f64>(table + <usize>load<u16>(ownCounts + i * 2) * 8));
  }
}

/** Adds to `counts` how often bins `base` to `base + 7` occur in components `from` to `to` of the order. */
function countBins(block: usize, order: usize, from: i32, to: i32, base: i32, counts: usize): void {
  while (from < to) {
    const end = min(to, from + byteCountMax);
    let c0 = i8x16.splat(0);
    let c1 = i8x16.splat(0);
    let c2 = i8x16.splat(0);
    let c3 = i8x16.splat(0);
    let c4 = i8x16.splat(0);
    let c5 = i8x16.splat(0);
    let c6 = i8x16.splat(0);
    let c7 = i8x16.splat(0);
    for (let i = from; i < end; i++) {
      const bins = i8x16.sub(v128.load(block + ((<usize>load<u16>(order + i * 2)) << 4)), i8x16.splat(<i8>base));
      c0 = i8x16.sub(c0, i8x16.eq(bins, i8x16.splat(0)));
      c1 = i8x16.sub(c1, i8x16.eq(bins, i8x16.splat(1)));
      c2 = i8x16.sub(c2, i8x16.eq(bins, i8x16.splat(2)));
      c3 = i8x16.sub(c3, i8x16.eq(bins, i8x16.splat(3)));
      c4 = i8x16.sub(c4, i8x16.eq(bins, i8x16.splat(4)));
      c5 = i8x16.sub(c5, i8x16.eq(bins, i8x16.splat(5)));
      c6 = i8x16.sub(c6, i8x16.eq(bins, i8x16.splat(6)));
      c7 = i8x16.sub(c7, i8x16.eq(bins, i8x16.splat(7)));
    }
    const at = counts + base * laneCount * 2;
    addWide(at, c0);
    addWide(at + 32, c1);
    addWide(at + 64, c2);
    addWide(at + 96, c3);
    addWide(at + 128, c4);
    addWide(at + 160, c5);
    addWide(at + 192, c6);
    addWide(at + 224, c7);
    from = end;
  }
}

function addWide(at: usize, added: v128): void {
  v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(added)));
  v128.store(at + 16, i16x8.add(v128.load(at + 16), i16x8.extend_high_i8x16_u(added)));
}

/** Adds the logarithms of `counts` to `out` and the counts to `ownCounts`, then clears the counts. */
function addUp(counts: usize, ownCounts: usize, width: i32, table: usize, out: usize): void {
  for (let i = 0; i < width * laneCount; i++) {
    const count = load<u16>(counts + i * 2);
    const sum = out + (i & 15) * 8;
    store<f64>(sum, load<f64>(sum) + load<f64>(table + <usize>count * 8));
    store<u16>(ownCounts + i * 2, load<u16>(ownCounts + i * 2) + count);
    store<u16>(counts + i * 2, 0);
  }
}
