/** `eval study`: a blind pairwise page for human judges, and the win rates from their judgments. */
import { type Command, Option } from "commander";
import type { Interval } from "../report/bootstrap.js";
import type { MadeStudy } from "../study/study.js";
import type { Show } from "../study/study-format.js";
import type { StudyScores, WinRate } from "../study/study-scores.js";
import { type Settings, parseNames, parsePositive, parseWholeNumber } from "mnemosyne-edge-server/internal/cli/settings.js";
import { formatFoldedTable, wrap } from "mnemosyne-edge-server/internal/cli/layout.js";
import { colours, heading } from "mnemosyne-edge-server/internal/cli/paint.js";
import { countOf, formatNumber, formatPercent, print, printJson, printWrapped } from "mnemosyne-edge-server/internal/cli/terminal.js";

interface MakeSettings extends Settings {
  readonly systems: readonly string[];
  readonly out: string;
  readonly questions?: number;
  readonly pairs: number;
  readonly seed: number;
  readonly show?: Show;
}

export function addStudyCommand(evalCommand: Command): void {
  const study = evalCommand
    .command("study")
    .description("a blind study with human judges, from an audit file")
    .addHelpText("after", "\nExample:\n  mnemosyne eval study make --help");

  study
    .command("make <audit>")
    .description("make a page that shows judges two texts per question, and a key that says which system wrote which")
    .requiredOption("--systems <names>", "systems to compare, separated by commas", parseNames)
    .requiredOption("--out <page>", "HTML file to write; the key goes next to it as PAGE.key.json")
    .option("--questions <count>", "maximum number of questions, kinds in proportion", parsePositive)
    .option("--pairs <count>", "maximum pairs of systems per question, each pair equally often", parsePositive, 3)
    .option("--seed <number>", "seed that shuffles order and sides", parseWholeNumber, 1)
    .addOption(
      new Option("--show <what>", "answers or context; by default answers if all systems have them").choices([
        "answers",
        "context",
      ]),
    )
    .addHelpText(
      "after",
      `
Example:
  mnemosyne eval study make audit.jsonl --systems mnemosyne,bm25 --out page.html`,
    )
    .action(async (audit: string, _options: object, command: Command) => {
      const { systems, out, questions, pairs, seed, show, json } = command.optsWithGlobals<MakeSettings>();
      const { makeStudy } = await import("../study/study.js");
      const made = await makeStudy(audit, out, {
        systems,
        seed,
        pairCountMax: pairs,
        ...(questions === undefined ? {} : { questionCountMax: questions }),
        ...(show === undefined ? {} : { show }),
      });
      if (json === true) printJson(summarize(made));
      else printMade(made);
    });

  study
    .command("score <judgments...>")
    .description("win rates with 95 % intervals from the files that judges saved, and how far the judges agree")
    .requiredOption("--key <file>", "the key that was made with the page")
    .addHelpText("after", "\nExample:\n  mnemosyne eval study score ada.json --key page.html.key.json")
    .action(async (files: string[], _options: object, command: Command) => {
      const { key, json } = command.optsWithGlobals<Settings & { readonly key: string }>();
      const { scoreStudy } = await import("../study/study.js");
      const scores = await scoreStudy(key, files);
      if (json === true) printJson(scores);
      else printScores(scores);
    });
}

function summarize({ page, keyFile, pack, key, questionCount, incompleteCount, nameMentionCount }: MadeStudy): object {
  const { systems, show, seed, identical } = key;
  const counts = { questionCount, itemCount: pack.items.length, identicalCount: identical.length };
  return { page, keyFile, pack: pack.pack, systems, show, seed, ...counts, incompleteCount, nameMentionCount };
}

function printMade({ page, keyFile, pack, key, questionCount, incompleteCount, nameMentionCount }: MadeStudy): void {
  const shown = key.show === "answers" ? "answers" : "contexts";
  print(`${countOf(pack.items.length, "pair")} of ${shown} for ${countOf(questionCount, "question")}.`);
  print(wrap(page, "  page for the judges  ", " ".repeat(4)));
  print(wrap(keyFile, "  key, keep it safe    ", " ".repeat(4)));
  if (key.identical.length > 0) print(`${countOf(key.identical.length, "pair")} left out: both texts are the same.`);
  if (incompleteCount > 0) print(`${countOf(incompleteCount, "question")} left out: not every system has a text.`);
  if (nameMentionCount > 0) {
    printWrapped(
      colours.yellow(`${countOf(nameMentionCount, "pair")} with a system's name in the text: judges may guess.`),
    );
  }
}

function printScores(scores: StudyScores): void {
  const { systems, pairs, judges, judgmentCount, itemCount, leftShare } = scores;
  const by = judges.map(({ judge, judgmentCount: count }) => `${judge} ${count}`).join(", ");
  printWrapped(`${scores.dataset}: ${countOf(judgmentCount, "judgment")} on ${countOf(itemCount, "pair")} (${by})`);
  const columns = ["win rate %", "95 % interval", "without ties %", "95 % interval", "wins", "ties", "losses"];
  print(`\n${heading("Systems")}`);
  const ranked = Object.entries(systems).sort(([, a], [, b]) => (b.winRate ?? -1) - (a.winRate ?? -1));
  print(
    formatFoldedTable(
      ["system", ...columns],
      ranked.map(([system, rate]) => [system, ...cells(rate)]),
    ),
  );
  print(`\n${heading("Pairs")}`);
  const rows = pairs.map((pair) => [pair.systems.join(" over "), ...cells(pair), String(pair.identicalCount)]);
  print(formatFoldedTable(["pair", ...columns, "same text"], rows));
  const left = leftShare === null ? "" : ` ${formatPercent(leftShare)} % of the choices were the left text.`;
  print(colours.dim(`\n${wrap(`A tie is half a win for both; pairs with the same text were not shown.${left}`)}`));
  printAgreement(scores);
}

function printAgreement({ agreement }: StudyScores): void {
  if (agreement === null) return;
  const { measure, judgeCount, sharedCount, observed, kappa } = agreement;
  print(`\n${heading("Agreement")}`);
  const shared = `${judgeCount} judges, ${countOf(sharedCount, "pair")} judged by all of them`;
  if (observed === null) return print(`${shared}.`);
  const beyond = kappa === null ? "undefined, because everybody always chose the same" : formatNumber(kappa);
  printWrapped(`${shared}: the same choice in ${formatPercent(observed)} %, ${measure} ${beyond}.`);
}

function cells({ winRate, interval, winRateWithoutTies, intervalWithoutTies, wins, ties, losses }: WinRate): string[] {
  return [
    formatPercent(winRate),
    formatInterval(interval),
    formatPercent(winRateWithoutTies),
    formatInterval(intervalWithoutTies),
    ...[wins, ties, losses].map(String),
  ];
}

function formatInterval([low, high]: Interval): string {
  return `${formatPercent(low)} - ${formatPercent(high)}`;
}
