/**
 * WhatsApp: the text file of "Export chat" on Android and iOS. Whether 5/12 is in May or in December is decided from the
 * whole file: until a date shows it, messages wait. A pause of six hours ends an interaction.
 */
import { momentOf } from "../core/time.js";
import { readTextLines } from "./export-text.js";
import { type ImportedInteraction, type TimedMessage, describeSource, toInteraction } from "./imported-interaction.js";
import type { Reading } from "./reading.js";
import { SessionIds, SessionSplitter } from "./sessions.js";
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
  const chat = new Chat(reading);
  let earlyLineCount = 0;
  for await (const { number, text } of readTextLines(chunks, reading)) {
    const line = parseChatLine(text);
    if (line !== null && chat.isDate(line)) yield* chat.begin({ ...line, lineNumber: number });
    else if (!chat.continue(text) && text.trim() !== "") earlyLineCount++;
  }
  yield* chat.end();
  if (chat.messageCount === 0) {
    const remedy = 'is it the text file of WhatsApp\'s "Export chat"?';
    throw reading.refuse(`in the whole file: no line begins with a date, a time and a name; ${remedy}`);
  }
  reading.skip("lines before the first message", earlyLineCount);
}

/** A chat as far as it has been read. */
class Chat {
  readonly #reading: Reading;
  readonly #splitter: SessionSplitter;
  readonly #ids = new SessionIds();
  #order: DateOrder | null;
  #waiting: ChatMessage[] = [];
  /** Further lines may follow. */
  #last: ChatMessage | null = null;
  messageCount = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#splitter = new SessionSplitter(reading.settings.limits);
    this.#order = reading.settings.dateOrder;
  }

  /** A line that begins with what is not a date in the order of this file is a further line of a message. */
  isDate({ stamp }: ChatLine): boolean {
    if (this.#order !== null) return clockOf(stamp, this.#order) !== null;
    return clockOf(stamp, "dmy") !== null || clockOf(stamp, "mdy") !== null;
  }

  *begin(message: ChatMessage): Generator<ImportedInteraction> {
    this.messageCount++;
    if (this.#last !== null) yield* this.#finish(this.#last);
    this.#last = message;
    this.#order ??= orderShown(message.stamp);
    if (this.#order === null && this.#waiting.length >= waitingCountMax) this.#order = this.#guessOrder();
    if (this.#order !== null && this.#waiting.length > 0) yield* this.#release(this.#order);
  }

  /** False before the first message. */
  continue(line: string): boolean {
    if (this.#last !== null) this.#last.text += `\n${line}`;
    return this.#last !== null;
  }

  *end(): Generator<ImportedInteraction> {
    if (this.#last !== null) yield* this.#finish(this.#last);
    this.#order ??= this.#guessOrder();
    yield* this.#release(this.#order);
    yield* this.#take([this.#splitter.end()], "the last messages");
  }

  *#finish(message: ChatMessage): Generator<ImportedInteraction> {
    if (this.#order === null) this.#waiting.push(message);
    else yield* this.#add(message, this.#order);
  }

  *#release(order: DateOrder): Generator<ImportedInteraction> {
    for (const message of this.#waiting.splice(0)) yield* this.#add(message, order);
  }

  *#add({ who, text, stamp, lineNumber }: ChatMessage, order: DateOrder): Generator<ImportedInteraction> {
    const { asUser, timeZone } = this.#reading.settings;
    const said = who === null ? { skipped: "system lines" } : readChatText(text);
    const clockMs = clockOf(stamp, order);
    if (clockMs === null) return this.#reading.skip("messages with dates in another order");
    if ("skipped" in said) return this.#reading.skip(said.skipped);
    const message = {
      id: null,
      who: who === asUser ? "user" : who!,
      text: said.text,
      atMs: momentOf(clockMs, timeZone),
    };
    yield* this.#take(this.#splitter.add(message), `messages up to line ${lineNumber}`);
  }

  *#take(sessions: readonly (readonly TimedMessage[])[], place: string): Generator<ImportedInteraction> {
    for (const messages of sessions.filter(({ length }) => length > 0)) {
      this.#reading.count();
      const [first] = messages as [TimedMessage];
      // The same whoever is the user.
      const who = first.who === "user" ? (this.#reading.settings.asUser ?? first.who) : first.who;
      const id = this.#ids.next("whatsapp", { ...first, who });
      yield* this.#reading.attempt(place, () => [toInteraction(id, messages, describeSource("whatsapp"))]);
    }
  }

  /** Chats go forward in time: the order with fewer steps back, else the one that the first date looks like. */
  #guessOrder(): DateOrder {
    const stepsBack = (order: DateOrder): number => {
      const clocks = this.#waiting.map(({ stamp }) => clockOf(stamp, order) ?? Infinity);
      return clocks.filter((ms, i) => ms < (clocks[i - 1] ?? -Infinity)).length;
    };
    const [dayFirst, monthFirst] = [stepsBack("dmy"), stepsBack("mdy")];
    if (dayFirst !== monthFirst) return dayFirst < monthFirst ? "dmy" : "mdy";
    const dates = this.#waiting.filter(({ stamp }) => !stamp.isYearFirst && stamp.numbers[0] !== stamp.numbers[1]);
    const order = this.#waiting[0]?.stamp.looksAmerican === true ? "mdy" : "dmy";
    const words = order === "dmy" ? "day before month" : "month before day";
    if (dates.length > 0) this.#reading.skip(`dates that fit both orders, read as ${words}`, dates.length);
    return order;
  }
}
