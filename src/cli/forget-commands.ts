/** `mnemosyne forget`, `restore`, `prune`: what leaves the memory and what comes back. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { type ForgettingReceipt, InputError, type PersonMemory } from "../index.js";
import { describeOutcome } from "./commit-command.js";
import { type SelectionOptions, addSelectionOptions, isSelecting, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, waitUntilProcessed, withMnemosyne, withPerson } from "./settings.js";
import { colours, countOf, formatBytes, formatNumber, formatTable, print, printJson, toTerminal } from "./terminal.js";

export function addForgetCommands(program: Command): void {
  const forget = program
    .command("forget [ids...]")
    .description("remove interactions and everything made from them, for good")
    .option("--all", "remove everything about the person")
    .option("--yes", "do not ask");
  addSelectionOptions(forget)
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne forget 20250108-0915-3f2a91
  mnemosyne forget --filter project=atlas --to 2025-01-01
  mnemosyne --person ada forget --all --yes`,
    )
    .action(async (ids: string[], options: ForgetOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      checkWhatToForget(ids, options);
      const receipt = await withPerson(settings, async (memory) => {
        const what = await describeWhat(ids, options, memory);
        if (options.yes !== true && !(await confirm(`Forget ${what} for good?`))) return null;
        if (options.all === true) return memory.forgetAll();
        return memory.forget(isSelecting(options) ? readSelection(options) : ids);
      });
      if (receipt === null) return print("Nothing was forgotten.");
      if (settings.json === true) printJson(receipt);
      else print(formatReceipt(receipt));
    });

  program
    .command("restore <id>")
    .description("turn what was discarded, replaced or pruned into a memory again")
    .action(async (id: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const item = await withPerson(settings, async (memory) => {
        await memory.restore(id);
        await waitUntilProcessed(memory.settled(), `${id} is queued again`);
        return (await memory.history({ ids: [id] }))[0]!;
      });
      if (settings.json === true) printJson(item);
      else print(describeOutcome(item));
    });

  program
    .command("prune")
    .description("remove the weakest memories until a limit holds; they stay restorable")
    .option("--count <n>", "memories to keep at most; 0 is no limit", parseWholeNumber)
    .option("--bytes <n>", "bytes in memory to keep at most; 0 is no limit", parseWholeNumber)
    .addHelpText(
      "after",
      `
Without these options, memoryCountMax and memoryBytesMax apply; both are 0 unless --set changes them.

Examples:
  mnemosyne prune --count 500
  mnemosyne prune --bytes 20000000 --json`,
    )
    .action(async (options: { count?: number; bytes?: number }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const given = {
        ...(options.count === undefined ? {} : { memoryCountMax: options.count }),
        ...(options.bytes === undefined ? {} : { memoryBytesMax: options.bytes }),
      };
      const { report, limits } = await withMnemosyne(settings, async (mnemosyne) => ({
        report: await mnemosyne.person(settings.person).prune(given),
        limits: { ...mnemosyne.parameters, ...given },
      }));
      if (settings.json === true) return printJson(report);
      if (limits.memoryCountMax === 0 && limits.memoryBytesMax === 0) {
        print("There is no limit, so nothing was pruned; set one above 0 with --count or --bytes.");
      }
      const rows = report.pruned.map(({ id, score }) => [id, formatNumber(score, 4)]);
      if (rows.length > 0) print(formatTable(["pruned", "score"], rows));
      const remain = `${countOf(report.memoryCount, "memory")} ${report.memoryCount === 1 ? "remains" : "remain"}`;
      print(`${rows.length} pruned, ${remain} (${formatBytes(report.byteCount)}).`);
    });
}

interface ForgetOptions extends SelectionOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
}

async function describeWhat(ids: readonly string[], options: ForgetOptions, memory: PersonMemory): Promise<string> {
  if (options.all === true) return `everything about "${memory.name}"`;
  if (!isSelecting(options)) return ids.join(", ");
  return countOf((await memory.history(readSelection(options))).length, "interaction");
}

function checkWhatToForget(ids: readonly string[], options: ForgetOptions): void {
  const isAll = options.all === true;
  const isSelected = isSelecting(options);
  if (ids.length > 0 && isAll) throw new InputError("id_invalid", "forget takes ids or --all, not both");
  if (isSelected && (ids.length > 0 || isAll)) {
    throw new InputError("option_invalid", "forget takes --filter, --from and --to without ids and without --all");
  }
  if (ids.length > 0 || isAll || isSelected) return;
  throw new InputError(
    "id_invalid",
    "forget needs ids, --filter, --from, --to, or --all; `mnemosyne list --history` shows all ids",
  );
}

function formatReceipt({ forgotten, removed, remainingPairs, coreSummaryRebuilt }: ForgettingReceipt): string {
  const { interactions, queueEntries, memories, edges, vectors, lexicalEntries } = removed;
  const counts = [
    [interactions, "interaction"],
    [queueEntries, "queue entry"],
    [memories, "memory"],
    [edges, "edge"],
    [vectors, "vector"],
    [lexicalEntries, "lexical entry"],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
  const lines = [
    `${colours.green("forgotten")} ${forgotten.length <= 5 ? forgotten.join(", ") : `${forgotten.length} interactions`}`,
  ];
  lines.push(`  removed: ${shown.length === 0 ? "nothing" : shown.join(", ")}`);
  if (coreSummaryRebuilt) lines.push("  the core summary was written again");
  if (remainingPairs.length > 0)
    lines.push(`  ${colours.yellow("still there")}, saying nearly the same: ${remainingPairs.join(", ")}`);
  return lines.join("\n");
}

/** Asks on a terminal; elsewhere nobody can answer, so --yes is required. */
async function confirm(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new InputError("option_invalid", "forget needs --yes when it cannot ask on a terminal");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/iu.test((await reader.question(toTerminal(`${question} [y/N] `))).trim());
  } finally {
    reader.close();
  }
}
