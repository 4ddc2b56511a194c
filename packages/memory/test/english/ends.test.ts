/** What a text says is over, and which statements it therefore does not repeat. */
import { describe, expect, it } from "vitest";
import { areOfOthers, tellsEndOf, tellsOfEnd } from "../../src/english/ends.js";

describe("the end of what an older statement says is told by", () => {
  it.each([
    ["I live in Munich.", "I no longer live in Munich, I live in Hamburg now."],
    ["I eat meat.", "I don’t eat meat any more."],
    ["I drive a blue Fiesta.", "Sold the blue Fiesta."],
    ["I live in Munich.", "I sold my bike and I no longer live in Munich."],
    ["I drive a blue Fiesta.", "I sold the rusty Fiesta."],
    ["Ich esse Fleisch.", "Ich esse kein Fleisch mehr."],
    ["Vivo en Madrid.", "Ya no vivo en Madrid."],
    ["Moro em Curitiba.", "Não moro mais em Curitiba."],
  ])("%s / %s", (older, newer) => {
    expect(tellsEndOf(older, newer)).toBe(true);
    expect(tellsEndOf(newer, older)).toBe(false);
  });

  it.each([
    ["of something else", "I play chess.", "I gave up tennis."],
    ["that the older one tells of already", "I no longer eat meat.", "I don't eat meat any more."],
    ["without a word of it", "I live in Munich.", "I live in Munich, near the river."],
    ["of a plan that merely contrasts", "We meet on Tuesday.", "We meet on Tuesday instead of Friday."],
  ])("not one %s", (_, older, newer) => {
    expect(tellsEndOf(older, newer)).toBe(false);
  });
});

it.each([
  ["I quit my job.", true],
  ["We moved in May.", true],
  ["Tom and I broke up.", true],
  ["The doctor took me off ramipril.", true],
  ["My grandmother died.", true],
  ["I do not work there.", true],
  ["I live in Graz.", false],
  ["My nowadays-shop is renewed.", false],
])("an end or a change is told of, of anything: %s: %s", (text, expected) => {
  expect(tellsOfEnd(text)).toBe(expected);
});

it.each([
  ["Dad takes ramipril.", "Mum stopped ramipril.", true],
  ["Dad takes ramipril.", "Dad stopped ramipril.", false],
  ["I take ramipril.", "Mum stopped ramipril.", false],
])("an end is told of another relative: %s / %s: %s", (older, newer, isOther) => {
  expect(areOfOthers(older, newer)).toBe(isOther);
});
