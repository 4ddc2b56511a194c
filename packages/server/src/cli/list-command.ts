/** `mnemosyne list`: memories, or everything that was submitted. */
import { Option, type Command } from "commander";
import { type HistoryItem, InputError, type Memory, type Outcome } from "mnemosyne-edge";
import { isOutdated } from "../server/outdated-memory.js";
import { flatten, formatTable, shorten } from "./layout.js";
import { paintOutcome, textOf } from "./outcome-words.js";
import { colours } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withPerson } from "./settings.js";
import { formatMoment, print, printJson } from "./terminal.js";

const outcomes: Outcome[] = ["committed", "paired", "discarded", "forgetAsked", "replaced", "pruned", "queued", "open"];
/** The beginning of a long text is enough to know it by. */
const textWidthMax = 200;

interface ListOptions extends SelectionOptions {
  readonly current?: boolean;
  readonly history?: boolean;
  readonly outcome?: Outcome;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addListCommand(program: Command): void {
  const list = program
    .command("list")
    .description("list memories, oldest first")
    .option("--current", "leave out memories that later ones made outdated")
    .option("--history", "list every submitted interaction, with its outcome and why")
    .addOption(new Option("--outcome <outcome>", "list only interactions with this outcome").choices(outcomes))
    .option("--limit <n>", "list at most so many, 1 to 1,000; a cursor for the rest is printed", parseWholeNumber)
    .option("--cursor <cursor>", "go on where an earlier list ended");
  addSelectionOptions(list)
    .addHelpText(
      "after",
      "\nExamples:\n  mnemosyne list --filter tags=billing --from 2025-03-01\n  mnemosyne list --history --outcome discarded --limit 50",
    )
    .action(async (options: ListOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { current = false, history, outcome, filter, from, to, ...part } = options;
      const isHistory = history === true || outcome !== undefined;
      if (current && isHistory) {
        throw new InputError("option_invalid", "list takes --current, or --history and --outcome, not both");
      }
      const which = { ...part, ...readSelection({ filter, from, to }) };
      await withPerson(settings, async (person) => {
        const page = isHistory
          ? await person.history({ ...which, ...(outcome === undefined ? {} : { outcomes: [outcome] }) })
          : await person.list({ ...which, outdated: !current });
        // With a limit there may be more, and the cursor has to be said.
        if (settings.json === true) {
          return printJson(part.limit === undefined ? page : { entries: page, nextCursor: page.nextCursor });
        }
        const rows = page.map((item) => describeItem(item, settings));
        if (rows.length > 0) print(formatTable(["id", "when", "what"], rows));
        else print(isHistory ? "There are none." : "No memories; `mnemosyne list --history` shows what was submitted.");
        // On a line of its own, so that it can be copied however long it is.
        if (page.nextCursor !== null) print(colours.dim(`more: --cursor ${page.nextCursor}`));
      });
    });
}

function describeItem(item: Memory | HistoryItem, { timeZone }: Settings): string[] {
  const { id, at, updates } = item;
  const notes = [
    ...("pairId" in item && item.pairId !== null ? [colours.magenta(`says the same as ${item.pairId}`)] : []),
    ...("outcome" in item ? [paintOutcome(item.outcome, item.reason)] : describeUpdates(updates)),
    ...describeOutdated(item),
  ];
  const text = "outcome" in item ? textOf(item) : item.summary;
  return [id, formatMoment(at, timeZone), [shorten(flatten(text), textWidthMax), ...notes].join("\n")];
}

function describeUpdates(updates: readonly string[] | null): string[] {
  return updates === null || updates.length === 0 ? [] : [colours.dim(`updates ${updates.join(" and ")}`)];
}

/** What no longer holds: all of it, or some of its statements, and because of which. */
export function describeOutdated(item: Memory | HistoryItem): string[] {
  const by = item.outdatedBy ?? [];
  if (by.length === 0) return [];
  if (!("statements" in item)) return [colours.yellow(`something in it ended by ${by.join(" and ")}`)];
  if (isOutdated(item)) return [colours.yellow(`outdated by ${by.join(" and ")}`)];
  const ended = item.statements.filter(({ endedAt }) => endedAt !== null);
  return ended.map(({ id, endedBy }) => colours.yellow(`${id} ended by ${endedBy.join(" and ")}`));
}
