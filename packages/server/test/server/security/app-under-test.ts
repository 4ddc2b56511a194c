/** An app of two routes behind all of the security middleware, in the order that the server uses. */
import { Hono } from "hono";
import { Registry } from "prom-client";
import type { Mnemosyne } from "../../../../memory/src/index.js";
import { type Listening, listen } from "../../../src/server/listening.js";
import { respondWithProblem } from "../../../src/server/problem.js";
import { authenticate } from "../../../src/server/security/authentication.js";
import { checkHost } from "../../../src/server/security/host-check.js";
import { limitRequests, readBody } from "../../../src/server/security/request-limits.js";
import { securityHeaders } from "../../../src/server/security/security-headers.js";
import type {
  AuditEntry,
  KeyRing,
  ServerContext,
  ServerEnv,
  ServerSettings,
} from "../../../src/server/server-context.js";
import { loopbackSettings, recordingLog } from "../hostile-server.js";

export interface AppUnderTest {
  readonly listening: Listening;
  readonly audited: AuditEntry[];
  readonly log: ReturnType<typeof recordingLog>;
  readonly stop: () => Promise<void>;
}

export async function startApp(
  settings: Partial<ServerSettings> = {},
  keys: KeyRing | null = null,
): Promise<AppUnderTest> {
  const log = recordingLog();
  const audited: AuditEntry[] = [];
  const context: ServerContext = {
    mnemosyne: undefined as unknown as Mnemosyne,
    settings: { ...loopbackSettings, ...settings },
    log,
    audit: { record: (entry) => void audited.push(entry), close: () => {} },
    keys,
    metrics: new Registry(),
    stopping: new AbortController().signal,
  };
  const app = new Hono<ServerEnv>();
  app.onError((error) => respondWithProblem(error));
  app.use(securityHeaders());
  app.use(checkHost(context.settings));
  app.use(authenticate(context));
  app.use(limitRequests(context));
  app.get("/v1/who", (c) => c.json({ access: c.var.access, caller: c.var.caller, requestId: c.var.requestId }));
  app.post("/v1/body", async (c) => c.json({ byteCount: (await readBody(c, 1_000)).byteLength }));
  app.get("/page", (c) => c.html("<p>", 200, { "content-security-policy": "default-src 'self'" }));
  app.get("/fetched", () => fetch("data:text/plain,from-elsewhere"));
  const listening = await listen(app as unknown as Hono, context.settings, log);
  return { listening, audited, log, stop: () => listening.stop() };
}
