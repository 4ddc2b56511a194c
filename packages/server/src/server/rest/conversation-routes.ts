/** Conversations in progress: each turn is stored as it comes, and closing makes a memory of them. */
import type { Conversation, ConversationOptions, Turn, TurnInput } from "mnemosyne-edge";
import { InputError, NotFoundError } from "mnemosyne-edge";
import { RequestError } from "../problem.js";
import { commitResult, conversation, turnInput } from "../schemas.js";
import { definedOnly, waitQuery } from "./queries.js";
import { type Route, personPath, route } from "./route.js";

const conversationPath = `${personPath}/conversations/{id}`;

/** What is done to each conversation last: turns come one after the other, so that the place of each is known. */
const last = new Map<string, Promise<unknown>>();

export const conversationRoutes: readonly Route[] = [
  route({
    operationId: "addTurn",
    method: "post",
    path: `${conversationPath}/turns`,
    tag: "Conversations",
    summary: "Add a turn to a conversation; the first one starts it",
    need: "write",
    action: "commit",
    body: turnInput,
    answers: { 200: { description: "The turn is stored durably.", schema: conversation } },
    handle: async ({ person, id, body }) => {
      const { index, at, state, metadata, expiresAt, ...turn } = body;
      const options = definedOnly({ id, at, state, metadata, expiresAt }) as ConversationOptions;
      return inOrder(`${person.name}\n${id}`, async () => {
        const talk = await person.conversation(options);
        if (index === undefined || !isThere(talk, index, turn)) await talk.add(definedOnly(turn) as TurnInput);
        return { body: { id, turnCount: talk.turns.length, outcome: "open" }, ids: [id] };
      });
    },
  }),
  route({
    operationId: "closeConversation",
    method: "post",
    path: `${conversationPath}:close`,
    tag: "Conversations",
    summary: "End a conversation: it is committed as one interaction",
    need: "write",
    action: "commit",
    query: waitQuery,
    answers: {
      202: { description: "It becomes a memory soon after.", schema: conversation },
      200: { description: "With wait=true: what became of it.", schema: commitResult },
    },
    handle: async ({ person, id, query, signal }) => {
      const talk = await person.conversation({ id });
      if (talk.turns.length === 0)
        throw new NotFoundError("unknown_id", `"${person.name}" has no conversation "${id}"`);
      await talk.end();
      const { turns } = talk;
      if (query.wait !== "true")
        return { status: 202, body: { id, turnCount: turns.length, outcome: "queued" }, ids: [id] };
      // It is stored: this submits nothing, and says what becomes of it.
      const result = await person.commit({ id, turns }, { wait: true, signal });
      return { body: { ...result, isNew: true }, ids: [id] };
    },
  }),
];

async function inOrder<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const done = (last.get(key) ?? Promise.resolve()).then(work, work);
  last.set(key, done);
  try {
    return await done;
  } finally {
    if (last.get(key) === done) last.delete(key);
  }
}

type GivenTurn = Readonly<Partial<Record<"who" | "text" | "role" | "content", unknown>>>;

/** Of one with parts or calls, the place is all that is known. */
function isSame(there: Turn, turn: GivenTurn): boolean {
  const text = turn.text ?? turn.content;
  return typeof text !== "string" || (there.text === text && (turn.who ?? there.who) === there.who);
}

/** Whether the turn was added already, by a request whose answer was lost. */
function isThere({ id, turns }: Conversation, index: number, turn: GivenTurn): boolean {
  const text = turn.text ?? turn.content;
  if (typeof text !== "string") {
    throw new RequestError("request_invalid", "index needs a turn whose text or content is a text");
  }
  const there = turns[index];
  if (there === undefined && index === turns.length) return false;
  // Of a message the speaker is read from role and name; the place and the words are enough.
  if (there !== undefined && isSame(there, turn)) return true;
  const what = there === undefined ? `it has ${turns.length} turns` : `turn ${index} says something else`;
  throw new InputError("id_taken", `conversation "${id}" cannot take turn ${index}: ${what}`);
}
