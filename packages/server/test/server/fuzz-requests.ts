/** Requests made from the operations of the OpenAPI document: as it asks for them, and then broken in some way. */
import type { Draw } from "./fuzz-draw.js";
import { breakBody, breakBytes, breakHeaders, breakMethod, breakQuery, breakTarget } from "./fuzz-faults.js";
import { type KnownPerson, ValueMaker } from "./fuzz-values.js";
import type { RawRequest } from "./exact-client.js";
import type { JsonSchema, Schemas } from "./schema-check.js";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface MediaTypes {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: MediaTypes;
  readonly responses: Readonly<Record<string, MediaTypes & { readonly headers?: object }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

/** A request in parts, so that each can be broken by itself. */
export interface DraftRequest {
  method: string;
  path: string;
  /** In the order of the path. */
  places: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
  bytes: Buffer | undefined;
  /** What goes into the request line, if it is not made from path, places and query. */
  target: string | undefined;
}

export interface MadeRequest {
  readonly request: RawRequest;
  readonly operation: Operation;
  readonly person: KnownPerson;
  readonly draft: DraftRequest;
  readonly faults: readonly string[];
}

export class RequestMaker {
  readonly #operations: readonly { method: string; path: string; operation: Operation }[];
  readonly #values: ValueMaker;
  readonly #persons: readonly KnownPerson[];
  readonly #draw: Draw;
  #count = 0;

  constructor(document: OpenApi, persons: readonly KnownPerson[], draw: Draw) {
    this.#operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
    this.#values = new ValueMaker(draw, document.components.schemas);
    this.#persons = persons;
    this.#draw = draw;
  }

  /** Every operation in turn. */
  next(isBroken: boolean): MadeRequest {
    const { method, path, operation } = this.#operations[this.#count++ % this.#operations.length]!;
    const person = this.#draw.pick(this.#persons);
    const draft = this.#draftOf(method, path, operation, person);
    const faults = isBroken ? this.#break(draft) : [];
    return { request: toRequest(draft), operation, person, draft, faults };
  }

  #draftOf(method: string, path: string, operation: Operation, person: KnownPerson): DraftRequest {
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    const schema = type === undefined ? undefined : operation.requestBody!.content![type]!.schema;
    const draft: DraftRequest = {
      method,
      path,
      places: {},
      query: [],
      headers: type === undefined ? {} : { "content-type": type },
      body: undefined,
      bytes: undefined,
      target: undefined,
    };
    if (type === "application/json") draft.body = this.#values.value(schema!, "", person);
    else if (type !== undefined) draft.bytes = Buffer.from(this.#lines(person));
    for (const parameter of operation.parameters) this.#addParameter(draft, operation, parameter, person);
    return draft;
  }

  #addParameter(draft: DraftRequest, { operationId }: Operation, parameter: Parameter, person: KnownPerson): void {
    const { name, in: place, required, schema } = parameter;
    if (place === "path") draft.places[name] = name === "person" ? person.name : this.#idFor(operationId, person);
    else if (place === "header") {
      const value = this.#headerFor(name, draft.places["id"] ?? "", person);
      if (value !== undefined && this.#draw.isLikely(0.3)) draft.headers[name] = value;
    } else if (required || this.#draw.isLikely(0.4)) {
      const value = this.#queryFor(operationId, name, schema, draft, person);
      if (value !== undefined) draft.query.push([name, value]);
    }
  }

  /** An id for which the operation can succeed. */
  #idFor(operationId: string, person: KnownPerson): string {
    const draw = this.#draw;
    if (operationId === "restoreInteraction" && person.pruned.size > 0) return draw.pick([...person.pruned]);
    if (operationId === "unpinMemory" && person.pinned.size > 0) return draw.pick([...person.pinned]);
    if (operationId === "unlinkMemory" && person.links.length > 0) return draw.pick(person.links)[0];
    if (operationId === "addTurn") {
      const isNew = person.conversations.size === 0 || draw.isLikely(0.3);
      return isNew ? `talk ${this.#values.newId()}` : draw.pick([...person.conversations]);
    }
    if (operationId === "closeConversation" && person.conversations.size > 0)
      return draw.pick([...person.conversations]);
    return this.#values.knownId(person);
  }

  #headerFor(name: string, id: string, { tags }: KnownPerson): string | undefined {
    if (name === "idempotency-key") return `key-${this.#draw.below(1e9)}`;
    const tag = tags.get(id);
    return tag === undefined ? undefined : `"${tag}"`;
  }

  #queryFor(
    operationId: string,
    name: string,
    schema: JsonSchema,
    { places }: DraftRequest,
    person: KnownPerson,
  ): string | undefined {
    if (name === "cursor") return person.cursors.get(operationId);
    if (name === "outdated" && operationId === "unlinkMemory") {
      return person.links.findLast(([later]) => later === places["id"])?.[1] ?? "nothing";
    }
    if (name === "outcomes") return this.#draw.pick(["committed", "committed,paired", "queued,discarded,pruned"]);
    const value = this.#values.value(schema, name, person);
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  /** Interactions to import. */
  #lines(person: KnownPerson): string {
    const input: JsonSchema = { $ref: "#/components/schemas/InteractionInput" };
    const lines = Array.from({ length: 1 + this.#draw.below(3) }, () => {
      const { text, updates: _, ...rest } = this.#values.object(input, person);
      return JSON.stringify(text === undefined ? rest : { ...rest, summary: text });
    });
    return `${lines.join("\n")}\n`;
  }

  #break(draft: DraftRequest): string[] {
    const draw = this.#draw;
    const ways = [breakTarget, breakQuery, breakHeaders, breakMethod, breakBytes, ...Array(4).fill(breakBody)] as const;
    const fitting = draft.body === undefined ? ways.filter((way) => way !== breakBody && way !== breakBytes) : ways;
    return Array.from({ length: 1 + draw.below(2) }, () => draw.pick(fitting)(draft, draw));
  }
}

function toRequest(draft: DraftRequest): RawRequest {
  const { method, headers, body, query } = draft;
  const path = draft.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(draft.places[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  const target = draft.target ?? `${path}${search === "" ? "" : `?${search}`}`;
  const bytes = draft.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body) ?? ""));
  return { method, target, headers, ...(bytes === undefined ? {} : { body: bytes }) };
}
