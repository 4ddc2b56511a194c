/** Statements in a user's words: what one says, whether it still holds, and those that a commit ended or holds back. */
import {
  type CommitResult,
  type HistoryItem,
  NotFoundError,
  type PersonMemory,
  type StatementView,
} from "mnemosyne-edge";
import { describeDecision } from "mnemosyne-edge/internal/engine/commit-decision.js";
import { interactionOf } from "./interaction-ids.js";
import { flatten, shorten, wrap } from "./layout.js";
import { textOf } from "./outcome-words.js";
import { colours } from "./paint.js";
import { formatDay } from "./terminal.js";

/** The beginning of a long text is enough to know it by. */
const textWidthMax = 100;
/** More are only counted. */
const namedCountMax = 10;

const markWords: Readonly<Record<StatementView["marks"][number], string>> = {
  pinned: "pinned",
  removed: "removed from the core memory",
  untrue: "not true",
  held: "held back: somebody asks to forget it",
};

/** With the question that it answers. */
export function sayStatement({ who, text, asked }: Pick<StatementView, "who" | "text" | "asked">): string {
  const speaker = who === null || who === "user" ? "" : `${who}: `;
  return flatten(`${speaker}${asked === null ? "" : `(${asked}) `}${text}`);
}

/** What ended it, and how it is marked; empty if it simply holds. */
export function describeHolding({ endedAt, endedBy, marks }: StatementView, timeZone: string | undefined): string[] {
  const ended = endedAt === null ? [] : [`ended ${formatDay(endedAt, timeZone)} by ${endedBy.join(" and ")}`];
  return [...ended, ...marks.map((mark) => markWords[mark])];
}

export interface Named {
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

/** The interactions and statements of these names; unknown ones are left out. */
export async function readNamed(memory: PersonMemory, names: readonly string[]): Promise<Named[]> {
  const found: Named[] = [];
  for (const id of names) {
    const owner = await interactionOf(memory, id);
    const [item] = await memory.history({ ids: [owner] });
    if (item === undefined) continue;
    const statement = owner === id ? undefined : await findStatement(memory, owner, id);
    if (owner !== id && statement === undefined) continue;
    found.push({ id, at: item.at, text: statement === undefined ? textOf(item) : sayStatement(statement) });
  }
  return found;
}

async function findStatement(memory: PersonMemory, owner: string, name: string): Promise<StatementView | undefined> {
  try {
    return (await memory.get(owner)).statements.find(({ id }) => id === name);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** What an interaction ended, and what it asks to forget, by name. */
export function consequencesOf({
  id,
  outcome,
  trace,
}: Pick<HistoryItem, "id" | "outcome" | "trace">): Pick<CommitResult, "ended" | "forgetAsked"> {
  return describeDecision(id, outcome, trace);
}

/** The same, a line each, with what can be done about a wish. */
export async function describeConsequences(memory: PersonMemory, item: HistoryItem): Promise<string[]> {
  const { ended, forgetAsked } = consequencesOf(item);
  const hint = "`mnemosyne forget` removes that for good, `mnemosyne restore` lets it hold again";
  return [
    ...(await listNamed("ended", ended, memory)),
    ...(await listNamed("held back", forgetAsked, memory)),
    ...(forgetAsked.length === 0 ? [] : [wrap(colours.dim(hint), "  ")]),
  ];
}

export async function listNamed(word: string, names: readonly string[], memory: PersonMemory): Promise<string[]> {
  const named = await readNamed(memory, names.slice(0, namedCountMax));
  const more = names.length > namedCountMax ? [`  and ${names.length - namedCountMax} more`] : [];
  return [
    ...named.map(({ id, text }) => wrap(`${word} ${id} ${colours.dim(shorten(text, textWidthMax))}`, "  ", "    ")),
    ...more,
  ];
}
