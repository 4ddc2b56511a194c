/**
 * Claude: conversations.json of Anthropic's data export. A list of conversations, each with its messages in order; what
 * was said is in the `text` blocks of a message's content, or in its `text` where an older export has no blocks.
 */
import { readConversationList } from "./conversation-list.js";
import {
  type ImportedInteraction,
  type TimedMessage,
  describeSource,
  idPart,
  toInteraction,
} from "./imported-interaction.js";
import { type Reading, readList, readObject, readOptionalText, readText } from "./reading.js";
import { divideConversation } from "./sessions.js";

type Fields = Readonly<Record<string, unknown>>;

export function readClaude(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  return readConversationList(chunks, reading, readConversation);
}

function readConversation(value: unknown, reading: Reading): ImportedInteraction[] {
  const conversation = readObject(value, "the conversation");
  const title = readOptionalText(conversation["name"], "name");
  const base = `claude-${idPart(readText(conversation["uuid"], "uuid"))}`;
  const all = readList(conversation["chat_messages"], "chat_messages").map((message) =>
    readObject(message, "a message"),
  );
  const shown = withoutReplaced(all);
  reading.skip("messages of replaced branches", all.length - shown.length);
  const messages = shown.flatMap((message) => readMessage(message, conversation, reading));
  if (messages.length === 0) reading.skip("conversations without words");
  const metadata = describeSource("claude", { title });
  return divideConversation(messages, reading.settings.limits).map((part, i) =>
    toInteraction(i === 0 ? base : `${base}-${idPart(part[0]!.id!)}`, part, metadata),
  );
}

/** Where a message names the one it follows, an edit leaves branches: the last message's own way up is what was shown. */
function withoutReplaced(messages: readonly Fields[]): readonly Fields[] {
  const byId = new Map(messages.map((message) => [message["uuid"], message]));
  const parents = messages.map((message) => message["parent_message_uuid"]).filter((id) => byId.has(id));
  if (new Set(parents).size === parents.length) return messages;
  const kept = new Set<Fields>();
  let message = messages.at(-1);
  while (message !== undefined && !kept.has(message)) {
    kept.add(message);
    message = byId.get(message["parent_message_uuid"]);
  }
  return messages.filter((one) => kept.has(one));
}

function readMessage(message: Fields, conversation: Fields, reading: Reading): TimedMessage[] {
  const sender = readText(message["sender"], "sender");
  if (sender !== "human" && sender !== "assistant") {
    reading.skip("messages of other senders");
    return [];
  }
  const id = readText(message["uuid"], "uuid of a message");
  const atMs = reading.time(message["created_at"] ?? conversation["created_at"], "created_at");
  const text = [textOf(message, reading), ...namesOfFiles(message, reading)].filter((part) => part !== "").join("\n");
  if (text.trim() !== "") return [{ id, who: sender === "human" ? "user" : "assistant", text, atMs }];
  reading.skip("empty messages");
  return [];
}

function textOf(message: Fields, reading: Reading): string {
  const blocks = readList(message["content"] ?? [], "content").map((block) => readObject(block, "a block of content"));
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => readOptionalText(text, "text"));
  const toolCount = blocks.filter(({ type }) => type === "tool_use" || type === "tool_result").length;
  reading.skip("tool messages", toolCount);
  reading.skip("reasoning", blocks.filter(({ type }) => type === "thinking").length);
  return blocks.length === 0 ? readOptionalText(message["text"], "text") : texts.join("\n\n");
}

/** By name only: what is in a file is not what somebody said. */
function namesOfFiles(message: Fields, reading: Reading): string[] {
  const lists = [message["attachments"], message["files"], message["files_v2"]].map((list) => list ?? []);
  const files = lists.flatMap((list) => readList(list, "attachments")).map((file) => readObject(file, "an attachment"));
  const names = new Set(files.map((file) => readOptionalText(file["file_name"], "file_name")));
  reading.skip("contents of attached files", files.length);
  return [...names].map((name) => (name === "" ? "[attached text]" : `[attached file: ${name}]`));
}
