/** The routes of the memory proxy. */
import type { Context, Hono } from "hono";
import { type Problem, RequestError, problemOf, respondWithProblem } from "../problem.js";
import type { ServerContext, ServerEnv } from "../server-context.js";
import { chatCompletions } from "./chat-completions.js";
import { Conversations } from "./conversations.js";
import { type ProxyParts, forward, handleChat } from "./exchange.js";
import { messages } from "./messages.js";
import { readBody } from "../security/request-limits.js";
import { responses } from "./responses.js";
import { Upstream, parseBase } from "./upstream.js";

export interface ProxyHandle {
  /** Begins to find what an earlier process left open: it is continued, or ends when it has been quiet. Resolves at once. */
  recover(): Promise<void>;
  /** Ends the calls that are not over, and stores what has arrived of their replies. Conversations stay open. */
  close(): Promise<void>;
}

const silenceSecondsMaxDefault = 600;
const countBytesMax = 32 * 2 ** 20;

export function addProxyRoutes(app: Hono<ServerEnv>, context: ServerContext): ProxyHandle {
  const parts = createParts(context);
  const route = (operation: string, handle: (c: Context<ServerEnv>, parts: ProxyParts) => Promise<Response>) => {
    return async (c: Context<ServerEnv>): Promise<Response> => {
      c.set("operation", operation);
      try {
        return await handle(c, parts ?? refuse());
      } catch (error) {
        return respondToChat(error, c, context);
      }
    };
  };
  for (const shape of [chatCompletions, responses, messages]) {
    app.post(
      `/v1${shape.path}`,
      route(shape.operation, (c, ready) => handleChat(c, shape, ready)),
    );
  }
  app.post("/v1/messages/count_tokens", route("messages.count_tokens", countTokens));
  app.get("/v1/models", route("models", askForModels));
  app.get("/v1/models/*", route("models", askForModels));
  return {
    recover: async () => parts?.conversations.recover(),
    close: async () => (parts === null ? undefined : closeParts(parts)),
  };
}

/** Null without an upstream. */
function createParts(context: ServerContext): ProxyParts | null {
  const settings = context.settings.upstream;
  if (settings === null) return null;
  return {
    context,
    settings,
    conversations: new Conversations(context, settings.quietSeconds),
    upstream: new Upstream(settings.silenceSecondsMax ?? silenceSecondsMaxDefault),
    base: parseBase(settings.url),
    calls: new Set(),
    pending: new Set(),
  };
}

async function closeParts({ calls, pending, conversations, upstream }: ProxyParts): Promise<void> {
  for (const call of calls) call.abort();
  // A call that is aborted stores what has arrived, a turn of the event loop later.
  for (const _ of [1, 2]) {
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(pending);
  }
  await conversations.close();
  upstream.close();
}

function refuse(): never {
  const message =
    "The server has no upstream to forward chats to; start it with one: mnemosyne serve --upstream <address>.";
  throw new RequestError("upstream_missing", message);
}

/** What a request would cost; nothing is recalled for it. */
async function countTokens(c: Context<ServerEnv>, parts: ProxyParts): Promise<Response> {
  const body = await readBody(c, parts.settings.bodyBytesMax ?? countBytesMax);
  return forward(c, { parts, path: "/messages/count_tokens", isAnthropic: true, body });
}

async function askForModels(c: Context<ServerEnv>, parts: ProxyParts): Promise<Response> {
  const path = new URL(c.req.url).pathname.replace(/^\/v1/u, "");
  if (leavesModels(path)) throw new RequestError("request_invalid", "This is not the name of a model.");
  return forward(c, { parts, path, isAnthropic: c.req.header("anthropic-version") !== undefined, body: null });
}

/** Some servers read %2F as a slash: `..` would lead to other things that the upstream's key may do. */
function leavesModels(path: string): boolean {
  return path
    .replaceAll(/%(?:25)*(2e|2f|5c)/giu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .split(/[/\\]/u)
    .includes("..");
}

/** A problem document in which clients of OpenAI and Anthropic find an error as they know it. */
function respondToChat(error: unknown, c: Context<ServerEnv>, { log }: ServerContext): Response {
  const problem = problemOf(error);
  const { status, code, detail } = problem;
  // Nobody is there to answer.
  if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
  if (status >= 500) logFailure(error, problem, log);
  const body = { ...problem, error: { message: detail, type: code, code, param: null } };
  return new Response(JSON.stringify(body), { status, headers: respondWithProblem(error).headers });
}

/** An upstream that does not answer is no fault of this server. */
function logFailure(error: unknown, { code, detail }: Problem, log: ServerContext["log"]): void {
  if (error instanceof RequestError) log.warn({ code, reason: detail }, "a chat failed");
  else log.error({ code, error }, "a chat failed");
}
