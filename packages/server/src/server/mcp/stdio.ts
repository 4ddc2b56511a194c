/**
 * MCP over standard input and output, for a client that starts the server itself. Nothing but the protocol goes to standard
 * output. It ends when the client closes the pipe or the signal is aborted; what was accepted stays.
 */
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Mnemosyne } from "mnemosyne-edge";
import { fullAccess } from "../security/access.js";
import type { ServerLog } from "../server-context.js";
import { createMemoryServer } from "./memory-server.js";

export interface StdioOptions {
  readonly isReadOnly: boolean;
  readonly log: ServerLog;
  readonly signal: AbortSignal;
}

/** The caller started the process and has the file already: there is nothing to note. */
const noAudit = { record: () => {}, close: () => {} };

/** Resolves when the client has gone. */
export async function serveStdio(mnemosyne: Mnemosyne, person: string, options: StdioOptions): Promise<void> {
  const { isReadOnly, log, signal } = options;
  const access = { ...fullAccess, isReadOnly };
  const transport = new StdioServerTransport();
  const ended = untilClosed(transport);
  const handle = serve(
    () => createMemoryServer({ mnemosyne, person, access, audit: noAudit, log }),
    // Without its message, which may quote what was sent.
    { transport, maxSubscriptions: 0, onerror: ({ name }) => log.warn({ reason: name }, "an MCP message was refused") },
  );
  signal.addEventListener("abort", () => void handle.close(), { once: true });
  if (signal.aborted) await handle.close();
  await ended;
}

/** However it closes: by the client, the signal, or a message that is too long. */
function untilClosed(transport: StdioServerTransport): Promise<void> {
  const close = transport.close.bind(transport);
  return new Promise((resolve) => {
    transport.close = async () => {
      await close();
      resolve();
    };
  });
}
