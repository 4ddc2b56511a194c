/**
 * A client at work: what a chat program does between its model and the memory, without the model.
 *
 *     npm install @modelcontextprotocol/client
 *     node client.mjs mnemosyne --path ada.db --person ada mcp
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: "example", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
const print = (line = "") => process.stdout.write(`${line}\n`);

// A real client shows the question to its user. This user agrees to everything.
client.setRequestHandler("elicitation/create", ({ params }) => {
  print(`? ${params.message}\n! yes`);
  return { action: "accept", content: { forget: true } };
});

async function call(name, input = {}) {
  print(`> ${name} ${JSON.stringify(input)}`);
  const { content, isError } = await client.callTool({ name, arguments: input });
  print(`${isError === true ? "error: " : ""}${content[0].text}\n`);
}

await client.connect(new StdioClientTransport({ command, args }));
const { tools } = await client.listTools();
print(`tools: ${tools.map(({ name }) => name).join(", ")}\n`);

await call("commit_memory", { id: "allergy", text: "The doctor says I am allergic to penicillin.", at: "2025-03-01" });
await call("commit_memory", { id: "lisbon", text: "I live in Lisbon with my sister Rosa.", at: "2025-03-02" });
await call("commit_memory", { text: "Good morning! How are you?" });
await call("commit_memory", { id: "porto", text: "I moved to Porto.", at: "2025-06-01", updates: ["lisbon"] });
await call("recall_memories", { query: "Where do I live now?" });
await call("get_core_summary");
await call("get_memory", { id: "madrid" });
await call("forget_memory", { id: "allergy" });
await call("forget_all_memories");
await client.close();
