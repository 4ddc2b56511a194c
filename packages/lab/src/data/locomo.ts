/**
 * LoCoMo (Maharana et al. 2024): long conversations of two people, in one file. A session is an interaction; every question
 * is asked a day after the last session.
 */
import type { Turn } from "mnemosyne-edge";
import {
  type Dataset,
  type DatasetGroup,
  type DatasetInteraction,
  type DatasetQuestion,
  checkUnique,
  evidenceBudgets,
} from "./dataset.js";
import { JsonReader } from "./json-reader.js";

/** In the order of their numbers in the file, which start at 1. */
const categories = ["multi-hop", "temporal", "open-domain", "single-hop", "adversarial"] as const;
const answerable = ["multi-hop", "temporal", "open-domain", "single-hop"] as const;
const dayMs = 86_400_000;

export interface LocomoOptions {
  /** Leave out the summaries of the sessions, which in everyday use nobody writes. */
  readonly turnsOnly?: boolean;
}

export async function readLocomo(file: string, { turnsOnly = false }: LocomoOptions = {}): Promise<Dataset> {
  const root = await JsonReader.open(file);
  const ids = new Set<string>();
  const groups = root.items().map((conversation) => {
    const group = readConversation(conversation, turnsOnly);
    checkUnique(group.id, ids, conversation.field("sample_id"));
    return group;
  });
  if (groups.length === 0) throw root.error("must contain at least one conversation");
  const name = turnsOnly ? "locomo-turns" : "locomo";
  return { name, groups, kinds: categories, kindGroups: { answerable }, evidenceBudgets };
}

function readConversation(conversation: JsonReader, turnsOnly: boolean): DatasetGroup {
  const id = conversation.field("sample_id").text();
  const sessions = readSessions(conversation, turnsOnly);
  const turns = new Map(sessions.flatMap((session) => [...session.evidence]));
  const atMs = Math.max(...sessions.map(({ interaction }) => interaction.atMs)) + dayMs;
  const known = new Set(sessions.map(({ interaction }) => interaction.id));
  const asked = conversation.field("qa").items();
  const questions = asked
    .map((item, i) => readQuestion(item, `${id}-q${i + 1}`, atMs, known, turns))
    .filter((question) => question !== null);
  if (questions.length === 0) throw conversation.field("qa").error("must contain at least one question with evidence");
  const interactions = sessions.map(({ interaction }) => interaction);
  const skippedQuestionCount = asked.length - questions.length;
  return { id, timeZone: "UTC", profile: "general", interactions, questions, skippedQuestionCount };
}

interface Session {
  readonly interaction: DatasetInteraction;
  /** What was said, by the id of the turn. */
  readonly evidence: ReadonlyMap<string, string>;
}

function readSessions(conversation: JsonReader, turnsOnly: boolean): Session[] {
  const talk = conversation.field("conversation");
  const numbers = talk
    .names()
    .map((name) => /^session_(\d+)$/u.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  if (numbers.length === 0) throw talk.error("must contain at least one session (session_1)");
  return numbers.map((number) => {
    const summary = turnsOnly ? null : conversation.field("session_summary").field(`session_${number}_summary`).text();
    return readSession(talk, number, summary);
  });
}

function readSession(talk: JsonReader, number: number, summary: string | null): Session {
  const items = talk.field(`session_${number}`).items();
  const said = items.map((turn) => [turn.field("dia_id").text(), turn.field("text").anyText()] as const);
  const interaction = {
    id: `D${number}`,
    atMs: readMoment(talk.field(`session_${number}_date_time`)),
    turns: items.map(readTurn),
    summary,
    state: null,
    labels: null,
  };
  return { interaction, evidence: new Map(said) };
}

function readTurn(turn: JsonReader): Turn {
  const caption = turn.field("blip_caption");
  const shared = caption.isMissing() ? "" : ` [shares a photo: ${caption.text()}]`;
  return { who: turn.field("speaker").text(), text: `${turn.field("text").anyText()}${shared}`.trim() };
}

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** "1:56 pm on 8 May, 2023". */
function readMoment(reader: JsonReader): number {
  const match = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/u.exec(reader.text().trim());
  const month = months.indexOf(match?.[5]?.toLowerCase() ?? "");
  if (match === null || month === -1) throw reader.wrong('a moment such as "1:56 pm on 8 May, 2023"');
  const hour = (Number(match[1]) % 12) + (match[3] === "pm" ? 12 : 0);
  return Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]));
}

/** Null if the question's evidence names no existing session. */
function readQuestion(
  item: JsonReader,
  id: string,
  atMs: number,
  sessions: ReadonlySet<string>,
  turns: ReadonlyMap<string, string>,
): DatasetQuestion | null {
  const text = item.field("question").text();
  const kind = categories[item.field("category").number() - 1];
  if (kind === undefined) throw item.field("category").wrong(`a number from 1 to ${categories.length}`);
  const named = item
    .field("evidence")
    .items()
    .flatMap((evidence) => evidence.anyText().match(/D\d+:\d+/gu) ?? []);
  const gold = [...new Set(named.map((turnId) => turnId.split(":")[0]!))].filter((session) => sessions.has(session));
  if (gold.length === 0) return null;
  const evidence = [...new Set(named)].map((turnId) => turns.get(turnId) ?? "").filter((said) => said.trim() !== "");
  return { id, atMs, text, kind, gold, answer: readAnswer(item, kind), evidence };
}

function readAnswer(item: JsonReader, kind: string): string | null {
  if (kind === "adversarial") return null;
  return item.field("answer").scalar();
}
