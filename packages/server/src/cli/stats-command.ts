/** `mnemosyne stats`: counts and sizes. */
import type { Command } from "commander";
import { formatFoldedTable } from "./layout.js";
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
      const rows = statistics.map(
        ({
          person,
          memoryCount,
          refinedCount,
          edgeCount,
          pairCount,
          boostedEdgeCount,
          outcomes,
          bytesInMemory,
          lastAt,
        }) => [
          person,
          String(memoryCount),
          String(refinedCount),
          String(edgeCount),
          String(pairCount),
          String(boostedEdgeCount),
          String(outcomes.discarded ?? 0),
          String((outcomes.replaced ?? 0) + (outcomes.pruned ?? 0)),
          String(outcomes.queued ?? 0),
          formatBytes(bytesInMemory),
          lastAt === null ? "" : formatMoment(lastAt, settings.timeZone),
        ],
      );
      if (rows.length === 0) {
        return print(completeSuggestions("This database is empty. Add a memory with `mnemosyne commit`.", command));
      }
      print(
        formatFoldedTable(
          [
            "person",
            "memories",
            "refined",
            "edges",
            "pairs",
            "boosted",
            "discarded",
            "gone",
            "queued",
            "in memory",
            "latest",
          ],
          rows,
        ),
      );
    });
}
