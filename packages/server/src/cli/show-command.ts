/** `mnemosyne show`: one memory, or any other interaction. */
import type { Command } from "commander";
import type { HistoryItem, InteractionTrace, MemoryDetail, PersonMemory } from "mnemosyne-edge";
import { type ShownId, readIds, resolveId, shortenIds } from "./interaction-ids.js";
import { flatten, formatTable, wrap, wrapLabelled } from "./layout.js";
import { describeOutdated } from "./outdated-notes.js";
import {
  describeFailures,
  describeRelations,
  describeScores,
  describeSteps,
  describeWhy,
  nameOthers,
  paintOutcome,
} from "./outcome-words.js";
import { colours, heading } from "./paint.js";
import { describeMetadata } from "./selection-options.js";
import { type Settings, withPerson } from "./settings.js";
import { countOf, formatMoment, formatNumber, print, printJson } from "./terminal.js";

interface Shown {
  readonly value: unknown;
  readonly text: string;
}

const labelWidth = 11;
/** More links are for --explain. */
const linkCountMax = 5;

export function addShowCommand(program: Command): void {
  program
    .command("show <id>")
    .description("show one memory: text, cues, links and why it is there; or any other interaction")
    .option("--explain", "also print the scores that decided, and all edges")
    .addHelpText("after", "\nExample:\n  mnemosyne show 20250108-0915 --explain")
    .action(async (typed: string, { explain = false }: { explain?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { value, text } = await withPerson(settings, (person) =>
        showInteraction(person, typed, settings.timeZone, explain),
      );
      if (settings.json === true) printJson(value);
      else print(text);
    });
}

async function showInteraction(
  person: PersonMemory,
  typed: string,
  timeZone: string | undefined,
  isExplained: boolean,
): Promise<Shown> {
  const id = await resolveId(person, typed);
  const [item] = await person.history({ ids: [id] });
  const shownId = shortenIds(await readIds(person));
  if (item !== undefined && !isMemory(item)) {
    const why = describeWhy(item, await nameOthers(person, [item], timeZone, shownId));
    return { value: item, text: formatHistoryItem(item, why, timeZone, isExplained) };
  }
  const memory = await person.get(id);
  const why = describeWhy(memory, await nameOthers(person, [memory], timeZone, shownId));
  const outdated = (await describeOutdated(person, [memory], timeZone, shownId)).get(id);
  return { value: memory, text: formatMemory(memory, { why, outdated, shownId, timeZone, isExplained }) };
}

function isMemory({ outcome }: HistoryItem): boolean {
  return outcome === "committed" || outcome === "paired";
}

interface Notes {
  readonly why: string;
  readonly outdated: string | undefined;
  readonly shownId: ShownId;
  readonly timeZone: string | undefined;
  readonly isExplained: boolean;
}

function formatMemory(memory: MemoryDetail, { why, outdated, shownId, timeZone, isExplained }: Notes): string {
  const { id, at, naturalizedTime, outcome, state, summary, keywords, pairId, updates, hypotheticalQuery } = memory;
  const links = memory.edges.slice(0, linkCountMax).map((edge) => shownId(edge.id));
  const more = memory.edges.length > linkCountMax ? `, and ${memory.edges.length - linkCountMax} more` : "";
  return [
    wrap(`${heading(id)}  ${formatMoment(at, timeZone)}  ${naturalizedTime}  ${paintOutcome(outcome)}`, "", "  "),
    ...(state === null ? [] : [colours.dim(wrap(flatten(state)))]),
    "",
    wrap(summary, "  "),
    "",
    labelled("why", why),
    ...(outdated === undefined ? [] : [colours.yellow(wrap(outdated))]),
    ...(pairId === null ? [] : [labelled("pair", shownId(pairId))]),
    ...(updates.length === 0 ? [] : [labelled("updates", updates.map(shownId).join(", "))]),
    ...(links.length === 0 ? [] : [labelled("linked to", links.join(", ") + more)]),
    ...describeNotes(memory, timeZone),
    labelled("keywords", flatten(keywords.join(", "))),
    ...(hypotheticalQuery === "" ? [] : [labelled("question", flatten(hypotheticalQuery))]),
    ...[...new Set(memory.statements)].map((statement) => labelled("cue", flatten(statement))),
    ...describeDecision(memory.trace, isExplained),
    ...(isExplained && memory.edges.length > 0 ? ["", formatEdges(memory, shownId)] : []),
  ].join("\n");
}

/** What the caller noted, when it goes, and how often it was edited. */
function describeNotes(
  { metadata, expiresAt, versions }: Pick<HistoryItem, "metadata" | "expiresAt" | "versions">,
  timeZone: string | undefined,
): string[] {
  const noted = describeMetadata(metadata);
  return [
    ...(noted === "" ? [] : [labelled("metadata", noted)]),
    ...(expiresAt === null ? [] : [labelled("expires", formatMoment(expiresAt, timeZone))]),
    ...(versions.length === 0
      ? []
      : [labelled("edited", `${countOf(versions.length, "time")}; --json has each version`)]),
  ];
}

function formatEdges({ edges }: MemoryDetail, shownId: ShownId): string {
  const rows = edges.map((edge) => [shownId(edge.id), formatNumber(edge.weight, 3), formatNumber(edge.boostDays, 1)]);
  return formatTable(["edge to", "weight", "boost d"], rows);
}

/** An interaction that is not a memory. */
function formatHistoryItem(item: HistoryItem, why: string, timeZone: string | undefined, isExplained: boolean): string {
  const { id, at, outcome, state, turns, summary, trace } = item;
  return [
    wrap(`${heading(id)}  ${formatMoment(at, timeZone)}  ${paintOutcome(outcome)}`, "", "  "),
    ...(state === null ? [] : [colours.dim(wrap(flatten(state)))]),
    "",
    ...(summary === null ? [] : [wrap(summary, "  ")]),
    ...turns.map(({ who, text }) => wrap(`${who}: ${text}`, "  ")),
    "",
    labelled("why", why),
    ...describeDecision(trace, isExplained),
  ].join("\n");
}

/** Where a language model failed is no score, but something to act on. */
function describeDecision(trace: InteractionTrace | null, isExplained: boolean): string[] {
  const scores = describeScores(trace);
  const steps = describeSteps(trace);
  return [
    ...(isExplained && scores !== "" ? [labelled("scores", scores)] : []),
    ...(isExplained ? describeRelations(trace).map((line) => labelled("judge", line)) : []),
    ...describeFailures(trace),
    ...(isExplained && steps !== "" ? [labelled("model", steps)] : []),
  ];
}

function labelled(label: string, text: string): string {
  return wrapLabelled(label, text, labelWidth);
}
