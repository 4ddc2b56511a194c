/**
 * ChatGPT: conversations.json of OpenAI's data export (also conversations-000.json and so on). A list of conversations,
 * each a tree of messages; what the person saw last is the way from `current_node` up to the root. Times are seconds.
 */
import { type ListedConversation, type ListedMessage, readConversationList } from "./conversation-list.js";
import { type ImportedInteraction, describeSource, fingerprint, idPart } from "./imported-interaction.js";
import { DamagedPart, type Fields, type Reading, readList, readObject, readOptionalText, readText } from "./reading.js";

const secondMs = 1000;
/** Marks around references to search results, from Unicode's private use area. */
const citation = /\uE200[^\uE200\uE201]*\uE201/gu;

export function readChatgpt(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  return readConversationList(chunks, reading, readConversation);
}

function readConversation(value: unknown, reading: Reading): ListedConversation {
  const conversation = readObject(value, "the conversation");
  const title = readOptionalText(conversation["title"], "title");
  const startMs = reading.time(conversation["create_time"], "create_time", secondMs);
  const givenId = readOptionalText(conversation["conversation_id"] ?? conversation["id"], "conversation_id");
  return {
    id: `chatgpt-${givenId === "" ? fingerprint(startMs, title) : idPart(givenId)}`,
    messages: readMessages(conversation, startMs, reading),
    metadata: describeSource("chatgpt", title),
  };
}

function readMessages(conversation: Fields, startMs: number, reading: Reading): ListedMessage[] {
  const mapping = readObject(conversation["mapping"], "mapping");
  const messages: ListedMessage[] = [];
  let atMs = startMs;
  for (const [id, node] of pathOf(mapping, conversation["current_node"], reading)) {
    if (!hasMessage(node)) continue;
    const message = readObject(node["message"], "message");
    const time = message["create_time"] ?? null;
    if (time !== null) atMs = reading.time(time, "create_time of a message", secondMs);
    const who = readText(readObject(message["author"], "author")["role"], "role");
    const reason = reasonToSkip(message, who);
    const text = reason === null ? textOf(readObject(message["content"], "content"), reading) : "";
    if (reason !== null) reading.skip(reason);
    else if (text.trim() === "") reading.skip("empty messages");
    else messages.push({ id, who, text, atMs });
  }
  return messages;
}

/** From the root to the message that was shown last. */
function pathOf(mapping: Fields, current: unknown, reading: Reading): [string, Fields][] {
  const path: [string, Fields][] = [];
  const seen = new Set<string>();
  let id: string | null = readText(current, "current_node");
  // Messages of a damaged file may follow each other in a circle.
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    if (mapping[id] === undefined) throw new DamagedPart("mapping lacks a message that another one follows");
    const node = readObject(mapping[id], "an entry of mapping");
    path.push([id, node]);
    id = typeof node["parent"] === "string" ? node["parent"] : null;
  }
  const others = Object.entries(mapping).filter(([key, node]) => !seen.has(key) && hasMessage(node));
  reading.skip("messages of replaced branches", others.length);
  return path.reverse();
}

function hasMessage(node: unknown): boolean {
  const { message = null } = (node ?? {}) as { message?: unknown };
  return message !== null;
}

function reasonToSkip(message: Fields, role: string): string | null {
  if (role === "tool") return "tool messages";
  if (role !== "user" && role !== "assistant") return "system messages";
  const metadata = (message["metadata"] ?? {}) as Fields;
  if (metadata["is_visually_hidden_from_conversation"] === true || message["weight"] === 0) return "hidden messages";
  const { content_type: type } = (message["content"] ?? {}) as { content_type?: unknown };
  if (type === "user_editable_context") return "custom instructions";
  if (type === "thoughts" || type === "reasoning_recap") return "reasoning";
  return role === "assistant" && (message["recipient"] ?? "all") !== "all" ? "tool messages" : null;
}

function textOf(content: Fields, reading: Reading): string {
  const type = content["content_type"];
  if (type === "text" || type === "multimodal_text") {
    const parts = readList(content["parts"], "parts").map(textOfPart);
    return parts
      .filter((part) => part !== "")
      .join("\n")
      .replace(citation, "");
  }
  if (type === "code") return readOptionalText(content["text"], "text of a code");
  reading.skip("messages of unknown content types");
  return "";
}

/** Of speech, the transcription is a part of its own. */
function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  const { content_type: type, text } = readObject(part, "a part");
  if (typeof text === "string") return text;
  return type === "image_asset_pointer" ? "[image]" : "";
}
