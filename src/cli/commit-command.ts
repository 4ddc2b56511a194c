/** `mnemosyne commit`: submits an interaction and says what became of it. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withoutByteOrderMark } from "../files/byte-order-mark.js";
import { describeUnreadable } from "../files/file-error.js";
import {
  type CommitTrace,
  type HistoryItem,
  InputError,
  type InteractionInput,
  type InteractionTrace,
  type PersonMemory,
  type RedundancyTrace,
  type Turn,
} from "../index.js";
import { type Settings, waitUntilProcessed, withPerson } from "./settings.js";
import { colours, countOf, formatNumber, print, printJson, shorten } from "./terminal.js";

const failureLengthMax = 160;

interface CommitOptions {
  readonly turns?: string;
  readonly at?: string;
  readonly id?: string;
  readonly state?: string;
}

export function addCommitCommand(program: Command): void {
  program
    .command("commit [text]")
    .description("submit an interaction: a text (- reads standard input), or a conversation with --turns")
    .option(
      "--turns <json>",
      'turns: a JSON file, - for standard input, or JSON such as [{ "who": "user", "text": "…" }]',
    )
    .option("--at <time>", "when it took place, e.g. 2025-01-08T09:15:00Z, or without Z in --time-zone; now by default")
    .option("--id <id>", "your own id; the same id twice is stored once")
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"')
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne commit "Knee bends to 95 degrees now, pain 3 of 10 on the stairs."
  mnemosyne commit --at 2025-01-08T09:15:00Z --state "pre-operative phase" --turns talk.json
  echo "Ada moved to Lisbon for a new job." | mnemosyne commit -`,
    )
    .action(async (text: string | undefined, options: CommitOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const input = readInteraction(text, options);
      const submit = async (memory: PersonMemory): Promise<{ id: string; isNew: boolean; item: HistoryItem }> => {
        const accepted = await memory.commit(input);
        await waitUntilProcessed(memory.settled(), `accepted as ${accepted.id}`);
        const [entry] = await memory.history({ ids: [accepted.id] });
        return { ...accepted, item: entry! };
      };
      const { id, isNew, item } = await withPerson(settings, submit, "new or existing");
      if (settings.json === true) printJson({ id, isNew, outcome: item.outcome, trace: item.trace });
      else if (isNew) print(describeOutcome(item) + (item.outcome === "discarded" ? `\n  ${restoreHint(id)}` : ""));
      else print(`${colours.yellow("already stored")} ${id} (${item.outcome}); nothing changed`);
    });
}

function readInteraction(text: string | undefined, { turns, at, id, state }: CommitOptions): InteractionInput {
  if ((text === undefined) === (turns === undefined)) {
    throw new InputError("interaction_invalid", "commit needs either a text or --turns; see `mnemosyne commit --help`");
  }
  if (text !== undefined && looksLikeTurns(text)) {
    throw new InputError("interaction_invalid", "this text is a list of turns; pass it with --turns");
  }
  return {
    ...(turns === undefined ? { summary: text === "-" ? readText(0) : text! } : { turns: readTurns(turns) }),
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
    ...(state === undefined ? {} : { state }),
  };
}

function readTurns(source: string): Turn[] {
  const json = source.trimStart().startsWith("[") ? source : readSource(source);
  try {
    return JSON.parse(json) as Turn[];
  } catch (cause) {
    // The parser's own words would repeat what was said.
    throw new InputError("interaction_invalid", "turns are not JSON", { cause });
  }
}

/** A file, or standard input. */
function readSource(source: string): string {
  try {
    return readText(source === "-" ? 0 : source);
  } catch (cause) {
    throw new InputError("interaction_invalid", `turns in ${describeUnreadable(source, cause)}`, { cause });
  }
}

function readText(source: string | 0): string {
  return withoutByteOrderMark(readFileSync(source, "utf8"));
}

/** Turns passed as a text would become a memory of their own JSON. */
function looksLikeTurns(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((turn) => typeof turn === "object" && turn !== null && "text" in turn);
  } catch {
    return false;
  }
}

function restoreHint(id: string): string {
  return colours.dim(`it stays in the history; make it a memory with \`mnemosyne restore ${id}\``);
}

/** One line on what became of an interaction, and why. */
export function describeOutcome({ id, outcome, trace, summary, turns }: HistoryItem): string {
  const why = describeTrace(trace);
  const text = summary ?? turns.map((turn) => turn.text).join(" ");
  const shown = colours.dim(`  ${shorten(text, 60)}`);
  return `${paintOutcome(outcome)} ${id}${shown}${why === "" ? "" : `\n  ${why}`}`;
}

export function paintOutcome(outcome: string): string {
  const paint = {
    discarded: colours.yellow,
    paired: colours.magenta,
    replaced: colours.magenta,
    pruned: colours.yellow,
  }[outcome];
  return (paint ?? colours.green)(outcome);
}

/** What decided, with its scores, in one line. */
export function describeTrace(trace: InteractionTrace | null): string {
  if (!isCommitTrace(trace)) return "";
  const { redundancy, pairing, edges } = trace;
  const parts = [describeSubstance(trace.substance)];
  if (redundancy !== null && redundancy !== undefined) {
    parts.push(describeRedundancy(redundancy));
  }
  if (pairing?.case === "pair" || pairing?.case === "replace") {
    parts.push(
      `rewound by ${formatNumber(pairing.rewindDays, 1)} days, boost now ${formatNumber(pairing.boostDays, 1)}`,
    );
  }
  if (pairing?.case === "replace") parts.push(`replaced ${pairing.removedId}`);
  if (edges !== null && edges !== undefined) parts.push(countOf(edges.count, "edge"));
  return [parts.join(", "), ...describeFailures(trace)].join("\n  ");
}

function describeRedundancy({ score, threshold, id, keptApart }: RedundancyTrace): string {
  const scores = `redundancy ${formatNumber(score)}, needs ${formatNumber(threshold)}`;
  if (score < threshold) return `does not repeat ${id} (${scores})`;
  return keptApart == null ? `repeats ${id} (${scores})` : `kept apart from ${id}: ${keptApart} (${scores})`;
}

function isCommitTrace(trace: InteractionTrace | null): trace is CommitTrace {
  return trace !== null && "substance" in trace;
}

function describeSubstance({ decidedBy, substantial, category, score, threshold }: CommitTrace["substance"]): string {
  if (decidedBy === "restored by request") return "restored by request";
  const kept = substantial ? "" : "not kept: small talk, ";
  if (decidedBy === "examples") return `${kept}substance ${formatNumber(score)} (needs ${formatNumber(threshold)})`;
  return substantial ? `the language model found substance: ${category}` : `${kept}says the language model`;
}

/** What the language model did, step by step: what was repaired in its replies, and why a reply was requested again. */
export function describeSteps(trace: InteractionTrace | null): string {
  const { name, steps = [] } = (isCommitTrace(trace) ? trace.languageModel : null) ?? {};
  const shown = steps.map(({ step, how, repairs, failure }) => {
    const notes = [
      ...(how === "retried" && failure !== null ? [`the first reply: ${shorten(failure, failureLengthMax)}`] : []),
      ...(repairs.length === 0 ? [] : [`repaired: ${repairs.join(", ")}`]),
    ];
    return `${step} ${how}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  });
  return shown.length === 0 ? "" : `${name}: ${shown.join(", ")}`;
}

/** Steps done without the model, and why. */
function describeFailures({ languageModel }: CommitTrace): string[] {
  const failed = (languageModel?.steps ?? []).filter(({ how }) => how === "without model");
  if (failed.length === 0) return [];
  const steps = failed.map(({ step }) => step).join(" and ");
  return [
    colours.yellow(`${steps} without the language model: ${shorten(failed[0]!.failure ?? "", failureLengthMax)}`),
  ];
}
