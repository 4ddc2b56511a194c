// What the AI SDK does with a model that remembers; prints one JSON object for ai-sdk.test.ts. Arguments: the address of the
// hashing embedder.
import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";
import { Mnemosyne } from "mnemosyne-edge";
import { memoryMiddleware, withMemory } from "mnemosyne-edge/ai-sdk";
import { z } from "zod";

// The failing memory is meant to be seen in the results alone.
globalThis.AI_SDK_LOG_WARNINGS = false;
const { HashingEmbedder } = await import(process.argv[2]);
const allergy = "I am allergic to penicillin, the doctor says.";
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const stop = { unified: "stop", raw: "stop" };
const says = (text) => ({ content: [{ type: "text", text }], finishReason: stop, usage, warnings: [] });
const parts = (text) => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...[...text].map((delta) => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: stop, usage },
];

async function open() {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), judge: false });
  const person = mnemosyne.person("ada");
  await person.commit({ id: "allergy", messages: [{ role: "user", content: allergy }], keep: true }, { wait: true });
  return { mnemosyne, person };
}

/** What was committed after the first memory. */
async function committed(person) {
  await person.settled();
  return (await person.history())
    .filter(({ id }) => id !== "allergy")
    .map(({ turns, metadata }) => ({ turns, metadata }));
}

const question = "What am I allergic to? Is penicillin fine for me?";
const scenarios = {
  async generate() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("Penicillin is not fine.") });
    const { text, warnings } = await generateText({
      model: withMemory(model, { person, metadata: { thread: "t1" } }),
      instructions: "You are Ada's assistant.",
      prompt: question,
    });
    return { text, warnings, prompt: model.doGenerateCalls[0].prompt, committed: await committed(person) };
  },
  async withoutInstructions() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("No.") });
    await generateText({ model: withMemory(model, { person }), prompt: question });
    return model.doGenerateCalls[0].prompt;
  },
  async cachedInstructions() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("No.") });
    const cached = { role: "system", content: "Cached.", providerOptions: { x: { cache: true } } };
    await generateText({ model: withMemory(model, { person }), instructions: cached, prompt: question });
    return model.doGenerateCalls[0].prompt;
  },
  async nothingKnown() {
    const { mnemosyne } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("No.") });
    await generateText({ model: withMemory(model, { person: mnemosyne.person("bob") }), prompt: question });
    return model.doGenerateCalls[0].prompt;
  },
  async stream() {
    const { person } = await open();
    const wanted = parts("Penicillin is not fine.");
    const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(wanted) } });
    const raw = await withMemory(model, { person }).doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: question }] }],
    });
    const seen = [];
    for await (const part of raw.stream) seen.push(part);
    const again = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(wanted) } });
    const { textStream } = streamText({ model: withMemory(again, { person, commit: false }), prompt: question });
    let text = "";
    for await (const piece of textStream) text += piece;
    const isSame = JSON.stringify(seen) === JSON.stringify(wanted);
    return { isSame, text, prompt: again.doStreamCalls[0].prompt, committed: await committed(person) };
  },
  async cancelledStream() {
    const { person } = await open();
    const model = new MockLanguageModelV4({
      doStream: { stream: convertArrayToReadableStream(parts("Long answer.")) },
    });
    const { stream } = await withMemory(model, { person }).doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: question }] }],
    });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    return committed(person);
  },
  async tools() {
    const { person } = await open();
    const call = { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Lisbon"}' };
    const model = new MockLanguageModelV4({
      doGenerate: [
        { content: [call], finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage, warnings: [] },
        says("It is 21 degrees."),
      ],
    });
    const weather = tool({ description: "Weather", inputSchema: z.object({ city: z.string() }), execute: () => "21" });
    const prompt = "How warm is it in Lisbon where I row on Sundays with penicillin?";
    const { text } = await generateText({
      model: withMemory(model, { person }),
      prompt,
      tools: { weather },
      stopWhen: isStepCount(3),
    });
    const systems = model.doGenerateCalls.map(({ prompt: [first] }) => first.content);
    return {
      text,
      isSameContext: systems[0] === systems[1],
      calls: systems.length,
      committed: await committed(person),
    };
  },
  async picture() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("A boat.") });
    const content = [
      { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
      { type: "text", text: "My boat in Setubal, look." },
    ];
    await generateText({ model: withMemory(model, { person }), messages: [{ role: "user", content }] });
    return committed(person);
  },
  async failingMemory() {
    const { mnemosyne, person } = await open();
    await mnemosyne.close();
    const steps = [];
    const onError = (error, step) => {
      steps.push([step, error.code]);
      throw new Error("listener");
    };
    const model = new MockLanguageModelV4({
      doGenerate: says("Hello."),
      doStream: { stream: convertArrayToReadableStream(parts("Hello.")) },
    });
    const remembering = withMemory(model, { person, onError });
    const { text, warnings } = await generateText({ model: remembering, prompt: question });
    const streamed = streamText({ model: remembering, prompt: question });
    return {
      text,
      warnings,
      steps: [...steps],
      streamedText: await streamed.text,
      streamedWarnings: await streamed.warnings,
    };
  },
  async failingModel() {
    const { person } = await open();
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        throw new Error("model down");
      },
    });
    const error = await generateText({ model: withMemory(model, { person }), prompt: question, maxRetries: 0 }).catch(
      (e) => e,
    );
    return { message: error.message, committed: await committed(person) };
  },
  async middleware() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ doGenerate: says("No.") });
    const other = {
      specificationVersion: "v4",
      transformParams: async ({ params }) => ({ ...params, temperature: 0.5 }),
    };
    const wrapped = wrapLanguageModel({ model, middleware: [other, memoryMiddleware({ person })] });
    await generateText({ model: wrapped, prompt: question });
    const [{ prompt, temperature }] = model.doGenerateCalls;
    return { prompt, temperature, committed: await committed(person) };
  },
  async sameAsWrapLanguageModel() {
    const { person } = await open();
    const model = new MockLanguageModelV4({ provider: "p", modelId: "m", supportedUrls: { "image/*": [] } });
    const theirs = wrapLanguageModel({ model, middleware: memoryMiddleware({ person }) });
    const ours = withMemory(model, { person });
    const shape = (one) => [
      Object.keys(one).sort(),
      one.specificationVersion,
      one.provider,
      one.modelId,
      one.supportedUrls,
    ];
    return { ours: shape(ours), theirs: shape(theirs) };
  },
};

const results = {};
for (const [name, run] of Object.entries(scenarios)) results[name] = await run();
process.stdout.write(JSON.stringify(results));
