/**
 * The server as one hono app: what watches over every request, then the doors: REST, MCP, the memory proxy, and the
 * description of all that.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { loadInspector } from "./inspector-files.js";
import { addMcpRoutes } from "./mcp/mcp-routes.js";
import type { ServerMetrics } from "./metrics.js";
import { writeOpenApi } from "./openapi.js";
import { RequestError, problemOf, respondWithProblem } from "./problem.js";
import { type ProxyHandle, addProxyRoutes } from "./proxy/proxy-routes.js";
import { mountRoutes } from "./rest/mounting.js";
import { restRoutes } from "./rest/routes.js";
import type { Access } from "./security/access.js";
import { authenticate, clientAddress } from "./security/authentication.js";
import { checkHost } from "./security/host-check.js";
import { limitRequests } from "./security/request-limits.js";
import { securityHeaders } from "./security/security-headers.js";
import type { ServerContext, ServerEnv } from "./server-context.js";
import { serverVersion } from "./version.js";

/** Of a caller who has not said who it is. */
const nobody: Access = { keyId: null, isAdmin: false, persons: [], isReadOnly: true };

export interface App {
  readonly hono: Hono<ServerEnv>;
  readonly proxy: ProxyHandle;
}

export function createApp(context: ServerContext, metrics: ServerMetrics): App {
  const app = new Hono<ServerEnv>();
  const open = new Set(restRoutes.flatMap(({ need, path }) => (need === "anybody" ? path : [])));
  open.add("/openapi.json");
  const inspector = loadInspector();
  for (const path of inspector.paths) open.add(path);
  app.onError((error) => {
    if (problemOf(error).status >= 500) logFailure(error, context);
    return respondWithProblem(error);
  });
  app.notFound(() => respondWithProblem(new RequestError("route_unknown", "there is nothing here; see /openapi.json")));
  app.use(securityHeaders(), watch(context, metrics), checkHost(context.settings));
  app.use(identify(context, open), limitRequests(context));
  const description = writeOpenApi(restRoutes, serverVersion);
  app.get("/openapi.json", (c) => c.json(description));
  inspector.mount(app);
  mountRoutes(app, restRoutes, context);
  addMcpRoutes(app, context);
  return { hono: app, proxy: addProxyRoutes(app, context) };
}

/** Who calls: by key, except for what is open to anybody. */
function identify(context: ServerContext, open: ReadonlySet<string>): MiddlewareHandler<ServerEnv> {
  const byKey = authenticate(context);
  return async (c, next) => {
    if (!open.has(c.req.path)) return byKey(c, next);
    c.set("access", nobody);
    c.set("caller", `ip:${clientAddress(c, context.settings)}`);
    return next();
  };
}

/** A line in the log and a place in the counters for every request: what was done, by whom, how it ended. */
function watch({ log }: ServerContext, metrics: ServerMetrics): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const end = metrics.begin();
    const startMs = performance.now();
    await next();
    const operation = c.var.operation ?? "unknown";
    const { status } = c.res;
    end(operation, status);
    const ms = Math.round(10 * (performance.now() - startMs)) / 10;
    log.info({ requestId: c.var.requestId, operation, status, ms, caller: c.var.caller }, "request");
  };
}

function logFailure(error: unknown, { log }: ServerContext): void {
  log.error({ code: problemOf(error).code, error }, "a request failed");
}
