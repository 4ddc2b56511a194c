/**
 * Errors as problem documents (RFC 9457). `code` is a MnemosyneError's, or one of the server's own; `type` is an address
 * made from it. The message of an internal error stays in the log.
 */
import { type ErrorCode, MnemosyneError } from "mnemosyne-edge";

/** What only a server can refuse. */
export type ServerErrorCode =
  | "request_invalid"
  | "key_missing"
  | "key_invalid"
  | "not_allowed"
  | "host_not_allowed"
  | "origin_not_allowed"
  | "route_unknown"
  | "method_not_allowed"
  | "media_type_unsupported"
  | "body_too_large"
  | "rate_limited"
  | "too_busy"
  | "request_timeout"
  | "stopping"
  | "idempotency_key_reused"
  | "upstream_missing"
  | "upstream_failed"
  | "internal";

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode | ServerErrorCode;
  /** Where in the request, if it is about a field. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const statuses: Readonly<Record<ServerErrorCode, number>> = {
  request_invalid: 400,
  key_missing: 401,
  key_invalid: 401,
  not_allowed: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  route_unknown: 404,
  method_not_allowed: 405,
  media_type_unsupported: 415,
  body_too_large: 413,
  rate_limited: 429,
  too_busy: 503,
  request_timeout: 503,
  stopping: 503,
  idempotency_key_reused: 422,
  upstream_missing: 501,
  upstream_failed: 502,
  internal: 500,
};

/** Refused by the server itself. `headers` go with the answer. */
export class RequestError extends Error {
  readonly code: ServerErrorCode;
  readonly errors: Problem["errors"];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ServerErrorCode,
    message: string,
    more: { errors?: Problem["errors"]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "RequestError";
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof RequestError) {
    const problem = describe(error.code, statuses[error.code], error.message);
    return error.errors === undefined ? problem : { ...problem, errors: error.errors };
  }
  if (error instanceof MnemosyneError) return describe(error.code, statusOf(error), error.message);
  return describe("internal", statuses.internal, "The server failed; its log says why.");
}

export function respondWithProblem(error: unknown): Response {
  const problem = problemOf(error);
  const headers = { "content-type": "application/problem+json", ...headersOf(error, problem.status) };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function describe(code: Problem["code"], status: number, detail: string): Problem {
  const words = code.replaceAll("_", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { type: `urn:mnemosyne:problem:${code}`, title, status, detail, code };
}

const conflicts = new Set<ErrorCode>(["id_taken", "conversation_ended"]);
const tooLarge = new Set<ErrorCode>(["text_too_long", "too_many_turns"]);

function statusOf({ family, code }: MnemosyneError): number {
  if (conflicts.has(code)) return 409;
  if (code === "edit_conflict") return 412;
  if (tooLarge.has(code)) return 413;
  if (code === "store_full") return 507;
  if (family === "input") return 400;
  if (family === "not-found") return 404;
  return 503;
}

const retryAfterSeconds = "2";

function headersOf(error: unknown, status: number): Readonly<Record<string, string>> {
  const own = error instanceof RequestError ? error.headers : {};
  return status === 503 ? { "retry-after": retryAfterSeconds, ...own } : own;
}
