/** `mnemosyne demo --long`: everything that was not simply kept, and each answer in full. */
import type { PersonMemory } from "mnemosyne-edge";
import { describeOutcome } from "../commit-command.js";
import { wrap } from "../layout.js";
import { nameOthers } from "../outcome-words.js";
import { colours, heading } from "../paint.js";
import { explainRecall, findOutdated, listRecalled } from "../recall-command.js";
import { formatMoment, print, printWrapped } from "../terminal.js";
import { type Journey, type Stop, replay, saidUntil, stops } from "./journey.js";

const legend =
  "Each conversation becomes a memory; two kinds are listed below. Discarded: small talk, kept only in the history. Paired: it " +
  "repeats an older memory, which makes both easier to recall.";

export async function showLongDemo(journey: Journey, memory: PersonMemory): Promise<void> {
  print(`\n${wrap(legend)}\n`);
  let fromIndex = 0;
  for (const stop of stops) {
    fromIndex += await replayUntil(stop.at, fromIndex, journey, memory);
    await ask(stop, memory);
  }
  await showResult(memory);
}

/** Commits what was said up to a moment, and lists what did not simply become a memory. */
async function replayUntil(at: string, fromIndex: number, journey: Journey, memory: PersonMemory): Promise<number> {
  const { timezone } = journey.person;
  const coming = saidUntil(at, fromIndex, journey);
  print(`${heading(`Until ${formatMoment(at, timezone)}`)}  ${colours.dim(`${coming.length} conversations`)}`);
  const items = (await replay(coming, journey, memory)).filter(({ outcome }) => outcome !== "committed");
  const naming = await nameOthers(memory, items, timezone);
  print(
    items.length === 0
      ? colours.dim("all became memories")
      : items.map((item) => describeOutcome(item, naming)).join("\n"),
  );
  print();
  return coming.length;
}

async function ask({ at, question, note, explain = false }: Stop, memory: PersonMemory): Promise<void> {
  const recall = await memory.recall(question, { at, seed: 7, tokenBudget: 600 });
  printWrapped(`${colours.cyan("?")} ${heading(question)} ${colours.dim(`(${note})`)}`);
  print(explain ? explainRecall(recall) : listRecalled(recall, await findOutdated(recall, memory)));
  print();
}

async function showResult(memory: PersonMemory): Promise<void> {
  const { memoryCount, edgeCount, pairCount, boostedEdgeCount, outcomes } = await memory.statistics();
  print(heading("After half a year"));
  const counts =
    `${memoryCount} memories, ${edgeCount} edges, ${pairCount} pairs, ${boostedEdgeCount} boosted edges; ` +
    `${outcomes.discarded ?? 0} conversations without substance were discarded, ${outcomes.replaced ?? 0} repetitions replaced`;
  print(wrap(counts, "  "));
  print(`\n${heading("Core summary")}${colours.dim("  always in the context")}`);
  print(wrap((await memory.coreSummary()).text, "  "));
}
