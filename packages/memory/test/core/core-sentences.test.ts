/** The core summary's sentences without a language model: what one is worth, by hand, and which are chosen. */
import { describe, expect, it } from "vitest";
import { finish } from "../../src/text/steps.js";
import { type QuantizedVector, quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import type { SubstanceVectors } from "../../src/engine/parts.js";
import { type CoreSentence, scoreCoreSentence, selectCoreSentencesSteps } from "../../src/core/core-sentences.js";

const selectCoreSentences = (sentences: readonly CoreSentence[], wordCountMax: number): string =>
  finish(selectCoreSentencesSteps(sentences, wordCountMax));
const axis = (...components: number[]): QuantizedVector => quantizeVector(components);
const [x, y, z, w] = [axis(1, 0, 0, 0, 0), axis(0, 1, 0, 0, 0), axis(0, 0, 1, 0, 0), axis(0, 0, 0, 1, 0)];
const [v, againstX, againstY, againstZ] = [
  axis(0, 0, 0, 0, 1),
  axis(-1, 0, 0, 0, 0),
  axis(0, -1, 0, 0, 0),
  axis(0, 0, -1, 0, 0),
];

/** What lasts lies along x, what passes along y, small talk along z. The mean of the three nearest is 2/3 for each. */
const examples: SubstanceVectors = {
  categories: [
    { name: "lasting", lasting: true, vectors: [x, x, v, againstX] },
    { name: "passing", lasting: false, vectors: [y, y, v, againstY] },
  ],
  mundane: [z, z, v, againstZ],
  centre: 0,
  spread: 1,
  stopWordShare: 0,
};

/** Of 16 memories, eight speak of gardens and two of harps. */
const statistics = {
  documentCount: 16,
  documentFrequency: (term: string) => (({ garden: 8, harp: 2 }) as Record<string, number>)[term] ?? 0,
};

const memory = { id: "m", initMs: 0 };

function valueOf(text: string, vector: QuantizedVector): number {
  return scoreCoreSentence({ memory, text, position: 0, vector }, examples, statistics).value;
}

describe("a sentence's value", () => {
  it.each([
    ["what lasts: twice 2/3, and 2/3 as substance", x, 2],
    ["what passes: twice -2/3, and 2/3 as substance", y, -2 / 3],
    ["small talk: twice -2/3, and -2/3 as substance", z, -2],
    ["unlike all of them: nothing", w, 0],
  ])("%s", (_, vector, expected) => {
    expect(valueOf("Zebras graze.", vector)).toBeCloseTo(expected, 10);
  });

  it("grows by the memories that hold its terms: log2 8 of log2 16 for a garden, over six terms at least", () => {
    expect(valueOf("Gardens.", w)).toBeCloseTo(3 / 4 / 6, 10);
    expect(valueOf("Gardens, harps, gardens.", w)).toBeCloseTo((3 / 4 + 1 / 4) / 6, 10);
    const seven = "Garden harp zebra quagga okapi gnu tapir.";
    expect(valueOf(seven, w)).toBeCloseTo((3 / 4 + 1 / 4) / 7, 10);
  });

  it.each(["They graze.", "It grazes.", "But zebras graze.", "The dose is unchanged.", "Zebras graze once more."])(
    "%s leans on something else: 0.3 less",
    (text) => expect(valueOf(text, w)).toBeCloseTo(-0.3, 10),
  );
});

function sentence(id: string, day: number, position: number, text: string, value: number, vector = x): CoreSentence {
  return { text, wordCount: text.split(" ").length, memory: { id, initMs: day }, position, vector, value };
}

describe("the choice of sentences", () => {
  it("takes one of each memory before a second of any, and puts them in the order of time and of speech", () => {
    const sentences = [
      sentence("b", 2, 0, "b best", 9, x),
      sentence("b", 2, 1, "b next", 8, y),
      sentence("a", 1, 1, "a best", 1, z),
      sentence("a", 1, 0, "a next", 0.5, w),
    ];
    expect(selectCoreSentences(sentences, 4)).toBe("- a best\n- b best");
    expect(selectCoreSentences(sentences, 6)).toBe("- a best\n- b best\n- b next");
    expect(selectCoreSentences(sentences, 8)).toBe("- a next\n- a best\n- b best\n- b next");
  });

  it("keeps to its words, and goes on to what still fits", () => {
    const sentences = [
      sentence("a", 1, 0, "a long sentence of six words", 9, x),
      sentence("b", 2, 0, "five words and no more", 8, y),
      sentence("c", 3, 0, "two words", 1, z),
    ];
    expect(selectCoreSentences(sentences, 8)).toBe("- a long sentence of six words\n- two words");
    expect(selectCoreSentences(sentences, 7)).toBe("- a long sentence of six words");
    expect(selectCoreSentences(sentences, 5)).toBe("- five words and no more");
    expect(selectCoreSentences(sentences, 1)).toBe("");
  });

  it("takes half of the likeness to what is chosen off a sentence's value", () => {
    const first = sentence("a", 1, 0, "the first", 9, x);
    const again = sentence("b", 2, 0, "the same", 2.4, x);
    const other = (value: number): CoreSentence => sentence("c", 3, 0, "another one", value, y);
    expect(selectCoreSentences([first, again, other(2)], 4)).toBe("- the first\n- another one");
    expect(selectCoreSentences([first, again, other(1.8)], 4)).toBe("- the first\n- the same");
    // The likeness to the nearest of all that is chosen counts, not that to the last one.
    const third = sentence("d", 4, 0, "not it", 1.9, y);
    const alike = sentence("e", 5, 0, "the same", 2, x);
    expect(selectCoreSentences([first, other(5), alike, sentence("f", 6, 0, "it is", 1.6, z)], 6)).toContain("it is");
    expect(selectCoreSentences([first, third, alike], 4)).toContain("not it");
  });
});
