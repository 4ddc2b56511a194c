/** `mnemosyne stats`: counts and sizes. */
import type { Command } from "commander";
import type { PersonStatistics } from "mnemosyne-edge";
import { formatTable } from "./layout.js";
import { heading } from "./paint.js";
import { type Settings, withMnemosyne } from "./settings.js";
import { completeSuggestions } from "./suggested-command.js";
import { formatBytes, formatMoment, print, printJson, printWrapped } from "./terminal.js";

export function addStatsCommand(program: Command): void {
  program
    .command("stats")
    .description("show counts and sizes, for everybody or for --person")
    .addHelpText("after", "\nExample:\n  mnemosyne --path mnemosyne.db stats")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const isOne = command.parent?.getOptionValueSource("person") === "cli";
      const { description, statistics } = await withMnemosyne(settings, async (mnemosyne) => ({
        description: await mnemosyne.describe(),
        statistics: await Promise.all(
          (isOne ? [settings.person] : await mnemosyne.persons()).map((name) => mnemosyne.person(name).statistics()),
        ),
      }));
      if (settings.json === true) return printJson({ ...description, persons: statistics });
      const { store, embedder } = description;
      const size = `${formatBytes(store.byteCount)}${store.encrypted ? ", encrypted" : ""}`;
      printWrapped(`${heading(store.location)}  ${size}, embedder ${embedder.name}`);
      const [first] = statistics;
      if (first === undefined) {
        return print(completeSuggestions("This database is empty. Add a memory with `mnemosyne commit`.", command));
      }
      const header = columnsOf(first, settings).map(([name]) => name);
      const rows = statistics.map((person) => columnsOf(person, settings).map(([, value]) => String(value)));
      print(formatTable(header, rows));
    });
}

function columnsOf(person: PersonStatistics, { timeZone }: Settings): (readonly [string, string | number])[] {
  const { outcomes, bytesInMemory, lastAt } = person;
  return [
    ["person", person.person],
    ["memories", person.memoryCount],
    ["refined", person.refinedCount],
    ["edges", person.edgeCount],
    ["pairs", person.pairCount],
    ["boosted", person.boostedEdgeCount],
    ["discarded", outcomes.discarded ?? 0],
    ["gone", (outcomes.replaced ?? 0) + (outcomes.pruned ?? 0)],
    ["queued", outcomes.queued ?? 0],
    ["in memory", formatBytes(bytesInMemory)],
    ["latest", lastAt === null ? "" : formatMoment(lastAt, timeZone)],
  ];
}
