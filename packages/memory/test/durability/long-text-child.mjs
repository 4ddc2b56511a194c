/** Commits one text, `part` repeated up to `length` characters, and says what became of it. */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

const { part, length } = JSON.parse(process.argv[2]);
const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
const memories = await Mnemosyne.open(laboratory({ path: ":memory:" }));
const memory = memories.person("ada");
await memory.commit({ id: "summary", summary: text, at: "2025-05-01" });
await memory.commit({ id: "turns", turns: [{ who: "user", text }], at: "2025-05-02" });
await memory.settled();
for (const { id, outcome } of await memory.history()) writeSync(1, `${id} ${outcome}\n`);
const { memories: found } = await memory.recall(text.slice(0, 1000), { seed: 1 });
writeSync(1, `found ${found.length > 0}\n`);
await memories.close();
