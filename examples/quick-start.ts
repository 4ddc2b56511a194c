import { Mnemosyne } from "mnemosyne-edge";

const mnemosyne = await Mnemosyne.open({ path: "ada.db" });
const ada = mnemosyne.person("ada");
await ada.commit("I moved to Lisbon for the job at the aquarium.");
await ada.commit("The doctor says I am allergic to penicillin.");
await ada.settled();
const { context, trace } = await ada.recall("Where do I live and work?");
process.stdout.write(`${context}\n\nReplay it with seed ${trace.seed}.\n`);
await mnemosyne.close();
