/** Everything the memory does without a model, once: commit, settle, recall, core summary, export, import, forget. */
import { Mnemosyne } from "mnemosyne-edge";

const mnemosyne = await Mnemosyne.open({ path: process.argv[2] });
const ada = mnemosyne.person("ada");
await ada.commit({ id: "lisbon", turns: [{ who: "user", text: "I moved to Lisbon for the job at the aquarium." }] });
await ada.commit({ id: "allergy", turns: [{ who: "user", text: "The doctor says I am allergic to penicillin." }] });
await ada.settled();
const { context } = await ada.recall("What is Ada allergic to?");
const { updatedAt } = await ada.coreSummary({ update: true });
const lines = [];
for await (const line of ada.export()) lines.push(line);
const { mode } = await mnemosyne.person("bea").import(lines);
const { forgotten } = await ada.forget("lisbon");
await mnemosyne.close();
process.stdout.write(
  JSON.stringify({
    recalled: context.includes("penicillin"),
    core: updatedAt !== null,
    mode,
    forgotten,
  }),
);
