/** `mnemosyne stats`: counts and sizes. */
import type { Command } from "commander";
import type { PersonStatistics } from "mnemosyne-edge";
import { formatTable } from "./layout.js";
import { heading } from "./paint.js";
import { type Settings, withMnemosyne } from "./settings.js";
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
      if (statistics.length === 0) {
        return print("This database is empty. Add a memory with `mnemosyne commit`.");
      }
      const header = ["person", "memories", "edges", "pairs", "discarded", "gone", "queued", "bytes", "latest"];
      print(
        formatTable(
          header,
          statistics.map((person) => describePerson(person, settings)),
        ),
      );
    });
}

function describePerson(person: PersonStatistics, { timeZone }: Settings): string[] {
  const { outcomes, memoryCount, edgeCount, pairCount, bytesInMemory, lastAt } = person;
  const gone = (outcomes.replaced ?? 0) + (outcomes.pruned ?? 0);
  const counts = [memoryCount, edgeCount, pairCount, outcomes.discarded ?? 0, gone, outcomes.queued ?? 0];
  const latest = lastAt === null ? "" : formatMoment(lastAt, timeZone);
  return [person.person, ...counts.map(String), formatBytes(bytesInMemory), latest];
}
