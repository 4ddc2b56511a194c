/** The word pieces of well-known words, as BERT's uncased models number them, and the words that they come from. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { WordPieces } from "../../src/adapters/encoder/word-pieces.js";
import { selectWords } from "../../src/adapters/encoder/words.js";

const vocabularyPath = createRequire(import.meta.url).resolve("mnemosyne-edge-encoder/vocab.txt");
const vocabulary = readFileSync(vocabularyPath, "utf8").trimEnd().split("\n");

describe("word pieces", () => {
  const pieces = new WordPieces(vocabulary);
  const [start, end, unknown] = [101, 102, 100];
  const allPlaces = (ids: readonly number[]): number[] => [...ids.keys()];

  it.each<[text: string, ids: number[], words: string]>([
    ["Hello, world!", [7592, 1010, 2088, 999], "hello 0 , 1 world 2 ! 3"],
    ["Café", [7668], "cafe 0"],
    ["embeddings", [7861, 8270, 4667, 2015], "embeddings 0+1+2+3"],
    ["don't", [2123, 1005, 1056], "don 0 ' 1 t 2"],
    ["ΣΑΣ", [1173, 14608, 29733], "σασ 0+1+2"],
    ["中文", [1746, 1861], "中 0 文 1"],
    ["a[SEP]b", [1037, 1031, 19802, 1033, 1038], "a 0 [ 1 sep 2 ] 3 b 4"],
    ["[CLS]", [1031, 18856, 2015, 1033], "[ 0 cls 1+2 ] 3"],
    ["🦩", [unknown], ""],
    ["x".repeat(101), [unknown], ""],
    ["", [], ""],
  ])("of %j", (text, ids, words) => {
    const encoded = pieces.encode(text);
    expect(encoded).toEqual(ids);
    const found = pieces.wordsOf(encoded, allPlaces(encoded)).map((word) => `${word.text} ${word.places.join("+")}`);
    expect(found.join(" ")).toBe(words);
  });

  it("stand between the marks of start and end, which no text has, whatever is typed", () => {
    expect(pieces.enclose([7592])).toEqual([start, 7592, end]);
    expect(pieces.enclose([7592], [2088])).toEqual([start, 7592, end, 2088, end]);
    for (const typed of ["[SEP]", "[CLS] [PAD] [MASK]", "[[SEP]SEP]", "a[SEP]", "[S[SEP]EP]"]) {
      expect(pieces.encode(typed).filter((id) => [0, 103, start, end].includes(id))).toEqual([]);
    }
  });

  it("make words at the places that are asked for only", () => {
    const ids = pieces.enclose(pieces.encode("embeddings"), pieces.encode("embeddings world"));
    expect(pieces.wordsOf(ids, [1, 2])).toEqual([{ text: "embed", places: [1, 2] }]);
    expect(pieces.wordsOf(ids, [1, 2, 6, 7, 8, 9, 10])).toEqual([
      { text: "embed", places: [1, 2] },
      { text: "embeddings", places: [6, 7, 8, 9] },
      { text: "world", places: [10] },
    ]);
    expect(pieces.wordsOf(ids, [0, 5, 11])).toEqual([]);
    // What stands apart is not put together.
    expect(pieces.wordsOf(ids, [1, 3]).map(({ places }) => places)).toEqual([[1], [3]]);
  });

  it("need a vocabulary with the marks", () => {
    expect(() => new WordPieces(["hello"])).toThrow("has no [UNK]");
    expect(() => new WordPieces(["[UNK]", "[CLS]"]).enclose([])).toThrow("has no [SEP]");
  });

  it("of marks, stop words and what is left of contractions are no words that say something", () => {
    const words = ["don", "'", "t", "the", "b12", "7", "—", "re", "really", "ivy"];
    const kept = selectWords(words.map((text) => ({ text, places: [1] })));
    expect(kept.map(({ text }) => text)).toEqual(["b12", "7", "ivy"]);
  });
});
