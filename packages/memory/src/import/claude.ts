/**
 * Claude: conversations.json of Anthropic's data export. A list of conversations, each with its messages in order; what
 * was said is in the `text` blocks of a message's content, or in its `text` where it has no blocks.
 */
import { type ListedConversation, type ListedMessage, readConversationList } from "./conversation-list.js";
import { type ImportedInteraction, describeSource, idPart } from "./imported-interaction.js";
import { type Fields, type Reading, readList, readObject, readOptionalText, readText } from "./reading.js";

export function readClaude(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  return readConversationList(chunks, reading, readConversation);
}

function readConversation(value: unknown, reading: Reading): ListedConversation {
  const conversation = readObject(value, "the conversation");
  const title = readOptionalText(conversation["name"], "name");
  const all = readList(conversation["chat_messages"], "chat_messages").map((message) =>
    readObject(message, "a message"),
  );
  const shown = withoutReplaced(all);
  reading.skip("messages of replaced branches", all.length - shown.length);
  return {
    id: `claude-${idPart(readText(conversation["uuid"], "uuid"))}`,
    messages: shown.flatMap((message) => readMessage(message, reading)),
    metadata: describeSource("claude", title),
  };
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

function readMessage(message: Fields, reading: Reading): ListedMessage[] {
  const who = readText(message["sender"], "sender") === "human" ? "user" : "assistant";
  const id = readText(message["uuid"], "uuid of a message");
  const atMs = reading.time(message["created_at"], "created_at");
  const text = [textOf(message, reading), ...namesOfFiles(message)].filter((part) => part !== "").join("\n");
  if (text.trim() !== "") return [{ id, who, text, atMs }];
  reading.skip("empty messages");
  return [];
}

function textOf(message: Fields, reading: Reading): string {
  const blocks = readList(message["content"] ?? [], "content").map((block) => readObject(block, "a block of content"));
  if (blocks.length === 0) return readOptionalText(message["text"], "text");
  const texts = blocks.filter(({ type }) => type === "text");
  reading.skip("reasoning and calls of tools", blocks.length - texts.length);
  return texts.map(({ text }) => readOptionalText(text, "text")).join("\n\n");
}

/** By name only: what is in a file is not what somebody said. */
function namesOfFiles(message: Fields): string[] {
  const lists = [message["attachments"], message["files"]].map((list) => readList(list ?? [], "attachments"));
  const files = lists.flat().map((file) => readObject(file, "an attachment"));
  const names = new Set(files.map((file) => readOptionalText(file["file_name"], "file_name")));
  return [...names].map((name) => `[attached file: ${name}]`);
}
