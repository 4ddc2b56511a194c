// What OpenAI's Agents SDK does with a session in a memory; prints one JSON object for openai-agents.test.ts. Arguments: the
// address of the hashing embedder, and a path for a database.
import { Agent, MemorySession, Runner, Usage, setTracingDisabled, tool } from "@openai/agents-core";
import { Mnemosyne } from "mnemosyne-edge";
import { MnemosyneSession } from "mnemosyne-edge/openai-agents";
import { z } from "zod";

setTracingDisabled(true);
const { HashingEmbedder } = await import(process.argv[2]);
const path = process.argv[3];
const open = () => Mnemosyne.open({ path, embedder: new HashingEmbedder(), judge: false });

/** Answers as scripted, and keeps what it was asked. */
class ScriptedModel {
  requests = [];
  constructor(outputs) {
    this.outputs = [...outputs];
  }
  async getResponse(request) {
    this.requests.push(structuredClone(request.input));
    return { usage: new Usage(), output: this.outputs.shift() };
  }
  getStreamedResponse() {
    throw new Error("not used");
  }
}

const message = (text) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});
const call = {
  type: "function_call",
  name: "weather",
  callId: "c1",
  status: "completed",
  arguments: '{"city":"Lisbon"}',
};
const script = () => [[message("Noted, no penicillin.")], [call], [message("It is 21 degrees.")]];
const weather = tool({
  name: "weather",
  description: "Weather",
  parameters: z.object({ city: z.string() }),
  execute: async () => "21 degrees",
});

/** The same two runs, the second with a tool. */
async function converse(session) {
  const model = new ScriptedModel(script());
  const agent = new Agent({ name: "Coach", instructions: "Be brief.", model, tools: [weather] });
  const runner = new Runner({ tracingDisabled: true });
  await runner.run(agent, "I am allergic to penicillin.", { session });
  const { finalOutput } = await runner.run(agent, "How warm is it in Lisbon?", { session });
  return { finalOutput, requests: model.requests, items: await session.getItems(), lastTwo: await session.getItems(2) };
}

const results = {};
const mnemosyne = await open();
const person = mnemosyne.person("ada");
const session = new MnemosyneSession({ person, sessionId: "s1" });
results.ours = await converse(session);
results.theirs = await converse(new MemorySession({ sessionId: "s1" }));
await person.settled();
results.recalled = (await person.recall("What is she allergic to? penicillin")).context;
await mnemosyne.close();

const again = await open();
const continued = new MnemosyneSession({ person: again.person("ada"), sessionId: "s1" });
results.continued = await continued.getItems();
results.popped = await continued.popItem();
results.afterPop = await continued.getItems();
await again.close();
process.stdout.write(JSON.stringify(results));
