/**
 * What the messages of a request say, as turns: clients send all of a chat each time, the newest last. What follows the last
 * message of the model is new in this request; what comes before has been said earlier. Messages of the system are not said by
 * anybody, so nothing that the proxy adds can get here; and it reads the request as it came, before it adds anything.
 */
import { createHash } from "node:crypto";
import { MessageReader } from "mnemosyne-edge/internal/engine/messages.js";
import type { Turn } from "mnemosyne-edge";
import { isObject } from "./chat-shape.js";
import { withoutMemory } from "./memory-of-request.js";

export interface SaidTurn extends Turn {
  readonly isNew: boolean;
}

/** A turn that an interaction has room for, whatever else is in it. Of a longer one the beginning is kept. */
const turnShare = 0.4;

export function readTurns(messages: readonly object[], characterCountMax: number): Turn[] {
  const reader = new MessageReader();
  return messages.flatMap((message) => readMessage(reader, message, characterCountMax));
}

export function readSaidTurns(messages: readonly object[], characterCountMax: number): SaidTurn[] {
  const reader = new MessageReader();
  // A beginning of the reply that the client asks the model to continue is no turn yet.
  const last = messages.findLastIndex((message) => !isOfModel(message));
  const said = messages.slice(0, last + 1);
  const firstNew = said.findLastIndex(isOfModel) + 1;
  return said.flatMap((message, i) =>
    readMessage(reader, message, characterCountMax).map((turn) => ({ ...turn, isNew: i >= firstNew })),
  );
}

/** What cannot be read is for the upstream to refuse. */
function readMessage(reader: MessageReader, message: object, characterCountMax: number): readonly Turn[] {
  const lengthMax = Math.floor(characterCountMax * turnShare);
  try {
    const { turns } = reader.read(message, "the message");
    return turns
      .map(({ who, text }) => ({ who: speakerOf(who), text: who === "assistant" ? withoutMemory(text) : text }))
      .filter(({ text }) => text.trim() !== "")
      .map(({ who, text }) => ({ who, text: cut(storable(text), lengthMax) }));
  } catch {
    return [];
  }
}

/** Names that a memory can keep; a client may send anything. */
const speakerPattern = /^(?=.*\S)[^\p{Cc}]{1,200}$/u;

function speakerOf(who: unknown): string {
  return typeof who === "string" && who.isWellFormed() && speakerPattern.test(who) ? who : "user";
}

/** Without what no store takes: halves of characters, and NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`.toWellFormed();
}

/** Messages of the assistant, and the calls and reasoning that are items of their own. */
function isOfModel(message: object): boolean {
  const { role, type } = message as { readonly role?: unknown; readonly type?: unknown };
  if (role !== undefined) return role === "assistant" || role === "model";
  return typeof type === "string" && (type.endsWith("_call") || type === "reasoning");
}

/** What the user says in the last message of his that has text; null if there is none. */
export function lastQuestion(messages: readonly object[]): string | null {
  for (const message of messages.toReversed()) {
    const { role, content } = message as { readonly role?: unknown; readonly content?: unknown };
    if (role !== "user") continue;
    const texts = typeof content === "string" ? [content] : Array.isArray(content) ? content.map(textOf) : [];
    const text = texts.filter((each) => each.trim() !== "").join("\n");
    if (text !== "") return text;
  }
  return null;
}

function textOf(part: unknown): string {
  if (!isObject(part) || (part["type"] !== "text" && part["type"] !== "input_text")) return "";
  return typeof part["text"] === "string" ? part["text"] : "";
}

/** Two turns with the same key say the same: clients trim texts and change line ends. */
export function keyOfTurn({ who, text }: Turn): string {
  return `${who}\n${text.replaceAll(/\s+/gu, " ").trim()}`;
}

/** Recognises a chat by how it begins. */
export function beginningOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
