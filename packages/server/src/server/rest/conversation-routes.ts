/** Conversations in progress: each turn is stored as it comes, and closing makes a memory of them. */
import type { Conversation, ConversationOptions, PersonMemory, Turn, TurnInput } from "mnemosyne-edge";
import { InputError, NotFoundError } from "mnemosyne-edge";
import { KeyedLock } from "../keyed-lock.js";
import { RequestError } from "../problem.js";
import { commitResult, conversation, turnInput } from "../schemas.js";
import { findItem } from "./again.js";
import { waitQuery } from "./query-schemas.js";
import { definedOnly } from "./query-reading.js";
import { type Answer, type Route, personPath, route } from "./route.js";

const conversationPath = `${personPath}/conversations/{id}`;

/** Turns of one conversation come one after the other, so that the place of each is known. */
const lock = new KeyedLock();

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
    again: {
      // One that says its place is known by it.
      note: async ({ person, id, body }) =>
        body.index === undefined ? { turnCount: (await findItem(person, id))?.turns.length ?? 0 } : null,
      wasDone: async ({ person, id, body }, { turnCount }) => {
        const { turns = [] } = (await findItem(person, id)) ?? {};
        const since = turns.slice(Number(turnCount));
        return since.some((turn) => isSame(turn, body)) ? turnAnswer(id, turns.length) : null;
      },
    },
    handle: async ({ person, id, body }) => {
      const { index, at, state, metadata, expiresAt, ...turn } = body;
      const options = definedOnly({ id, at, state, metadata, expiresAt }) as ConversationOptions;
      return lock.run(`${person.name}\n${id}`, async () => {
        const talk = await person.conversation(options);
        if (index === undefined || !isThere(talk, index, turn)) await talk.add(definedOnly(turn) as TurnInput);
        return turnAnswer(id, talk.turns.length);
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
    again: {
      note: async ({ person, id }) => {
        const item = await findItem(person, id);
        return item?.outcome === "open" ? { acceptedAt: item.acceptedAt } : null;
      },
      wasDone: async ({ person, id, query, signal }, { acceptedAt }) => {
        const item = await findItem(person, id);
        const isDone = item !== null && item.acceptedAt === acceptedAt && item.outcome !== "open";
        return isDone ? closedAnswer(person, item, query, signal) : null;
      },
    },
    handle: async ({ person, id, query, signal }) => {
      const talk = await person.conversation({ id });
      if (talk.turns.length === 0)
        throw new NotFoundError("unknown_id", `"${person.name}" has no conversation "${id}"`);
      await talk.end();
      return closedAnswer(person, talk, query, signal);
    },
  }),
];

function turnAnswer(id: string, turnCount: number): Answer {
  return { body: { id, turnCount, outcome: "open" }, ids: [id] };
}

async function closedAnswer(
  person: PersonMemory,
  { id, turns }: Pick<Conversation, "id" | "turns">,
  { wait }: { readonly wait?: string | undefined },
  signal: AbortSignal,
): Promise<Answer> {
  if (wait !== "true") return { status: 202, body: { id, turnCount: turns.length, outcome: "queued" }, ids: [id] };
  // It is stored: this submits nothing, and says what becomes of it.
  const result = await person.commit({ id, turns }, { wait: true, signal });
  return { body: { ...result, isNew: true }, ids: [id] };
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
