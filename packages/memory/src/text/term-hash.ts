/**
 * Terms as numbers. The lexical index compares terms and never shows them, so a hash of 48 bits does: among 100,000
 * different terms, two share one with a probability of 2 in 100,000. A store keeps the hashes of a memory's terms next
 * to it, so that a text is split once, when it is written, and not at every opening.
 */

/** Changes with everything that changes the terms of a text or their hashes: those that were kept are then made again. */
export const termVersion = 1;

const high = 2 ** 32;
const highMask = 0xffff;
const countBits = 16;
export const countMax = 2 ** countBits - 1;

/** From 0 to 2^48 - 1. */
export function hashTerm(term: string): number {
  let a = 0x2c1b_3c6d;
  let b = 0x297a_2d39;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    a = Math.imul(a ^ code, 0x85eb_ca6b);
    b = Math.imul(b ^ code, 0xc2b2_ae35);
  }
  a = Math.imul(a ^ (a >>> 15) ^ b, 0x9e37_79b1);
  b = Math.imul(b ^ (b >>> 13) ^ a, 0x27d4_eb2f);
  return ((b ^ (b >>> 16)) & highMask) * high + ((a ^ (a >>> 16)) >>> 0);
}

/** The lower part of a hash, as a number with a sign: those need no memory of their own. */
export function lowOf(hash: number): number {
  return (hash % high) | 0;
}

export function highOf(hash: number): number {
  return Math.floor(hash / high);
}

/** The hash of both parts. */
export function joinHash(low: number, highPart: number): number {
  return highPart * high + (low >>> 0);
}

/**
 * Hashes and how often each occurs, in the order of first occurrence: two numbers each, the lower part, and the upper part
 * with the count above it. What occurs more often than fits is there again.
 */
export function packTerms(terms: readonly string[]): Int32Array {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const hash = hashTerm(term);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const packed: number[] = [];
  for (const [hash, count] of counts) {
    for (let rest = count; rest > 0; rest -= countMax) {
      packed.push(lowOf(hash), highOf(hash) | (Math.min(rest, countMax) << countBits));
    }
  }
  return Int32Array.from(packed);
}

/** Of the second number of a packed term. */
export function packedHigh(second: number): number {
  return second & highMask;
}

export function packedCount(second: number): number {
  return second >>> countBits;
}
