// OpenAI's client with a memory: only the address changes. `npm install openai`, and start the memory first:
//   mnemosyne serve --upstream https://api.openai.com/v1
import OpenAI from "openai";

const client = new OpenAI({
  baseURL: process.env.MNEMOSYNE_URL ?? "http://127.0.0.1:7373/v1",
  apiKey: process.env.OPENAI_API_KEY,
});
const model = process.env.MODEL ?? "gpt-5-mini";
const user = "ada"; // whose memory it is

// One conversation. It becomes a memory soon after it ends: here at once, otherwise after five quiet minutes.
await client.chat.completions.create(
  { model, user, messages: [{ role: "user", content: "My sister Lena lives in Porto." }] },
  { headers: { "mnemosyne-conversation-end": "true" } },
);
await new Promise((resolve) => setTimeout(resolve, 2_000));

// Another one, which knows nothing of the first, as a stream.
const stream = await client.chat.completions.create({
  model,
  user,
  stream: true,
  messages: [{ role: "user", content: "Where does my sister Lena live?" }],
});
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? "");
process.stdout.write("\n");
