/** One request and its reply: what the memory adds, the call of the upstream, and the way back to the client. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { RequestError } from "../problem.js";
import { responseStream } from "../response-stream.js";
import { type Access, onlyPerson } from "../security/access.js";
import { readBody } from "../security/request-limits.js";
import type { ServerContext, ServerEnv, UpstreamSettings } from "../server-context.js";
import { ChatMemory, type ChatWishes } from "./chat-memory.js";
import type { ChatRequest, ChatShape } from "./chat-shape.js";
import type { Conversations } from "./conversations.js";
import { ReplyReader } from "./reply-reader.js";
import { readJson } from "./request-body.js";
import { headersForCaller, headersForUpstream, queryForUpstream } from "./upstream-headers.js";
import type { Upstream } from "./upstream.js";

export interface ProxyParts {
  readonly context: ServerContext;
  readonly settings: UpstreamSettings;
  readonly conversations: Conversations;
  readonly upstream: Upstream;
  /** The upstream's address, up to its version. */
  readonly base: string;
  /** Calls of the upstream that are not over; aborting one ends it. */
  readonly calls: Set<AbortController>;
  /** What is still to be stored. */
  readonly pending: Set<Promise<void>>;
}

const bodyBytesMaxDefault = 32 * 2 ** 20;
const memoryMsMaxDefault = 2_000;
/** Comparing more of them with what is stored would keep others waiting. */
const messageCountMax = 10_000;
const conversationName = /^[\u0021-\u007e]{1,150}$/u;
/** Statuses of replies that have no body. */
const bodiless = new Set([204, 205, 304]);

export async function handleChat(c: Context<ServerEnv>, shape: ChatShape, parts: ProxyParts): Promise<Response> {
  const bytesMax = parts.settings.bodyBytesMax ?? bodyBytesMaxDefault;
  const bytes = await readBody(c, bytesMax);
  const read = c.req.header("content-encoding") === undefined ? readJson(bytes) : null;
  const request = read === null ? null : shape.readRequest(read);
  if (read === null || request === null || request.messages.length > messageCountMax) {
    return forward(c, { parts, path: shape.path, isAnthropic: shape.isAnthropic, body: bytes, isUnread: true });
  }
  const memory = new ChatMemory(request, readWishes(c, request, parts), {
    context: parts.context,
    conversations: parts.conversations,
    operation: shape.operation,
    access: c.var.access,
    tokenBudget: parts.settings.tokenBudget,
    msMax: parts.settings.memoryMsMax ?? memoryMsMaxDefault,
  });
  const text = await memory.prepare(request.messages);
  const changed = text === null ? null : shape.addInstructions(read, text);
  if (changed === null) memory.leaveOut();
  const body = changed === null ? bytes : new TextEncoder().encode(JSON.stringify(changed));
  return forward(c, { parts, path: shape.path, isAnthropic: shape.isAnthropic, body, chat: { shape, memory } });
}

function readWishes(c: Context<ServerEnv>, { user }: ChatRequest, { context }: ProxyParts): ChatWishes {
  const asksForKeys = context.keys !== null;
  const person = personOfRequest({ header: c.req.header("mnemosyne-person"), user, access: c.var.access, asksForKeys });
  const conversation = c.req.header("mnemosyne-conversation") ?? null;
  if (conversation !== null && !conversationName.test(conversation)) {
    const message = "mnemosyne-conversation must be 1 to 150 visible ASCII characters without blanks.";
    throw new RequestError("request_invalid", message);
  }
  const mode = c.req.header("mnemosyne-memory") ?? "on";
  if (!["on", "read", "write", "off"].includes(mode)) {
    throw new RequestError("request_invalid", "mnemosyne-memory must be on, read, write or off.");
  }
  return {
    person,
    conversation,
    recalls: mode === "on" || mode === "read",
    commits: mode === "on" || mode === "write",
    endsConversation: c.req.header("mnemosyne-conversation-end") === "true",
  };
}

interface WhoseChat {
  readonly header: string | undefined;
  /** Whom the body names. */
  readonly user: string | null;
  readonly access: Access;
  readonly asksForKeys: boolean;
}

const defaultPerson = "default";

/** The header's, the body's, the only one of the key, or the only one of a memory that is open to all who reach it. */
function personOfRequest({ header, user, access, asksForKeys }: WhoseChat): string {
  const named = header === undefined ? null : readHeader(header);
  const person = named ?? user ?? onlyPerson(access) ?? (asksForKeys ? null : defaultPerson);
  if (person !== null) return person;
  const message =
    "It is not clear whose memory this chat is about. Name the person in the header mnemosyne-person, or in user (metadata.user_id for /v1/messages).";
  throw new RequestError("request_invalid", message);
}

/** Headers come as Latin-1; a name in UTF-8, as curl sends it, is read as that. */
function readHeader(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

interface Forwarded {
  readonly parts: ProxyParts;
  /** Below the upstream's base. */
  readonly path: string;
  readonly isAnthropic: boolean;
  /** Null for a GET. */
  readonly body: Uint8Array | null;
  readonly chat?: { readonly shape: ChatShape; readonly memory: ChatMemory };
  /** A chat in which the memory finds nothing to work with. */
  readonly isUnread?: boolean;
}

/** What its client is told. */
const unreadHeaders = { "mnemosyne-memory": "unread", "mnemosyne-recalled": "0", "mnemosyne-commit": "unread" };

export async function forward(c: Context<ServerEnv>, forwarded: Forwarded): Promise<Response> {
  const { parts, path, isAnthropic, body, chat } = forwarded;
  const { context, settings, base, upstream, calls } = parts;
  const call = new AbortController();
  const leave = (): void => call.abort();
  const { signal } = c.req.raw;
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  calls.add(call);
  try {
    const query = queryForUpstream(new URL(c.req.url).search);
    const url = new URL(base + path + query);
    const caller = { isAnthropic, asksForKeys: context.keys !== null };
    const headers = headersForUpstream(c.req.raw.headers, settings, caller);
    const method = body === null ? "GET" : "POST";
    const reply = await upstream.call({ method, url, headers, body, signal: call.signal });
    return passOn(c, reply, call, forwarded);
  } catch (error) {
    calls.delete(call);
    // What the user said is kept, without an answer.
    if (chat !== undefined) track(parts, chat.memory.finish([], null));
    throw error;
  }
}

function passOn(
  c: Context<ServerEnv>,
  reply: IncomingMessage,
  call: AbortController,
  { parts, chat, isUnread = false }: Forwarded,
): Response {
  const status = reply.statusCode ?? 502;
  const answer = chat?.shape.createReply();
  const isRead = answer !== undefined && status >= 200 && status < 300;
  const { "content-type": contentType = "", "content-encoding": contentEncoding = "" } = reply.headers;
  const reader = isRead ? new ReplyReader(answer, { contentType, contentEncoding }) : null;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    call.signal.removeEventListener("abort", end);
    parts.calls.delete(call);
    if (chat !== undefined) track(parts, chat.memory.finish(reader?.end() ?? [], answer?.id() ?? null));
  };
  const headers = headersForCaller(reply.rawHeaders, chat?.memory.headers() ?? (isUnread ? unreadHeaders : {}));
  if (bodiless.has(status)) {
    reply.resume();
    end();
    return new Response(null, { status, headers });
  }
  // Also if the client reads nothing at that time.
  call.signal.addEventListener("abort", end);
  // A reply that is cut off is cut off for the client, too, and is no failure of this server.
  return new Response(
    responseStream(c, piecesOf(reply, reader, end), () => {}),
    { status, headers },
  );
}

/** The bytes of a reply, unchanged, and pulled: a client that reads slowly slows the upstream down. */
async function* piecesOf(
  reply: IncomingMessage,
  reader: ReplyReader | null,
  end: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of reply as AsyncIterable<Buffer>) {
      reader?.add(piece);
      yield piece;
    }
  } finally {
    end();
  }
}

function track({ pending }: ProxyParts, work: Promise<void>): void {
  const tracked = work.finally(() => pending.delete(tracked));
  pending.add(tracked);
}
