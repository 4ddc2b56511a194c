// What the AI SDK does with a model that remembers; prints one JSON object. Arguments: the address of the hashing embedder.
import { generateText, isStepCount, streamText, tool } from "ai";
import { MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";
import { Mnemosyne } from "mnemosyne-edge";
import { withMemory } from "mnemosyne-edge/ai-sdk";
import { z } from "zod";

const { HashingEmbedder } = await import(process.argv[2]);
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const stop = { unified: "stop", raw: "stop" };
const reply = "Penicillin is not fine.";
const parts = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...[...reply].map((delta) => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: stop, usage },
];
const call = { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Lisbon"}' };

async function useMemory(work) {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  const person = mnemosyne.person("ada");
  const text = "I am allergic to penicillin, the doctor says.";
  await person.commit({ messages: [{ role: "user", content: text }], keep: true }, { wait: true });
  const result = await work(person);
  await person.settled();
  const committed = (await person.history()).map(({ at, turns }) => ({ at, turns })).sort((x, y) => x.at - y.at);
  await mnemosyne.close();
  return { ...result, committed };
}

const streamed = await useMemory(async (person) => {
  const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(parts) } });
  const { textStream } = streamText({ model: withMemory(model, { person }), prompt: "Is penicillin fine for me?" });
  let text = "";
  for await (const piece of textStream) text += piece;
  return { text, systems: model.doStreamCalls.map(({ prompt: [first] }) => first.content) };
});

const called = await useMemory(async (person) => {
  const content = [{ type: "text", text: "It is 21 degrees." }];
  const model = new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage, warnings: [] },
      { content, finishReason: stop, usage, warnings: [] },
    ],
  });
  const weather = tool({ description: "Weather", inputSchema: z.object({ city: z.string() }), execute: () => "21" });
  const { text } = await generateText({
    model: withMemory(model, { person }),
    prompt: "How warm is it in Lisbon, where I row on Sundays with penicillin in the bag?",
    tools: { weather },
    stopWhen: isStepCount(3),
  });
  return { text, systems: model.doGenerateCalls.map(({ prompt: [first] }) => first.content) };
});

process.stdout.write(JSON.stringify({ streamed, called }));
