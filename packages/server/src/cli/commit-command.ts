/** `mnemosyne commit` and `correct`: submit an interaction and say what became of it. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withoutByteOrderMark } from "mnemosyne-edge/internal/files/byte-order-mark.js";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  type CommitResult,
  type HistoryItem,
  InputError,
  type InteractionInput,
  type Metadata,
  type PersonMemory,
  type Turn,
} from "mnemosyne-edge";
import { resolveId, resolveIds } from "./interaction-ids.js";
import { shorten, terminalWidth, visibleWidth, wrap } from "./layout.js";
import {
  type Naming,
  describeFailures,
  describeRelations,
  describeScores,
  describeWhy,
  nameOthers,
  paintOutcome,
  textOf,
} from "./outcome-words.js";
import { colours } from "./paint.js";
import { collectMetadata } from "./selection-options.js";
import { type Settings, withPerson } from "./settings.js";
import { suggest } from "./suggested-command.js";
import { print, printJson, printWrapped } from "./terminal.js";

/** How an interaction is told of. */
interface Circumstances {
  readonly at?: string;
  readonly id?: string;
  readonly state?: string;
}

interface CommitOptions extends Circumstances {
  readonly turns?: string;
  readonly keep?: boolean;
  readonly updates?: readonly string[];
  readonly metadata?: Metadata;
  readonly expires?: string;
  readonly explain?: boolean;
}

export function addCommitCommand(program: Command): void {
  const commit = program
    .command("commit [text]")
    .description("submit an interaction: a text (- reads standard input), or a conversation with --turns")
    .option(
      "--turns <json>",
      'turns: a JSON file, - for standard input, or JSON such as [{ "who": "user", "text": "…" }]',
    )
    .option("--keep", "make a memory of it, whatever it says")
    .option("--updates <id>", "an earlier interaction that it makes outdated; repeat for more", collectId)
    .option(
      "--metadata <key=value>",
      "what to filter it by later; key=a,b is a list, or JSON; repeat for more",
      collectMetadata,
    )
    .option("--expires <time>", "when it is forgotten; never by default")
    .option("--explain", "also print the scores that decided");
  addCircumstances(commit)
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne commit "Knee bends to 95 degrees now, pain 3 of 10 on the stairs."
  mnemosyne commit --at 2025-01-08T09:15:00Z --turns talk.json
  mnemosyne commit "The invoice is paid." --metadata tags=billing,done
  mnemosyne commit "The knee bends to 110 degrees now." --updates 20250108-0915
  echo "Ada moved to Lisbon for a new job." | mnemosyne commit -`,
    )
    .action(async (text: string | undefined, options: CommitOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const input = readInteraction(text, options);
      const submit = async (memory: PersonMemory): Promise<Submitted> => {
        const { updates } = options;
        const links = updates === undefined ? {} : { updates: await resolveIds(memory, updates) };
        return follow(memory, memory.commit({ ...input, ...links }, { wait: true }), settings);
      };
      report(await withPerson(settings, submit, "new or existing"), command, options.explain === true);
    });

  const correct = program
    .command("correct <id> <text>")
    .description("replace what an interaction says; the earlier one becomes outdated");
  addCircumstances(correct)
    .addHelpText(
      "after",
      `
The earlier interaction stays, with its date, for questions about that time;
\`mnemosyne forget\` removes it.

Example:
  mnemosyne correct 20250108-0915 "It is the left knee, not the right one."`,
    )
    .action(async (id: string, text: string, options: Circumstances, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const correct = async (memory: PersonMemory): Promise<Submitted> =>
        follow(memory, memory.correct(await resolveId(memory, id), text, options), settings);
      report(await withPerson(settings, correct), command);
    });
}

export function addUnlinkCommand(program: Command): void {
  program
    .command("unlink <id> <outdated-id>")
    .description("take back that an interaction made an earlier one outdated: both hold")
    .addHelpText("after", "\nExample:\n  mnemosyne unlink 20250301-1000 20250108-0915")
    .action(async (typedId: string, typedOutdatedId: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const unlinked = await withPerson(settings, async (memory) => {
        const id = await resolveId(memory, typedId);
        const outdatedId = await resolveId(memory, typedOutdatedId);
        await memory.unlink(id, outdatedId);
        return { id, outdatedId };
      });
      if (settings.json === true) printJson(unlinked);
      else printWrapped(`${unlinked.outdatedId} holds again`);
    });
}

function addCircumstances(command: Command): Command {
  return command
    .option("--at <time>", "when it took place, e.g. 2025-01-08T09:15:00Z, or without Z in --time-zone; now by default")
    .option("--id <id>", "your own id; the same id twice is stored once")
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"');
}

function collectId(id: string, others: readonly string[] = []): readonly string[] {
  return [...others, id];
}

interface Submitted {
  readonly result: CommitResult;
  readonly item: HistoryItem;
  readonly naming: Naming;
}

async function follow(
  memory: PersonMemory,
  submitted: Promise<CommitResult>,
  { timeZone }: Settings,
): Promise<Submitted> {
  const result = await submitted;
  const [item] = await memory.history({ ids: [result.id] });
  return { result, item: item!, naming: await nameOthers(memory, [item!], timeZone) };
}

function report({ result, item, naming }: Submitted, command: Command, isExplained = false): void {
  const { json } = command.optsWithGlobals<Settings>();
  const { id, isNew, outcome } = result;
  if (json === true) return printJson({ ...result, trace: item.trace });
  if (!isNew) return printWrapped(`${colours.yellow("already stored")} ${id} (${outcome}); nothing changed`);
  print(describeOutcome(item, naming));
  if (isExplained) {
    for (const line of [describeScores(item.trace), ...describeRelations(item.trace)]) print(wrap(line, "  "));
  }
  if (outcome !== "discarded") return;
  print(colours.dim(wrap("it stays in the history; to make it a memory all the same:", "  ")));
  print(colours.dim(`  ${suggest(command, `restore ${id}`)}`));
}

function readInteraction(text: string | undefined, options: CommitOptions): InteractionInput {
  const { turns, at, id, state, keep, updates, metadata, expires } = options;
  if ((text === undefined) === (turns === undefined)) {
    throw new InputError("interaction_invalid", "commit needs either a text or --turns; see `mnemosyne commit --help`");
  }
  if (text !== undefined && looksLikeTurns(text)) {
    throw new InputError("interaction_invalid", "this text is a list of turns; pass it with --turns");
  }
  return {
    ...(turns === undefined ? { summary: text === "-" ? readText(0) : text! } : { turns: readTurns(turns) }),
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
    ...(state === undefined ? {} : { state }),
    ...(keep === undefined ? {} : { keep }),
    ...(updates === undefined ? {} : { updates }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
}

function readTurns(source: string): Turn[] {
  const json = source.trimStart().startsWith("[") ? source : readSource(source);
  try {
    return JSON.parse(json) as Turn[];
  } catch (cause) {
    // The parser's own words would repeat what was said.
    throw new InputError("interaction_invalid", "turns are not JSON", { cause });
  }
}

/** A file, or standard input. */
function readSource(source: string): string {
  try {
    return readText(source === "-" ? 0 : source);
  } catch (cause) {
    throw new InputError("interaction_invalid", `turns in ${describeUnreadable(source, cause)}`, { cause });
  }
}

function readText(source: string | 0): string {
  return withoutByteOrderMark(readFileSync(source, "utf8"));
}

/** Turns passed as a text would become a memory of their own JSON. */
function looksLikeTurns(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((turn) => typeof turn === "object" && turn !== null && "text" in turn);
  } catch {
    return false;
  }
}

const indent = "  ";
const textWidthMin = 20;

/** What became of an interaction and why, then its id and what was said. */
export function describeOutcome(item: HistoryItem, naming: Naming): string {
  const said = `${item.id}  `;
  const room = Math.max(textWidthMin, terminalWidth() - indent.length - visibleWidth(said));
  return [
    paintOutcome(item.outcome, wrap(describeWhy(item, naming), "", "  ")),
    wrap(said + colours.dim(shorten(textOf(item), room)), indent, indent, terminalWidth()),
    ...describeFailures(item.trace),
  ].join("\n");
}
