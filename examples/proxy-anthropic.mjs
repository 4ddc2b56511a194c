// Anthropic's client with a memory: only the address changes. `npm install @anthropic-ai/sdk`, and start the memory first:
//   mnemosyne serve --upstream https://api.anthropic.com
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: process.env.MNEMOSYNE_URL ?? "http://127.0.0.1:7373",
  apiKey: process.env.ANTHROPIC_API_KEY,
});
const request = {
  model: process.env.MODEL ?? "claude-sonnet-4-5",
  max_tokens: 300,
  metadata: { user_id: "ada" }, // whose memory it is
};

const told = [{ role: "user", content: "My sister Lena lives in Porto." }];
await client.messages.create({ ...request, messages: told }, { headers: { "mnemosyne-conversation-end": "true" } });
await new Promise((resolve) => setTimeout(resolve, 2_000)); // it becomes a memory soon after

const asked = [{ role: "user", content: "Where does my sister Lena live?" }];
const { content } = await client.messages.create({ ...request, messages: asked });
process.stdout.write(`${content.map((block) => (block.type === "text" ? block.text : "")).join("")}\n`);
