/**
 * Against web pages that use a visitor's browser to reach a server that they cannot reach themselves. By DNS rebinding a page
 * reaches us under its own name, so only names that are ours are answered. A page of another origin may send requests
 * without reading the answers, so those are refused too. Which origins may call is a setting; by default none, and no CORS
 * header is sent.
 */
import type { Context, MiddlewareHandler } from "hono";
import { RequestError } from "../problem.js";
import type { ServerEnv, ServerSettings } from "../server-context.js";

type HostSettings = Pick<ServerSettings, "host" | "allowedHosts" | "allowedOrigins">;

const preflightSeconds = "600";
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";

export function checkHost(settings: HostSettings): MiddlewareHandler<ServerEnv> {
  const names = new Set(settings.allowedHosts.map((host) => hostNameOf(host) ?? host));
  if (!isEveryAddress(settings.host)) names.add(hostNameOf(settings.host)!);
  const origins = new Set(settings.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/u, "")));
  return async (c, next) => {
    const host = c.req.header("host") ?? "";
    checkName(host, names);
    const origin = c.req.header("origin")?.toLowerCase();
    const isAllowed = origin !== undefined && origins.has(origin);
    if (!isAllowed) {
      checkOrigin(origin, host);
      checkSite(c);
      return next();
    }
    if (isPreflight(c)) return answerPreflight(c, origin);
    await next();
    c.header("access-control-allow-origin", origin);
    // Keys travel in headers that a page sets itself. Without cookies, "*" stands for every header.
    c.header("access-control-expose-headers", "*");
    c.header("vary", "Origin", { append: true });
    return undefined;
  };
}

function checkName(host: string, names: ReadonlySet<string>): void {
  const name = hostNameOf(host);
  if (name !== null && (isLoopback(name) || names.has(name))) return;
  throw new RequestError(
    "host_not_allowed",
    `The server is not called "${shown(host)}". Use localhost, or start it with --allowed-host <name>.`,
  );
}

function checkOrigin(origin: string | undefined, host: string): void {
  if (origin === undefined || isSameHost(origin, host)) return;
  throw new RequestError(
    "origin_not_allowed",
    `Pages of "${shown(origin)}" may not call this server. Start it with --allowed-origin <origin>.`,
  );
}

/** Name and port only: behind a proxy that speaks TLS the page's scheme is another than ours. */
function isSameHost(origin: string, host: string): boolean {
  try {
    const page = new URL(origin);
    return page.host !== "" && page.host === new URL(`${page.protocol}//${host}`).host;
  } catch {
    return false;
  }
}

/** Browsers say where a request comes from. A link that leads here may be followed; anything else from other sites is refused. */
function checkSite(c: Context): void {
  if (c.req.header("sec-fetch-site") !== "cross-site") return;
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && c.req.header("sec-fetch-mode") === "navigate") return;
  throw new RequestError("origin_not_allowed", "Pages of other sites may not call this server.");
}

function isPreflight(c: Context): boolean {
  return c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
}

function answerPreflight(c: Context, origin: string): Response {
  const headers: Record<string, string> = {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": methods,
    "access-control-max-age": preflightSeconds,
    vary: "Origin, Access-Control-Request-Headers",
  };
  const wanted = c.req.header("access-control-request-headers");
  if (wanted !== undefined && /^[\w!#$%&'*+.^`|~, -]{1,2000}$/u.test(wanted)) {
    headers["access-control-allow-headers"] = wanted;
  }
  // A page of the internet that calls a machine in somebody's own network: browsers ask for this too.
  if (c.req.header("access-control-request-private-network") === "true") {
    headers["access-control-allow-private-network"] = "true";
  }
  return c.body(null, 204, headers);
}

function shown(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/gu, "?").slice(0, 100);
}

/** Lower case, without brackets, port and a final dot; null if it is not written as a host. */
function hostNameOf(host: string): string | null {
  const text = host.trim().toLowerCase();
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{0,5})?$/u.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  // Anybody may send any host: each colon has one place, so that a long row of them is read once.
  if (/^[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*$/u.test(text)) return text;
  const name = /^([a-z0-9._-]+?)\.?(?::\d{0,5})?$/u.exec(text)?.[1];
  return name ?? null;
}

export function isLoopback(host: string): boolean {
  const name = hostNameOf(host);
  if (name === null) return false;
  return name === "localhost" || name === "::1" || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(name);
}

/** Bound to every address of the machine: no name by which it is called. */
export function isEveryAddress(host: string): boolean {
  const name = hostNameOf(host);
  return name === null || name === "0.0.0.0" || name === "::";
}
