/** `recall --explain` in words: what the question asks for, and what became of the core summary. */
import { Mnemosyne, type Recall } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { explainRecall } from "../../src/cli/recall-command.js";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";

async function ask(question: string): Promise<Recall> {
  const memories = await Mnemosyne.open(laboratory({ path: ":memory:", judge: false }));
  try {
    const ada = memories.person("ada");
    await ada.commit({ turns: [{ who: "user", text: "I planted an oak and an ash behind the house." }] });
    await ada.settled();
    return await ada.recall(question, { seed: 1 });
  } finally {
    await memories.close();
  }
}

it("says what several things a question asks for, and nothing of the kind for one thing", async () => {
  expect(explainRecall(await ask("Which trees did I plant?"))).toContain(
    "asks for several things (list): more memories, less of each",
  );
  expect(explainRecall(await ask("Where is the oak?"))).not.toContain("several things");
});

it.each([
  ["included", ", core summary;"],
  ["shortened", ", core summary shortened;"],
  ["none yet", ", no core summary (none yet);"],
  ["beyond the budget", ", no core summary (beyond the budget);"],
] as const)("a core summary that is %s", async (coreSummary, said) => {
  const recall = await ask("Where is the oak?");
  const context = { ...recall.trace.context, coreSummary };
  expect(explainRecall({ ...recall, trace: { ...recall.trace, context } })).toContain(said);
});
