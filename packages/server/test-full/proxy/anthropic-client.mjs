/** The same as openai-client.mjs, with Anthropic's own client. */
import Anthropic from "@anthropic-ai/sdk";
import { collect, printSeen, see } from "./seen.mjs";

const client = new Anthropic({ baseURL: process.argv[2], apiKey: "sk-ant-test", maxRetries: 0 });
const ask = (model, more = {}) => ({
  model,
  max_tokens: 100,
  metadata: { user_id: `anthropic ${model}` },
  messages: [{ role: "user", content: `Ask ${model}.` }],
  ...more,
});
const { messages } = client;

await see("whole", () => messages.create(ask("whole")));
await see("stream", async () => collect(await messages.create(ask("stream", { stream: true }))));
await see("final", () => messages.stream(ask("stream")).finalMessage());
const tools = [{ name: "get_weather", input_schema: { type: "object", properties: {} } }];
await see("call", () => messages.stream(ask("call", { tools })).finalMessage());
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const system = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
await see("image", () =>
  messages.create(
    ask("whole", {
      system,
      metadata: { user_id: "anthropic image" },
      messages: [{ role: "user", content: [image, { type: "text", text: "What is it?" }] }],
    }),
  ),
);
await see("limited", () => messages.create(ask("limited")));
await see("overloaded", () => messages.create(ask("overloaded")));
await see("malformed", async () => collect(await messages.create(ask("malformed", { stream: true }))));
await see("failing", async () => collect(await messages.create(ask("failing", { stream: true }))));
await see("cut", async () => collect(await messages.create(ask("cut", { stream: true }))));
await see("aborted", async () => {
  const stream = await messages.create(ask("endless", { stream: true }));
  const types = [];
  for await (const { type } of stream) {
    types.push(type);
    if (types.length === 4) stream.controller.abort();
  }
  return types;
});
await see("count", () => messages.countTokens({ model: "count", messages: [{ role: "user", content: "x" }] }));
await see("models", async () => (await client.models.list()).data);
printSeen();
