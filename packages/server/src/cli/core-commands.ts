/** `mnemosyne core`, `pin`, `unpin`: what is always in the context, and what somebody fixed there. */
import type { Command } from "commander";
import type { CoreChangeView, CoreFactView, CoreSummaryView, PersonMemory } from "mnemosyne-edge";
import { type ShownId, readIds, resolveId, shortenIds } from "./interaction-ids.js";
import { type Settings, withPerson } from "./settings.js";
import { flatten, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { countOf, formatDay, formatMoment, formatNumber, print, printJson, printWrapped } from "./terminal.js";

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
      const { core, shownId } = await withPerson(settings, async (memory) => ({
        core: await memory.coreSummary(options),
        shownId: settings.json === true ? String : shortenIds(await readIds(memory)),
      }));
      if (settings.json === true) return printJson(core);
      const isNone = options.at !== undefined && core.updatedAt === null && !hasLost(core);
      if (isNone) return print("There was no core summary then.");
      const describe = changes === true ? describeChanges : explain === true ? explainCore : describeCore;
      print(describe(core, "with --update", settings.timeZone, shownId));
    });

  program
    .command("pin <id-or-text>")
    .description("fix a memory, or a new statement, in the core summary")
    .option("--area <name>", "where it belongs, such as Health; by default where the judge puts it")
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne pin "I am allergic to penicillin." --area "Allergies and alerts"
  mnemosyne pin 20250108-0915`,
    )
    .action(async (idOrText: string, { area }: { area?: string }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const pin = async (memory: PersonMemory): Promise<string> =>
        memory.pin(isText(idOrText) ? idOrText : await resolveId(memory, idOrText), area);
      const id = await withPerson(settings, pin, "new or existing");
      if (settings.json === true) printJson({ id });
      else printWrapped(`${colours.green("pinned")} ${id}`);
    });

  program
    .command("unpin <id>")
    .description("let a pinned memory be chosen or cut like any other")
    .addHelpText("after", "\nExample:\n  mnemosyne unpin 20250108-0915")
    .action(async (typed: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const id = await withPerson(settings, async (memory) => {
        const resolved = await resolveId(memory, typed);
        await memory.unpin(resolved);
        return resolved;
      });
      if (settings.json === true) printJson({ id });
      else printWrapped(`${colours.green("unpinned")} ${id}`);
    });
}

/** What has a space is a statement, as `pin` reads it; a beginning of an id has none. */
function isText(idOrText: string): boolean {
  return /\s/u.test(idOrText.trim());
}

/** `howToUpdate`: how to get a core summary if there is none yet. */
export function describeCore(
  core: CoreSummaryView,
  howToUpdate: string,
  timeZone: string | undefined,
  shownId: ShownId = String,
): string {
  const { text, updatedAt, areas, sourceIds } = core;
  if (updatedAt === null) return describeNothing(core, howToUpdate);
  const facts = countOf(areas.flatMap((area) => area.facts).length, "fact");
  const origin =
    areas.length > 0 ? facts : `from ${countOf(sourceIds.length, "memory")}: ${sourceIds.map(shownId).join(", ")}`;
  const asOf = wrap(`as of ${formatMoment(updatedAt, timeZone)}, ${origin}`, "", "  ");
  return `${paintHeadings(core, text)}\n\n${colours.dim(asOf)}`;
}

/** Of one that was forgotten nothing is known, so this does not say that there never was one. */
function describeNothing(core: CoreSummaryView, howToUpdate: string): string {
  const state = hasLost(core) ? "The core summary is empty: nothing that was in it still holds" : "No core summary";
  return wrap(`${state}; it is written when something lasting is told, or ${howToUpdate}.`);
}

/** Whether it had something to say that has left it since. */
function hasLost({ changes }: CoreSummaryView): boolean {
  return changes.length > 0;
}

/** Two memories may say the same, where it was written without facts. */
function paintHeadings({ areas }: CoreSummaryView, text: string): string {
  const titles = new Set(areas.map(({ title }) => title));
  const lines = areas.length > 0 ? text.split("\n") : [...new Set(text.split("\n"))];
  return lines.map((line) => (titles.has(line) ? heading(line) : wrap(line))).join("\n");
}

function explainCore(
  core: CoreSummaryView,
  howToUpdate: string,
  timeZone: string | undefined,
  shownId: ShownId,
): string {
  const { areas, updatedAt, trace } = core;
  if (updatedAt === null || areas.length === 0) return describeCore(core, howToUpdate, timeZone, shownId);
  const lines = areas.flatMap(({ title, facts }) => [
    heading(title),
    ...facts.flatMap((fact) => [
      wrap(`- ${flatten(fact.text)}`),
      colours.dim(wrap(explainFact(fact, timeZone, shownId), "  ")),
    ]),
  ]);
  const model = trace?.languageModel?.name;
  const source = model === undefined ? [] : [colours.dim(`\nthe text itself is in the words of ${model}`)];
  return [...lines, ...source].join("\n");
}

function explainFact(fact: CoreFactView, timeZone: string | undefined, shownId: ShownId): string {
  const { sourceId, toldAt, since, probability, toldCount, isPinned, isCentral, isChange, value } = fact;
  return [
    `${shownId(sourceId)}, told ${formatDay(toldAt, timeZone)}${toldCount === 1 ? "" : `, ${toldCount} times`}`,
    `lasts ${formatNumber(probability, 2)}`,
    ...(isPinned ? ["pinned"] : []),
    ...(isCentral ? ["central"] : []),
    ...(isChange ? ["something else was true before"] : []),
    `in since ${formatDay(since, timeZone)}`,
    `value ${formatNumber(value, 2)}`,
  ].join("; ");
}

const reasons: Readonly<Record<CoreChangeView["left"][number]["reason"], string>> = {
  outdated: "no longer true",
  "told again": "told again",
  "less vital": "others matter more",
  withdrawn: "withdrawn",
};

function describeChanges(
  core: CoreSummaryView,
  howToUpdate: string,
  timeZone: string | undefined,
  shownId: ShownId,
): string {
  if (core.changes.length === 0) return describeNothing(core, howToUpdate);
  return core.changes
    .flatMap(({ at, entered, left }) => [
      heading(formatDay(at, timeZone)),
      ...entered.map(({ text, sourceId }) => wrap(`+ ${flatten(text)} ${colours.dim(shownId(sourceId))}`, "  ")),
      ...left.map(({ text, reason, byId }) => {
        const why = `${reasons[reason]}${byId === null ? "" : `: ${shownId(byId)}`}`;
        return wrap(`- ${flatten(text)} ${colours.dim(why)}`, "  ");
      }),
    ])
    .join("\n");
}
