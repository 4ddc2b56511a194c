/**
 * Conversations as interactions. A pause of six hours ends one, so that what was said later has its own time. One that is
 * too large is divided between two messages. Nothing is cut off: a message that is too large by itself becomes several of
 * the same speaker.
 */
import { hourMs } from "../text/time.js";
import type { SizeLimits, TimedMessage } from "./imported-interaction.js";

export const sessionPauseMs = 6 * hourMs;

/** Ends of a piece, the best first. */
const pieceEnds = [/\n\s*\n/gu, /\n/gu, /[.!?…]\s+/gu, /\s+/gu];

export class SessionSplitter {
  readonly #limits: SizeLimits;
  #messages: TimedMessage[] = [];
  #characterCount = 0;

  constructor(limits: SizeLimits) {
    this.#limits = limits;
  }

  /** The sessions that end before this message. */
  add(message: TimedMessage): TimedMessage[][] {
    const done: TimedMessage[][] = [];
    for (const piece of divideMessage(message, this.#limits.characterCountMax)) {
      const last = this.#messages.at(-1);
      const isPause = last !== undefined && piece.atMs - last.atMs >= sessionPauseMs;
      if (last !== undefined && (isPause || this.#isFullFor(piece))) done.push(this.end());
      this.#messages.push(piece);
      this.#characterCount += sizeOf(piece);
    }
    return done;
  }

  /** What is left; empty if nothing is. */
  end(): TimedMessage[] {
    const ended = this.#messages;
    this.#messages = [];
    this.#characterCount = 0;
    return ended;
  }

  #isFullFor(next: TimedMessage): boolean {
    const { turnCountMax, characterCountMax } = this.#limits;
    return this.#messages.length >= turnCountMax || this.#characterCount + sizeOf(next) > characterCountMax;
  }
}

/** A whole conversation, divided. */
export function divideConversation(messages: readonly TimedMessage[], limits: SizeLimits): TimedMessage[][] {
  const splitter = new SessionSplitter(limits);
  const parts = messages.flatMap((message) => splitter.add(message));
  const rest = splitter.end();
  return rest.length === 0 ? parts : [...parts, rest];
}

function sizeOf({ who, text }: TimedMessage): number {
  return who.length + text.length;
}

function divideMessage(message: TimedMessage, characterCountMax: number): TimedMessage[] {
  const room = Math.max(2, characterCountMax - message.who.length);
  return divideText(message.text, room).map((text, i) => ({
    ...message,
    text,
    id: i === 0 || message.id === null ? message.id : `${message.id}.${i + 1}`,
  }));
}

/** Pieces of at most `lengthMax`, which together are the text. */
export function divideText(text: string, lengthMax: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > lengthMax) {
    const end = findEnd(rest.slice(0, lengthMax));
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/** Where the first piece ends: in the second half if possible, and never within a character. */
function findEnd(head: string): number {
  for (const pattern of pieceEnds) {
    const ends = [...head.matchAll(pattern)].map((match) => match.index + match[0].length);
    const end = ends.findLast((position) => position > head.length / 2);
    if (end !== undefined) return end;
  }
  const isWithinPair = /[\uD800-\uDBFF]$/.test(head);
  return isWithinPair ? head.length - 1 : head.length;
}
