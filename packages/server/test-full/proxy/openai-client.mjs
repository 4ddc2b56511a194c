/**
 * What a program sees that uses OpenAI's own client. Argument: the base address. Prints one JSON object; run with the address of
 * the upstream and with that of the proxy, it prints the same.
 */
import OpenAI from "openai";
import { collect, printSeen, see } from "./seen.mjs";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "sk-test", maxRetries: 0 });
const ask = (model, more = {}) => ({
  model,
  user: `openai ${model}`,
  messages: [{ role: "user", content: `Ask ${model}.` }],
  ...more,
});
const { completions } = client.chat;

await see("whole", () => completions.create(ask("whole")));
await see("stream", async () => collect(await completions.create(ask("stream", { stream: true }))));
await see("final", async () => completions.stream(ask("stream")).finalChatCompletion());
const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } }];
await see("call", async () => completions.stream(ask("call", { tools })).finalChatCompletion());
const url = `data:image/png;base64,${"A".repeat(2000)}`;
await see("image", () =>
  completions.create(
    ask("whole", {
      user: "openai image",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    }),
  ),
);
await see("json", async () =>
  JSON.parse(
    (await completions.create(ask("json", { response_format: { type: "json_object" } }))).choices[0].message.content,
  ),
);
await see("limited", () => completions.create(ask("limited")));
await see("broken", () => completions.create(ask("broken")));
await see("malformed", async () => collect(await completions.create(ask("malformed", { stream: true }))));
await see("failing", async () => collect(await completions.create(ask("failing", { stream: true }))));
await see("packed", async () => collect(await completions.create(ask("packed", { stream: true }))));
await see("cut", async () => collect(await completions.create(ask("cut", { stream: true }))));
await see("aborted", async () => {
  const stream = await completions.create(ask("endless", { stream: true }));
  const texts = [];
  for await (const { choices } of stream) {
    texts.push(choices[0].delta.content ?? "");
    if (texts.length === 3) stream.controller.abort();
  }
  return texts;
});
await see("response", () =>
  client.responses.create({ model: "response", user: "openai response", input: "Ask response." }),
);
await see("response stream", async () =>
  collect(
    await client.responses.create({
      model: "response-stream",
      user: "openai response-stream",
      input: "Ask it.",
      stream: true,
    }),
  ),
);
await see(
  "response final",
  async () =>
    (
      await client.responses
        .stream({ model: "response-stream", user: "openai response-final", input: "Ask it." })
        .finalResponse()
    ).output_text,
);
await see("models", async () => (await client.models.list()).data);
await see("model", () => client.models.retrieve("org/model"));
printSeen();
