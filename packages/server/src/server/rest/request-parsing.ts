/** Query and body of a request, read and checked; errors say where in the request, in words for people. */
import type { Context } from "hono";
import type { z } from "zod";
import { RequestError } from "../problem.js";
import { findPassedOver } from "../passed-over.js";
import { findTooMuch } from "../security/json-size.js";

type RequestContext = Pick<Context, "req">;
type FieldError = { readonly path: string; readonly message: string };

/** Of a body with a thousand wrong fields nobody reads all. */
const errorCountMax = 20;

/** Each name once: of a name that is given twice, nobody knows which is meant. */
export function queryOf(c: RequestContext): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) throw invalid([{ path: `query.${name}`, message: "is given twice" }]);
    query[name] = values[0]!;
  }
  return query;
}

export function refuseQuery(c: RequestContext): undefined {
  const [name] = Object.keys(c.req.queries());
  if (name !== undefined) throw invalid([{ path: `query.${name}`, message: "is not known here" }]);
}

export function parseJson(c: RequestContext, bytes: Uint8Array): unknown {
  const type = c.req.header("content-type") ?? "";
  if (bytes.length === 0) return {};
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/iu.test(type)) {
    throw new RequestError("media_type_unsupported", "send the body as JSON, with content-type: application/json");
  }
  const tooMuch = findTooMuch(bytes);
  if (tooMuch !== null) throw new RequestError("body_too_large", `the body ${tooMuch}; split it`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new RequestError("request_invalid", "the body is not JSON in UTF-8", { cause });
  }
}

export function parse(schema: z.ZodType, value: unknown, where: string): unknown {
  const passedOver = findPassedOver(value, where);
  if (passedOver !== null) throw invalid([{ path: passedOver, message: "is not known here" }]);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap((issue) => describeIssue(issue, where)));
}

function describeIssue(issue: z.core.$ZodIssue, where: string): FieldError[] {
  const path = [where, ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "is not known here" }));
  }
  return [{ path, message: wordsFor(issue) }];
}

function wordsFor(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (message.endsWith("received undefined")) return "is missing";
  if (issue.code === "too_small" && issue.origin === "number") return `must be at least ${issue.minimum}`;
  if (issue.code === "too_big" && issue.origin === "number") return `must be at most ${issue.maximum}`;
  return message.replace(/^Invalid (?:input|option): /u, "");
}

function invalid(errors: readonly FieldError[]): RequestError {
  const shown = errors.slice(0, errorCountMax);
  const detail = shown.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new RequestError("request_invalid", detail, { errors: shown });
}
