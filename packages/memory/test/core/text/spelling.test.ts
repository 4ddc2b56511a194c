/** Spelling variants: which term of the memories stands in for a word that none of them has. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LexicalIndex } from "../../../src/core/text/lexical-index.js";
import { matchSpellings, respell, slipTerms } from "../../../src/core/text/spelling.js";
import { packTerms } from "../../../src/core/text/term-hash.js";
import { splitTerms, splitWords, toTerm } from "../../../src/core/text/words.js";

function indexOf(...texts: readonly string[]): LexicalIndex {
  const index = new LexicalIndex();
  texts.forEach((text, key) => index.add(key, splitTerms(text)));
  return index;
}

function variantOf(word: string, ...texts: readonly string[]): string | null {
  return matchSpellings([word], indexOf(...texts))[0]?.variant ?? null;
}

describe("a word that no memory has", () => {
  it.each([
    ["restaraunt", "restaurant", "a letter in another place"],
    ["accomodation", "accommodation", "one letter of two is missing"],
    ["tommatto", "tomatto", "a letter twice"],
    ["Xenoblade", "xeonoblade", "a letter too few, in a name"],
    ["physiotherapsit", "physiotherapist", "two neighbours in the wrong order"],
    ["seperate", "separate", "a wrong letter"],
    ["colours", "colors", "British and American"],
    ["organise", "organized", "the same, with other endings"],
    ["walkign", "we walked home", "neighbours in an ending"],
    ["biopsyy", "biopsy", "a lengthened word"],
    ["tommorowland", "tomorrowland", "doubled in the wrong place"],
  ])("%s finds %s: %s", (word, text) => {
    const variant = variantOf(word, "other things", text);
    expect(variant).not.toBeNull();
    expect(splitTerms(text)).toContain(toTerm(variant!));
  });

  it.each([
    ["lake", "cake", "another first letter"],
    ["trick", "thick", "a short word with a wrong letter"],
    ["meditation", "medicine", "more than a slip"],
    ["B12345", "B12346", "numbers are what they are"],
    ["tablets", "tablet", "the same term is no variant"],
    ["Überweisung", "Überweisungg", "letters other than a to z"],
  ])("%s does not find %s: %s", (word, text) => {
    expect(variantOf(word, text)).toBeNull();
  });

  it("is taken for the term that most memories have, then for the first by spelling", () => {
    expect(variantOf("brothel", "a brothen here", "my brother", "her brother")).toBe("brother");
    expect(variantOf("brothel", "a brothev here", "my brother")).toBe("brother");
    expect(variantOf("brothel", "my brother", "a brothev here")).toBe("brother");
  });

  it("is looked up once, and a word that some memory has not at all", () => {
    const index = indexOf("my brother bothers me");
    expect(matchSpellings(splitWords("brothr bother BROTHR brothrs"), index)).toEqual([
      { word: "brothr", variant: "brother" },
    ]);
  });

  it("is one of four at most in a long question", () => {
    const words = Array.from({ length: 12 }, (_, i) => `appointmen${"abcdefghijkl"[i]!}`);
    expect(matchSpellings(words, indexOf("an appointment"))).toHaveLength(4);
  });
});

describe("slips", () => {
  const letters = fc.constantFrom(..."abcdelnorst");
  const words = fc.array(letters, { minLength: 6, maxLength: 12 }).map((all) => all.join(""));

  it("are all terms within one change of a term, compared with the distance that a table gives", () => {
    fc.assert(
      fc.property(words, words, fc.nat(), fc.nat({ max: 3 }), (word, other, place, kind) => {
        const term = toTerm(word);
        if (term === null || term.length < 6) return;
        const near = slip(term, 1 + (place % (term.length - 1)), kind, other[0]!);
        const slips = new Set(slipTerms(word, term));
        expect(slips.has(near)).toBe(near !== term && damerau(term, near) === 1);
        if (term.length < 8 && slips.has(other) && damerau(term, other) > 1) {
          // Only a swap in the word itself may change its ending, and with it more of the term.
          expect(term).not.toBe(word);
        }
      }),
    );
  });

  it("keep the first letter and never are the term itself", () => {
    fc.assert(
      fc.property(words, (word) => {
        const term = toTerm(word) ?? word;
        const slips = slipTerms(word, term);
        expect(slips.filter((each) => each === term || each[0] !== term[0])).toEqual([]);
      }),
    );
  });
});

describe("what the index holds", () => {
  it("is the same for terms entered, packed and removed, as a set says", () => {
    const terms = fc.array(fc.constantFrom("knee", "kneel", "garden", "gardne", "anna", "tablet"), { maxLength: 5 });
    const texts = fc.array(fc.record({ terms, isPacked: fc.boolean(), isRemoved: fc.boolean() }), { maxLength: 8 });
    const asked = ["knee", "kneel", "garden", "gardne", "anna", "tablet", "nobody"];
    fc.assert(
      fc.property(texts, (all) => {
        const index = new LexicalIndex();
        for (const [key, text] of all.entries()) {
          const packed = packTerms(text.terms);
          if (text.isPacked) index.addPacked(key, packed, 0, packed.length);
          else index.add(key, text.terms);
        }
        all.forEach(({ isRemoved }, key) => isRemoved && index.remove(key));
        const held = new Set<string>(all.filter(({ isRemoved }) => !isRemoved).flatMap((text) => text.terms));
        expect(index.held(asked)).toEqual(asked.filter((term) => held.has(term)));
      }),
    );
  });
});

describe("a question respelt", () => {
  it("has the variants in place of whole words, with their endings", () => {
    const matches = matchSpellings(splitWords("Who recieved the tulips?"), indexOf("She receives letters", "tulip"));
    expect(matches).toEqual([{ word: "recieved", variant: "received" }]);
    expect(respell("Who recieved what? Misrecieved or recieved", matches)).toBe(
      "Who received what? Misrecieved or received",
    );
  });

  it("is the question itself where nothing is misspelt", () => {
    expect(respell("Who sang?", [])).toBe("Who sang?");
  });
});

function slip(term: string, at: number, kind: number, letter: string): string {
  if (kind === 0) return term.slice(0, at) + term.slice(at + 1);
  if (kind === 1) return term.slice(0, at) + letter + term.slice(at);
  if (kind === 2) return term.slice(0, at) + letter + term.slice(at + 1);
  if (at + 1 === term.length) return term;
  return term.slice(0, at) + term[at + 1]! + term[at]! + term.slice(at + 2);
}

/** Changes between two words: letters added, dropped, replaced, and neighbours swapped. */
function damerau(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 || j === 0) {
        rows[i]![j] = i + j;
        continue;
      }
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}
