/** Which open conversation a chat goes on with, and what of it is new. */
import { randomBytes } from "node:crypto";
import type { ConversationStart, OpenConversation } from "./open-conversation.js";
import { type SaidTurn, beginningOf, keyOfTurn } from "./said-turns.js";
import { type Matching, type NewTurns, continues, findNewTurns } from "./turn-matching.js";

export interface SaidInChat {
  readonly person: string;
  readonly turns: readonly SaidTurn[];
  /** The name that the client gives the conversation. */
  readonly name: string | null;
  readonly previousId: string | null;
  readonly upstreamConversation: string | null;
}

/** Where a reply is stored that a later request may continue. */
export interface ReplyPlace {
  readonly key: string;
  readonly id: string;
  /** Turns up to it. */
  readonly position: number;
}

export interface Recognised extends NewTurns {
  /** Null if the chat is none of those that are open. */
  readonly open: OpenConversation | null;
  /** How a conversation for it begins. */
  readonly start: ConversationStart;
}

const chatPrefix = "chat-";
/** What follows the key in an id that is made here: the number of turns before, if it is known, and something unique. */
const madeEnding = /^\.(\d+)\.[0-9a-z]+$/u;

/** By the client's name for it, by the reply that it continues, by how it begins, or by all that it repeats. */
export function recognise(
  said: SaidInChat,
  conversations: readonly OpenConversation[],
  reply: ReplyPlace | undefined,
): Recognised {
  const { turns, name, upstreamConversation } = said;
  const begins = beginningOf(upstreamConversation ?? (turns[0] === undefined ? "" : keyOfTurn(turns[0])));
  const key = name ?? reply?.key ?? chatPrefix + begins;
  const skipped = turns.filter(({ isNew }) => !isNew).length;
  const start = { id: name ?? makeId(key, skipped), key, begins, skipped };
  const known = conversations.findLast((each) => each.key === key);
  if (known !== undefined) {
    const matching = matchingOf(said, begins, known, reply);
    return { open: known, start, ...findNewTurns(turns, known.turns, matching) };
  }
  const shortened = name === null ? conversations.findLast((each) => continues(turns, each.turns)) : undefined;
  if (shortened === undefined) return { open: null, start, ...newest(turns) };
  return { open: shortened, start, ...findNewTurns(turns, shortened.turns, { skipped: null, position: null }) };
}

function matchingOf(
  { turns, upstreamConversation }: SaidInChat,
  begins: string,
  open: OpenConversation,
  reply: ReplyPlace | undefined,
): Matching {
  if (reply !== undefined) return { skipped: null, position: reply.id === open.id ? reply.position : null };
  if (upstreamConversation !== null) return { skipped: null, position: null };
  if (open.begins === begins && open.skipped !== null) return { skipped: open.skipped, position: null };
  const [first, firstStored] = [turns[0], open.turns[0]];
  const isSame = first !== undefined && firstStored !== undefined && keyOfTurn(first) === keyOfTurn(firstStored);
  return { skipped: isSame ? 0 : null, position: null };
}

/** What is new in the first request of a chat. What was said before has not passed through here. */
function newest(said: readonly SaidTurn[]): NewTurns {
  const turns = said.filter(({ isNew }) => isNew).map(({ who, text }) => ({ who, text }));
  return { turns, position: turns.length };
}

export function makeId(key: string, skipped: number | null): string {
  return `${key}.${skipped ?? "next"}.${Date.now().toString(36)}${randomBytes(3).toString("hex")}`;
}

/** What the key and the id of a conversation say that an earlier process left open. */
export function readKey(id: string, key: string): Pick<ConversationStart, "begins" | "skipped"> {
  const skipped = id.startsWith(key) ? madeEnding.exec(id.slice(key.length))?.[1] : undefined;
  const begins = key.startsWith(chatPrefix) ? key.slice(chatPrefix.length) : null;
  return { begins, skipped: skipped === undefined ? null : Number(skipped) };
}
