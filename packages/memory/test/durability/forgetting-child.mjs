/** Forgets ids of a person one after the other and says each once it is forgotten. */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

const { open, person, ids } = JSON.parse(process.argv[2]);
const memories = await Mnemosyne.open(laboratory(open));
writeSync(1, "open\n");
for (const id of ids) {
  await memories.person(person).forget(id);
  writeSync(1, `forgotten ${id}\n`);
}
await memories.close();
