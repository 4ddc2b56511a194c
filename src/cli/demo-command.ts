/** `mnemosyne demo`: replays a care journey in a minute, and asks about it at different moments. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { PersonMemory } from "../index.js";
import { describeOutcome } from "./commit-command.js";
import { shownPath } from "./database.js";
import { describeChoice, requireLanguageModel } from "./language-model-settings.js";
import { nameOthers } from "./outcome-words.js";
import { explainRecall, findOutdated, listRecalled } from "./recall-command.js";
import { type Settings, findModel, openMnemosyne } from "./settings.js";
import { shorten, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { formatMoment, print, startProgress } from "./terminal.js";
import { UnusableLanguageModel } from "./unusable-model.js";

interface Journey {
  readonly id: string;
  readonly person: {
    readonly name: string;
    readonly age: number;
    readonly condition: string;
    readonly timezone: string;
  };
  readonly states: readonly { readonly from: string; readonly to: string; readonly state: string }[];
  readonly interactions: readonly {
    readonly id: string;
    readonly at: string;
    readonly turns: readonly { readonly who: string; readonly text: string }[];
    readonly summary: string;
  }[];
}

/** Moments at which the demo stops to ask. */
const questions: readonly {
  readonly at: string;
  readonly question: string;
  readonly note: string;
  readonly explain?: boolean;
}[] = [
  {
    at: "2025-01-20T09:00:00Z",
    question: "What am I allergic to, and what did they give me for the anaemia?",
    note: "two weeks in",
  },
  {
    at: "2025-03-05T18:00:00Z",
    question: "How was the wound on the last day of February, and what has changed since?",
    note: "three weeks after the operation: time is read from the question",
    explain: true,
  },
  {
    at: "2025-07-13T10:00:00Z",
    question: "What was I hoping to do this summer, and why does it matter to me?",
    note: "half a year later",
  },
];

const demoPath = "mnemosyne-demo.db";
const demoFile = new URL("../../benchmarks/journeys/knee-replacement.json", import.meta.url);

const legend =
  "Each conversation becomes a memory; two kinds are listed below. Discarded: small talk, kept only in the history. Paired: it " +
  "repeats an older memory, which makes both easier to recall (rewound: they count as that many days younger).";

export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description("see it at work: replay a care journey and ask about it")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const isOwnPath = command.parent?.getOptionValueSource("path") === "cli";
      await runDemo({ ...settings, path: isOwnPath ? settings.path : demoPath });
    });
}

async function runDemo(settings: Settings): Promise<void> {
  const journey = JSON.parse(readFileSync(demoFile, "utf8")) as Journey;
  const { name, age, condition, timezone } = journey.person;
  const person = name.split(" ")[0]!.toLowerCase();
  print(heading("Mnemosyne: half a year with an assistant that remembers"));
  print(wrap(`${name}, ${age}, talks to a care assistant. ${condition} (An invented person.)`));
  const languageModel = findModel(settings);
  const isHelped = languageModel !== null && !(languageModel instanceof UnusableLanguageModel);
  const help = isHelped
    ? `with the language model ${describeChoice(requireLanguageModel(settings))}`
    : "no server, no model, no network";
  print(colours.dim(`${journey.interactions.length} conversations go into ${shownPath(settings.path)}; ${help}.\n`));
  print(`${wrap(legend)}\n`);
  const mnemosyne = await openMnemosyne(settings, {
    profile: "healthcare",
    timeZone: timezone,
    ...(languageModel === null ? {} : { languageModel }),
  });
  try {
    const memory = mnemosyne.person(person);
    let fromIndex = 0;
    for (const stop of questions) {
      fromIndex = await replayUntil(stop.at, fromIndex, journey, memory);
      await ask(stop, memory);
    }
    await showResult(memory);
  } finally {
    await mnemosyne.close();
  }
  printNextSteps(shownPath(settings.path), person, timezone);
}

/** Commits what was said up to a moment; returns where to continue. */
async function replayUntil(at: string, fromIndex: number, journey: Journey, memory: PersonMemory): Promise<number> {
  const rest = journey.interactions.slice(fromIndex);
  const coming = rest.filter((interaction) => interaction.at <= at);
  print(
    heading(`Until ${formatMoment(at, journey.person.timezone)}`) + colours.dim(`  ${coming.length} conversations`),
  );
  const progress = startProgress("remembering", coming.length);
  const lines: string[] = [];
  for (const [i, { id, at: when, turns, summary }] of coming.entries()) {
    const state = stateAt(journey, when);
    await memory.commit({ id, at: when, turns, summary, ...(state === undefined ? {} : { state }) });
    await memory.settled();
    const [item] = await memory.history({ ids: [id] });
    if (item!.outcome !== "committed") lines.push(`  ${describeOutcome(item!, await nameOthers(memory, [item!], journey.person.timezone)).replaceAll("\n", "\n  ")}`);
    progress.update(i + 1, shorten(summary, 40));
  }
  progress.stop();
  print(lines.length === 0 ? colours.dim("  all became memories\n") : `${lines.join("\n")}\n`);
  return fromIndex + coming.length;
}

function stateAt({ states }: Journey, at: string): string | undefined {
  const day = at.slice(0, 10);
  return states.find(({ from, to }) => from <= day && day <= to)?.state;
}

async function ask(
  { at, question, note, explain = false }: (typeof questions)[number],
  memory: PersonMemory,
): Promise<void> {
  const recall = await memory.recall(question, { at, seed: 7, tokenBudget: 600 });
  print(`${colours.cyan("?")} ${heading(question)} ${colours.dim(`(${note})`)}`);
  print(explain ? explainRecall(recall) : listRecalled(recall, await findOutdated(recall, memory)));
  print();
}

async function showResult(memory: PersonMemory): Promise<void> {
  const { memoryCount, edgeCount, pairCount, boostedEdgeCount, outcomes } = await memory.statistics();
  print(heading("After half a year"));
  print(
    `  ${memoryCount} memories, ${edgeCount} edges, ${pairCount} pairs, ${boostedEdgeCount} boosted edges; ` +
      `${outcomes.discarded ?? 0} conversations without substance were discarded, ${outcomes.replaced ?? 0} repetitions replaced`,
  );
  print(`\n${heading("Core summary")}${colours.dim("  always in the context")}`);
  print(wrap((await memory.coreSummary()).text, "  "));
}

function printNextSteps(path: string, person: string, timeZone: string): void {
  print(`\n${heading("Next steps")}`);
  print(`  export MNEMOSYNE_PATH=${path} MNEMOSYNE_PERSON=${person}`);
  print(`  export MNEMOSYNE_PROFILE=healthcare MNEMOSYNE_TIME_ZONE=${timeZone}`);
  const steps = {
    'recall "What helps me sleep?" --at 2025-07-14 --explain': "ask, and see why",
    "list --history --outcome discarded": "nothing you submit is lost",
    graph: "the memory graph",
    core: "what lasts",
    "forget --all": "gone for good",
  };
  for (const [command, note] of Object.entries(steps)) print(`  npx mnemosyne ${command}  ${colours.dim(`# ${note}`)}`);
  print(`  npx mnemosyne --help  ${colours.dim("# your own memory")}`);
}
