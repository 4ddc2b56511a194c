/** `mnemosyne commit` and `correct`: submit an interaction and say what became of it. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withoutByteOrderMark } from "../files/byte-order-mark.js";
import { describeUnreadable } from "../files/file-error.js";
import {
  type CommitResult,
  type CommitTrace,
  type HistoryItem,
  InputError,
  type InteractionInput,
  type InteractionTrace,
  type Metadata,
  type PersonMemory,
  type RedundancyTrace,
  type Turn,
} from "../index.js";
import { collectMetadata } from "./selection-options.js";
import { type Settings, withPerson } from "./settings.js";
import { colours, countOf, formatNumber, print, printJson, shorten } from "./terminal.js";

const failureLengthMax = 160;

/** How an interaction is told of. */
interface Circumstances {
  readonly at?: string;
  readonly id?: string;
  readonly state?: string;
}

interface CommitOptions extends Circumstances {
  readonly turns?: string;
  readonly keep?: boolean;
  readonly updates?: readonly string[];
  readonly metadata?: Metadata;
  readonly expires?: string;
  readonly explain?: boolean;
}

export function addCommitCommand(program: Command): void {
  const commit = program
    .command("commit [text]")
    .description("submit an interaction: a text (- reads standard input), or a conversation with --turns")
    .option(
      "--turns <json>",
      'turns: a JSON file, - for standard input, or JSON such as [{ "who": "user", "text": "…" }]',
    )
    .option("--keep", "make a memory of it, whatever it says")
    .option("--updates <id>", "an earlier interaction that it makes outdated; repeat for more", collectId)
    .option(
      "--metadata <key=value>",
      "what to filter it by later; key=a,b is a list, or JSON; repeat for more",
      collectMetadata,
    )
    .option("--expires <time>", "when it is forgotten; never by default")
    .option("--explain", "also print the scores that decided");
  addCircumstances(commit)
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne commit "Knee bends to 95 degrees now, pain 3 of 10 on the stairs."
  mnemosyne commit --at 2025-01-08T09:15:00Z --state "pre-operative phase" --turns talk.json
  mnemosyne commit "The invoice is paid." --metadata project=atlas --metadata tags=billing,done
  mnemosyne commit "The knee bends to 110 degrees now." --updates 20250108-0915-3f2a91
  echo "Ada moved to Lisbon for a new job." | mnemosyne commit -`,
    )
    .action(async (text: string | undefined, options: CommitOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const input = readInteraction(text, options);
      const submit = (memory: PersonMemory): Promise<Submitted> => follow(memory, memory.commit(input, { wait: true }));
      report(await withPerson(settings, submit, "new or existing"), settings, options.explain === true);
    });

  const correct = program
    .command("correct <id> <text>")
    .description("replace what an interaction says: the text is kept, and the earlier one becomes outdated");
  addCircumstances(correct)
    .addHelpText(
      "after",
      `
The earlier interaction stays, with its date, for questions about that time; \`mnemosyne forget\` removes it.

Example:
  mnemosyne correct 20250108-0915-3f2a91 "It is the left knee, not the right one."`,
    )
    .action(async (id: string, text: string, options: Circumstances, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      report(await withPerson(settings, (memory) => follow(memory, memory.correct(id, text, options))), settings);
    });
}

export function addUnlinkCommand(program: Command): void {
  program
    .command("unlink <id> <outdated-id>")
    .description("take back that an interaction made an earlier one outdated: both hold")
    .action(async (id: string, outdatedId: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      await withPerson(settings, (memory) => memory.unlink(id, outdatedId));
      if (settings.json === true) printJson({ id, outdatedId });
      else print(`${outdatedId} holds again`);
    });
}

function addCircumstances(command: Command): Command {
  return command
    .option("--at <time>", "when it took place, e.g. 2025-01-08T09:15:00Z, or without Z in --time-zone; now by default")
    .option("--id <id>", "your own id; the same id twice is stored once")
    .option("--state <state>", 'domain-specific state, e.g. "post-surgery recovery phase"');
}

function collectId(id: string, others: readonly string[] = []): readonly string[] {
  return [...others, id];
}

interface Submitted {
  readonly result: CommitResult;
  readonly item: HistoryItem;
}

async function follow(memory: PersonMemory, submitted: Promise<CommitResult>): Promise<Submitted> {
  const result = await submitted;
  const [item] = await memory.history({ ids: [result.id] });
  return { result, item: item! };
}

function report({ result, item }: Submitted, { json }: Settings, isExplained = false): void {
  const { id, isNew, outcome } = result;
  if (json === true) return printJson({ ...result, trace: item.trace });
  if (!isNew) return print(`${colours.yellow("already stored")} ${id} (${outcome}); nothing changed`);
  const scores = isExplained ? `\n  ${describeScores(item.trace)}` : "";
  print(describeOutcome(item) + scores + (outcome === "discarded" ? `\n  ${restoreHint(id)}` : ""));
}

function readInteraction(text: string | undefined, options: CommitOptions): InteractionInput {
  const { turns, at, id, state, keep, updates, metadata, expires } = options;
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
    ...(keep === undefined ? {} : { keep }),
    ...(updates === undefined ? {} : { updates }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
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
export function describeOutcome({ id, outcome, reason, trace, summary, turns }: HistoryItem): string {
  const text = summary ?? turns.map((turn) => turn.text).join(" ");
  const first = `${paintOutcome(outcome)} ${id}${colours.dim(`  ${shorten(text, 60)}`)}`;
  return [first, reason, ...describeFailures(trace)].join("\n  ");
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

/** The scores behind an outcome, in one line. */
export function describeScores(trace: InteractionTrace | null): string {
  if (!isCommitTrace(trace)) return "";
  const { redundancy, pairing, edges } = trace;
  const parts = describeSubstance(trace.substance);
  if (redundancy !== null && redundancy !== undefined) {
    parts.push(describeRedundancy(redundancy));
  }
  if (pairing != null && pairing.case !== "add") {
    parts.push(
      `rewound by ${formatNumber(pairing.rewindDays, 1)} days, boost now ${formatNumber(pairing.boostDays, 1)}`,
    );
  }
  if (pairing?.case === "replace") parts.push(`replaced ${pairing.removedId}`);
  if (edges !== null && edges !== undefined) parts.push(countOf(edges.count, "edge"));
  return parts.join(", ");
}

function describeRedundancy({ score, threshold, id, keptApart }: RedundancyTrace): string {
  const scores = `redundancy ${formatNumber(score)}, needs ${formatNumber(threshold)}`;
  if (score < threshold) return `does not repeat ${id} (${scores})`;
  return keptApart == null ? `repeats ${id} (${scores})` : `kept apart from ${id}: ${keptApart} (${scores})`;
}

function isCommitTrace(trace: InteractionTrace | null): trace is CommitTrace {
  return trace !== null && "substance" in trace;
}

function describeSubstance({
  decidedBy,
  substantial,
  category,
  score,
  threshold,
  probability,
}: CommitTrace["substance"]): string[] {
  const judged = probability == null ? [] : [`the judge gives ${formatNumber(probability)} that it tells something`];
  const model = substantial ? `the language model found substance: ${category}` : "the language model found none";
  const byModel = decidedBy === "language model" ? [model] : [];
  const examples = `substance ${formatNumber(score)} (needs ${formatNumber(threshold)})`;
  return [...judged, ...byModel, ...(decidedBy === "examples" ? [examples] : [])];
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
export function describeFailures(trace: InteractionTrace | null): string[] {
  const failed = ((isCommitTrace(trace) ? trace.languageModel : null)?.steps ?? []).filter(
    ({ how }) => how === "without model",
  );
  if (failed.length === 0) return [];
  const steps = failed.map(({ step }) => step).join(" and ");
  return [
    colours.yellow(`${steps} without the language model: ${shorten(failed[0]!.failure ?? "", failureLengthMax)}`),
  ];
}
