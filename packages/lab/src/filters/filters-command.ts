/**
 * `lab -- filters`: how often the memory is right to keep, to drop, to pair a repetition and to end a statement. `--wrong`
 * prints its mistakes: interactions, and pairs of statements, the older one first.
 */
import { parseArgs } from "node:util";
import { InputError } from "mnemosyne-edge";
import { findDataFolder } from "../data/files.js";
import { openModels } from "../model-cache.js";
import { readChange } from "../recall/recall-command.js";
import { alignColumns } from "../recall/table.js";
import { commitPerson } from "./commit-people.js";
import { type Verdict, labelledNames, readLabelled } from "./labelled-talk.js";

export async function filtersCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sets: { type: "string" },
      people: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
      set: { type: "string", multiple: true, default: [] },
      encoder: { type: "string" },
      wrong: { type: "boolean", default: false },
      data: { type: "string" },
    },
  });
  const names = values.sets?.split(",") ?? labelledNames;
  const unknown = names.find((name) => !labelledNames.includes(name));
  if (unknown !== undefined) {
    throw new InputError("option_invalid", `set "${unknown}" is unknown; use some of: ${labelledNames.join(", ")}`);
  }
  const change = readChange(values.without, values.set);
  const data = findDataFolder(values.data);
  const people = values.people === undefined ? null : new Set(values.people.split(","));
  const models = await openModels({ encoderFolder: values.encoder });
  const rows: string[][] = [];
  try {
    for (const name of names) {
      const verdicts: Verdict[] = [];
      for (const { speaker, compare } of readLabelled(name, data)) {
        if (people === null || people.has(speaker.id)) {
          verdicts.push(...compare(await commitPerson(speaker, models, change)));
        }
      }
      process.stderr.write(
        verdicts.length === 0 ? `${name}: nothing labelled\n` : `${name}: ${verdicts.length} verdicts\n`,
      );
      rows.push(...describeVerdicts(name, verdicts));
      if (values.wrong) for (const verdict of verdicts) if (verdict.said !== verdict.label) writeWrong(name, verdict);
    }
  } finally {
    await models.close();
  }
  process.stdout.write(alignColumns([["", "", "precision", "recall", "F1", "right", "said", "labelled"], ...rows]));
}

function writeWrong(name: string, { question, label, text }: Verdict): void {
  process.stdout.write(`${name}: ${label ? "missed" : "wrong"}, ${question}: ${text.replaceAll("\n", " ")}\n`);
}

/** Dropping is the other side of keeping, with figures of its own. */
export function describeVerdicts(name: string, verdicts: readonly Verdict[]): string[][] {
  const of = (question: Verdict["question"]): Verdict[] => verdicts.filter((verdict) => verdict.question === question);
  const dropped = of("keeps").map((verdict) => ({ ...verdict, said: !verdict.said, label: !verdict.label }));
  const groups = { kept: of("keeps"), dropped, repetitions: of("repeats"), ends: of("ends") };
  const shown = Object.entries(groups).filter(([, group]) => group.some(({ label }) => label));
  return shown.map(([label, group], i) => [i === 0 ? name : "", label, ...describeGroup(group)]);
}

export interface Precision {
  /** Null if nothing was said, or everything there is has the label. */
  readonly precision: number | null;
  readonly recall: number;
  readonly f1: number | null;
}

/** Of some verdicts, at least one of which has the label. */
export function measureVerdicts(verdicts: readonly Pick<Verdict, "said" | "label">[]): Precision {
  const right = verdicts.filter(({ said, label }) => said && label).length;
  const saidCount = verdicts.filter(({ said }) => said).length;
  const labelCount = verdicts.filter(({ label }) => label).length;
  const recall = right / labelCount;
  if (saidCount === 0 || labelCount === verdicts.length) return { precision: null, recall, f1: null };
  return { precision: right / saidCount, recall, f1: (2 * right) / (saidCount + labelCount) };
}

function describeGroup(verdicts: readonly Verdict[]): string[] {
  const { precision, recall, f1 } = measureVerdicts(verdicts);
  const counts = [
    verdicts.filter(({ said, label }) => said && label),
    verdicts.filter(({ said }) => said),
    verdicts.filter(({ label }) => label),
  ];
  return [
    ...[precision, recall, f1].map((value) => (value === null ? "" : value.toFixed(3))),
    ...counts.map(({ length }) => String(length)),
  ];
}
