/** `mnemosyne demo`: replays a care journey in a minute, and asks about it at different moments. */
import type { Command } from "commander";
import { shownPath } from "../database.js";
import { describeChoice, requireLanguageModel } from "../language-model-settings.js";
import { wrap } from "../layout.js";
import { colours, heading } from "../paint.js";
import { type Settings, findModel, openMnemosyne } from "../settings.js";
import { print } from "../terminal.js";
import { UnusableLanguageModel } from "../unusable-model.js";
import { demoPath, readJourney } from "./journey.js";
import { showLongDemo } from "./long-demo.js";
import { showShortDemo } from "./short-demo.js";

export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description("see it at work: replay a care journey and ask about it")
    .option("--long", "show every conversation that was not simply kept, and each answer in full")
    .addHelpText("after", "\nExample:\n  mnemosyne demo --long")
    .action(async ({ long = false }: { long?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const isOwnPath = command.parent?.getOptionValueSource("path") === "cli";
      await runDemo({ ...settings, path: isOwnPath ? settings.path : demoPath }, long);
    });
}

async function runDemo(settings: Settings, isLong: boolean): Promise<void> {
  const journey = readJourney();
  const { name, age, condition, timezone } = journey.person;
  const person = name.split(" ")[0]!.toLowerCase();
  print(heading("Mnemosyne: half a year with an assistant that remembers"));
  print(wrap(`${name}, ${age}, an invented person, talks to a care assistant.${isLong ? ` ${condition}` : ""}`));
  const languageModel = findModel(settings);
  const isHelped = languageModel !== null && !(languageModel instanceof UnusableLanguageModel);
  const help = isHelped
    ? `with the language model ${describeChoice(requireLanguageModel(settings))}`
    : "no server, no model, no network";
  const where = `${journey.interactions.length} conversations go into ${shownPath(settings.path)}; ${help}.`;
  print(colours.dim(wrap(where)));
  const mnemosyne = await openMnemosyne(settings, {
    profile: "healthcare",
    timeZone: timezone,
    ...(languageModel === null ? {} : { languageModel }),
  });
  try {
    const memory = mnemosyne.person(person);
    await (isLong ? showLongDemo : showShortDemo)(journey, memory);
  } finally {
    await mnemosyne.close();
  }
  printNextSteps(shownPath(settings.path), person, timezone, isLong);
}

/** The shell lines are to be copied, so they are not wrapped. */
function printNextSteps(path: string, person: string, timeZone: string, isLong: boolean): void {
  print(`\n${heading("Next steps")}`);
  print(`  export MNEMOSYNE_PATH=${path} MNEMOSYNE_PERSON=${person}`);
  print(`  export MNEMOSYNE_PROFILE=healthcare MNEMOSYNE_TIME_ZONE=${timeZone}`);
  const steps = {
    'recall "What helps me sleep?" --at 2025-07-14 --explain': "why",
    "list --history --outcome discarded": "nothing you submit is lost",
    ...(isLong ? { graph: "the memory graph", core: "what lasts" } : { "demo --long": "the same in full" }),
    ...(isLong ? { "forget --all": "gone for good" } : {}),
    tutorial: "your own, in two minutes",
  };
  for (const [command, note] of Object.entries(steps)) print(`  npx mnemosyne ${command}  ${colours.dim(`# ${note}`)}`);
}
