/** The lab's command line; each command reads its own options. */
import { InputError } from "mnemosyne-edge";
import { answersCommand } from "./answers/answers-command.js";
import { costCommand } from "./cost/cost-command.js";
import { filtersCommand } from "./filters/filters-command.js";
import { linksCommand } from "./filters/links-command.js";
import { compareCommand } from "./recall/compare-command.js";
import { recallCommand } from "./recall/recall-command.js";
import { type RunOptions, serveWorker } from "./recall/run.js";
import { studyCommand } from "./study/study-command.js";

const commands: Readonly<Record<string, (args: string[]) => Promise<void> | void>> = {
  recall: recallCommand,
  compare: compareCommand,
  filters: filtersCommand,
  links: linksCommand,
  cost: costCommand,
  answers: answersCommand,
  study: studyCommand,
  "recall-worker": ([options]) => serveWorker(JSON.parse(options!) as RunOptions),
};

const usage = `lab -- recall [--sets a,b] [--systems a,b] [--without NAME] [--set name=value] [--encoder FOLDER]
              [--by set|person|kind] [--jobs N] [--save FILE] [--data DIR]
lab -- compare BEFORE AFTER [--system NAME] [--figure hit3|ndcg3|recall10|evidence|first] [--quiet]
lab -- filters [--sets a,b] [--people a,b] [--without NAME] [--set name=value] [--encoder FOLDER]
               [--wrong] [--data DIR]
lab -- links [--sets a,b] [--people a,b] [--count N] [--seed S] [--without NAME] [--set name=value]
             [--encoder FOLDER] [--save FILE] [--data DIR]
lab -- cost [--sets a,b] [--count N] [--data DIR]
lab -- answers packets FOLDER [--sets a,b] [--people a,b] [--systems a,b] [--without NAME] [--set name=value]
               [--encoder FOLDER] [--seed S] [--data DIR]
lab -- answers sheets|score FOLDER
lab -- study make OUT FOLDER... [--count N] [--seed S]
lab -- study score OUT JUDGMENTS.json...
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
