import { expect, it } from "vitest";
import { estimateTokens } from "../../src/text/tokens.js";

it.each([
  ["", 0],
  ["a", 1],
  ["abcd", 1],
  ["abcde", 2],
  ["seven letters, twice", 5],
  ["é".repeat(8), 2],
  // U+024F is the last of the Latin letters, U+0250 the first of what follows.
  ["\u024f".repeat(4), 1],
  ["\u0250".repeat(4), 4],
  ["病院", 2],
  ["病院a", 3],
  // One character, two units.
  ["🧠", 1],
])("%j takes about %i tokens", (text, count) => expect(estimateTokens(text)).toBe(count));
