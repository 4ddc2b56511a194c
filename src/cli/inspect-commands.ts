/** `mnemosyne list`, `show`, `stats`, `parameters`: what is in the memory. */
import { Option, type Command } from "commander";
import {
  type HistoryItem,
  InputError,
  type ListingOptions,
  type Outcome,
  type Page,
  type ParameterDefinition,
  parameterDefinitions,
  parseParameters,
} from "../index.js";
import { describeFailures, describeScores, describeSteps, paintOutcome } from "./commit-command.js";
import { describeOutdated } from "./outdated-notes.js";
import { type SelectionOptions, addSelectionOptions, describeMetadata, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withMnemosyne, withPerson } from "./settings.js";
import {
  colours,
  flatten,
  formatBytes,
  formatMoment,
  formatNumber,
  formatTable,
  heading,
  print,
  printJson,
  shorten,
  terminalWidth,
  wrap,
} from "./terminal.js";

const outcomes: Outcome[] = ["committed", "paired", "discarded", "replaced", "pruned", "queued", "open"];

export function addInspectCommands(program: Command): void {
  addListCommand(program);
  addShowCommand(program);
  addStatsCommand(program);
  addParametersCommand(program);
}

function addListCommand(program: Command): void {
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
      checkListOptions(options);
      if (options.history === true || options.outcome !== undefined) return listHistory(settings, options);
      const { memories, outdated } = await withPerson(settings, async (person) => {
        const selection = { ...readSelection(options), ...pageOf(options) };
        const listed = await person.list({ outdated: options.current !== true, ...selection });
        return { memories: listed, outdated: await describeOutdated(person, listed, settings.timeZone) };
      });
      if (settings.json === true) return printPage(memories, options);
      const textWidth = Math.max(20, terminalWidth() - 60);
      const hasLinks = memories.some(({ id, updates }) => updates.length > 0 || outdated.has(id));
      const rows = memories.map(({ id, at, pairId, edgeCount, summary, updates }) => [
        id,
        formatMoment(at, settings.timeZone),
        String(edgeCount),
        pairId === null ? "" : colours.magenta(`⇄ ${pairId}`),
        shorten(summary, textWidth),
        ...(hasLinks ? [[...describeUpdates(updates), outdated.get(id) ?? []].flat().join(", ")] : []),
      ]);
      print(formatTable(["memory", "when", "edges", "pair", "summary", ...(hasLinks ? ["changes"] : [])], rows));
      printCursor(memories);
    });
}

interface ListOptions extends SelectionOptions {
  readonly current?: boolean;
  readonly history?: boolean;
  readonly outcome?: Outcome;
  readonly limit?: number;
  readonly cursor?: string;
}

function pageOf({ limit, cursor }: ListOptions): ListingOptions {
  return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
}

/** With a limit there may be more, and the cursor has to be said. */
function printPage<T>(page: Page<T>, { limit }: ListOptions): void {
  printJson(limit === undefined ? page : { entries: page, nextCursor: page.nextCursor });
}

function printCursor({ nextCursor }: Page<unknown>): void {
  if (nextCursor !== null) print(colours.dim(`more: --cursor ${nextCursor}`));
}

/** What is outdated is a memory; other interactions are neither current nor outdated. */
function checkListOptions({ current, history, outcome }: ListOptions): void {
  if (current !== true || (history !== true && outcome === undefined)) return;
  throw new InputError("option_invalid", "list takes --current, or --history and --outcome, not both");
}

function describeUpdates(updates: readonly string[]): string[] {
  return updates.length === 0 ? [] : [`updates ${updates.join(" and ")}`];
}

async function listHistory(settings: Settings, options: ListOptions): Promise<void> {
  const { outcome } = options;
  const { items, outdated } = await withPerson(settings, async (person) => {
    const chosen = outcome === undefined ? {} : { outcomes: [outcome] };
    const listed = await person.history({ ...chosen, ...readSelection(options), ...pageOf(options) });
    return { items: listed, outdated: await describeOutdated(person, listed, settings.timeZone) };
  });
  if (settings.json === true) return printPage(items, options);
  const textWidth = Math.max(20, terminalWidth() - 80);
  const rows = items.map((item) => [
    item.id,
    formatMoment(item.at, settings.timeZone),
    paintOutcome(item.outcome),
    shorten(item.summary ?? item.turns.map(({ text }) => text).join(" "), textWidth),
    [item.reason, ...(outdated.has(item.id) ? [outdated.get(item.id)!] : [])].join("; "),
  ]);
  print(formatTable(["interaction", "when", "outcome", "text", "why"], rows));
  printCursor(items);
}

function addShowCommand(program: Command): void {
  program
    .command("show <id>")
    .description("show one memory: text, cues, pair, edges and why it is there; or any other interaction")
    .action(async (id: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const shown = await withPerson(settings, async (person) => {
        const [item] = await person.history({ ids: [id] });
        if (item !== undefined && !isMemory(item)) return { item };
        const memory = await person.get(id);
        return { memory, outdated: (await describeOutdated(person, [memory], settings.timeZone)).get(id) };
      });
      if (settings.json === true) return printJson(shown.item ?? shown.memory);
      if (shown.item !== undefined) return print(formatHistoryItem(shown.item, settings.timeZone));
      const { memory, outdated } = shown;
      const when = `${formatMoment(memory.at, settings.timeZone)}  ${memory.naturalizedTime}`;
      print(`${heading(memory.id)}  ${when}  ${paintOutcome(memory.outcome)}`);
      if (memory.state !== null) print(colours.dim(flatten(memory.state)));
      for (const note of describeNotes(memory, settings.timeZone)) print(note);
      print(`\n${wrap(memory.summary, "  ")}\n`);
      print(`${colours.dim("keywords")}   ${flatten(memory.keywords.join(", "))}`);
      if (memory.pairId !== null) print(`${colours.dim("pair")}       ${memory.pairId}`);
      if (memory.updates.length > 0) print(`${colours.dim("updates")}    ${memory.updates.join(", ")}`);
      if (outdated !== undefined) print(colours.yellow(outdated));
      if (memory.hypotheticalQuery !== "") print(`${colours.dim("question")}   ${flatten(memory.hypotheticalQuery)}`);
      for (const statement of new Set(memory.statements))
        print(`${colours.dim("cue")}        ${shorten(statement, terminalWidth() - 11)}`);
      const rows = memory.edges.map((edge) => [edge.id, formatNumber(edge.weight, 3), formatNumber(edge.boostDays, 1)]);
      if (rows.length > 0) print(`\n${formatTable(["edge to", "weight", "boost d"], rows)}`);
      const { trace } = memory;
      print(`\n${colours.dim("why")}        ${memory.reason}`);
      const scores = describeScores(trace);
      if (scores !== "") print(`${colours.dim("scores")}     ${wrap(scores, " ".repeat(11)).trim()}`);
      for (const failures of describeFailures(trace)) print(failures);
      const steps = describeSteps(trace);
      if (steps !== "") print(`${colours.dim("model")}      ${wrap(steps, " ".repeat(11)).trim()}`);
    });
}

function describeNotes(
  { metadata, expiresAt }: Pick<HistoryItem, "metadata" | "expiresAt">,
  timeZone: string | undefined,
): string[] {
  const noted = describeMetadata(metadata);
  return [
    ...(noted === "" ? [] : [`${colours.dim("metadata")}   ${noted}`]),
    ...(expiresAt === null ? [] : [`${colours.dim("expires")}    ${formatMoment(expiresAt, timeZone)}`]),
  ];
}

function isMemory({ outcome }: HistoryItem): boolean {
  return outcome === "committed" || outcome === "paired";
}

/** An interaction that is not a memory. */
function formatHistoryItem(item: HistoryItem, timeZone: string | undefined): string {
  const { id, at, outcome, reason, state, turns, summary, trace } = item;
  const said = turns.map(({ who, text }) => wrap(`${who}: ${text}`, "  "));
  const scores = describeScores(trace);
  const steps = describeSteps(trace);
  return [
    `${heading(id)}  ${formatMoment(at, timeZone)}  ${paintOutcome(outcome)}`,
    ...(state === null ? [] : [colours.dim(flatten(state))]),
    ...describeNotes(item, timeZone),
    "",
    ...(summary === null ? [] : [wrap(summary, "  ")]),
    ...said,
    "",
    `${colours.dim("why")}  ${reason}`,
    ...(scores === "" ? [] : [`${colours.dim("scores")}  ${scores}`]),
    ...describeFailures(trace),
    ...(steps === "" ? [] : [`${colours.dim("model")}  ${steps}`]),
  ].join("\n");
}

function addStatsCommand(program: Command): void {
  program
    .command("stats")
    .description("show counts and sizes, for everybody or for --person")
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
      print(
        `${heading(store.location)}  ${formatBytes(store.byteCount)}${store.encrypted ? ", encrypted" : ""}, embedder ${embedder.name}`,
      );
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
      if (rows.length === 0) return print("This database is empty. Add a memory with `mnemosyne commit`.");
      print(
        formatTable(
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

function addParametersCommand(program: Command): void {
  program
    .command("parameters")
    .description("list every parameter: value, range, source, meaning")
    .action((_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const values = parseParameters(settings.set, settings.preset);
      const entries = Object.entries(parameterDefinitions) as [keyof typeof values, ParameterDefinition][];
      if (settings.json === true) {
        return printJson(entries.map(([name, definition]) => ({ name, value: values[name], ...definition })));
      }
      const rows = entries.map(([name, { min, max, section, meaning }]) => [
        name,
        String(values[name]),
        colours.dim(`${min} to ${max}`),
        colours.dim(section),
        meaning,
      ]);
      print(formatTable(["parameter", "value", "range", "from", "meaning"], rows));
    });
}
