/** Headers of every answer, and the id by which a request is found in the log. What a route sets itself stays. */
import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { ServerEnv } from "../server-context.js";

const headersOfAll: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  // For answers that are data. A page has a policy of its own.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};
const probeHeader = "x-mnemosyne-probe";
/** An id that a client or a proxy chose; anything else could forge lines of a log. */
const requestIdPattern = /^[\w.-]{1,64}$/u;

/** The outermost of all, so that refusals have them too. */
export function securityHeaders(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const wanted = c.req.header("x-request-id") ?? "";
    const requestId = requestIdPattern.test(wanted) ? wanted : randomUUID();
    c.set("requestId", requestId);
    await next();
    const headers = headersOf(c);
    if (!headers.has("x-request-id")) headers.set("x-request-id", requestId);
    for (const [name, value] of Object.entries(headersOfAll)) if (!headers.has(name)) headers.set(name, value);
    if (isData(c.req.path) && !headers.has("cache-control")) headers.set("cache-control", "no-store");
  };
}

/** Those of an answer that was fetched elsewhere cannot be changed; a copy's can. */
function headersOf(c: Context): Headers {
  try {
    c.res.headers.delete(probeHeader);
  } catch {
    c.res = new Response(c.res.body, c.res);
  }
  return c.res.headers;
}

/** What people said must not stay in a cache between us and the caller. */
function isData(path: string): boolean {
  return path === "/mcp" || path.startsWith("/mcp/") || path.startsWith("/v1/");
}
