/**
 * A running server: puts the parts together around a memory that is open, listens, and stops in order. Stopping: no new
 * connection, streams end, what runs may finish, chats are put away, the audit log is closed. What was accepted is in the
 * store since it was accepted.
 */
import type { Mnemosyne } from "mnemosyne-edge";
import { createApp } from "./app.js";
import { openAuditLog } from "./audit-log.js";
import { checkExposure, listen } from "./listening.js";
import { createMetrics } from "./metrics.js";
import { FileKeyRing } from "./security/key-file.js";
import type { ServerContext, ServerLog, ServerSettings } from "./server-context.js";

export interface ServerParts {
  readonly mnemosyne: Mnemosyne;
  readonly settings: ServerSettings;
  readonly log: ServerLog;
  /** Keys are asked for if it is named. */
  readonly keysFile: string | null;
  readonly auditFile: string | null;
}

export interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { mnemosyne, settings, log, keysFile, auditFile } = parts;
  const keys = keysFile === null ? null : await FileKeyRing.open(keysFile, log);
  checkExposure(settings, keys);
  const stopping = new AbortController();
  const metrics = createMetrics(mnemosyne);
  const audit = openAuditLog(auditFile, log);
  const context: ServerContext = {
    mnemosyne,
    settings,
    log,
    audit,
    keys,
    metrics: metrics.registry,
    stopping: stopping.signal,
  };
  const { hono, proxy } = createApp(context, metrics);
  const listening = await listen(hono, settings, log);
  await proxy.recover();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await listening.stop();
    await proxy.close();
    metrics.close();
    audit.close();
  };
  return { url: listening.url, stop };
}
