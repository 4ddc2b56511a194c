/** `mnemosyne show`: one memory, or any other interaction. */
import type { Command } from "commander";
import type { HistoryItem, MemoryDetail } from "mnemosyne-edge";
import { isOutdated } from "../server/outdated-memory.js";
import { interactionOf, resolveId } from "./interaction-ids.js";
import { flatten, formatTable, wrap, wrapLabelled } from "./layout.js";
import { describeOutdated } from "./list-command.js";
import { describeDecision, describeFailures, paintOutcome } from "./outcome-words.js";
import { colours, heading } from "./paint.js";
import { describeMetadata } from "./selection-options.js";
import { consequencesOf, describeHolding, sayStatement } from "./statement-words.js";
import { type Settings, withPerson } from "./settings.js";
import { countOf, formatMoment, formatNumber, print, printJson } from "./terminal.js";

const labelWidth = 11;
/** More links are for --explain. */
const linkCountMax = 5;

export function addShowCommand(program: Command): void {
  program
    .command("show <id>")
    .description("show one memory: text, statements, links and why it is there; or any other interaction")
    .option("--explain", "also print the scores that decided, and all edges")
    .addHelpText(
      "after",
      `
A statement is named by the id of its memory and its number there: 20250108-0915#0.

Example:
  mnemosyne show 20250108-0915 --explain`,
    )
    .action(async (typed: string, { explain = false }: { explain?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { timeZone } = settings;
      await withPerson(settings, async (person) => {
        const id = await interactionOf(person, await resolveId(person, typed));
        const [item] = await person.history({ ids: [id] });
        const isMemory = item === undefined || item.outcome === "committed" || item.outcome === "paired";
        const shown = isMemory ? await person.get(id) : item;
        if (settings.json === true) return printJson(shown);
        print(
          [
            ...describeHead(shown, timeZone),
            labelled("why", shown.reason),
            ...(isMemory && isOutdated(shown as MemoryDetail) ? describeOutdated(shown) : []),
            ...(isMemory ? describeMemory(shown as MemoryDetail, timeZone) : []),
            ...describeConsequences(shown),
            ...describeNotes(shown, timeZone),
            ...(explain ? describeDecision(shown.trace).map(([label, line]) => labelled(label, line)) : []),
            ...describeFailures(shown.trace),
            ...(explain && isMemory ? formatEdges(shown as MemoryDetail) : []),
          ].join("\n"),
        );
      });
    });
}

/** A memory shows its summary, any other interaction what was said. */
function describeHead(shown: HistoryItem | MemoryDetail, timeZone: string | undefined): string[] {
  const { id, at, outcome, state, summary, turns } = shown;
  const time = "naturalizedTime" in shown ? `  ${shown.naturalizedTime}` : "";
  return [
    wrap(`${heading(id)}  ${formatMoment(at, timeZone)}${time}  ${paintOutcome(outcome)}`, "", "  "),
    ...(state === null ? [] : [colours.dim(wrap(flatten(state)))]),
    "",
    ...(summary === null ? [] : [wrap(summary, "  ")]),
    ...("naturalizedTime" in shown ? [] : turns.map(({ who, text }) => wrap(`${who}: ${text}`, "  "))),
    "",
  ];
}

function describeMemory(memory: MemoryDetail, timeZone: string | undefined): string[] {
  const { keywords, pairId, hypotheticalQuery, edges, statements } = memory;
  const links = edges.slice(0, linkCountMax).map(({ id }) => id);
  const more = edges.length > linkCountMax ? `, and ${edges.length - linkCountMax} more` : "";
  return [
    ...(pairId === null ? [] : [labelled("pair", pairId)]),
    ...(links.length === 0 ? [] : [labelled("linked to", links.join(", ") + more)]),
    labelled("keywords", flatten(keywords.join(", "))),
    ...(hypotheticalQuery === "" ? [] : [labelled("question", flatten(hypotheticalQuery))]),
    ...statements.flatMap((statement, position) => [
      labelled(`#${position}`, sayStatement(statement)),
      ...describeHolding(statement, timeZone).map((note) => labelled("", colours.yellow(note))),
    ]),
  ];
}

function describeConsequences(shown: HistoryItem | MemoryDetail): string[] {
  const { ended, forgetAsked } = consequencesOf(shown);
  return [
    ...(ended.length === 0 ? [] : [labelled("ended", ended.join(", "))]),
    ...(forgetAsked.length === 0 ? [] : [labelled("to forget", forgetAsked.join(", "))]),
  ];
}

/** What the caller noted, when it goes, and how often it was edited. */
function describeNotes(
  { metadata, expiresAt, versions }: Pick<HistoryItem, "metadata" | "expiresAt" | "versions">,
  timeZone: string | undefined,
): string[] {
  const noted = describeMetadata(metadata);
  const edited = `${countOf(versions.length, "time")}; --json has each version`;
  return [
    ...(noted === "" ? [] : [labelled("metadata", noted)]),
    ...(expiresAt === null ? [] : [labelled("expires", formatMoment(expiresAt, timeZone))]),
    ...(versions.length === 0 ? [] : [labelled("edited", edited)]),
  ];
}

function formatEdges({ edges }: MemoryDetail): string[] {
  const rows = edges.map((edge) => [edge.id, formatNumber(edge.weight, 3), formatNumber(edge.boostDays, 1)]);
  return rows.length === 0 ? [] : ["", formatTable(["edge to", "weight", "boost d"], rows)];
}

function labelled(label: string, text: string): string {
  return wrapLabelled(label, text, labelWidth);
}
