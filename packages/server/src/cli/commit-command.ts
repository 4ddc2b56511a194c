/** `mnemosyne commit` and `update`: submit an interaction or change one, and say what became of it. */
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
import { describeConsequences } from "./statement-words.js";
import { type Settings, collect, withPerson } from "./settings.js";
import { printJson, printWrapped } from "./terminal.js";

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
  program
    .command("commit [text]")
    .description("submit an interaction: a text (- reads standard input), or a conversation with --turns")
    .option("--turns <file>", 'JSON such as [{ "who": "user", "text": "…" }] in a file; - is standard input')
    .option("--at <time>", "when it took place, e.g. 2025-01-08T09:15:00Z, or without Z in --time-zone; now by default")
    .option("--id <id>", "your own id; the same id twice is stored once")
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"')
    .option("--keep", "make a memory of it, whatever it says")
    .option("--updates <id>", "an earlier interaction, or a statement of one, that it ends; repeat for more", collect)
    .option("--metadata <key=value>", "for filters; key=a,b is a list, or JSON; repeat for more", collectMetadata)
    .option("--expires <time>", "when it is forgotten; never by default")
    .option("--explain", "also print the scores that decided")
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne commit "Knee bends to 95 degrees now, pain 3 of 10 on the stairs."
  mnemosyne commit --at 2025-01-08T09:15:00Z --turns talk.json
  mnemosyne commit "The invoice is paid." --metadata tags=billing,done
  mnemosyne commit "It is the left knee, not the right one." --updates 20250108-0915#0
  echo "Ada moved to Lisbon for a new job." | mnemosyne commit -`,
    )
    .action((text: string | undefined, options: CommitOptions, command: Command) => {
      const input = readInteraction(text, options);
      return submit(command.optsWithGlobals<Settings>(), options, "new or existing", async (memory) => {
        const links = options.updates === undefined ? {} : { updates: await resolveIds(memory, options.updates) };
        return memory.commit({ ...input, ...links }, { wait: true });
      });
    });

  program
    .command("update <id>")
    .description("change an interaction in place; what it was stays as one of its versions")
    .option("--text <text>", "what the user said instead")
    .option("--metadata <key=value>", "in place of all metadata, as for commit; {} removes it", collectMetadata)
    .option("--at <time>", "when it took place, as for commit")
    .option("--state <state>", 'domain-specific state; "" removes it')
    .option("--expires <time>", 'when it is to be forgotten; "" for never')
    .addHelpText(
      "after",
      `
\`mnemosyne commit --updates\` says that something has changed; this says that it
was never so. \`mnemosyne show --json\` has the versions.

Examples:
  mnemosyne update 20250108-0915 --text "It is the left knee."
  mnemosyne update 20250108-0915 --metadata agent=support --expires 2026-01-01`,
    )
    .action((typed: string, options: CommitOptions & { text?: string }, command: Command) =>
      submit(command.optsWithGlobals<Settings>(), {}, "existing", async (memory) =>
        memory.update(await resolveId(memory, typed), toEdit(options)),
      ),
    );
}

async function submit(
  settings: Settings,
  { explain = false }: { readonly explain?: boolean },
  use: "existing" | "new or existing",
  work: (memory: PersonMemory) => Promise<CommitResult | UpdateResult>,
): Promise<void> {
  await withPerson(
    settings,
    async (memory) => {
      const result = await work(memory);
      const [item] = await memory.history({ ids: [result.id] });
      const { id, outcome, trace } = item!;
      if (settings.json === true) return printJson({ ...result, trace });
      const isNews = "isNew" in result ? result.isNew : result.isChanged;
      if (!isNews) return printWrapped(`${colours.yellow("nothing changed")}: ${id} says so already (${outcome})`);
      printWrapped(describeOutcome(item!));
      for (const line of await describeConsequences(memory, item!)) printWrapped(line);
      if (explain) for (const [label, line] of describeDecision(trace)) printWrapped(wrap(`${label}: ${line}`, "  "));
      if (outcome !== "discarded") return;
      printWrapped(
        colours.dim(`  it stays in the history; \`mnemosyne restore ${id}\` makes it a memory all the same`),
      );
    },
    use,
  );
}

function readInteraction(text: string | undefined, options: CommitOptions): InteractionInput {
  const { turns, expires, updates: _updates, explain: _explain, ...rest } = options;
  if ((text === undefined) === (turns === undefined)) {
    throw new InputError("interaction_invalid", "commit needs either a text or --turns; see `mnemosyne commit --help`");
  }
  const said = turns === undefined ? { summary: text === "-" ? readText(0) : text! } : { turns: readTurns(turns) };
  return { ...said, ...rest, ...(expires === undefined ? {} : { expiresAt: expires }) };
}

function readTurns(source: string): Turn[] {
  let json: string;
  try {
    json = readText(source === "-" ? 0 : source);
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

/** Null removes. */
function toEdit({ text, metadata, at, state, expires }: CommitOptions & { text?: string }): InteractionEdit {
  const isEmpty = metadata !== undefined && Object.keys(metadata).length === 0;
  return {
    ...(text === undefined ? {} : { text }),
    ...(at === undefined ? {} : { at }),
    ...(metadata === undefined ? {} : { metadata: isEmpty ? null : metadata }),
    ...(state === undefined ? {} : { state: state === "" ? null : state }),
    ...(expires === undefined ? {} : { expiresAt: expires === "" ? null : expires }),
  };
}
