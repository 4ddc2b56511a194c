/** The sentences that a summary is made of where no statements are kept, and the question before an answer. */
import { describe, expect, it } from "vitest";
import { finish } from "../../src/text/steps.js";
import { type Sentence, sampleEvenly, splitSaidSteps, tellingSteps } from "../../src/reader/sentences.js";

type Said = Parameters<typeof splitSaidSteps>[0];
const split = (said: Said): Sentence[] => finish(splitSaidSteps(said));
const answered = (question: string, answer: string, who = "user"): Said => ({
  turns: [
    { who: "assistant", text: question },
    { who, text: answer },
  ],
  summary: null,
});

it("are those that were said, or those of a summary if nothing else is known", () => {
  const turns = [{ who: "Ada", text: "It bends now. Even on the stairs." }];
  const said = turns[0]!.text.split(/(?<=\.) /u).map((text) => ({ who: "Ada", text }));
  expect(split({ turns, summary: "The knee is better." })).toEqual(said);
  expect(split({ turns: [], summary: "The knee is better. She walks." })).toEqual([
    { who: null, text: "The knee is better." },
    { who: null, text: "She walks." },
  ]);
});

it("are at most 64, from the beginning to the end of a long one", () => {
  const turns = Array.from({ length: 1_000 }, (_, i) => ({ who: "user", text: `This is turn ${i}.` }));
  const sentences = split({ turns, summary: null });
  expect(sentences).toHaveLength(64);
  expect(sentences[0]!.text).toBe("This is turn 0.");
  expect(Number(/\d+/u.exec(sentences.at(-1)!.text)![0])).toBeGreaterThan(980);
});

it("tell something with three words or more", () => {
  const sentences = ["Oh dear.", "The bus was late.", "Really?"].map((text) => ({ who: "user", text }));
  expect(finish(tellingSteps(sentences))).toEqual([sentences[1]]);
});

describe("a short answer", () => {
  it("stays with the question it answers, and is quoted as the answer of the speaker", () => {
    const quoted = "Fridays. (asked: Which day does the cleaner come?)";
    const expected = { who: "user", text: "Which day does the cleaner come? Fridays.", quoted };
    expect(split(answered("Good to know. Which day does the cleaner come?", "Fridays.")).at(-1)).toEqual(expected);
  });

  it("of three words or more stands alone", () => {
    expect(split(answered("Which day?", "Every other Friday.")).at(-1)!.text).toBe("Every other Friday.");
  });

  it.each([
    ["one without content", answered("Shall I?", "Yes please.")],
    ["one that follows no question", answered("The cleaner is nice.", "Fridays.")],
    ["one that follows a request", answered("Do the exercises", "Fridays.")],
    ["one to oneself", answered("Which day?", "Fridays.", "assistant")],
  ])("%s is left as it is", (_, said) => {
    expect(split(said).at(-1)!.text).toBe(said.turns[1]!.text);
  });
});

it("a sample has the first, and is even", () => {
  expect(sampleEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8]);
  expect(sampleEvenly([0, 1], 5)).toEqual([0, 1]);
  expect(sampleEvenly([0, 1], 0)).toEqual([]);
});
