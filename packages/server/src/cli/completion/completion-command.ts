/** `mnemosyne completion`: prints a script for a shell, and the names of persons and ids that it calls back for. */
import { statSync } from "node:fs";
import { type Command, Argument, Option } from "commander";
import { isRedisUrl } from "mnemosyne-edge/internal/adapters/store/redis/options.js";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { InputError } from "mnemosyne-edge";
import { type Settings, toOptions } from "../settings.js";
import { print, printJson, write } from "../terminal.js";
import { writeBashScript } from "./bash-script.js";
import { readTree } from "./command-tree.js";
import { writeFishScript } from "./fish-script.js";
import { writeZshScript } from "./zsh-script.js";

const writers = { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript } as const;

/** Somebody waits for the Tab key; what takes longer to read is not completed. */
const databaseBytesMax = 100_000_000;
const valueCountMax = 1_000;
/** A name with any other character would have to be quoted, in each shell in its own way. */
const plainName = /^[\p{L}\p{N}._@+-]+$/u;

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes commands, options, persons and ids")
    .addArgument(new Argument("[shell]", "which shell").choices(Object.keys(writers)))
    .addOption(new Option("--values <kind>", "what a script calls back for").choices(["persons", "ids"]).hideHelp())
    .addHelpText(
      "after",
      `
Examples:
  source <(mnemosyne completion bash)      in ~/.bashrc
  source <(mnemosyne completion zsh)       in ~/.zshrc, behind compinit
  mnemosyne completion fish > ~/.config/fish/completions/mnemosyne.fish`,
    )
    .action(
      async (shell: keyof typeof writers | undefined, { values }: { values?: "persons" | "ids" }, command: Command) => {
        const settings = command.optsWithGlobals<Settings>();
        if (values !== undefined) return printValues(await findValues(values, settings).catch(() => []));
        if (shell === undefined) {
          const known = Object.keys(writers).join(", ");
          throw new InputError("option_invalid", `completion needs the name of a shell: ${known}`);
        }
        const script = writers[shell](readTree(program));
        if (settings.json === true) printJson({ shell, script });
        else write(script);
      },
    );
}

function printValues(values: readonly string[]): void {
  if (values.length > 0) print(values.join("\n"));
}

/** From the file itself: opening the memory would continue its queue. Whatever is in the way, nothing is completed. */
async function findValues(kind: "persons" | "ids", settings: Settings): Promise<string[]> {
  const { path, person } = settings;
  if (isRedisUrl(path) || path === ":memory:") return [];
  if (statSync(path).size > databaseBytesMax) return [];
  const { encryptionKey } = toOptions(settings);
  const store = await SqliteStore.open({ path, ...(encryptionKey === undefined ? {} : { encryptionKey }) });
  try {
    const names =
      kind === "persons"
        ? await store.persons()
        : (await store.history(person, {})).map(({ interaction }) => interaction.id).toReversed();
    return names.filter((name) => plainName.test(name)).slice(0, valueCountMax);
  } finally {
    await store.close();
  }
}
