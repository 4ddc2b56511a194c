/** `mnemosyne update`: change an interaction in place, and say what became of it. */
import type { Command } from "commander";
import { InputError, type InteractionEdit, type Metadata, type MetadataValue } from "../index.js";
import { describeOutcome } from "./commit-command.js";
import { type Settings, withPerson } from "./settings.js";
import { colours, print, printJson } from "./terminal.js";

/** False where `--no-…` takes something away. */
interface UpdateOptions {
  readonly text?: string;
  readonly metadata?: Metadata | false;
  readonly at?: string;
  readonly state?: string | false;
  readonly expires?: string | false;
}

export function addUpdateCommand(program: Command): void {
  program
    .command("update <id>")
    .description("change an interaction in place; what it was stays as one of its versions")
    .option("--text <text>", "what the user said instead")
    .option(
      "--metadata <name=value>",
      "in place of all metadata; repeat for more. The value may be JSON",
      collectMetadata,
    )
    .option("--no-metadata", "remove all metadata")
    .option("--at <time>", "when it took place, as for commit")
    .option("--state <state>", "domain-specific state")
    .option("--no-state", "remove the state")
    .option("--expires <time>", "when it is to be forgotten")
    .option("--no-expires", "let it stay")
    .addHelpText(
      "after",
      `
\`mnemosyne correct\` says that something has changed; this says that it was never so. \`mnemosyne show --json\` has the versions.

Examples:
  mnemosyne update 20250108-0915-3f2a91 --text "It is the left knee."
  mnemosyne update 20250108-0915-3f2a91 --metadata agent=support --metadata 'tags=["billing"]'
  mnemosyne update 20250108-0915-3f2a91 --expires 2026-01-01`,
    )
    .action(async (id: string, options: UpdateOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { result, item } = await withPerson(settings, async (memory) => {
        const updated = await memory.update(id, toEdit(options));
        return { result: updated, item: (await memory.history({ ids: [id] }))[0]! };
      });
      if (settings.json === true) return printJson({ ...result, trace: item.trace });
      if (!result.isChanged)
        return print(`${colours.yellow("unchanged")} ${id} (${result.outcome}); it was so already`);
      print(
        `${describeOutcome(item)}\n  ${item.versions.length} earlier ${item.versions.length === 1 ? "version" : "versions"}`,
      );
    });
}

/** Null removes. */
function toEdit({ text, metadata, at, state, expires }: UpdateOptions): InteractionEdit {
  return {
    ...(text === undefined ? {} : { text }),
    ...(at === undefined ? {} : { at }),
    ...(metadata === undefined ? {} : { metadata: metadata === false ? null : metadata }),
    ...(state === undefined ? {} : { state: state === false ? null : state }),
    ...(expires === undefined ? {} : { expiresAt: expires === false ? null : expires }),
  };
}

function collectMetadata(pair: string, others: Metadata | false = {}): Metadata {
  const [, name, value] = /^([^=]+)=(.*)$/su.exec(pair) ?? [];
  if (name === undefined || value === undefined) {
    throw new InputError("option_invalid", "--metadata takes a name and a value, such as agent=support");
  }
  return { ...(others === false ? {} : others), [name]: readValue(value) };
}

/** A number, true, false or a list in JSON; anything else is text. */
function readValue(text: string): MetadataValue {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
    if (Array.isArray(value)) return value as readonly string[];
  } catch {
    // Text, then.
  }
  return text;
}
