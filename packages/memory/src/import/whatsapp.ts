/**
 * WhatsApp: the text file of "Export chat" on Android and iOS. Whether 5/12 is in May or in December is decided from the
 * whole file: until a date shows it, messages wait. A pause of six hours ends an interaction.
 */
import { momentOf } from "../text/time.js";
import { readTextLines } from "./export-text.js";
import {
  type ImportedInteraction,
  type TimedMessage,
  describeSource,
  fingerprint,
  toInteraction,
} from "./imported-interaction.js";
import type { Reading } from "./reading.js";
import { SessionSplitter } from "./sessions.js";
import { type ChatLine, type DateOrder, clockOf, orderShown, parseChatLine, readChatText } from "./whatsapp-lines.js";

/** Messages that wait at most for a date that shows the order. */
const waitingCountMax = 20_000;

interface ChatMessage extends ChatLine {
  text: string;
  readonly lineNumber: number;
}

export async function* readWhatsapp(
  chunks: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<ImportedInteraction> {
  const { asUser, timeZone, limits } = reading.settings;
  const splitter = new SessionSplitter(limits);
  const ids = new SessionIds();
  const toInteractions = (session: readonly TimedMessage[], place: string): readonly ImportedInteraction[] => {
    const [first] = session;
    if (first === undefined) return [];
    reading.count();
    // The same whoever is the user.
    const id = ids.next({ ...first, who: first.who === "user" ? (asUser ?? first.who) : first.who });
    return reading.attempt(place, () => [toInteraction(id, session, describeSource("whatsapp"))]);
  };
  for await (const { who, text, lineNumber, clockMs } of withClocks(readMessages(chunks, reading), reading)) {
    const said = who === null ? { skipped: "system lines" } : readChatText(text);
    if (clockMs === null) reading.skip("messages with dates in another order");
    else if ("skipped" in said) reading.skip(said.skipped);
    else {
      const message = {
        id: null,
        who: who === asUser ? "user" : who!,
        text: said.text,
        atMs: momentOf(clockMs, timeZone),
      };
      for (const session of splitter.add(message)) yield* toInteractions(session, `messages up to line ${lineNumber}`);
    }
  }
  yield* toInteractions(splitter.end(), "the last messages");
}

/** A line without a date and a name goes on with the message before it. */
async function* readMessages(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ChatMessage> {
  let message: ChatMessage | null = null;
  let earlyLineCount = 0;
  for await (const { number, text } of readTextLines(chunks, reading)) {
    const line = parseChatLine(text);
    if (line !== null) {
      if (message !== null) yield message;
      message = { ...line, lineNumber: number };
    } else if (message !== null) message.text += `\n${text}`;
    else if (text.trim() !== "") earlyLineCount++;
  }
  if (message === null) {
    const remedy = 'is it the text file of WhatsApp\'s "Export chat"?';
    throw reading.refuse(`in the whole file: no line begins with a date, a time and a name; ${remedy}`);
  }
  reading.skip("lines before the first message", earlyLineCount);
  yield message;
}

/** With what the clock showed, in the order of dates that was given or that the first telling date shows. */
async function* withClocks(
  messages: AsyncIterable<ChatMessage>,
  reading: Reading,
): AsyncGenerator<ChatMessage & { readonly clockMs: number | null }> {
  let order: DateOrder | null = reading.settings.dateOrder;
  const waiting: ChatMessage[] = [];
  for await (const message of messages) {
    waiting.push(message);
    order ??= orderShown(message.stamp) ?? (waiting.length < waitingCountMax ? null : "dmy");
    if (order === null) continue;
    for (const each of waiting.splice(0)) yield { ...each, clockMs: clockOf(each.stamp, order) };
  }
  const openCount = waiting.filter(({ stamp }) => !stamp.isYearFirst).length;
  reading.skip("dates that fit both orders, read as day before month", openCount);
  for (const each of waiting) yield { ...each, clockMs: clockOf(each.stamp, "dmy") };
}

/** A chat has no ids: a session is named by what it begins with, and by its number among those that begin alike. */
class SessionIds {
  #atMs: number | null = null;
  readonly #counts = new Map<string, number>();

  next({ atMs, who, text }: TimedMessage): string {
    if (atMs !== this.#atMs) this.#counts.clear();
    this.#atMs = atMs;
    const base = `whatsapp-${fingerprint(atMs, who, text)}`;
    const number = (this.#counts.get(base) ?? 0) + 1;
    this.#counts.set(base, number);
    return number === 1 ? base : `${base}.${number}`;
  }
}
