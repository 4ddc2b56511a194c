/**
 * The paper's human study (section "Human Evaluation", Equation A3): judges see a question and two systems' texts without
 * their names, in random order, and prefer one or neither. A study comes from the folders of `lab -- answers`: answers where
 * readers wrote some, else contexts.
 */
import { createHash } from "node:crypto";
import { InputError } from "mnemosyne-edge";
import { createRandom } from "mnemosyne-edge/internal/text/random.js";
import type { PacketItem } from "../answers/packets.js";
import { draw } from "../data/draw.js";

/** What a judge sees. */
export interface Comparison {
  readonly id: string;
  readonly question: string;
  readonly atMs: number;
  readonly left: string;
  readonly right: string;
}

/** Not for judges. */
export interface StudyKey {
  /** Tells studies apart, so that judgments of another are refused. */
  readonly study: string;
  readonly systems: readonly string[];
  readonly items: Readonly<Record<string, readonly [left: string, right: string]>>;
}

export type Choice = "left" | "right" | "tie";

/** What the page saves. */
export interface JudgmentSheet {
  readonly study: string;
  readonly judge: string;
  readonly choices: Readonly<Record<string, Choice>>;
}

/** Every two systems on each question that both have; the same questions for all of them. */
export function makeStudy(
  items: readonly PacketItem[],
  answers: Readonly<Record<string, string>>,
  { count, seed }: { readonly count: number; readonly seed: string },
): { key: StudyKey; comparisons: Comparison[] } {
  const systems = [...new Set(items.map(({ system }) => system))].sort();
  const byQuestion = new Map<string, PacketItem[]>();
  for (const item of items) {
    const name = `${item.person} ${item.question}`;
    byQuestion.set(name, [...(byQuestion.get(name) ?? []), item]);
  }
  const shared = [...byQuestion.values()].filter((group) => group.length === systems.length);
  if (systems.length < 2 || shared.length === 0) {
    throw new InputError("dataset_invalid", `a study needs questions to two systems; there are ${systems.join(", ")}`);
  }
  const isAnswered = items.every(({ id }) => Object.hasOwn(answers, id));
  const textOf = ({ id, context }: PacketItem): string => (isAnswered ? answers[id]! : context);
  const random = createRandom(`study sides ${seed}`);
  const pairs = draw(shared, count, `study ${seed}`).flatMap((group) =>
    group.flatMap((one, i) => group.slice(i + 1).map((other) => (random() < 0.5 ? [one, other] : [other, one]))),
  ) as [PacketItem, PacketItem][];
  const ordered = draw(pairs, pairs.length, `study order ${seed}`);
  const comparisons = ordered.map(([left, right], i) => {
    const { text: question, atMs } = left;
    return { id: `c${i + 1}`, question, atMs, left: textOf(left), right: textOf(right) };
  });
  const study = createHash("sha256").update(JSON.stringify(comparisons)).digest("hex").slice(0, 12);
  const sides = ordered.map(([left, right], i) => [`c${i + 1}`, [left.system, right.system]] as const);
  return { comparisons, key: { study, systems, items: Object.fromEntries(sides) } };
}

export interface Tally {
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
}

/** Equation A3. */
export function winRate({ wins, ties, losses }: Tally): number {
  return (wins + 0.5 * ties) / (wins + ties + losses);
}

/** z of 95 %. */
const deviation = 1.959964;

/** Wilson's score interval of a share, of which there is at least one; a tie is half a win, as in the paper. */
export function wilsonInterval(share: number, count: number): readonly [low: number, high: number] {
  const square = deviation ** 2;
  const middle = share + square / (2 * count);
  const half = deviation * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  return [(middle - half) / (1 + square / count), (middle + half) / (1 + square / count)];
}

/** A system's tally over all comparisons with others, or with one of them. */
export function tallyOf(key: StudyKey, sheets: readonly JudgmentSheet[], system: string, other?: string): Tally {
  const tally = { wins: 0, ties: 0, losses: 0 };
  for (const { choices } of sheets) {
    for (const [id, choice] of Object.entries(choices)) {
      const [left, right] = key.items[id]!;
      const rival = left === system ? right : right === system ? left : null;
      if (rival === null || (other !== undefined && rival !== other)) continue;
      const winner = choice === "tie" ? null : choice === "left" ? left : right;
      tally[winner === null ? "ties" : winner === system ? "wins" : "losses"]++;
    }
  }
  return tally;
}

/** Share of comparisons of two judges on which both chose the same; null if no two saw the same. */
export function agreement(sheets: readonly JudgmentSheet[]): number | null {
  const same = sheets.flatMap((one, i) =>
    sheets.slice(i + 1).flatMap((other) =>
      Object.keys(one.choices)
        .filter((id) => Object.hasOwn(other.choices, id))
        .map((id) => Number(one.choices[id] === other.choices[id])),
    ),
  );
  return same.length === 0 ? null : same.reduce((sum, each) => sum + each, 0) / same.length;
}

/** Refuses what was not made with the page of this study. */
export function checkSheet(sheet: JudgmentSheet, key: StudyKey, file: string): JudgmentSheet {
  const wrong = Object.entries(sheet.choices ?? {}).find(
    ([id, choice]) => !Object.hasOwn(key.items, id) || !["left", "right", "tie"].includes(choice),
  );
  if (sheet.study === key.study && wrong === undefined) return sheet;
  throw new InputError("dataset_invalid", `${file} does not hold judgments of study ${key.study}`);
}

/** Rows of the paper's table, then of each two systems. */
export function scoreStudy(key: StudyKey, sheets: readonly JudgmentSheet[]): string[][] {
  const row = (name: string, tally: Tally): string[] => {
    const count = tally.wins + tally.ties + tally.losses;
    if (count === 0) return [name, "", "", "", "", "", "0"];
    const [low, high] = wilsonInterval(winRate(tally), count);
    const percent = (share: number): string => (100 * share).toFixed(1);
    const counts = [tally.wins, tally.ties, tally.losses, count].map(String);
    return [name, percent(winRate(tally)), `[${percent(low)}, ${percent(high)}]`, ...counts];
  };
  return [
    ...key.systems.map((system) => row(system, tallyOf(key, sheets, system))),
    ...key.systems.flatMap((one, i) =>
      key.systems.slice(i + 1).map((other) => row(`${one} against ${other}`, tallyOf(key, sheets, one, other))),
    ),
  ];
}
