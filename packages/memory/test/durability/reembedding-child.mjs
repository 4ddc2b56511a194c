/** Embeds a database again and is killed, by itself, in the middle of a person's memories. */
import { Mnemosyne } from "mnemosyne-edge";
import { HashingEmbedder } from "./hashing-embedder.mjs";
import { laboratory } from "./laboratory.mjs";

const { open, person } = JSON.parse(process.argv[2]);
const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });

await Mnemosyne.reembed(laboratory({ ...open, embedder }), (step) => {
  if (step.person === person && step.doneCount * 2 > step.totalCount) process.kill(process.pid, "SIGKILL");
});
