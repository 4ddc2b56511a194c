/** The OpenAPI 3.1 document, written from the list of routes and their schemas. */
import { z } from "zod";
import type { AnswerShape, Route } from "./rest/route.js";
import { memoryOrStatementId, personName, problem } from "./schemas.js";

type JsonObject = Readonly<Record<string, unknown>>;

const schemaPath = "#/components/schemas/";
const tags: Readonly<Record<Route["tag"], string>> = {
  Interactions: "What people say: submitting it, and what became of it.",
  Recall: "Asking a memory.",
  Memories: "Looking at memories, changing and forgetting them.",
  Conversations: "Interactions that are still going on.",
  Data: "Events, and everything about a person at once.",
  Persons: "Who there is.",
  Service: "The server itself.",
};

export function writeOpenApi(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = writeOperation(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Mnemosyne",
      version,
      description: "A long-term memory for assistants. Errors are problem documents (RFC 9457) with a stable code.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: writeSchemas(routes),
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description:
            "A key of `mnemosyne keys add`. Not asked for as long as there is no file of keys, on loopback only.",
        },
      },
    },
  };
}

function writeOperation(route: Route): JsonObject {
  const { operationId, tag, summary, need, body, streamedBody, answers } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    security: need === "anybody" ? [] : [{ key: [] }],
    parameters: writeParameters(route),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: refer(body) } } } }),
    ...(streamedBody === undefined
      ? {}
      : { requestBody: { required: true, content: { [streamedBody]: { schema: { type: "string" } } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, writeAnswer(answer)])),
      "4XX": problemAnswer("The request is refused, and nothing was done."),
      "5XX": problemAnswer("The server or its store cannot do it now."),
    },
  };
}

function writeParameters({ path, need, query, requestHeaders = {} }: Route): JsonObject[] {
  const inPath = { person: personName, id: memoryOrStatementId };
  const places = [...path.matchAll(/\{(person|id)\}/gu)].map(([, name]) => name as "person" | "id");
  const shape = query?.shape ?? {};
  const headers = {
    ...requestHeaders,
    ...(need !== "write" ? {} : { "idempotency-key": "The same key twice is done once; for a day." }),
  };
  return [
    ...places.map((name) => ({ name, in: "path", required: true, ...writeValue(inPath[name]) })),
    ...Object.entries(shape).map(([name, schema]) => ({
      name,
      in: "query",
      required: !isOptional(schema),
      ...writeValue(schema),
    })),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    })),
  ];
}

/** Its description belongs to the parameter. */
function writeValue(schema: z.core.$ZodType): JsonObject {
  const { $schema: _, description, ...written } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { ...(description === undefined ? {} : { description }), schema: written };
}

function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success;
}

function writeAnswer({ description, schema, mediaType, isAlsoText, headers }: AnswerShape): JsonObject {
  const type = mediaType ?? (schema === undefined ? null : "application/json");
  const content = schema === undefined ? { schema: { type: "string" } } : { schema: refer(schema) };
  const entries = Object.entries(headers ?? {}).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    description,
    ...(entries.length === 0 ? {} : { headers: Object.fromEntries(entries) }),
    ...(type === null ? {} : { content: { [type]: content, ...(isAlsoText === true ? asText : {}) } }),
  };
}

const asText = { "text/plain": { schema: { type: "string" } } };

function problemAnswer(description: string): JsonObject {
  return { description, content: { "application/problem+json": { schema: refer(problem) } } };
}

function refer(schema: z.ZodType): JsonObject {
  return { $ref: `${schemaPath}${idOf(schema)}` };
}

function idOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error("a schema of a body needs meta.id");
  return id;
}

/** What is sent and what is answered are told apart: an answer has every field. */
function writeSchemas(routes: readonly Route[]): JsonObject {
  const sent = routes.flatMap(({ body }) => body ?? []);
  const answered = routes.flatMap(({ answers }) => Object.values(answers).flatMap(({ schema }) => schema ?? []));
  return { ...writeAll([...answered, problem], "output"), ...writeAll(sent, "input") };
}

function writeAll(schemas: readonly z.ZodType[], io: "input" | "output"): JsonObject {
  const written: Record<string, unknown> = {};
  for (const schema of new Set(schemas)) {
    const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
    const { $defs = {} } = JSON.parse(text.replaceAll('"#/$defs/', `"${schemaPath}`)) as { $defs?: JsonObject };
    Object.assign(written, $defs);
  }
  return written;
}
