/** `mnemosyne update`: change an interaction in place, and say what became of it. */
import type { Command } from "commander";
import type { InteractionEdit, Metadata } from "mnemosyne-edge";
import { describeOutcome } from "./commit-command.js";
import { resolveId } from "./interaction-ids.js";
import { nameOthers } from "./outcome-words.js";
import { colours } from "./paint.js";
import { collectMetadata } from "./selection-options.js";
import { type Settings, withPerson } from "./settings.js";
import { countOf, printJson, printWrapped } from "./terminal.js";

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
      "--metadata <key=value>",
      "in place of all metadata, as for commit; repeat for more",
      (pair: string, others: Metadata | boolean | undefined) =>
        collectMetadata(pair, typeof others === "object" ? others : {}),
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
\`mnemosyne correct\` says that something has changed; this says that it was
never so. \`mnemosyne show --json\` has the versions.

Examples:
  mnemosyne update 20250108-0915 --text "It is the left knee."
  mnemosyne update 20250108-0915 --metadata agent=support
  mnemosyne update 20250108-0915 --expires 2026-01-01`,
    )
    .action(async (typed: string, options: UpdateOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { result, item, naming } = await withPerson(settings, async (memory) => {
        const id = await resolveId(memory, typed);
        const updated = await memory.update(id, toEdit(options));
        const [changed] = await memory.history({ ids: [id] });
        return { result: updated, item: changed!, naming: await nameOthers(memory, [changed!], settings.timeZone) };
      });
      if (settings.json === true) return printJson({ ...result, trace: item.trace });
      const { id, outcome, isChanged } = result;
      if (!isChanged) return printWrapped(`${colours.yellow("unchanged")} ${id} (${outcome}); it was so already`);
      printWrapped(`${describeOutcome(item, naming)}\n  ${countOf(item.versions.length, "earlier version")}`);
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
