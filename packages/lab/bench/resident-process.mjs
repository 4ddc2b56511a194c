/** A program with only a memory: opens it as requested, commits and recalls what it receives, and reports how long it took. */
import { Mnemosyne } from "mnemosyne-edge";

process.once("message", async ({ path, person, options, conversations, questions }) => {
  const mnemosyne = await Mnemosyne.open({ path, timeZone: "Europe/London", ...options });
  const memory = mnemosyne.person(person);
  const time = async (work) => {
    const startMs = performance.now();
    await work();
    return performance.now() - startMs;
  };
  const firstMs = await time(() => memory.recall(questions[0], { seed: 1 }));
  // The first commit also embeds the profile's examples, once per store.
  const firstCommitMs = await time(async () => {
    await memory.commit({ turns: conversations.pop() });
    await memory.settled();
  });
  const commitMs = await time(async () => {
    for (const turns of conversations) await memory.commit({ turns });
    await memory.settled();
  });
  const recallMs = [];
  for (const question of questions) recallMs.push(await time(() => memory.recall(question, { seed: 1 })));
  process.send({
    firstMs,
    firstCommitMs,
    commitMs: commitMs / conversations.length,
    recallMs: recallMs.slice(recallMs.length / 2),
  });
  process.once("message", async () => {
    await mnemosyne.close();
    process.disconnect();
  });
});
