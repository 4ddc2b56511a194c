/**
 * Messages as people have them: OpenAI's chat messages and Responses items, Anthropic's messages, the AI SDK's UI and model
 * messages, and our own turns. Each becomes the turns that it stands for. What the system says to the model is not what the
 * person said, and is left out.
 */
import { InputError } from "../errors.js";
import type { Turn } from "./records/person-data.js";
import { checkNames, describeValue, isList, readFields } from "./given-values.js";
import { type PartText, type ToolCalls, describeReturned, readPart, readParts } from "./message-parts.js";

/** A message of OpenAI, of Anthropic, or of the AI SDK. */
export interface Message {
  /** Who says it. Messages of the system or developer are left out; what tools return counts as the assistant's. */
  readonly role: string;
  /** A text, or parts of any kind that these APIs have. */
  readonly content?: string | readonly object[] | null;
  readonly parts?: readonly object[];
  /** Who of several users says it. */
  readonly name?: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly refusal?: string | null;
  /** When it was said. An interaction without `at` takes place when its last message was. */
  readonly createdAt?: Date | number | string;
  readonly timestamp?: Date | number | string;
}

/** What stands between messages in a list of OpenAI's Responses: a call, or what it returned. */
export interface MessageItem {
  readonly type?: string | null;
  readonly name?: unknown;
  readonly call_id?: unknown;
  readonly arguments?: unknown;
  readonly output?: unknown;
}

/** What somebody says in an interaction. */
export type TurnInput = Turn | Message | MessageItem;

/** How to write a turn, for error messages. */
export const turnForm = "turns take who and text; role and content work too";

const messageFields = [
  "who",
  "text",
  "role",
  "type",
  "content",
  "parts",
  "name",
  "tool_calls",
  "tool_call_id",
  "refusal",
  "audio",
  "createdAt",
  "timestamp",
  "metadata",
] as const;

type MessageFields = Record<(typeof messageFields)[number], unknown>;

/** Items of a list that nobody says, by their type. */
const itemPattern = /_call(?:_output)?$|^mcp_|^(?:reasoning|item_reference|compaction)$/u;
const instructors = new Set(["system", "developer"]);
/** What others call the two whom the memory tells apart. */
const speakers: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  model: "assistant",
  tool: "assistant",
};

export interface ReadMessage {
  readonly turns: readonly Turn[];
  /** Left out, because the system says it to the model. */
  readonly isInstruction: boolean;
  /** When it says that it was, unchecked. */
  readonly time: unknown;
}

/** Reads the messages of one conversation, in order: what a tool returned refers to an earlier call. */
export class MessageReader {
  readonly #calls: ToolCalls = new Map();

  /** `what` is what an error calls the message. What is in a turn of our own is checked later. */
  read(given: unknown, what: string): ReadMessage {
    if (typeof given !== "object" || given === null || isList(given)) {
      const message = `${what} must be an object, not ${describeValue(given)}; ${turnForm}`;
      throw new InputError("interaction_invalid", message);
    }
    const fields = readFields(given, messageFields, what, "interaction_invalid");
    const { who, text, role, type, createdAt, timestamp } = fields;
    const isItem = role === undefined && who === undefined && typeof type === "string" && itemPattern.test(type);
    if (isItem) return read(toTurns("assistant", readPart(given, what, this.#calls)));
    if (role === undefined) {
      checkNames(given, ["who", "text"], `the fields of ${what}`, "interaction_invalid");
      return read([{ who, text } as Turn]);
    }
    if (instructors.has(role as string)) return { ...read([]), isInstruction: true };
    const time = createdAt ?? timestamp ?? timeIn(fields.metadata);
    return { ...read(this.#turnsOf(fields, what)), time };
  }

  #turnsOf(fields: MessageFields, what: string): Turn[] {
    const { role, name } = fields;
    if (role === "tool") return this.#returned(fields, what);
    const given = typeof role === "string" && Object.hasOwn(speakers, role) ? speakers[role] : role;
    const who = given === "user" && typeof name === "string" && name.trim() !== "" ? name : given;
    return toTurns(who as string, [...this.#wordsOf(fields, what), ...this.#callsOf(fields, what)]);
  }

  #wordsOf({ content, parts, text, refusal, audio }: MessageFields, what: string): PartText[] {
    const said = isList(parts) && parts.length > 0 ? parts : (content ?? parts ?? text ?? []);
    if (typeof said !== "string" && !isList(said)) {
      const message = `the content of ${what} is ${describeValue(said)}; it must be text or a list of parts`;
      throw new InputError("interaction_invalid", message);
    }
    const words =
      typeof said === "string" ? [said].map(saidText) : readParts(said, `the content of ${what}`, this.#calls);
    const heard =
      typeof audio === "object" && audio !== null ? readFields(audio, ["transcript"], "audio").transcript : null;
    return [...words, ...[refusal, heard].filter((each) => typeof each === "string").map(saidText)];
  }

  #callsOf({ tool_calls: calls }: MessageFields, what: string): PartText[] {
    return calls === undefined || calls === null ? [] : readParts(calls, `the calls of ${what}`, this.#calls);
  }

  /** The AI SDK has parts that name their tools, OpenAI the id of the call. */
  #returned(fields: MessageFields, what: string): Turn[] {
    const { content, name, tool_call_id: id } = fields;
    const known = typeof id === "string" ? this.#calls.get(id) : undefined;
    const tool = known ?? (typeof name === "string" ? name : "a tool");
    const words = this.#wordsOf(fields, what);
    const ofTools = words.filter(({ isOfTool }) => isOfTool);
    if (ofTools.length > 0 && ofTools.length === words.length) return toTurns("assistant", words);
    const output = typeof content === "string" ? content : words.map(({ text }) => text).join("\n");
    return [{ who: "assistant", text: describeReturned(tool, output, this.#calls) }];
  }
}

function read(turns: readonly Turn[]): ReadMessage {
  return { turns, isInstruction: false, time: undefined };
}

function saidText(text: string): PartText {
  return { text, isOfTool: false };
}

/** Neighbouring parts of one speaker are one turn; an empty one is none. */
function toTurns(who: string, parts: readonly PartText[]): Turn[] {
  const turns: { who: string; text: string }[] = [];
  for (const { text, isOfTool } of parts.filter((part) => part.text.trim() !== "")) {
    const speaker = isOfTool ? "assistant" : who;
    const last = turns.at(-1);
    if (last?.who === speaker) last.text += `\n${text}`;
    else turns.push({ who: speaker, text });
  }
  return turns;
}

/** The AI SDK's UI messages keep it among what the caller adds. */
function timeIn(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return undefined;
  return readFields(metadata, ["createdAt"], "metadata", "interaction_invalid").createdAt;
}
