import { Memory } from "mnemosyne-edge/mem0"; // was: "mem0ai/oss"

const memory = new Memory({ path: "mem0.db" });
await memory.add("I moved to Lisbon for the job at the aquarium.", { userId: "ada" });
await memory.add([{ role: "user", content: "I am allergic to penicillin." }], { userId: "ada", agentId: "nurse" });
const { results } = await memory.search("Where does Ada work?", { filters: { user_id: "ada" }, topK: 1 });
for (const found of results) process.stdout.write(`${found.memory}\n`);
await memory.deleteAll({ userId: "ada" });
await memory.close();
