/** Edits an interaction of a person again and again, and says each text once it is there. */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

const { open, person, id, from, to } = JSON.parse(process.argv[2]);
const memories = await Mnemosyne.open(laboratory(open));
writeSync(1, "open\n");
for (let i = from; i < to; i++) {
  await memories.person(person).update(id, { text: `Ada counted ${i} swans on the lake.` });
  writeSync(1, `edited ${i}\n`);
}
await memories.close();
