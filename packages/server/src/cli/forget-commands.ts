/** `mnemosyne forget`, `restore`, `prune`: what leaves the memory and what comes back. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import {
  type ForgettingReceipt,
  type HistoryItem,
  InputError,
  type MemorySelection,
  type PersonMemory,
} from "mnemosyne-edge";
import { interactionOf, resolveId, resolveIds } from "./interaction-ids.js";
import { formatTable, shorten, terminalWidth, visibleWidth, wrap } from "./layout.js";
import { describeOutcome, textOf } from "./outcome-words.js";
import { colours } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, isSelecting, readSelection } from "./selection-options.js";
import { type Named, consequencesOf, listNamed, readNamed } from "./statement-words.js";
import { type Settings, parseWholeNumber, waitUntilProcessed, withMnemosyne, withPerson } from "./settings.js";
import {
  countOf,
  formatBytes,
  formatMoment,
  formatNumber,
  output,
  print,
  printWrapped,
  toTerminal,
} from "./terminal.js";

const textWidthMin = 20;
/** More are only counted in a receipt. */
const namedCountMax = 5;
/** More are only counted in the question. */
const shownCountMax = 20;

interface ForgetOptions extends SelectionOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
}

export function addForgetCommands(program: Command): void {
  const forget = program
    .command("forget [ids...]")
    .description("remove interactions, or single statements, and everything made from them, for good")
    .option("--all", "remove everything about the person")
    .option("--yes", "do not ask");
  addSelectionOptions(forget)
    .addHelpText(
      "after",
      `
Without --yes it shows what is meant and asks; with --yes ids must be whole,
so that a script never forgets something that merely begins the same.

Examples:
  mnemosyne forget 20250108-0915
  mnemosyne forget 20250108-0915#1
  mnemosyne forget --filter project=atlas --to 2025-01-01
  mnemosyne --person ada forget --all --yes`,
    )
    .action(async (typed: string[], options: ForgetOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { all: isAll = false, yes: isSure = false } = options;
      const isSelected = isSelecting(options);
      checkWhatToForget(typed.length > 0, isAll, isSelected);
      if (!isSure && process.stdin.isTTY !== true) {
        throw new InputError("option_invalid", "forget needs --yes when it cannot ask on a terminal");
      }
      const receipt = await withPerson(settings, async (memory) => {
        // A script has no one to ask: a beginning of an id could be that of another.
        const ids = isSure ? typed : await resolveIds(memory, typed);
        const selection = isSelected ? readSelection(options) : null;
        if (!isSure) {
          const meant = isAll ? null : await readMeant(memory, selection, ids);
          if (!(await confirm(describeForgetting(meant, settings)))) return null;
        }
        return isAll ? memory.forgetAll() : memory.forget(selection ?? ids);
      });
      if (receipt === null) print("Nothing was forgotten.");
      else output(settings, receipt, describeReceipt(receipt));
    });

  program
    .command("restore <id>")
    .description("make a memory again of what was set aside; let hold again what ended or is held back")
    .addHelpText(
      "after",
      `
A wish to forget that is restored is taken back: all that it held back holds again.

Examples:
  mnemosyne restore 20250108-0915
  mnemosyne restore 20250108-0915#1`,
    )
    .action(async (typed: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      await withPerson(settings, async (memory) => {
        const id = await resolveId(memory, typed);
        await memory.restore(id);
        await waitUntilProcessed(memory, `${id} is queued again`);
        const [restored] = await memory.history({ ids: [await interactionOf(memory, id)] });
        const isPart = restored!.id !== id || restored!.outcome === "forgetAsked";
        output(settings, restored, isPart ? await describeRestored(memory, id, restored!) : describeOutcome(restored!));
      });
    });

  addPrune(program);
}

function addPrune(program: Command): void {
  program
    .command("prune")
    .description("remove the weakest memories until a limit holds; they stay restorable")
    .option("--count <n>", "memories to keep at most; 0 is no limit", parseWholeNumber)
    .option("--bytes <n>", "bytes in memory to keep at most; 0 is no limit", parseWholeNumber)
    .addHelpText(
      "after",
      `
Without these options, memoryCountMax and memoryBytesMax apply; both are 0
unless --set changes them.

Examples:
  mnemosyne prune --count 500
  mnemosyne prune --bytes 20000000 --json`,
    )
    .action(async ({ count, bytes }: { count?: number; bytes?: number }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const given = {
        ...(count === undefined ? {} : { memoryCountMax: count }),
        ...(bytes === undefined ? {} : { memoryBytesMax: bytes }),
      };
      const { report, limits } = await withMnemosyne(settings, async (mnemosyne) => ({
        report: await mnemosyne.person(settings.person).prune(given),
        limits: { ...mnemosyne.parameters, ...given },
      }));
      const rows = report.pruned.map(({ id, score }) => [id, formatNumber(score, 4)]);
      if (settings.json !== true && limits.memoryCountMax === 0 && limits.memoryBytesMax === 0) {
        printWrapped("There is no limit, so nothing was pruned; set one above 0 with --count or --bytes.");
      }
      const table = rows.length === 0 ? "" : `${formatTable(["pruned", "score"], rows)}\n`;
      const remain = `${countOf(report.memoryCount, "memory")} ${report.memoryCount === 1 ? "remains" : "remain"}`;
      output(settings, report, `${table}${rows.length} pruned, ${remain} (${formatBytes(report.byteCount)}).`);
    });
}

function checkWhatToForget(hasIds: boolean, isAll: boolean, isSelected: boolean): void {
  if (hasIds && isAll) throw new InputError("id_invalid", "forget takes ids or --all, not both");
  if (isSelected && (hasIds || isAll)) {
    throw new InputError("option_invalid", "forget takes --filter, --from and --to without ids and without --all");
  }
  if (hasIds || isAll || isSelected) return;
  throw new InputError(
    "id_invalid",
    "forget needs ids, --filter, --from, --to, or --all; `mnemosyne list --history` shows all ids",
  );
}

async function readMeant(
  memory: PersonMemory,
  selection: MemorySelection | null,
  ids: readonly string[],
): Promise<Named[]> {
  if (selection === null) return readNamed(memory, ids);
  const items: readonly HistoryItem[] = await memory.history(selection);
  return items.map((item) => ({ id: item.id, at: item.at, text: textOf(item) }));
}

/** A statement, or what a wish to forget held back. */
async function describeRestored(memory: PersonMemory, id: string, item: HistoryItem): Promise<string> {
  const names = item.id === id ? consequencesOf(item).forgetAsked : [id];
  return [colours.green("restored"), ...(await listNamed("holds again", names, memory))].join("\n");
}

/** The question, with what would go; null for everything. */
function describeForgetting(items: readonly Named[] | null, { person, timeZone }: Settings): string {
  if (items === null) return `Forget everything about "${person}" for good?`;
  const lines = items.slice(0, shownCountMax).map((item) => {
    const named = `  ${item.id}  ${formatMoment(item.at, timeZone)}  `;
    return named + shorten(item.text, Math.max(textWidthMin, terminalWidth(process.stderr) - visibleWidth(named)));
  });
  const more = items.length > shownCountMax ? [`  and ${items.length - shownCountMax} more`] : [];
  const question = `Forget ${items.length === 1 ? "this" : `these ${items.length}`} for good?`;
  return [...lines, ...more, question].join("\n");
}

function describeReceipt({ forgotten, removed, remainingPairs, coreSummaryRebuilt }: ForgettingReceipt): string {
  const counts = [
    [removed.interactions, "interaction"],
    [removed.queueEntries, "queue entry"],
    [removed.memories, "memory"],
    [removed.edges, "edge"],
    [removed.vectors, "vector"],
    [removed.lexicalEntries, "lexical entry"],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
  const what = forgotten.length <= namedCountMax ? forgotten.join(", ") : `${forgotten.length} interactions`;
  const still = `${colours.yellow("still there")}, saying nearly the same: ${remainingPairs.join(", ")}`;
  return [
    wrap(`${colours.green("forgotten")} ${what}`, "", "  "),
    // Of a statement nothing is counted.
    ...(shown.length === 0 && forgotten.length > 0 ? [] : [wrap(`removed: ${shown.join(", ") || "nothing"}`, "  ")]),
    ...(coreSummaryRebuilt ? ["  the core summary was written again"] : []),
    ...(remainingPairs.length > 0 ? [wrap(still, "  ")] : []),
  ].join("\n");
}

async function confirm(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/iu.test((await reader.question(toTerminal(`${question} [y/N] `))).trim());
  } finally {
    reader.close();
  }
}
