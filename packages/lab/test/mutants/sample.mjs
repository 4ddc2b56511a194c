// A sample of mutants from a seed, spread over files in proportion to their mutants, and how sure a share of it is.

/** At most `count` of them. Each file gives its share, rounded so that the shares add up. */
export function drawSample(mutants, count, seed) {
  if (count >= mutants.length) return mutants;
  const random = createRandom(seed);
  const shuffled = mutants.map((mutant) => ({ mutant, key: random() })).toSorted((x, y) => x.key - y.key);
  const byFile = Object.values(Object.groupBy?.(shuffled, keyOf) ?? groupBy(shuffled));
  const quotas = byFile.map((group) => (group.length * count) / mutants.length);
  const sizes = quotas.map(Math.floor);
  const missing = count - sizes.reduce((sum, size) => sum + size, 0);
  // What is missing goes to files by chance, in proportion to what rounding took from them.
  const byRest = quotas
    .map((quota, index) => ({ index, key: random() ** (1 / (quota % 1 || Number.MIN_VALUE)) }))
    .toSorted((x, y) => y.key - x.key);
  for (const { index } of byRest.slice(0, missing)) sizes[index]++;
  const drawn = new Set(byFile.flatMap((group, index) => group.slice(0, sizes[index]).map(({ mutant }) => mutant)));
  return mutants.filter((mutant) => drawn.has(mutant));
}

function keyOf({ mutant }) {
  return mutant.file;
}

function groupBy(items) {
  const groups = {};
  for (const item of items) (groups[keyOf(item)] ??= []).push(item);
  return groups;
}

/** mulberry32. */
function createRandom(seed) {
  let state = (Math.imul(seed, 0x9e3779b9) ^ 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Wilson's 95 % interval of a share. */
export function wilson(hits, total) {
  if (total === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / total;
  const centre = share + z ** 2 / (2 * total);
  const half = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return [centre - half, centre + half].map((bound) => bound / (1 + z ** 2 / total));
}
