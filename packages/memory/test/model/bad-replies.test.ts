/** A hundred bad replies of twenty kinds: nothing is lost, nothing is committed twice, and the trace says what happened. */
import { expect, it } from "vitest";
import type { CommitTrace, LanguageModelRequest } from "mnemosyne-edge";
import { createRandom } from "../../src/text/random.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedModel, answerWell, judgment } from "../engine/scripted-model.js";

type Expected = "repaired" | "without model";

/** What becomes of a good reply, and what the memory has to make of it. */
const kinds: Readonly<Record<string, readonly [Expected, (good: string) => string]>> = {
  "prose before": ["repaired", (good) => `Sure! Here is the JSON you asked for: ${good}`],
  "prose after": ["repaired", (good) => `${good}\nLet me know if you need anything else!`],
  "a code fence": ["repaired", (good) => `\`\`\`json\n${good}\n\`\`\``],
  thoughts: ["repaired", (good) => `<think>The user said {"substantial": 0}, hmm.</think>${good}`],
  "a trailing comma": ["repaired", (good) => good.replace(/\}$/u, ",}")],
  "single quotes": ["repaired", (good) => good.replaceAll('"', "'")],
  "bare keys": ["repaired", (good) => good.replaceAll(/"(\w+)":/gu, "$1:")],
  comments: ["repaired", (good) => good.replace("{", "{ // as asked\n")],
  "a wrapper": ["repaired", (good) => `{"reply": ${good}}`],
  "JSON in a string": ["repaired", (good) => JSON.stringify(good)],
  nothing: ["without model", () => ""],
  "prose only": ["without model", () => "I am sorry, but I cannot help with that."],
  "cut off": ["without model", (good) => good.slice(0, Math.floor(good.length / 2))],
  "a list": ["without model", () => "[1, 2, 3]"],
  "another object": ["without model", () => '{"answer": 42}'],
  "wrong types": [
    "without model",
    (good) => JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(good) as object).map((key) => [key, 7]))),
  ],
  "the schema": ["without model", () => '{"type": "object", "properties": {"summary": {"type": "string"}}}'],
  "half a character": ["without model", (good) => good.replaceAll(/"[^"]*"(?=[,\]}])/gu, String.raw`"\ud800"`)],
  "endless thoughts": ["without model", () => `<think>${"and then ".repeat(500)}`],
  "an error": [
    "without model",
    () => {
      throw new Error("connection refused");
    },
  ],
};

it("twenty kinds, five interactions each, in a random order", async () => {
  const kindOf = new Map<string, string>();
  const answer = (request: LanguageModelRequest): string => {
    const [number] = /number \d+/u.exec(request.text) ?? [];
    const kind = kindOf.get(number ?? "");
    return kind === undefined ? answerWell(request) : kinds[kind]![1](answerWell(request));
  };
  const memories = await openMemories({
    path: ":memory:",
    languageModel: new ScriptedModel(answer),
    parameters: {
      modelRestSeconds: 0,
      substanceThreshold: -10,
      redundancyThreshold: 10,
      statementCountMax: 4,
      coreSummaryIntervalCommits: 0,
      // A request then names one interaction only.
      shownMemoryCountMax: 0,
    },
  });
  const person = memories.person("ada");
  const random = createRandom("bad replies");
  const order = Object.keys(kinds)
    .flatMap((kind) => Array.from({ length: 5 }, () => kind))
    .map((kind) => ({ kind, place: random() }))
    .sort((x, y) => x.place - y.place);
  expect(order).toHaveLength(100);
  for (const [i, { kind }] of order.entries()) {
    kindOf.set(`number ${i}`, kind);
    const text = `Penicillin gave me a rash when I was seven, visit number ${i}.`;
    await person.commit({ id: `visit-${i}`, turns: [{ who: "Ada", text }] });
  }
  await person.settled();
  const history = await person.history();
  expect(history).toHaveLength(100);
  expect((await person.list()).length).toBe(100);
  for (const [i, { kind }] of order.entries()) {
    const item = history.find(({ id }) => id === `visit-${i}`)!;
    expect(item.turns[0]!.text).toContain(`visit number ${i}.`);
    const { languageModel, outcome } = item.trace as CommitTrace;
    expect(outcome).toBe("committed");
    const [expected] = kinds[kind]!;
    expect([kind, ...languageModel!.steps.map(({ how }) => how)]).toEqual([kind, expected, expected]);
    if (expected === "without model") expect(languageModel!.steps.every(({ failure }) => failure !== null)).toBe(true);
    else expect((await person.get(item.id)).keywords).toEqual(judgment.keywords.map((word) => word.toLowerCase()));
  }
  const { languageModel } = await memories.describe();
  expect(languageModel!.counts).toEqual({ "as asked": 0, repaired: 100, retried: 0, "without model": 100 });
  expect((await person.statistics()).refinedCount).toBe(50);
});
