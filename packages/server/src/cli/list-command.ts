/** `mnemosyne list`: memories, or everything that was submitted. */
import { Option, type Command } from "commander";
import { type HistoryItem, InputError, type Memory, type Outcome, type Page, type PersonMemory } from "mnemosyne-edge";
import { type ShownId, shownIds } from "./interaction-ids.js";
import { columnGap, formatTable, shorten, terminalWidth, visibleWidth } from "./layout.js";
import {
  type OutdatedNotes,
  describeOutdated,
  describeWhy,
  nameOthers,
  paintOutcome,
  textOf,
} from "./outcome-words.js";
import { colours } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withPerson } from "./settings.js";
import { completeSuggestions } from "./suggested-command.js";
import { formatMoment, print, printJson } from "./terminal.js";

const outcomes: Outcome[] = ["committed", "paired", "discarded", "replaced", "pruned", "queued", "open"];
const textWidthMin = 20;
/** Needs no reason. */
const plainlyKept = "kept";

interface ListOptions extends SelectionOptions {
  readonly current?: boolean;
  readonly history?: boolean;
  readonly outcome?: Outcome;
  readonly ids?: boolean;
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
    .option("--ids", "show whole ids, which forget --yes takes, not their beginnings")
    .option("--limit <n>", "list at most so many, 1 to 1,000; a cursor for the rest is printed", parseWholeNumber)
    .option("--cursor <cursor>", "go on where an earlier list ended");
  addSelectionOptions(list)
    .addHelpText(
      "after",
      "\nExamples:\n  mnemosyne list --filter tags=billing --from 2025-03-01\n  mnemosyne list --history --outcome discarded --limit 50",
    )
    .action(async (options: ListOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { current, history, outcome, ids, filter, from, to, ...part } = options;
      const isHistory = history === true || outcome !== undefined;
      if (current === true && isHistory) {
        throw new InputError("option_invalid", "list takes --current, or --history and --outcome, not both");
      }
      const which = { ...part, ...readSelection({ filter, from, to }) };
      await withPerson(settings, async (person) => {
        const page: Page<Memory | HistoryItem> = isHistory
          ? await person.history({ ...which, ...(outcome === undefined ? {} : { outcomes: [outcome] }) })
          : await person.list({ ...which, outdated: current !== true });
        // With a limit there may be more, and the cursor has to be said.
        if (settings.json === true) {
          return printJson(part.limit === undefined ? page : { entries: page, nextCursor: page.nextCursor });
        }
        const shownId = await shownIds(person, ids);
        const outdated = await describeOutdated(person, page, settings.timeZone, shownId);
        if (page.length === 0) print(isHistory ? "There are none." : completeSuggestions(noMemories, command));
        else if (isHistory) print(await formatHistory(person, page as Page<HistoryItem>, outdated, shownId, settings));
        else print(formatMemories(page as Page<Memory>, outdated, shownId, settings));
        // On a line of its own, so that it can be copied however long it is.
        if (page.nextCursor !== null) print(colours.dim(`more: --cursor ${page.nextCursor}`));
      });
    });
}

const noMemories = "No memories yet. `mnemosyne list --history` shows what was submitted.";

function formatMemories(
  memories: readonly Memory[],
  outdated: OutdatedNotes,
  shownId: ShownId,
  { timeZone }: Settings,
): string {
  const rows = memories.map(({ id, at }) => [shownId(id), formatMoment(at, timeZone)]);
  return formatBeside(["memory", "when", "summary"], rows, (i, room) => {
    const { id, summary, pairId, updates } = memories[i]!;
    return [
      shorten(summary, room),
      ...(pairId === null ? [] : [colours.magenta(`says the same as ${shownId(pairId)}`)]),
      ...(updates.length === 0 ? [] : [colours.dim(`updates ${updates.map(shownId).join(" and ")}`)]),
      ...(outdated.has(id) ? [colours.yellow(outdated.get(id)!)] : []),
    ];
  });
}

async function formatHistory(
  person: PersonMemory,
  items: readonly HistoryItem[],
  outdated: OutdatedNotes,
  shownId: ShownId,
  { timeZone }: Settings,
): Promise<string> {
  const naming = await nameOthers(person, items, timeZone, shownId);
  const rows = items.map(({ id, at, outcome }) => [shownId(id), formatMoment(at, timeZone), paintOutcome(outcome)]);
  return formatBeside(["interaction", "when", "outcome", "text, and why"], rows, (i, room) => {
    const item = items[i]!;
    const notes = [describeWhy(item, naming), ...(outdated.has(item.id) ? [outdated.get(item.id)!] : [])].join("; ");
    return [shorten(textOf(item), room), ...(notes === plainlyKept ? [] : [colours.dim(notes)])];
  });
}

/** A table whose last column takes the room that the others leave. */
function formatBeside(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  linesOf: (i: number, room: number) => readonly string[],
): string {
  const columns = header.slice(0, -1);
  const widths = columns.map((title, i) => Math.max(...[title, ...rows.map((row) => row[i]!)].map(visibleWidth)));
  const room = Math.max(textWidthMin, terminalWidth() - widths.reduce((sum, width) => sum + width + columnGap, 0));
  return formatTable(
    header,
    rows.map((row, i) => [...row, linesOf(i, room).join("\n")]),
  );
}
