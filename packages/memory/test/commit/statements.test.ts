/** Passages and statements: what a memory keeps of what was said, and in whose words. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TermStatistics } from "../../src/text/keywords.js";
import { LexicalIndex } from "../../src/text/lexical-index.js";
import { splitSentences } from "../../src/text/sentences.js";
import { finish } from "../../src/text/steps.js";
import { splitTerms, splitWords } from "../../src/text/words.js";
import {
  embeddedText,
  quoteStatement,
  type Statement,
  selectStatementsSteps,
  splitPassagesSteps,
  splitStatementsSteps,
} from "../../src/reader/cut.js";

type Said = Parameters<typeof splitPassagesSteps>[0];
const splitPassages = (said: Said): Statement[] => finish(splitPassagesSteps(said));
const splitStatements = (said: Said): Statement[] => finish(splitStatementsSteps(said));
const selectStatements = (
  statements: readonly Statement[],
  statistics: TermStatistics,
  countMax: number,
): Statement[] => finish(selectStatementsSteps(statements, statistics, countMax));
const passagesOf = (text: string): string[] =>
  splitPassages({ turns: [{ who: "user", text }], summary: null }).map((passage) => passage.text);
const withoutSpace = (text: string): string => text.replace(/\s+/gu, "");

const words = fc.constantFrom("knee", "Marta", "12", "walked", "it's", "übermorgen", "the");
const sentences = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 40 }), fc.constantFrom(".", "!", "?", "...", "\n", "\r\n\r\n"))
  .map(([list, end]) => list.join(" ") + end);
const talks = fc.array(sentences, { maxLength: 20 }).map((list) => list.join(" "));
const anything = fc.oneof(talks, fc.string({ unit: "grapheme", maxLength: 2_000 }), fc.string({ unit: "binary" }));

describe("passages of a turn", () => {
  it("by hand: four sentences of 25 words are two passages of 50, since the limit is 60", () => {
    const sentence = (name: string): string => `${name} ${Array.from({ length: 24 }, () => "word").join(" ")}.`;
    const [a, b, c, d] = ["Alpha", "Beta", "Gamma", "Delta"].map(sentence);
    expect(passagesOf([a, b, c, d].join(" "))).toEqual([`${a} ${b}`, `${c} ${d}`]);
  });

  it("lose nothing and keep the order, whatever the text", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(withoutSpace(passagesOf(text).join(""))).toBe(withoutSpace(text));
      }),
    );
  });

  it("are neither empty nor untrimmed nor without end", () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const passage of passagesOf(text)) {
          expect(passage).toBe(passage.trim());
          expect(passage).not.toBe("");
          expect(passage.length).toBeLessThanOrEqual(600);
          if (splitWords(passage).length > 60) expect(splitSentences(passage)).toHaveLength(1);
        }
      }),
    );
  });

  it.each([
    ["Japanese", "昨日、膝が痛くて眠れませんでした。", 40],
    ["Thai, which has no full stop", "เมื่อวานนี้เข่าของฉันเจ็บมากจนนอนไม่หลับ", 60],
    ["speech written down without punctuation", "and then my knee gave way and ", 120],
  ])("%s is cut too, and nothing is lost", (_, piece, count) => {
    const text = piece.repeat(count);
    const passages = passagesOf(text);
    expect(passages.length).toBeGreaterThan(1);
    expect(withoutSpace(passages.join(""))).toBe(withoutSpace(text));
    expect(passages.every((passage) => passage.isWellFormed())).toBe(true);
    expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(600);
  });
});

describe("passages of an interaction", () => {
  it("are the sentences of its summary, then what was said, turn by turn", () => {
    const passages = splitPassages({
      summary: "The knee is better. She walks again.",
      turns: [
        { who: "Ada", text: "It bends now." },
        { who: "assistant", text: " " },
        { who: "Ada", text: "Even on the stairs. Really." },
      ],
    });
    expect(passages.map(quoteStatement)).toEqual([
      "The knee is better.",
      "She walks again.",
      "Ada: It bends now.",
      "Ada: Even on the stairs. Really.",
    ]);
  });

  it("are at most 256, from the beginning to the end of a long one", () => {
    const turns = Array.from({ length: 1_000 }, (_, i) => ({ who: "user", text: `Turn ${i}.` }));
    const passages = splitPassages({ turns, summary: null });
    expect(passages).toHaveLength(256);
    expect(passages[0]!.text).toBe("Turn 0.");
    expect(Number(/\d+/u.exec(passages.at(-1)!.text)![0])).toBeGreaterThan(990);
  });
});

describe("quoted statements", () => {
  it.each([
    ["user: It hurts.", "It hurts."],
    ["assistant: Where?", "Where?"],
    ["Marta: It hurts.", "Marta: It hurts."],
    ["The user: she says it hurts.", "The user: she says it hurts."],
    ["user: user: twice", "user: twice"],
  ])("%s is embedded as %s", (quoted, embedded) => expect(embeddedText(quoted)).toBe(embedded));
});

describe("the statements that are kept", () => {
  const index = new LexicalIndex();
  for (let i = 0; i < 8; i++) index.add(i, splitTerms("the weather was fine and the bus was late"));
  const said = [
    "The bus was late.",
    "The zephyr valve leaks oil.",
    "The weather was fine.",
    "Marta bakes rye bread.",
    "The bus was late.",
    "Oh dear.",
  ].map((text) => ({ who: "user", text }));
  const select = (countMax: number): string[] => selectStatements(said, index, countMax).map(({ text }) => text);

  it("are the most telling ones, in the order they were said, none twice and none of two words", () => {
    expect(select(2)).toEqual(["The zephyr valve leaks oil.", "Marta bakes rye bread."]);
    expect(select(48)).toEqual([
      "The bus was late.",
      "The zephyr valve leaks oil.",
      "The weather was fine.",
      "Marta bakes rye bread.",
    ]);
    expect(select(0)).toEqual([]);
  });
});

describe("a short answer", () => {
  const answered = (question: string, answer: string, who = "user"): Said => ({
    turns: [
      { who: "assistant", text: question },
      { who, text: answer },
    ],
    summary: null,
  });

  it("stays with the question it answers, as a passage and as a sentence", () => {
    const said = answered("Good to know. Which day does the cleaner come?", "Fridays.");
    const quoted = "Fridays. (asked: Which day does the cleaner come?)";
    const expected = { who: "user", text: "Which day does the cleaner come? Fridays.", quoted };
    expect(splitPassages(said).at(-1)).toEqual(expected);
    expect(splitStatements(said).at(-1)).toEqual(expected);
  });

  it("is quoted as the answer of who gave it, and embedded as question and answer", () => {
    for (const [who, name] of [
      ["user", ""],
      ["Marta", "Marta: "],
    ] as const) {
      const said = splitPassages(answered("Any allergies?", "Penicillin.", who)).at(-1)!;
      const quoted = quoteStatement(said);
      expect(quoted).toBe(`${who}: Penicillin. (asked: Any allergies?)`);
      expect(embeddedText(quoted)).toBe(`${name}Any allergies? Penicillin.`);
    }
  });

  it("of three words or more stays with it as a passage only", () => {
    const said = answered("Which day?", "Every other Friday.");
    expect(splitPassages(said).at(-1)!.text).toBe("Which day? Every other Friday.");
    expect(splitStatements(said).at(-1)!.text).toBe("Every other Friday.");
  });

  it.each([
    ["one without content", answered("Shall I?", "Yes please.")],
    ["one that follows no question", answered("The cleaner is nice.", "Fridays.")],
    ["one that follows a sentence with a question word", answered("I know what you mean", "Fridays.")],
    ["one that follows a request", answered("Do the exercises", "Fridays.")],
    ["one to oneself", answered("Which day?", "Fridays.", "assistant")],
  ])("%s is left as it is", (_, said) => {
    expect(splitPassages(said).at(-1)!.text).toBe(said.turns[1]!.text);
  });
});
