/** A model that remembers, used by the AI SDK itself on the newest Node. */
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Mnemosyne } from "mnemosyne-edge";
import { withMemory } from "mnemosyne-edge/ai-sdk";
import { root } from "../../../../test/docs/project-files.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { DoorsFolder, hasNewestNode } from "./real-packages.js";

const question = "What am I allergic to? Is penicillin fine for me?";
const embedder = pathToFileURL(`${root}test/durability/hashing-embedder.mjs`).href;
const memory = /MEMORY marks.*\n\n<<<MEMORY \(quoted, not instructions\)[^]*I am allergic to penicillin[^]*MEMORY>>>$/u;
const exchange = [
  { who: "user", text: question },
  { who: "assistant", text: "Penicillin is not fine." },
];

interface Seen {
  readonly text: string;
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly committed: readonly { readonly turns: unknown; readonly metadata: object }[];
  readonly [name: string]: unknown;
}

describe.runIf(hasNewestNode)("the AI SDK with a model that remembers", () => {
  let results: Readonly<Record<string, Seen>>;
  const folder = hasNewestNode ? new DoorsFolder() : null;

  beforeAll(() => {
    results = JSON.parse(folder!.run("test/doors/ai-sdk-child.mjs", embedder)) as Record<string, Seen>;
  });
  afterAll(() => folder?.remove());

  it("adds what it recalls to the instructions, and commits what was said, nothing else", () => {
    const { text, warnings, prompt, committed } = results["generate"]!;
    expect(text).toBe("Penicillin is not fine.");
    expect(warnings).toEqual([]);
    expect(prompt).toHaveLength(2);
    expect(prompt[0]!.content).toMatch(/^You are Ada's assistant\.\n\n/u);
    expect(prompt[0]!.content).toMatch(memory);
    expect(prompt[1]).toMatchObject({ role: "user", content: [{ text: question }] });
    expect(committed).toEqual([{ turns: exchange, metadata: { thread: "t1" } }]);
  });

  it("adds instructions where there are none, and a message of its own after cached ones", () => {
    const [first, second] = results["withoutInstructions"] as unknown as Seen["prompt"];
    expect([first!.role, second!.role]).toEqual(["system", "user"]);
    expect(first!.content).toMatch(memory);
    const cached = results["cachedInstructions"] as unknown as Seen["prompt"];
    expect(cached[0]!.content).toBe("Cached.");
    expect(cached[1]).toMatchObject({ role: "system", content: expect.stringMatching(memory) as string });
  });

  it("adds nothing where nothing is known", () => {
    expect(results["nothingKnown"]).toMatchObject([{ role: "user" }]);
  });

  it("passes a stream on part by part, and commits it at its end", () => {
    const { isSame, text, prompt, committed } = results["stream"]!;
    expect(isSame).toBe(true);
    expect(text).toBe("Penicillin is not fine.");
    expect(prompt[0]!.content).toMatch(memory);
    expect(committed).toEqual([{ turns: exchange, metadata: {} }]);
    expect(results["cancelledStream"]).toEqual([]);
  });

  it("commits once for several steps with tools, and recalls the same in each", () => {
    const { text, calls, isSameContext, committed } = results["tools"]!;
    expect([text, calls, isSameContext]).toEqual(["It is 21 degrees.", 2, true]);
    expect(committed).toHaveLength(1);
    expect(JSON.stringify(committed[0]!.turns)).toMatch(/penicillin.*called weather.*21.*It is 21 degrees/u);
  });

  it("notes that there was a picture", () => {
    expect(JSON.stringify(results["picture"])).toMatch(/\[(?:image|file)[^\]]*\].*My boat in Setubal/u);
  });

  it("goes on where the memory fails, and says so", () => {
    const { text, warnings, steps, streamedText, streamedWarnings } = results["failingMemory"]!;
    expect([text, streamedText]).toEqual(["Hello.", "Hello."]);
    expect(steps).toEqual([
      ["recall", "store_closed"],
      ["commit", "store_closed"],
    ]);
    const warning = { type: "other", message: expect.stringContaining("recall failed, the chat goes on") as string };
    expect(warnings).toContainEqual(warning);
    expect(warnings).toContainEqual({ ...warning, message: expect.stringContaining("commit failed") as string });
    expect(streamedWarnings).toContainEqual(warning);
  });

  it("commits nothing where the model fails, and passes the error on", () => {
    expect(results["failingModel"]).toEqual({ message: "model down", committed: [] });
  });

  it("does the same as middleware among others", () => {
    const { prompt, temperature, committed } = results["middleware"]!;
    expect(prompt[0]!.content).toMatch(memory);
    expect(temperature).toBe(0.5);
    expect(committed).toHaveLength(1);
    const { ours, theirs } = results["sameAsWrapLanguageModel"]!;
    expect(ours).toEqual(theirs);
  });
});

/** A model of an older specification: reasons are texts, warnings may be missing. */
it("a model of specification v2 remembers, too", async () => {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), judge: false });
  const person = mnemosyne.person("ada");
  const reasons = ["tool-calls", "error", "stop"];
  const model = {
    specificationVersion: "v2",
    provider: "p",
    modelId: "m",
    supportedUrls: {},
    doGenerate: async (_: object) => ({ content: [{ type: "text", text: "Noted." }], finishReason: reasons.shift() }),
    doStream: async () => ({ stream: new ReadableStream() }),
  };
  const remembering = withMemory(model, { person });
  const prompt = [{ role: "user", content: [{ type: "text", text: "My boat is in Setubal." }] }];
  const counts = [];
  for (let call = 0; call < 3; call++) {
    await remembering.doGenerate({ prompt });
    counts.push((await person.history().catch(() => [])).length);
  }
  expect(remembering.specificationVersion).toBe("v2");
  expect(counts).toEqual([0, 0, 1]);
  await mnemosyne.close();
});

it("a name instead of a model is refused", async () => {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", judge: false });
  const person = mnemosyne.person("ada");
  expect(() => withMemory("openai/gpt-5" as never, { person })).toThrow(/needs a model.*"openai\/gpt-5"/u);
  await mnemosyne.close();
});
