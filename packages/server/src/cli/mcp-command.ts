/** `mnemosyne mcp`: one person's memory as an MCP server, on standard input and output. */
import type { Command } from "commander";
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
    .action(async ({ readOnly: isReadOnly = false }: { readOnly?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { serveStdio } = await import("../server/mcp/stdio.js");
      const stopping = new AbortController();
      const stop = (): void => stopping.abort();
      process.once("SIGTERM", stop).once("SIGINT", stop);
      const options = { isReadOnly, log: logTo(settings), signal: stopping.signal };
      const use = isReadOnly ? "existing" : "new or existing";
      await withMnemosyne(settings, (mnemosyne) => serveStdio(mnemosyne, settings.person, options), use);
    });
}

/** Standard output belongs to the protocol. */
function logTo({ verbose }: Settings): ServerLog {
  const say = (level: string) => (fields: object, message: string) => {
    const entries = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? value.message : value,
    ]);
    printError(colours.dim(`${level}: ${message} ${JSON.stringify(Object.fromEntries(entries))}`));
  };
  const ignore = (): void => {};
  const [debug, info] = verbose === true ? [say("debug"), say("info")] : [ignore, ignore];
  return { debug, info, warn: say("warn"), error: say("error") };
}
