// What every runtime has to do, as a program in ES modules and one in CommonJS: commit, recall and forget, in memory and in
// an SQLite file. It prints what ran the embedder, or fails.

/** Its text is the body of both programs, so it may use nothing from outside. */
async function remember(Mnemosyne) {
  const { WAY: way = "", STORES: stores = ":memory:,ada.db" } = process.env;
  const how = way === "" ? {} : way === "lite" ? { lite: true } : { embedder: way };
  const ways = new Set();
  for (const path of stores.split(",")) {
    const mnemosyne = await Mnemosyne.open({ path, ...how });
    const ada = mnemosyne.person("ada");
    const id = `move-${Math.random()}`;
    const turns = [{ who: "user", text: "I moved to Lisbon for the job at the aquarium." }];
    await ada.commit({ id, turns });
    await ada.settled();
    const question = "Where does Ada live and work?";
    const { context } = await ada.recall(question);
    if (!context.includes("Lisbon")) throw new Error(`${path} does not recall what was committed: ${context}`);
    await ada.forget(id);
    const left = await ada.recall(question);
    if (left.context.includes("Lisbon")) throw new Error(`${path} recalls what was forgotten: ${left.context}`);
    ways.add((await mnemosyne.describe()).embedderRuntime);
    await mnemosyne.close();
  }
  process.stdout.write(`remembered with ${[...ways].join("; ")}\n`);
}

/** By the end of the file's name. */
export const programs = {
  mjs: `import { Mnemosyne } from "mnemosyne-edge";\n${remember}\nawait remember(Mnemosyne);\n`,
  cjs: `const { Mnemosyne } = require("mnemosyne-edge");
${remember}
remember(Mnemosyne).catch((error) => {
  process.stderr.write(\`\${error.stack}\\n\`);
  process.exit(1);
});
`,
};
