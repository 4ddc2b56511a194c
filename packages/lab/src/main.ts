/** The lab's command line; each command reads its own options. */
import { InputError } from "mnemosyne-edge";
import { linksCommand } from "./filters/links-command.js";
import { compareCommand } from "./recall/compare-command.js";
import { recallCommand } from "./recall/recall-command.js";
import { type RunOptions, serveWorker } from "./recall/run.js";

const commands: Readonly<Record<string, (args: string[]) => Promise<void> | void>> = {
  recall: recallCommand,
  compare: compareCommand,
  links: linksCommand,
  "recall-worker": ([options]) => serveWorker(JSON.parse(options!) as RunOptions),
};

const usage = `lab -- recall [--sets a,b] [--systems a,b] [--without NAME] [--set name=value] [--by set|person|kind]
              [--jobs N] [--save FILE] [--data DIR]
lab -- compare BEFORE AFTER [--system NAME] [--figure hit3|ndcg3|recall10|evidence|first] [--quiet]
lab -- links [--sets a,b] [--people a,b] [--count N] [--seed S] [--without NAME] [--set name=value]
             [--save FILE] [--data DIR]
`;

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (command === undefined) throw new InputError("option_invalid", `there is no command "${name}"\n${usage}`);
  await command(args);
} catch (error) {
  process.stderr.write(`${error instanceof InputError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
