/** `lab -- compare A B`: what a change won and lost, question by question and set by set. */
import { parseArgs } from "node:util";
import { InputError } from "mnemosyne-edge";
import { readResults } from "./results-file.js";
import type { Result } from "./run.js";
import { alignColumns, pairValues, signed, writeDifference } from "./table.js";

const figures = {
  hit3: "hit@3",
  ndcg3: "nDCG@3",
  recall10: "recall@10",
  evidence: "evidence",
  first: "first",
} as const;

export function compareCommand(args: string[]): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      system: { type: "string", default: "ours" },
      figure: { type: "string", default: "ndcg3" },
      quiet: { type: "boolean", default: false },
    },
  });
  const [before, after] = positionals;
  if (before === undefined || after === undefined)
    throw new InputError("option_invalid", "compare takes two saved files");
  const figure = Object.keys(figures).find((name) => name === values.figure) as keyof typeof figures | undefined;
  if (figure === undefined) {
    throw new InputError("option_invalid", `--figure must be one of: ${Object.keys(figures).join(", ")}`);
  }
  const ofSystem = (file: string): Result[] => readResults(file).filter(({ system }) => system === values.system);
  process.stdout.write(writeComparison(ofSystem(before), ofSystem(after), values.quiet ? null : figure));
}

/** `shown` is the figure whose changed questions are listed; null for none. */
export function writeComparison(
  before: readonly Result[],
  after: readonly Result[],
  shown: keyof typeof figures | null,
): string {
  const sets = [...new Set(after.map(({ set }) => set))];
  const rows = sets.flatMap((set) =>
    Object.entries(figures).flatMap(([name, label]) => {
      const pairs = pairValues(
        before.filter((result) => result.set === set),
        after.filter((result) => result.set === set),
        (result) => result[name as keyof typeof figures],
      );
      if (pairs.length === 0) return [];
      const won = pairs.filter(({ difference }) => difference > 0).length;
      const lost = pairs.filter(({ difference }) => difference < 0).length;
      return [[set, label, `${won} won`, `${lost} lost`, `${pairs.length} questions`, writeDifference(pairs)]];
    }),
  );
  if (rows.length === 0) return "the files have no questions in common\n";
  return `${shown === null ? "" : listChanges(before, after, shown)}${alignColumns(rows)}`;
}

function listChanges(before: readonly Result[], after: readonly Result[], shown: keyof typeof figures): string {
  const changed = pairValues(before, after, (result) => result[shown]).filter(({ difference }) => difference !== 0);
  changed.sort((a, b) => a.difference - b.difference);
  return changed
    .map(({ before: { ranks }, after: { set, person, question, kind, ranks: newRanks }, difference }) => {
      const places = (list: readonly (number | null)[]): string => list.map((rank) => rank ?? "-").join(" ");
      return `${signed(difference)}  ${set} ${person} ${question} [${kind}]  gold at ${places(ranks)} → ${places(newRanks)}\n`;
    })
    .join("");
}
