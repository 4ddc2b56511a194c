/**
 * A route as data: its address, who may call it, what it takes and answers, and one call of the memory. The server mounts
 * the list of them (mounting.ts), and the OpenAPI document is written from the same list (openapi.ts), so that neither can
 * know of a route that the other does not.
 */
import type { z } from "zod";
import type { Mnemosyne, PersonMemory } from "mnemosyne-edge";
import type { Access, Need } from "../security/access.js";
import type { AuditEntry, ServerContext } from "../server-context.js";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Tag = "Interactions" | "Recall" | "Memories" | "Conversations" | "Data" | "Persons" | "Service";

/** What a handler gets: everything is read and checked, and the caller may do it. */
export interface Call<Query = unknown, Body = unknown> {
  readonly context: ServerContext;
  readonly mnemosyne: Mnemosyne;
  /** Of the person in the address; that of a route without one must not be asked for. */
  readonly person: PersonMemory;
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly access: Access;
  /** The body of a route that reads it as a stream. */
  readonly stream: AsyncIterable<Uint8Array>;
  readonly header: (name: string) => string | undefined;
  /** Of an interaction that is submitted without an id: the same for the same Idempotency-Key, else undefined. */
  readonly keptId: string | undefined;
  /** Aborted when the caller is gone, or the time for a request is over. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  /** Sent piece by piece in place of a body. */
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it was about, for the audit log. */
  readonly ids?: readonly string[];
}

export interface AnswerShape {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
  /** Whether `Accept: text/plain` gets it as text for people. */
  readonly isAlsoText?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly operationId: string;
  readonly method: Method;
  /** As in OpenAPI: /v1/persons/{person}/memories/{id}. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /** "anybody": also without a key. "key": with any key. */
  readonly need: Need | "anybody" | "key";
  readonly action: AuditEntry["action"] | null;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The media type of a body that is read as a stream. */
  readonly streamedBody?: string;
  /** Headers that it reads, with their meaning. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Takes as long as the caller listens. */
  readonly isUnlimited?: boolean;
  readonly handle: (call: Call) => Promise<Answer | Response>;
}

type RouteOf<Query extends z.ZodObject, Body extends z.ZodType> = Omit<Route, "query" | "body" | "handle"> & {
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (call: Call<z.output<Query>, z.output<Body>>) => Promise<Answer | Response>;
};

/** Types of query and body follow from their schemas. */
export function route<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType>(
  definition: RouteOf<Query, Body>,
): Route {
  return definition as unknown as Route;
}

export const personPath = "/v1/persons/{person}";
