/** Which statements are a language model's, told from the words of the interaction and its summary. */
import { expect, it } from "vitest";
import { findWritten } from "../../src/graph/written-statements.js";
import { embed } from "./graph-fixtures.js";

const summaryText = "Ada has a rash. It is from penicillin.";
const fullText = "user: I took penicillin again, at: noon.\nassistant: And then?\nuser: A rash.";

function written(statements: string[]): boolean[] {
  return findWritten(embed({ id: "a", summaryText, fullText, statements }));
}

it("what nobody said and the summary does not say is", () => {
  expect(written(["Ada is allergic to penicillin.", "Ada took penicillin: again."])).toEqual([true, true]);
});

it("what was said, with its speaker, is not, and neither is a sentence of the summary", () => {
  expect(written(["user: I took penicillin again, at: noon.", "user: A rash.", "It is from penicillin."])).toEqual([
    false,
    false,
    false,
  ]);
});

it("a name that was put into another form does not matter", () => {
  expect(written(["Dr, A: And then?"])).toEqual([false]);
});

it("a passage put together from sentences is recognized by its beginning", () => {
  expect(written(["user: I took penicillin again, at: noon. A rash."])).toEqual([false]);
});

it("a memory made without a model has none", () => {
  const { node, fullText: said } = embed({ id: "a", summaryText, fullText, statements: ["Something else."] });
  expect(findWritten({ node: { ...node, hypotheticalQuery: "" }, fullText: said })).toEqual([false]);
});
