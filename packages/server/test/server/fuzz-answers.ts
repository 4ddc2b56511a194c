/** What an answer must be, and what is learned from it for the requests that follow. */
import type { KnownPerson } from "./fuzz-values.js";
import type { MadeRequest, OpenApi, Operation } from "./fuzz-requests.js";
import type { RawAnswer, RawRequest } from "./exact-client.js";
import { findFaults } from "./schema-check.js";

const problemSchema = { $ref: "#/components/schemas/Problem" };

/** What is wrong with an answer; empty if nothing is. */
export function judgeAnswer(document: OpenApi, request: RawRequest, answer: RawAnswer): string[] {
  const { status, headers } = answer;
  if (!(status >= 200 && status < 500)) return [`status ${status}: ${answer.body.toString().slice(0, 300)}`];
  if (request.method === "HEAD") return answer.body.length === 0 ? [] : ["HEAD has a body"];
  if (status >= 400) return judgeProblem(document, answer);
  const operation = findOperation(document, request);
  if (operation === null) return isPage(answer) ? [] : [`${status} where the document has no operation`];
  const shape = operation.responses[status];
  if (shape === undefined) return [`${operation.operationId} does not document ${status}`];
  const missing = Object.keys(shape.headers ?? {}).filter((name) => headers[name] === undefined);
  const faults = missing.map((name) => `${operation.operationId}: no header ${name}`);
  const [type] = Object.keys(shape.content ?? {});
  if (type === undefined) return answer.body.length === 0 ? faults : [...faults, "a body where none is documented"];
  if (!(headers["content-type"] ?? "").startsWith(type)) faults.push(`content-type ${headers["content-type"]}`);
  if (type !== "application/json") return faults;
  const schema = shape.content![type]!.schema;
  return [...faults, ...findFaults(parseJson(answer.body), schema, document.components.schemas, operation.operationId)];
}

/** The inspector, which is no operation. */
function isPage({ headers, body }: RawAnswer): boolean {
  return headers["content-type"] === "text/html; charset=utf-8" && body.includes("<title>Mnemosyne");
}

function judgeProblem(document: OpenApi, { status, headers, body }: RawAnswer): string[] {
  if (headers["content-type"] !== "application/problem+json") return [`a problem as ${headers["content-type"]}`];
  const problem = parseJson(body) as { status: number; code: string; type: string; detail: string } | undefined;
  const faults = findFaults(problem, problemSchema, document.components.schemas, "problem");
  if (faults.length > 0 || problem === undefined) return faults;
  if (problem.status !== status) faults.push(`status ${status}, and ${problem.status} in the document`);
  if (!/^[a-z]+(?:_[a-z]+)*$/u.test(problem.code)) faults.push(`code ${problem.code}`);
  if (problem.type !== `urn:mnemosyne:problem:${problem.code}`) faults.push(`type ${problem.type}`);
  if (problem.detail === "") faults.push("no detail");
  if (problem.code === "internal") faults.push("internal");
  return faults;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** By method and address: a broken request may be a good one of another operation. */
function findOperation({ paths }: OpenApi, { method, target }: RawRequest): Operation | null {
  const wanted = URL.canParse(target, "http://localhost") ? new URL(target, "http://localhost").pathname : "";
  const fits = Object.entries(paths).filter(([path]) => patternOf(path).test(wanted));
  // {id}:close is more than {id}.
  const ordered = fits.toSorted(([a], [b]) => b.length - a.length);
  return ordered.map(([, item]) => item[method.toLowerCase()]).find((each) => each !== undefined) ?? null;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u");
}

interface Learned {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly updates?: readonly string[];
  readonly tag?: string;
  readonly nextCursor?: string | null;
  readonly forgotten?: readonly string[];
  readonly pruned?: readonly { readonly id: string }[];
}

/** From an answer to a request that was not broken. */
export function learn({ operation, person, draft }: MadeRequest, answer: RawAnswer): void {
  if (answer.status >= 300) return;
  const { operationId } = operation;
  const body = (parseJson(answer.body) ?? {}) as Learned;
  const place = draft.places["id"] ?? "";
  if (operationId === "forgetPerson") forgetAll(person);
  if (operationId === "addTurn") person.conversations.add(place);
  if (operationId === "closeConversation") person.conversations.delete(place);
  if (operationId === "restoreInteraction") person.pruned.delete(place);
  if (operationId === "pinMemory") person.pinned.add(place);
  if (operationId === "unpinMemory") person.pinned.delete(place);
  if (operationId === "unlinkMemory")
    person.links.splice(
      person.links.findIndex(([later]) => later === place),
      1,
    );
  if (operationId.startsWith("commitInteraction") && body.id !== undefined) person.ids.add(body.id);
  if (operationId === "commitInteractions") for (const id of body.ids ?? []) person.ids.add(id);
  if (operationId === "commitInteraction" || operationId === "correctMemory") {
    for (const earlier of body.updates ?? []) person.links.push([body.id!, earlier]);
  }
  if (body.tag !== undefined) person.tags.set(place, body.tag);
  if (body.nextCursor === null) person.cursors.delete(operationId);
  else if (body.nextCursor !== undefined) person.cursors.set(operationId, body.nextCursor);
  for (const id of body.forgotten ?? []) forgetOne(person, id);
  for (const { id } of body.pruned ?? []) {
    forgetOne(person, id);
    person.pruned.add(id);
  }
}

function forgetAll(person: KnownPerson): void {
  const { ids, pruned, pinned, conversations, cursors, tags } = person;
  for (const known of [ids, pruned, pinned, conversations, cursors, tags]) known.clear();
  person.links.length = 0;
}

function forgetOne(person: KnownPerson, id: string): void {
  person.ids.delete(id);
  person.pruned.delete(id);
  person.pinned.delete(id);
  const left = person.links.filter((link) => !link.includes(id));
  person.links.splice(0, Infinity, ...left);
}
