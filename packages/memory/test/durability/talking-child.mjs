/** Goes on with a conversation and says each turn once it is stored, until it is killed. */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

const { open, id } = JSON.parse(process.argv[2]);
const memories = await Mnemosyne.open(laboratory(open));
const conversation = await memories.person("ada").conversation({ id, state: "talkative" });
for (let n = conversation.turns.length; ; n++) {
  const text = `Sentence number ${n} about the garden of plums.`;
  await conversation.add({ who: n % 2 === 0 ? "user" : "assistant", text });
  writeSync(1, `stored ${text}\n`);
}
