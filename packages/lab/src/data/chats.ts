/**
 * Chats: messages between two people, or a person and an assistant, as `benchmarks/chats/README.md` describes them. A
 * session is an interaction without a summary; every question is asked at its own time.
 */
import {
  type Dataset,
  type DatasetGroup,
  type DatasetInteraction,
  type DatasetQuestion,
  checkUnique,
  evidenceBudgets,
} from "./dataset.js";
import { JsonReader } from "./json-reader.js";

const kinds = ["single", "multi", "temporal", "inference", "update"] as const;
/** Nothing in the chat answers it, so there is nothing to find. */
const unanswerable = "unanswerable";

export async function readChats(files: readonly string[]): Promise<Dataset> {
  const groups: DatasetGroup[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    const root = await JsonReader.open(file);
    const chats = root.items();
    if (chats.length === 0) throw root.error("must contain at least one chat");
    for (const chat of chats) {
      const group = readChat(chat);
      checkUnique(group.id, ids, chat.field("id"));
      groups.push(group);
    }
  }
  return { name: "chats", groups, kinds, kindGroups: {}, evidenceBudgets };
}

function readChat(chat: JsonReader): DatasetGroup {
  const id = chat.field("id").text();
  const said = new Map<string, Message>();
  const interactions = readSessions(chat, said);
  const asked = chat.field("questions").items();
  const questionIds = new Set<string>();
  const questions = asked
    .map((item) => {
      checkUnique(item.field("id").text(), questionIds, item.field("id"));
      return readQuestion(item, said);
    })
    .filter((question) => question !== null);
  if (questions.length === 0) throw chat.field("questions").error("must contain at least one question with evidence");
  const skippedQuestionCount = asked.length - questions.length;
  return { id, timeZone: "UTC", profile: "general", interactions, questions, skippedQuestionCount };
}

/** What was said, and in which session. */
interface Message {
  readonly session: DatasetInteraction;
  readonly text: string;
}

/** Adds every message to `said`, by its id. */
function readSessions(chat: JsonReader, said: Map<string, Message>): DatasetInteraction[] {
  const speakers = chat.field("speakers").texts();
  const sessions = chat.field("sessions").items();
  if (sessions.length === 0) throw chat.field("sessions").error("must contain at least one session");
  return sessions.map((item, i) => {
    const turns = item.field("turns").items();
    if (turns.length === 0) throw item.field("turns").error("must contain at least one message");
    const session: DatasetInteraction = {
      id: `D${i + 1}`,
      atMs: item.field("at").moment(),
      turns: turns.map((turn) => ({ who: turn.field("who").oneOf(speakers), text: turn.field("text").text() })),
      summary: null,
      state: null,
      labels: null,
    };
    turns.forEach((turn, number) => {
      const id = turn.field("id").text();
      if (said.has(id)) throw turn.field("id").error(`"${id}" occurs twice`);
      said.set(id, { session, text: session.turns[number]!.text });
    });
    return session;
  });
}

/** Null if the question is unanswerable. */
function readQuestion(item: JsonReader, said: ReadonlyMap<string, Message>): DatasetQuestion | null {
  const kind = item.field("kind").oneOf([...kinds, unanswerable]);
  const atMs = item.field("at").moment();
  const named = item.field("evidence");
  const evidence = named.items().map((turnId) => findMessage(turnId, atMs, said));
  if (kind === unanswerable) {
    if (evidence.length > 0) throw named.error(`must be empty, because the question is ${unanswerable}`);
    return null;
  }
  if (evidence.length === 0) throw named.error("must name at least one message");
  return {
    id: item.field("id").text(),
    atMs,
    text: item.field("question").text(),
    kind,
    gold: [...new Set(evidence.map(({ session }) => session.id))],
    answer: item.field("answer").text(),
    evidence: [...new Set(evidence)].map(({ text }) => text),
  };
}

function findMessage(reader: JsonReader, atMs: number, said: ReadonlyMap<string, Message>): Message {
  const id = reader.text();
  const message = said.get(id);
  if (message === undefined) throw reader.error(`names "${id}", which is not a message of the chat`);
  if (message.session.atMs >= atMs) throw reader.error(`names "${id}", which is later than the question`);
  return message;
}
