/**
 * Letta: an agent file (.af). Two schemas: the legacy one (`AgentSchema`) is one agent with `core_memory` and `messages`; the
 * present one (`AgentFileSchema`) has `agents`, each with its messages, and `blocks`. Blocks other than the agent's own persona
 * are facts and are kept; the messages are conversations.
 */
import {
  type ImportedInteraction,
  type TimedMessage,
  describeSource,
  fingerprint,
  idPart,
  toInteraction,
} from "./imported-interaction.js";
import { type JsonValue, readJsonValues } from "./json-values.js";
import { DamagedPart, type Reading, readList, readObject, readOptionalText, readText } from "./reading.js";
import { SessionIds, SessionSplitter, divideText } from "./sessions.js";

type Fields = Readonly<Record<string, unknown>>;

const messagePaths = ["$.messages.*", "$.agents.*.messages.*"];
const blockPaths = ["$.core_memory.*", "$.blocks.*"];
const namePath = "$.agents.*.name";

export async function* readLetta(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  const paths = { list: ["$.*"], object: [...messagePaths, ...blockPaths, namePath] };
  const { limits } = reading.settings;
  const ids = new SessionIds();
  let agent = "";
  let splitter = new SessionSplitter(limits);
  let blockCount = 0;
  let messageCount = 0;
  const endSession = (): readonly ImportedInteraction[] =>
    reading.attempt("the last messages", () => toSessions([splitter.end()], agent, ids));
  for await (const { path, value } of readJsonValues(chunks, paths, reading)) {
    const kind = kindOfValue(path);
    if (kind === "name") {
      // It comes before the messages of its agent.
      yield* endSession();
      splitter = new SessionSplitter(limits);
      agent = typeof value === "string" ? value : "";
    } else if (kind === "block") {
      reading.count();
      yield* reading.attempt(`memory block ${++blockCount}`, () => readBlock(value, reading));
    } else if (kind === "message") {
      yield* reading.attempt(`message ${++messageCount}`, () => {
        const said = readMessage(readObject(value, "the message"), reading);
        return said === null ? [] : toSessions(splitter.add(said), agent, ids);
      });
    } else throw reading.refuse("at its start: a list, not an agent file; export the agent as .af");
  }
  yield* endSession();
  if (blockCount + messageCount === 0) {
    throw reading.refuse("in the whole file: neither memory blocks nor messages; is it an agent file (.af)?");
  }
}

function kindOfValue(path: JsonValue["path"]): "name" | "block" | "message" | null {
  const list = path.at(-2);
  if (path.at(-1) === "name") return "name";
  if (list === "messages") return "message";
  return list === "core_memory" || list === "blocks" ? "block" : null;
}

function toSessions(
  sessions: readonly (readonly TimedMessage[])[],
  agent: string,
  ids: SessionIds,
): ImportedInteraction[] {
  return sessions
    .filter((messages) => messages.length > 0)
    .map((messages) => {
      // "message-0" is a place in one file, not an id: the time and the words identify a session.
      const id = ids.next("letta", messages[0]!, agent);
      return toInteraction(id, messages, describeSource("letta", { agent }));
    });
}

function readBlock(value: unknown, reading: Reading): ImportedInteraction[] {
  const block = readObject(value, "the block");
  const label = readOptionalText(block["label"], "label");
  const text = readOptionalText(block["value"], "value");
  if (label === "persona") {
    reading.skip("persona blocks");
    return [];
  }
  if (text.trim() === "") {
    reading.skip("empty memory blocks");
    return [];
  }
  const time = block["updated_at"] ?? block["created_at"] ?? null;
  const id = `letta-block-${idPart(label)}-${fingerprint(text)}`;
  return divideText(text.trim(), reading.settings.limits.characterCountMax).map((summary, i) => ({
    id: i === 0 ? id : `${id}.${i + 1}`,
    summary,
    ...(time === null ? {} : { at: reading.time(time, "updated_at") }),
    metadata: describeSource("letta", { block: label }),
    keep: true,
  }));
}

function readMessage(message: Fields, reading: Reading): TimedMessage | null {
  const role = readText(message["role"], "role");
  const text = role === "user" ? saidByUser(message, reading) : role === "assistant" ? saidByAgent(message) : null;
  if (text === null || text.trim() === "") {
    reading.skip(role === "user" ? "events" : role === "assistant" ? "tool messages" : `${role} messages`);
    return null;
  }
  return { id: null, who: role, text, atMs: reading.time(message["created_at"], "created_at") };
}

/** Text, or an envelope with what was said; heartbeats, logins and other events are not said by anybody. */
function saidByUser(message: Fields, reading: Reading): string | null {
  const text = textOf(message);
  if (!text.trimStart().startsWith("{")) return text;
  const envelope = parseObject(text);
  if (envelope === null || envelope["type"] === undefined) return text;
  if (envelope["type"] !== "user_message") return null;
  if (typeof envelope["message"] === "string") return envelope["message"];
  reading.skip("messages in unknown envelopes");
  return null;
}

/** What the agent sent; where it sends with a tool, its other text is what it thought. */
function saidByAgent(message: Fields): string | null {
  const calls = readList(message["tool_calls"] ?? [], "tool_calls").map((call) => readObject(call, "a tool call"));
  const sent = calls
    .map((call) => (call["function"] ?? call) as Fields)
    .filter(({ name }) => name === "send_message")
    .map((call) => parseObject(readText(call["arguments"], "arguments"))?.["message"]);
  if (sent.length > 0) return sent.filter((text) => typeof text === "string").join("\n");
  return calls.length > 0 ? null : textOf(message);
}

function textOf(message: Fields): string {
  const content = message["content"] ?? message["text"] ?? "";
  if (typeof content === "string") return content;
  const parts = readList(content, "content").map((part) => readObject(part, "a part of content"));
  return parts
    .map((part) =>
      part["type"] === "image" ? "[image]" : part["type"] === "text" ? readText(part["text"], "text") : "",
    )
    .filter((text) => text !== "")
    .join("\n");
}

function parseObject(text: string): Fields | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw new DamagedPart("arguments cannot be read");
  }
}
