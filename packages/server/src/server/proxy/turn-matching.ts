/**
 * Which turns of a request are not stored yet. What is stored only grows: an answer that was asked for again and a message that was
 * edited follow what they replace. So what a client sends, whichever branch of the chat it shows, is a part of what is stored,
 * in the same order, and what is not found in that order is new.
 */
import type { Turn } from "mnemosyne-edge";
import { type SaidTurn, keyOfTurn } from "./said-turns.js";

export interface Matching {
  /** So many turns come before those that are stored; null if that is not known, or the client may have left out some. */
  readonly skipped: number | null;
  /** Stored turns before this one belong to the request, too, without being in it. */
  readonly position: number | null;
}

export interface NewTurns {
  readonly turns: readonly Turn[];
  /** With them, so many stored turns come before the reply. */
  readonly position: number;
}

export function findNewTurns(said: readonly SaidTurn[], stored: readonly Turn[], matching: Matching): NewTurns {
  const keys = stored.map(keyOfTurn);
  const firstNew = said.findIndex(({ isNew }) => isNew);
  const newFrom = firstNew === -1 ? said.length : firstNew;
  let isAnchored = matching.skipped !== null || matching.position !== null;
  let at = matching.position ?? 0;
  const found: Turn[] = [];
  for (const [i, turn] of said.entries()) {
    if (i < Math.min(matching.skipped ?? 0, newFrom)) continue;
    // Nothing before it is known: it can repeat only what has no answer yet.
    if (!isAnchored && turn.isNew) at = stored.findLastIndex(({ who }) => who === "assistant") + 1;
    const place = keys.indexOf(keyOfTurn(turn), at);
    if (place !== -1) {
      at = place + 1;
      isAnchored = true;
      continue;
    }
    if (!turn.isNew && (!isAnchored || isKnownInOtherWords(turn, stored[at]))) continue;
    isAnchored = true;
    found.push({ who: turn.who, text: turn.text });
  }
  return { turns: found, position: found.length === 0 ? at : stored.length + found.length };
}

/** A client may send an answer back changed, without its thoughts or its calls. */
function isKnownInOtherWords({ who }: Turn, storedThere: Turn | undefined): boolean {
  return who === "assistant" && storedThere?.who === "assistant";
}

/** Whether all that was said before is stored: the client has left out the beginning. At least a question and its answer. */
export function continues(said: readonly SaidTurn[], stored: readonly Turn[]): boolean {
  const before = said.filter(({ isNew }) => !isNew);
  const isExchange = ["user", "assistant"].every((speaker) => before.some(({ who }) => who === speaker));
  if (!isExchange) return false;
  const keys = stored.map(keyOfTurn);
  let at = 0;
  return before.every((turn) => {
    at = keys.indexOf(keyOfTurn(turn), at) + 1;
    return at > 0;
  });
}
