/**
 * A seedable source of random numbers, so that a recall can be replayed exactly (design decision 8). The generator is
 * sfc32 (Doty-Humphrey's small fast counting generator); FNV-1a spreads the seed's text over its state.
 */

/** Returns the next number in [0, 1). */
export type Random = () => number;

export function createRandom(seed: number | string): Random {
  const text = String(seed);
  let a = hash(text, 0x811c9dc5);
  let b = hash(text, 0x01000193);
  let c = hash(text, 0x9e3779b9);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) next();
  return next;
}

function hash(text: string, basis: number): number {
  let value = basis | 0;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value;
}
