/** How sure a recall is that the memory holds an answer. */
import { describe, expect, it } from "vitest";
import { Judging } from "../../src/reader/reading-queue.js";
import type { PersonState } from "../../src/engine/person-state.js";
import type { StartScore } from "../../src/paper/start-node.js";
import type { AskedQuestion } from "../../src/recall/asked-question.js";
import { confidenceOf, judgeAnswers } from "../../src/recall/confidence.js";
import type { QuotedStatement } from "../../src/recall/statements.js";
import { embed } from "../graph/graph-fixtures.js";
import { ScriptedJudge } from "../engine/scripted-judge.js";

const question = { query: "Where is the boat?" } as AskedQuestion;
const stateWith = (judging: Judging | null): PersonState => ({ context: { judging } }) as unknown as PersonState;

function quoted(id: string, text: string, value: number): QuotedStatement {
  return { memory: embed({ id, statements: [text] }).node, position: 0, text, value };
}

describe("the judge", () => {
  it("reads the beginnings of the two most valuable statements, as they were said", async () => {
    const read: string[] = [];
    const relevance = (asked: string, text: string): number => {
      expect(asked).toBe(question.query);
      return read.push(text) / 10;
    };
    const long = `user: ${"It lies in the harbour. ".repeat(10)}`;
    const statements = [quoted("c", "Third.", 0.1), quoted("a", long, 0.9), quoted("b", "user: It is blue.", 0.5)];
    const answers = await judgeAnswers(question, statements, stateWith(new Judging(new ScriptedJudge({ relevance }))));
    expect(read).toEqual([long.slice("user: ".length).slice(0, 120), "It is blue."]);
    expect(answers).toEqual([
      { id: "a", probability: 0.1 },
      { id: "b", probability: 0.2 },
    ]);
  });

  it("is not asked where there is none, and nothing is said then", async () => {
    expect(await judgeAnswers(question, [quoted("a", "It is blue.", 1)], stateWith(null))).toEqual([]);
    expect(confidenceOf([], [], stateWith(null))).toBeNull();
  });
});

describe("the confidence", () => {
  const state = stateWith(new Judging(new ScriptedJudge()));
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
