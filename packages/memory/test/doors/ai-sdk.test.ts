/** A model that remembers, with models as the AI SDK's specification has them. */
import { describe, expect, it, onTestFinished } from "vitest";
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { type MemoryOptions, type Model, withMemory } from "mnemosyne-edge/ai-sdk";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

const allergy = "I am allergic to penicillin, the doctor says.";
const question = "What am I allergic to? Is penicillin fine for me?";
const memoryText =
  /MEMORY marks.*\n\n<<<MEMORY \(quoted, not instructions\)[^]*I am allergic to penicillin[^]*MEMORY>>>$/u;
const stop = { unified: "stop", raw: "stop" };

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly providerOptions?: unknown;
}

const asked: Message = { role: "user", content: [{ type: "text", text: question }] };

async function openPerson(): Promise<{ mnemosyne: Mnemosyne; person: PersonMemory }> {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => mnemosyne.close());
  const person = mnemosyne.person("ada");
  await person.commit({ id: "allergy", messages: [{ role: "user", content: allergy }], keep: true }, { wait: true });
  return { mnemosyne, person };
}

/** Answers with the parts in turn, and notes what it was asked. */
function scripted(...replies: readonly (readonly object[])[]) {
  const prompts: (readonly Message[])[] = [];
  const left = [...replies];
  const model = {
    specificationVersion: "v3",
    provider: "p",
    modelId: "m",
    supportedUrls: {},
    doGenerate: async ({ prompt }: { prompt: readonly Message[] }) => {
      prompts.push(prompt);
      const [result] = left.shift() ?? [];
      if (result === undefined) throw new Error("model down");
      return result;
    },
    doStream: async ({ prompt }: { prompt: readonly Message[] }) => {
      prompts.push(prompt);
      return { stream: ReadableStream.from(left.shift()!) };
    },
  };
  return { model, prompts };
}

const says = (text: string, finishReason: unknown = stop) => [{ content: [{ type: "text", text }], finishReason }];

async function committed(person: PersonMemory) {
  await person.settled();
  return (await person.history()).slice(1).map(({ turns, metadata }) => ({ turns, metadata }));
}

async function generate(prompt: readonly Message[], options: Partial<MemoryOptions> = {}, ...replies: object[][]) {
  const { person } = await openPerson();
  const { model, prompts } = scripted(...(replies.length === 0 ? [says("Penicillin is not fine.")] : replies));
  const remembering = withMemory(model as unknown as Model, { person, ...options });
  for (let count = 0; count < Math.max(1, replies.length); count++) await remembering.doGenerate({ prompt } as never);
  return { prompts, committed: await committed(options.person ?? person) };
}

describe("what is recalled", () => {
  it("follows the instructions, and what was said is committed, nothing else", async () => {
    const system = { role: "system", content: "You are Ada's assistant." };
    const { prompts, committed } = await generate([system, asked], { metadata: { thread: "t1" } });
    const [[first, second]] = prompts as [[Message, Message]];
    expect(first.content).toMatch(/^You are Ada's assistant\.\n\n/u);
    expect(first.content).toMatch(memoryText);
    expect(second).toEqual(asked);
    const turns = [
      { who: "user", text: question },
      { who: "assistant", text: "Penicillin is not fine." },
    ];
    expect(committed).toEqual([{ turns, metadata: { thread: "t1" } }]);
  });

  it("is a message of its own where there are no instructions, or cached ones", async () => {
    const [alone] = (await generate([asked])).prompts;
    expect(alone!.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(alone![0]!.content).toMatch(memoryText);
    const cached = { role: "system", content: "Cached.", providerOptions: { x: { cache: true } } };
    const [after] = (await generate([cached, asked])).prompts;
    expect(after![0]).toEqual(cached);
    expect(after![1]).toMatchObject({ role: "system", content: expect.stringMatching(memoryText) as string });
  });

  it("is nothing where nothing is known", async () => {
    const { mnemosyne } = await openPerson();
    expect((await generate([asked], { person: mnemosyne.person("bob") })).prompts).toEqual([[asked]]);
  });
});

it("commits once for several steps with tools, whatever version names their reasons, and recalls the same in each", async () => {
  const called = { role: "assistant", content: [{ type: "tool-call", toolName: "weather", input: {} }] };
  for (const [calls, end] of [
    [{ unified: "tool-calls" }, stop],
    ["tool-calls", "stop"],
  ]) {
    const prompt = [asked, called];
    const { prompts, committed } = await generate(prompt, {}, says("", calls), says("It is 21 degrees.", end));
    expect(prompts[0]).toEqual(prompts[1]);
    expect(committed).toHaveLength(1);
    expect(JSON.stringify(committed[0]!.turns)).toMatch(/penicillin.*called weather.*It is 21 degrees/u);
  }
});

it("passes a stream on part by part, and commits it at its end, unless it is cancelled", async () => {
  const parts = [
    { type: "stream-start", warnings: [] },
    ...[..."Not fine."].map((delta) => ({ type: "text-delta", id: "1", delta })),
    { type: "finish", finishReason: stop },
  ];
  const { person } = await openPerson();
  const { model, prompts } = scripted(parts, parts);
  const remembering = withMemory(model as unknown as Model, { person });
  const open = async () => (await remembering.doStream({ prompt: [asked] } as never)) as { stream: ReadableStream };
  const reader = (await open()).stream.getReader();
  await reader.read();
  await reader.cancel();
  expect(await committed(person)).toEqual([]);
  const seen: unknown[] = [];
  for await (const part of (await open()).stream) seen.push(part);
  expect(seen).toEqual(parts);
  expect(prompts[1]![0]!.content).toMatch(memoryText);
  expect(await committed(person)).toMatchObject([{ turns: [{ text: question }, { text: "Not fine." }] }]);
});

it("goes on where the memory fails, and tells the listener, even one that throws", async () => {
  const { mnemosyne, person } = await openPerson();
  await mnemosyne.close();
  const steps: unknown[] = [];
  const onError = (error: unknown, step: string): void => {
    steps.push([step, (error as { code: string }).code]);
    throw new Error("listener");
  };
  const { model } = scripted(says("Hello."));
  const result = await withMemory(model as unknown as Model, { person, onError }).doGenerate({
    prompt: [asked],
  } as never);
  expect(result).toEqual(says("Hello.")[0]);
  expect(steps).toEqual([
    ["recall", "store_closed"],
    ["commit", "store_closed"],
  ]);
});

it("commits nothing where the model fails, and passes the error on; a name instead of a model is refused", async () => {
  const { person } = await openPerson();
  const { model } = scripted();
  const remembering = withMemory(model as unknown as Model, { person });
  await expect(remembering.doGenerate({ prompt: [asked] } as never)).rejects.toThrow("model down");
  expect(await committed(person)).toEqual([]);
  expect(() => withMemory("openai/gpt-5" as never, { person })).toThrow(/needs a model.*"openai\/gpt-5"/u);
});
