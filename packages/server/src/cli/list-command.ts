/** `mnemosyne list`: memories, or everything that was submitted. */
import { Option, type Command } from "commander";
import {
  type HistoryItem,
  InputError,
  type ListingOptions,
  type Memory,
  type Outcome,
  type Page,
  type PersonMemory,
} from "mnemosyne-edge";
import { type ShownId, readIds, shortenIds } from "./interaction-ids.js";
import { columnGap, formatTable, shorten, terminalWidth, visibleWidth } from "./layout.js";
import { type OutdatedNotes, describeOutdated } from "./outdated-notes.js";
import { describeWhy, nameOthers, paintOutcome, textOf } from "./outcome-words.js";
import { colours } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withPerson } from "./settings.js";
import { completeSuggestions } from "./suggested-command.js";
import { formatMoment, print, printJson } from "./terminal.js";

const outcomes: Outcome[] = ["committed", "paired", "discarded", "replaced", "pruned", "queued", "open"];
const textWidthMin = 20;
/** What needs no reason. */
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
      checkListOptions(options);
      if (options.history === true || options.outcome !== undefined) return listHistory(settings, options);
      const { memories, outdated, shownId } = await withPerson(settings, async (person) => {
        const listed = await person.list({ outdated: options.current !== true, ...partOf(options) });
        if (settings.json === true) return { memories: listed, outdated: new Map<string, string>(), shownId: String };
        const shown = await idsShown(person, options);
        const notes = await describeOutdated(person, listed, settings.timeZone, shown);
        return { memories: listed, outdated: notes, shownId: shown };
      });
      if (settings.json === true) return printPage(memories, options);
      if (memories.length === 0) return print(completeSuggestions(noMemories, command));
      print(formatMemories(memories, outdated, shownId, settings.timeZone));
      printCursor(memories);
    });
}

function partOf({ limit, cursor, ...options }: ListOptions): ListingOptions & ReturnType<typeof readSelection> {
  const page = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
  return { ...page, ...readSelection(options) };
}

async function idsShown(person: PersonMemory, { ids }: ListOptions): Promise<ShownId> {
  return ids === true ? String : shortenIds(await readIds(person));
}

/** With a limit there may be more, and the cursor has to be said. */
function printPage<T>(page: Page<T>, { limit }: ListOptions): void {
  printJson(limit === undefined ? page : { entries: page, nextCursor: page.nextCursor });
}

/** On a line of its own, so that it can be copied however long it is. */
function printCursor({ nextCursor }: Page<unknown>): void {
  if (nextCursor !== null) print(colours.dim(`more: --cursor ${nextCursor}`));
}

/** What is outdated is a memory; other interactions are neither current nor outdated. */
function checkListOptions({ current, history, outcome }: ListOptions): void {
  if (current !== true || (history !== true && outcome === undefined)) return;
  throw new InputError("option_invalid", "list takes --current, or --history and --outcome, not both");
}

const noMemories = "No memories yet. `mnemosyne list --history` shows what was submitted.";

function formatMemories(
  memories: readonly Memory[],
  outdated: OutdatedNotes,
  shownId: ShownId,
  timeZone: string | undefined,
): string {
  const rows = memories.map(({ id, at }) => [shownId(id), formatMoment(at, timeZone)]);
  const header = ["memory", "when"];
  const room = roomBeside(header, rows);
  return formatTable(
    [...header, "summary"],
    memories.map(({ id, pairId, summary, updates }, i) => [
      ...rows[i]!,
      [
        shorten(summary, room),
        ...(pairId === null ? [] : [colours.magenta(`says the same as ${shownId(pairId)}`)]),
        ...(updates.length === 0 ? [] : [colours.dim(`updates ${updates.map(shownId).join(" and ")}`)]),
        ...(outdated.has(id) ? [colours.yellow(outdated.get(id)!)] : []),
      ].join("\n"),
    ]),
  );
}

/** Columns that are left for the text. */
function roomBeside(header: readonly string[], rows: readonly (readonly string[])[]): number {
  const widths = header.map((title, i) => Math.max(...[title, ...rows.map((row) => row[i]!)].map(visibleWidth)));
  return Math.max(textWidthMin, terminalWidth() - widths.reduce((sum, width) => sum + width + columnGap, 0));
}

async function listHistory(settings: Settings, options: ListOptions): Promise<void> {
  const { timeZone } = settings;
  const { outcome } = options;
  await withPerson(settings, async (person) => {
    const chosen = outcome === undefined ? {} : { outcomes: [outcome] };
    const items = await person.history({ ...chosen, ...partOf(options) });
    if (settings.json === true) return printPage(items, options);
    const shownId = await idsShown(person, options);
    const outdated = await describeOutdated(person, items, timeZone, shownId);
    const naming = await nameOthers(person, items, timeZone, shownId);
    const describe = (item: HistoryItem): string =>
      [describeWhy(item, naming), ...(outdated.has(item.id) ? [outdated.get(item.id)!] : [])].join("; ");
    print(formatHistory(items, shownId, timeZone, describe));
    printCursor(items);
  });
}

function formatHistory(
  items: readonly HistoryItem[],
  shownId: ShownId,
  timeZone: string | undefined,
  describe: (item: HistoryItem) => string,
): string {
  if (items.length === 0) return "There are none.";
  const rows = items.map((item) => [shownId(item.id), formatMoment(item.at, timeZone), paintOutcome(item.outcome)]);
  const header = ["interaction", "when", "outcome"];
  const room = roomBeside(header, rows);
  return formatTable(
    [...header, "text, and why"],
    items.map((item, i) => {
      const why = describe(item);
      return [...rows[i]!, shorten(textOf(item), room) + (why === plainlyKept ? "" : `\n${colours.dim(why)}`)];
    }),
  );
}
