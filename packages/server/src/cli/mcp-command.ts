/** `mnemosyne mcp`: one person's memory as an MCP server, on standard input and output. */
import type { Command } from "commander";
import { InputError } from "mnemosyne-edge";
import type { ServerLog } from "../server/server-context.js";
import { colours } from "./paint.js";
import { type Settings, withMnemosyne } from "./settings.js";
import { printError } from "./terminal.js";

export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .description("be an MCP server on standard input and output, for a client that starts it")
    .option("--read-only", "offer only the tools that read")
    .addHelpText(
      "after",
      `
Not meant to be run by hand: put it into the configuration of an MCP client.

Examples:
  mnemosyne mcp
  mnemosyne --path /path/to/memory.db --person ada mcp --read-only`,
    )
    .action(async ({ readOnly = false }: { readOnly?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { serveStdio } = await loadServer();
      const stopping = new AbortController();
      const stop = (): void => stopping.abort();
      process.once("SIGTERM", stop).once("SIGINT", stop);
      const options = { isReadOnly: readOnly, log: logTo(settings), signal: stopping.signal };
      await withMnemosyne(
        settings,
        (mnemosyne) => serveStdio(mnemosyne, settings.person, options),
        readOnly ? "existing" : "new or existing",
      );
    });
}

/** Its packages are optional: everything else works without them. */
async function loadServer(): Promise<typeof import("../server/mcp/stdio.js")> {
  try {
    return await import("../server/mcp/stdio.js");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message =
      "`mnemosyne mcp` needs packages that are not installed: npm install @modelcontextprotocol/server zod";
    throw new InputError("option_invalid", message, { cause });
  }
}

/** Standard output belongs to the protocol. */
function logTo({ verbose }: Settings): ServerLog {
  const print = (level: string, fields: object, message: string): void =>
    printError(colours.dim(`${level}: ${message} ${JSON.stringify(describe(fields))}`));
  return {
    debug: (fields, message) => void (verbose === true && print("debug", fields, message)),
    info: (fields, message) => void (verbose === true && print("info", fields, message)),
    warn: (fields, message) => print("warn", fields, message),
    error: (fields, message) => print("error", fields, message),
  };
}

function describe(fields: object): object {
  const entries = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value]);
  return Object.fromEntries(entries) as object;
}
