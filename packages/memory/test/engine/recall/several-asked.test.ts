/** Which questions ask for several things, and which for one. */
import { describe, expect, it } from "vitest";
import { readSeveralAsked } from "../../../src/engine/recall/several-asked.js";

describe("a question asks for several things", () => {
  it.each([
    ["count", "How many bridges did we cross?"],
    ["count", "how often does the boiler fail"],
    ["count", "What is the number of jars in the cellar?"],
    ["order", "When did Ines first climb a wall?"],
    ["order", "When did I last water the fern?"],
    ["order", "What was the last thing the plumber said?"],
    ["order", "Which was the most recent letter?"],
    ["comparison", "Was the red kettle or the blue one dearer?"],
    ["comparison", "What do Ines and Tom have in common?"],
    ["comparison", "Is the new flat bigger than the old one?"],
    ["comparison", "Do both of them ski?"],
    ["comparison", "Which of the hens lays most?"],
    ["list", "Which stations did the train stop at?"],
    ["list", "What old wooden tools do I own?"],
    ["list", "What kind of soup does he cook?"],
    ["list", "Where have we camped?"],
    ["list", "What’ve I lent to Tom?"],
    ["list", "Who are the neighbours?"],
    ["list", "List my debts."],
    ["list", "What else grows there?"],
    ["list", "Tell me everything about the boat."],
    ["list", "Who helped besides Tom?"],
  ])("%s: %s", (kind, question) => expect(readSeveralAsked(question)).toBe(kind));
});

describe("a question asks for one thing", () => {
  it.each([
    "Where does Ada live?",
    "What is her sister called?",
    "What does the bus cost?",
    "What did I cook last week?",
    "What happened last Tuesday?",
    "Who came by in the last three days?",
    "How long did the concert last?",
    "What is his first name?",
    "Which bus is it?",
    "What are you called?",
    "When is the appointment?",
    "Why was Tom cross?",
    "",
  ])("%s", (question) => expect(readSeveralAsked(question)).toBeNull());

  it("whatever comes beyond the length of a real question", () => {
    expect(readSeveralAsked(`${"x ".repeat(1000)}how many`)).toBeNull();
    expect(readSeveralAsked(`${"what ".repeat(100_000)}`)).toBeNull();
  });
});
