/** `mnemosyne core`, `pin`, `unpin`, `withdraw`: what is always in the context, what somebody fixed there or took out. */
import type { Command } from "commander";
import type { CoreFactView, CoreSummaryView } from "mnemosyne-edge";
import { resolveId } from "./interaction-ids.js";
import { flatten, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { type Settings, withPerson } from "./settings.js";
import { countOf, formatDay, formatMoment, formatNumber, output, print, printJson } from "./terminal.js";

interface CoreOptions {
  readonly update?: boolean;
  readonly at?: string;
  readonly explain?: boolean;
  readonly changes?: boolean;
}

export function addCoreCommands(program: Command): void {
  program
    .command("core")
    .description("show the core summary: what the assistant has learned about the person")
    .option("--update", "bring it up to date with all memories first")
    .option("--at <time>", "as it was then")
    .option("--explain", "why each fact is in it")
    .option("--changes", "what entered and left, and when")
    .addHelpText("after", "\nExamples:\n  mnemosyne core\n  mnemosyne core --at 2025-03-01 --explain")
    .action(async ({ explain, changes, ...options }: CoreOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const core = await withPerson(settings, (memory) => memory.coreSummary(options));
      if (settings.json === true) return printJson(core);
      const describe = changes === true ? describeChanges : explain === true ? explainCore : describeCore;
      const isThen = options.at !== undefined && core.updatedAt === null && core.changes.length === 0;
      print(isThen ? "There was no core summary then." : describe(core, settings.timeZone));
    });

  program
    .command("pin <id-or-text>")
    .description("fix a statement, an earlier or a new one, in the core summary")
    .option("--area <name>", "where it belongs, such as Health; by default where the reader puts it")
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne pin "I am allergic to penicillin." --area "Allergies and alerts"
  mnemosyne pin 20250108-0915#0`,
    )
    .action(async (idOrText: string, { area }: { area?: string }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      // What has a space is a statement, as `pin` reads it; a beginning of an id has none.
      const isText = /\s/u.test(idOrText.trim());
      const id = await withPerson(
        settings,
        async (memory) => memory.pin(isText ? idOrText : await resolveId(memory, idOrText), area),
        "new or existing",
      );
      output(settings, { id }, `${colours.green("pinned")} ${id}`);
    });

  program
    .command("unpin <id>")
    .description("let what is pinned be chosen or cut like any other")
    .addHelpText("after", "\nExample:\n  mnemosyne unpin 20250108-0915#0")
    .action(async (typed: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const id = await withPerson(settings, async (memory) => {
        const resolved = await resolveId(memory, typed);
        await memory.unpin(resolved);
        return resolved;
      });
      output(settings, { id }, `${colours.green("unpinned")} ${id}`);
    });

  program
    .command("withdraw <id>")
    .description("take a statement out of the core summary; with --untrue, out of recall too")
    .option("--untrue", "it was never so")
    .addHelpText(
      "after",
      `
It stays in the history, and \`mnemosyne restore\` takes it back. What was so once
and has changed is corrected with \`mnemosyne commit --updates\`.

Examples:
  mnemosyne withdraw 20250108-0915#0
  mnemosyne withdraw 20250108-0915#0 --untrue`,
    )
    .action(async (typed: string, { untrue = false }: { untrue?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const reason = untrue ? "untrue" : "removed";
      const id = await withPerson(settings, async (memory) => {
        const resolved = await resolveId(memory, typed);
        await memory.withdraw(resolved, reason);
        return resolved;
      });
      const what = untrue ? `${id} as never true` : `${id} from the core summary`;
      output(settings, { id, reason }, `${colours.green("withdrew")} ${what}`);
    });
}

function describeCore(core: CoreSummaryView, timeZone: string | undefined): string {
  const { text, updatedAt, areas, sourceIds } = core;
  if (updatedAt === null) return describeNothing(core);
  const facts = countOf(areas.flatMap((area) => area.facts).length, "fact");
  const sources = `from ${countOf(sourceIds.length, "memory")}: ${sourceIds.join(", ")}`;
  const asOf = `as of ${formatMoment(updatedAt, timeZone)}, ${areas.length > 0 ? facts : sources}`;
  const named = areas.flatMap((area) => [
    heading(area.title),
    ...area.facts.map((fact) => wrap(`- ${flatten(fact.text)} ${colours.dim(fact.id)}`)),
  ]);
  // Two memories may say the same, where it was written without facts.
  const shown = areas.length > 0 ? named : [...new Set(text.split("\n"))].map((line) => wrap(line));
  return `${shown.join("\n")}\n\n${colours.dim(wrap(asOf, "", "  "))}`;
}

/** Of one that was forgotten nothing is known, so this does not say that there never was one. */
function describeNothing({ changes }: CoreSummaryView): string {
  const isEmptied = changes.length > 0;
  const state = isEmptied ? "The core summary is empty: nothing that was in it still holds" : "No core summary";
  return wrap(`${state}; it is written when something lasting is told, or with --update.`);
}

function explainCore(core: CoreSummaryView, timeZone: string | undefined): string {
  const { areas, updatedAt, trace } = core;
  if (updatedAt === null || areas.length === 0) return describeCore(core, timeZone);
  const lines = areas.flatMap(({ title, facts }) => [
    heading(title),
    ...facts.flatMap((fact) => [wrap(`- ${flatten(fact.text)}`), colours.dim(wrap(explainFact(fact, timeZone), "  "))]),
  ]);
  const model = trace?.languageModel?.name;
  return [...lines, ...(model === undefined ? [] : [colours.dim(`\nin the words of ${model}`)])].join("\n");
}

function explainFact(fact: CoreFactView, timeZone: string | undefined): string {
  const { id, toldAt, probability, toldCount, isPinned, isCentral, isChange, value } = fact;
  return [
    `${id}, told ${formatDay(toldAt, timeZone)}${toldCount === 1 ? "" : `, ${toldCount} times`}`,
    `lasts ${formatNumber(probability, 2)}`,
    ...(isPinned ? ["pinned"] : []),
    ...(isCentral ? ["central"] : []),
    ...(isChange ? ["something else was true before"] : []),
    `value ${formatNumber(value, 2)}`,
  ].join("; ");
}

function describeChanges(core: CoreSummaryView, timeZone: string | undefined): string {
  if (core.changes.length === 0) return describeNothing(core);
  const lines = core.changes.flatMap(({ at, entered, left }) => [
    heading(formatDay(at, timeZone)),
    ...entered.map(({ id, text }) => wrap(`+ ${flatten(text)} ${colours.dim(id)}`, "  ")),
    ...left.map(({ id, text, byId }) => wrap(`- ${flatten(text)} ${colours.dim(`${id}, ended by ${byId}`)}`, "  ")),
  ]);
  return lines.join("\n");
}
