/** How sure a recall is that the memory holds an answer. */
import { describe, expect, it } from "vitest";
import type { PersonState } from "../../src/engine/person-state.js";
import type { StartScore } from "../../src/paper/start-node.js";
import { ReadingQueue } from "../../src/reader/reading-queue.js";
import type { AskedQuestion } from "../../src/recall/asked-question.js";
import { confidenceOf, judgeAnswers } from "../../src/recall/confidence.js";
import type { QuotedStatement } from "../../src/recall/quoted-statements.js";
import { embed } from "../graph/graph-fixtures.js";
import { ScriptedReader } from "../engine/scripted-reader.js";

const question = { query: "Where is the boat?" } as AskedQuestion;
const stateWith = (reading: ReadingQueue | null): PersonState => ({ context: { reading } }) as unknown as PersonState;

function quoted(
  id: string,
  text: string,
  value: number,
  { who = "user", asked = null }: { who?: string; asked?: string | null } = {},
): QuotedStatement {
  const memory = embed({ id, statements: [text] }).node;
  return { memory, position: 0, name: `${id}#0`, who, text, asked, value, needs: null, ended: null };
}

describe("the reader", () => {
  it("reads the beginnings of the two most valuable statements, as they were said", async () => {
    const read: string[] = [];
    const answers = (asked: string, text: string): number => {
      expect(asked).toBe(question.query);
      return read.push(text) / 10;
    };
    const long = "It lies in the harbour. ".repeat(10);
    const statements = [quoted("c", "Third.", 0.1), quoted("a", long, 0.9), quoted("b", "It is blue.", 0.5)];
    const found = await judgeAnswers(
      question,
      statements,
      stateWith(new ReadingQueue(new ScriptedReader({ answers }))),
    );
    expect(read).toEqual([long.slice(0, 120), "It is blue."]);
    expect(found).toEqual([
      { id: "a", probability: 0.1 },
      { id: "b", probability: 0.2 },
    ]);
  });

  it("is told who speaks, where that is not the user, and what was asked", async () => {
    const reader = new ScriptedReader();
    const statements = [
      quoted("a", "In the harbour.", 0.9, { asked: "Where is it?" }),
      quoted("b", "It is mine.", 0.5, { who: "Bea" }),
    ];
    await judgeAnswers(question, statements, stateWith(new ReadingQueue(reader)));
    expect(reader.answered).toEqual([["Where is it? In the harbour.", "Bea: It is mine."]]);
  });

  it("is not asked where there is none, and nothing is said then", async () => {
    expect(await judgeAnswers(question, [quoted("a", "It is blue.", 1)], stateWith(null))).toEqual([]);
    expect(confidenceOf([], [], stateWith(null))).toBeNull();
  });
});

describe("the confidence", () => {
  const state = stateWith(new ReadingQueue(new ScriptedReader()));
  const close = (...similarities: number[]) =>
    similarities.map((querySimilarity) => ({ querySimilarity }) as StartScore);

  it("of two even chances and a similarity of 0.6: logistic(-0.45 + 0.69 (ln(0.75 / 0.25) + 2 * 0.6)) = 0.757", () => {
    const answers = ["a", "b"].map((id) => ({ id, probability: 0.5 }));
    expect(confidenceOf(answers, close(0.2, 0.6), state)).toBeCloseTo(0.757, 3);
  });

  it("of nothing found: logistic(-0.45 + 0.69 ln(0.0001 / 0.9999)) = 0.0011, as if nothing were similar", () => {
    expect(confidenceOf([], [], state)).toBeCloseTo(0.0011, 4);
    expect(confidenceOf([], close(-0.5), state)).toBe(confidenceOf([], [], state));
  });
});
