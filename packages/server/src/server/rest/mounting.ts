/**
 * Puts routes on the server. For each request, in this order: may the caller do this to this person at all, is the request
 * well-formed, is it a repetition (Idempotency-Key), then the one call of the memory, the answer, and a line in the audit
 * log. Who may not do it learns nothing: that is decided before anything is read.
 */
import type { Context, Hono } from "hono";
import type { PersonMemory } from "mnemosyne-edge";
import { RequestError, problemOf } from "../problem.js";
import { responseStream } from "../response-stream.js";
import { type Access, allows } from "../security/access.js";
import { bodyStream, readBody, withTimeLimit } from "../security/request-limits.js";
import type { ServerContext, ServerEnv } from "../server-context.js";
import { KeptAnswers, Said, deriveId, readIdempotencyKey } from "./idempotency.js";
import { parse, parseJson, queryOf, refuseQuery } from "./request-parsing.js";
import type { Answer, Call, Route } from "./route.js";

type RequestContext = Context<ServerEnv>;

export function mountRoutes(app: Hono<ServerEnv>, routes: readonly Route[], context: ServerContext): void {
  const kept = new KeptAnswers();
  for (const route of routes) {
    app.on(route.method.toUpperCase(), toPattern(route.path), (c) => serve(route, c, context, kept));
  }
  // After all of them, so that these are only reached with a method that the address does not have.
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    app.all(toPattern(path), (c) => refuseMethod(c.req.method, methods));
  }
}

function refuseMethod(method: string, methods: readonly string[]): never {
  const allow = methods.join(", ");
  throw new RequestError("method_not_allowed", `${method} is not known here; there is ${allow}`, {
    headers: { allow },
  });
}

/** `{id}:close` is an id with that end; hono calls for a pattern. */
function toPattern(path: string): string {
  return path.replace(/\{(\w+)\}(:\w+)?/gu, (_, name: string, end?: string) =>
    end === undefined ? `:${name}` : `:${name}{[^/]+${end}}`,
  );
}

async function serve(route: Route, c: RequestContext, context: ServerContext, kept: KeptAnswers): Promise<Response> {
  c.set("operation", route.operationId);
  const person = readParameter(route, c, "person");
  const { access } = c.var;
  const note = (outcome: number, ids?: readonly string[]): void => {
    if (route.action === null) return;
    const action = outcome === 401 || outcome === 403 ? "refuse" : route.action;
    const about = { operation: route.operationId, keyId: access.keyId, person, outcome };
    context.audit.record(ids === undefined ? { action, ...about } : { action, ...about, ids });
  };
  try {
    checkAccess(route, access, person);
    const { answer, ids } = await answerOf(route, c, context, kept, person);
    note(answer.status, ids);
    // Nobody reads the body of an answer to HEAD: a stream would go on.
    if (c.req.method === "HEAD") await answer.body?.cancel();
    return answer;
  } catch (error) {
    note(problemOf(error).status);
    throw error;
  }
}

function checkAccess({ need }: Route, access: Access, person: string | null): void {
  if (need === "anybody" || need === "key" || allows(access, need, person)) return;
  if (person === null) throw new RequestError("not_allowed", "This needs the key of an admin.");
  const isOnlyReader = access.isReadOnly && allows(access, "read", person);
  throw new RequestError("not_allowed", isOnlyReader ? "This key may only read." : "This key is not for this person.");
}

interface Answered {
  readonly answer: Response;
  readonly ids?: readonly string[];
}

async function answerOf(
  route: Route,
  c: RequestContext,
  context: ServerContext,
  kept: KeptAnswers,
  person: string | null,
): Promise<Answered> {
  const work = await readCall(route, c, context, kept, person);
  const seconds = context.settings.limits.requestSecondsMax;
  try {
    const answer = await (route.isUnlimited === true
      ? work(c.req.raw.signal)
      : withTimeLimit(c, seconds, work, { outlivesCaller: route.need === "write" }));
    return answer instanceof Response ? { answer } : toAnswered(answer, c, context);
  } catch (error) {
    // The reason of this signal is no Error, which hono takes for the end of the world.
    if (!(error instanceof Error) && c.req.raw.signal.aborted) throw callerGone();
    throw error;
  }
}

/** Reads and checks the request; what is returned does what it asks for. */
async function readCall(
  route: Route,
  c: RequestContext,
  context: ServerContext,
  kept: KeptAnswers,
  person: string | null,
): Promise<(signal: AbortSignal) => Promise<Answer | Response>> {
  const query = route.query === undefined ? refuseQuery(c) : parse(route.query, queryOf(c), "query");
  const bytes = route.body === undefined ? null : await readBody(c, context.settings.limits.bodyBytesMax);
  const body = bytes === null ? undefined : parse(route.body!, parseJson(c, bytes), "body");
  // A question is answered again each time: what was forgotten meanwhile must not be in it.
  const key = route.need === "write" ? readIdempotencyKey(c.req.header("idempotency-key")) : null;
  const isStreamed = route.streamedBody !== undefined;
  const said = new Said(new URL(c.req.url).search, isStreamed ? streamOf(c, context) : bytes);
  const callWith = (signal: AbortSignal): Call => ({
    context,
    mnemosyne: context.mnemosyne,
    get person(): PersonMemory {
      return context.mnemosyne.person(person!);
    },
    id: readParameter(route, c, "id") ?? "",
    query,
    body,
    access: c.var.access,
    stream: said.stream(),
    header: (name) => c.req.header(name),
    keptId: key === null ? undefined : deriveId(key),
    signal,
  });
  if (key === null) return (signal) => route.handle(callWith(signal));
  const name = JSON.stringify([c.var.access.keyId, c.req.method, c.req.path, key]);
  // What takes too long goes on, and the same request sent again waits for it. No write answers with its own Response.
  return (signal) => kept.answer({ name, said, work: () => route.handle(callWith(signal)) as Promise<Answer> });
}

/** Begun when it is read. */
async function* streamOf(c: RequestContext, { settings }: ServerContext): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bodyStream(c, settings.limits.streamBytesMax);
}

function callerGone(): RequestError {
  return new RequestError("request_invalid", "the caller closed the connection before the answer");
}

function toAnswered(given: Answer, c: RequestContext, { log }: ServerContext): Answered {
  const { status = 200, body, stream, headers = {}, ids } = given;
  const isEmpty = body === null;
  const onFailure = (error: unknown): void => log.error({ error, requestId: c.var.requestId }, "a stream broke off");
  const sent = stream === undefined ? null : responseStream(c, stream, onFailure);
  const answer = new Response(isEmpty ? sent : JSON.stringify(body), {
    status,
    headers: { ...(isEmpty ? {} : { "content-type": "application/json" }), ...headers },
  });
  return ids === undefined ? { answer } : { answer, ids };
}

function readParameter({ path }: Route, c: RequestContext, name: "person" | "id"): string | null {
  const place = new RegExp(`\\{${name}\\}(:\\w+)?`, "u").exec(path);
  if (place === null) return null;
  const value = c.req.param(name) ?? "";
  return value.slice(0, value.length - (place[1] ?? "").length);
}
