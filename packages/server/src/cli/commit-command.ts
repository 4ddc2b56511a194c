/** `mnemosyne commit`, `correct`, `update`, `unlink`: submit an interaction or change one, and say what became of it. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withoutByteOrderMark } from "mnemosyne-edge/internal/files/byte-order-mark.js";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  type CommitResult,
  InputError,
  type InteractionEdit,
  type InteractionInput,
  type Metadata,
  type PersonMemory,
  type Turn,
  type UpdateResult,
} from "mnemosyne-edge";
import { resolveId, resolveIds } from "./interaction-ids.js";
import { wrap } from "./layout.js";
import { describeDecision, describeOutcome } from "./outcome-words.js";
import { colours } from "./paint.js";
import { collectMetadata } from "./selection-options.js";
import { type Settings, collect, withPerson } from "./settings.js";
import { suggest } from "./suggested-command.js";
import { countOf, output, printJson, printWrapped } from "./terminal.js";

interface CommitOptions {
  readonly turns?: string;
  readonly at?: string;
  readonly id?: string;
  readonly state?: string;
  readonly keep?: boolean;
  readonly updates?: readonly string[];
  readonly metadata?: Metadata;
  readonly expires?: string;
  readonly explain?: boolean;
}

export function addCommitCommands(program: Command): void {
  const commit = program
    .command("commit [text]")
    .description("submit an interaction: a text (- reads standard input), or a conversation with --turns")
    .option("--turns <json>", 'a JSON file, - for standard input, or JSON such as [{ "who": "user", "text": "…" }]')
    .option("--keep", "make a memory of it, whatever it says")
    .option("--updates <id>", "an earlier interaction that it makes outdated; repeat for more", collect)
    .option("--metadata <key=value>", "for filters; key=a,b is a list, or JSON; repeat for more", collectMetadata)
    .option("--expires <time>", "when it is forgotten; never by default");
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
    .action((text: string | undefined, options: CommitOptions, command: Command) => {
      const input = readInteraction(text, options);
      return submit(command, options, "new or existing", async (memory) => {
        const links = options.updates === undefined ? {} : { updates: await resolveIds(memory, options.updates) };
        return memory.commit({ ...input, ...links }, { wait: true });
      });
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
    .action((typed: string, text: string, options: CommitOptions, command: Command) => {
      const { explain: _explain, ...circumstances } = options;
      return submit(command, options, "existing", async (memory) =>
        memory.correct(await resolveId(memory, typed), text, circumstances),
      );
    });

  addUpdate(program);
  addUnlink(program);
}

function addCircumstances(command: Command): Command {
  return command
    .option("--at <time>", "when it took place, e.g. 2025-01-08T09:15:00Z, or without Z in --time-zone; now by default")
    .option("--id <id>", "your own id; the same id twice is stored once")
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"')
    .option("--explain", "also print the scores that decided");
}

/** False where `--no-…` takes something away. */
interface UpdateCommandOptions {
  readonly text?: string;
  readonly metadata?: Metadata | false;
  readonly at?: string;
  readonly state?: string | false;
  readonly expires?: string | false;
}

function addUpdate(program: Command): void {
  const replaceMetadata = (pair: string, others: Metadata | boolean | undefined): Metadata =>
    collectMetadata(pair, typeof others === "object" ? others : {});
  program
    .command("update <id>")
    .description("change an interaction in place; what it was stays as one of its versions")
    .option("--text <text>", "what the user said instead")
    .option("--metadata <key=value>", "in place of all metadata, as for commit; repeat for more", replaceMetadata)
    .option("--no-metadata", "remove all metadata")
    .option("--at <time>", "when it took place, as for commit")
    .option("--state <state>", "domain-specific state")
    .option("--no-state", "remove the state")
    .option("--expires <time>", "when it is to be forgotten")
    .option("--no-expires", "let it stay")
    .addHelpText(
      "after",
      `
\`mnemosyne correct\` says that something has changed; this says that it was
never so. \`mnemosyne show --json\` has the versions.

Examples:
  mnemosyne update 20250108-0915 --text "It is the left knee."
  mnemosyne update 20250108-0915 --metadata agent=support
  mnemosyne update 20250108-0915 --expires 2026-01-01`,
    )
    .action((typed: string, options: UpdateCommandOptions, command: Command) =>
      submit(command, {}, "existing", async (memory) => memory.update(await resolveId(memory, typed), toEdit(options))),
    );
}

function addUnlink(program: Command): void {
  program
    .command("unlink <id> <outdated-id>")
    .description("take back that an interaction made an earlier one outdated: both hold")
    .addHelpText("after", "\nExample:\n  mnemosyne unlink 20250301-1000 20250108-0915")
    .action(async (...[typed, typedOutdated, , command]: [string, string, object, Command]) => {
      const settings = command.optsWithGlobals<Settings>();
      const unlinked = await withPerson(settings, async (memory) => {
        const [id, outdatedId] = await resolveIds(memory, [typed, typedOutdated]);
        await memory.unlink(id!, outdatedId!);
        return { id: id!, outdatedId: outdatedId! };
      });
      output(settings, unlinked, `${unlinked.outdatedId} holds again`);
    });
}

type Submission = CommitResult | UpdateResult;

async function submit(
  command: Command,
  { explain = false }: { readonly explain?: boolean },
  use: "existing" | "new or existing",
  work: (memory: PersonMemory) => Promise<Submission>,
): Promise<void> {
  const settings = command.optsWithGlobals<Settings>();
  await withPerson(
    settings,
    async (memory) => {
      const result = await work(memory);
      const [item] = await memory.history({ ids: [result.id] });
      const { id, outcome, trace, versions } = item!;
      if (settings.json === true) return printJson({ ...result, trace });
      if ("isNew" in result && !result.isNew) {
        return printWrapped(`${colours.yellow("already stored")} ${id} (${outcome}); nothing changed`);
      }
      if ("isChanged" in result && !result.isChanged) {
        return printWrapped(`${colours.yellow("unchanged")} ${id} (${outcome}); it was so already`);
      }
      printWrapped(await describeOutcome(memory, item!, settings.timeZone));
      if (versions.length > 0) printWrapped(`  ${countOf(versions.length, "earlier version")}`);
      if (explain) for (const [label, line] of describeDecision(trace)) printWrapped(wrap(`${label}: ${line}`, "  "));
      if (outcome !== "discarded") return;
      printWrapped(colours.dim("  it stays in the history; to make it a memory all the same:"));
      printWrapped(colours.dim(`  ${suggest(command, `restore ${id}`)}`));
    },
    use,
  );
}

function readInteraction(text: string | undefined, options: CommitOptions): InteractionInput {
  const { turns, expires, updates: _updates, explain: _explain, ...rest } = options;
  if ((text === undefined) === (turns === undefined)) {
    throw new InputError("interaction_invalid", "commit needs either a text or --turns; see `mnemosyne commit --help`");
  }
  if (text !== undefined && looksLikeTurns(text)) {
    throw new InputError("interaction_invalid", "this text is a list of turns; pass it with --turns");
  }
  const said = turns === undefined ? { summary: text === "-" ? readText(0) : text! } : { turns: readTurns(turns) };
  return { ...said, ...rest, ...(expires === undefined ? {} : { expiresAt: expires }) };
}

function readTurns(source: string): Turn[] {
  let json = source;
  try {
    if (!source.trimStart().startsWith("[")) json = readText(source === "-" ? 0 : source);
  } catch (cause) {
    throw new InputError("interaction_invalid", `turns in ${describeUnreadable(source, cause)}`, { cause });
  }
  try {
    return JSON.parse(json) as Turn[];
  } catch (cause) {
    // The parser's own words would repeat what was said.
    throw new InputError("interaction_invalid", "turns are not JSON", { cause });
  }
}

/** A file, or 0 for standard input. */
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

/** Null removes. */
function toEdit({ text, metadata, at, state, expires }: UpdateCommandOptions): InteractionEdit {
  return {
    ...(text === undefined ? {} : { text }),
    ...(at === undefined ? {} : { at }),
    ...(metadata === undefined ? {} : { metadata: metadata === false ? null : metadata }),
    ...(state === undefined ? {} : { state: state === false ? null : state }),
    ...(expires === undefined ? {} : { expiresAt: expires === false ? null : expires }),
  };
}
