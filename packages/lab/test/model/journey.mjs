/** Six interactions of a journey through the public API, with a model in every step, and a question at the end. */
import { readFileSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";

const journey = JSON.parse(
  readFileSync(new URL("../../benchmarks/journeys/stroke-rehab.json", import.meta.url), "utf8"),
);
const interactionCount = 6;

/** The first interactions, and a question that the very first one answers. */
export const interactions = journey.interactions.slice(0, interactionCount);
const ids = new Set(interactions.map(({ id }) => id));
const question = journey.queries.find(({ gold }) => gold.every((id) => ids.has(id)));

/** Slow devices get enough time; the test checks what a model does, not how fast it is. */
const parameters = { modelTimeBudgetSeconds: 1800, modelRestSeconds: 0, coreSummaryIntervalCommits: 1000 };

export function openJourney(languageModel) {
  return Mnemosyne.open({
    path: ":memory:",
    profile: "healthcare",
    timeZone: journey.person.timezone,
    languageModel,
    parameters,
  });
}

/** The outcome of every interaction, what the model did in every step, and what recall finds afterwards. */
export async function liveThroughJourney(languageModel, write) {
  const mnemosyne = await openJourney(languageModel);
  try {
    const person = mnemosyne.person("journey");
    const runningCounts = await commitAll(mnemosyne, person, write);
    const [first, second] = [await writeCore(person, write), await writeCore(person, write)];
    const history = await person.history();
    return {
      faults: findFaults(history, await person.list(), await person.check()),
      outcomes: history.map(({ outcome }) => outcome),
      labels: interactions.map(({ substantial }) => substantial),
      steps: [...history.flatMap(({ trace }) => trace.languageModel.steps), first, second],
      runningCounts,
      recall: await ask(person),
    };
  } finally {
    await mnemosyne.close();
  }
}

/** Adds the last interaction turn by turn, so that there is a running summary; commits the others whole. */
async function commitAll(mnemosyne, person, write) {
  for (const { id, at, turns } of interactions.slice(0, -1)) {
    write(`interaction ${id} …\n`);
    await person.commit({ id, at, turns });
    await person.settled();
  }
  const { id, at, turns } = interactions.at(-1);
  write(`interaction ${id}, turn by turn …\n`);
  const before = (await mnemosyne.describe()).languageModel.counts;
  const conversation = await person.conversation({ id, at });
  for (const turn of turns) {
    await conversation.add(turn);
    if (turn.who === "user") await conversation.summary();
  }
  const after = (await mnemosyne.describe()).languageModel.counts;
  await conversation.end();
  await person.settled();
  return Object.fromEntries(Object.keys(after).map((how) => [how, after[how] - before[how]]));
}

async function writeCore(person, write) {
  write("core summary …\n");
  const { trace } = await person.coreSummary({ update: true });
  return trace.languageModel.steps[0];
}

/** No interaction may be lost, changed or stored twice, whatever a model says. */
function findFaults(history, memories, violations) {
  const faults = [...violations];
  for (const { id, turns } of interactions) {
    const entries = history.filter((entry) => entry.id === id);
    if (entries.length !== 1) faults.push(`interaction ${id} is in the history ${entries.length} times`);
    else if (JSON.stringify(entries[0].turns) !== JSON.stringify(turns)) faults.push(`interaction ${id} was changed`);
    const memoryCount = memories.filter((memory) => memory.id === id).length;
    const isMemory = ["committed", "paired"].includes(entries[0]?.outcome);
    if (memoryCount !== (isMemory ? 1 : 0)) faults.push(`interaction ${id} has ${memoryCount} memories`);
  }
  if (history.length !== interactions.length) faults.push(`the history has ${history.length} interactions`);
  const waiting = history.filter(({ outcome }) => outcome === "queued" || outcome === "open");
  return [...faults, ...waiting.map(({ id }) => `interaction ${id} still waits`)];
}

async function ask(person) {
  const { memories } = await person.recall(question.query, { at: question.at, seed: 1 });
  const found = memories.map(({ id }) => id);
  return { query: question.query, found, rank: found.findIndex((id) => question.gold.includes(id)) + 1 };
}
