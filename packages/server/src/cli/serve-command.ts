/** `mnemosyne serve`: the memory as a server, until it is told to stop. */
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Mnemosyne } from "mnemosyne-edge";
import type { RunningServer } from "../server/server.js";
import { type ServerSettings, type UpstreamSettings, defaultLimits } from "../server/server-context.js";
import { demoPath, demoSettings, fillDemo } from "./demo-person.js";
import { readVariable } from "./environment.js";
import { findKeysFile } from "./keys-command.js";
import { colours, heading } from "./paint.js";
import { type Settings, openMnemosyne, parseNames, parsePositive, shownPath } from "./settings.js";
import { print, printError, printJson } from "./terminal.js";

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly keys?: string;
  readonly allowedHost: readonly string[];
  readonly allowedOrigin: readonly string[];
  readonly trustProxy?: boolean;
  readonly upstream?: string;
  readonly upstreamTokens: number;
  readonly audit?: string;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly requestsPerMinute: number;
  readonly demo?: boolean;
}

const quietSeconds = 300;
const upstreamTokensDefault = 800;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("run a server: REST, MCP and a memory proxy for chat clients")
    .option("--host <address>", "address to listen on", readVariable("MNEMOSYNE_HOST") ?? "127.0.0.1")
    .option(
      "--port <n>",
      "port to listen on; 0 takes a free one",
      parsePort,
      parsePort(readVariable("MNEMOSYNE_PORT") ?? "7373"),
    )
    .option("--keys <file>", "API keys; by default <path>.keys.json if there is one", readVariable("MNEMOSYNE_KEYS"))
    .option(
      "--allowed-host <names>",
      "names by which it may be called, with commas",
      parseNames,
      parseNames(readVariable("MNEMOSYNE_ALLOWED_HOSTS") ?? ""),
    )
    .option("--allowed-origin <urls>", "origins of web pages that may call it, with commas", parseNames, [])
    .option("--trust-proxy", "believe X-Forwarded-For: only behind a proxy that sets it")
    .option(
      "--upstream <url>",
      "model behind the memory proxy, such as http://localhost:11434/v1",
      readVariable("MNEMOSYNE_UPSTREAM"),
    )
    .option("--upstream-tokens <n>", "tokens of memory in a chat of the proxy", parsePositive, upstreamTokensDefault)
    .option("--audit <file>", "note there who read, committed, changed or forgot what")
    .addOption(
      new Option("--log-level <level>", "how much is logged")
        .choices(["debug", "info", "warn", "error"])
        .default(process.stderr.isTTY === true ? "warn" : "info"),
    )
    .option("--requests-per-minute <n>", "of one key", parsePositive, defaultLimits.requestsPerMinuteMax)
    .option("--demo", "serve an invented person with half a year of conversations")
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne serve --demo
  mnemosyne --path ada.db serve --port 8080
  mnemosyne serve --upstream http://localhost:11434/v1
  mnemosyne keys add --admin && mnemosyne serve --host 0.0.0.0 \\
    --allowed-host memory.example.org`,
    )
    .action(async (options: ServeOptions, command: Command) => {
      const given = command.optsWithGlobals<Settings>();
      const isOwnPath = command.parent?.getOptionValueSource("path") === "cli";
      const settings = options.demo === true ? demoSettings(isOwnPath ? given : { ...given, path: demoPath }) : given;
      // The demo is for somebody who reads what it prints, also through a pipe: no notes of each request between its lines.
      const isChosen = command.getOptionValueSource("logLevel") !== "default";
      await serve(settings, options.demo === true && !isChosen ? { ...options, logLevel: "warn" } : options);
    });
}

async function serve(settings: Settings, options: ServeOptions): Promise<void> {
  const [{ startServer }, { createLog }] = await Promise.all([
    import("../server/server.js"),
    import("../server/log.js"),
  ]);
  const log = createLog({ level: options.logLevel });
  // Names and ids of people stay out of the log.
  const mnemosyne = await openMnemosyne(settings, { log: ({ level, message }) => log[level]({}, message) });
  try {
    const keysFile = findKeys(settings, options);
    const auditFile = options.audit ?? null;
    const server = await startServer({ mnemosyne, settings: toServerSettings(options), log, keysFile, auditFile });
    await untilStopped(server, async (signal) => {
      const person = options.demo === true ? await fillDemo(mnemosyne, signal) : await onlyPerson(mnemosyne, settings);
      if (!signal.aborted) printWelcome(server.url, settings, person, keysFile, options.upstream);
    });
  } finally {
    await mnemosyne.close();
  }
}

/** Whom the printed commands are about. */
async function onlyPerson(mnemosyne: Mnemosyne, { person }: Settings): Promise<string> {
  const known = await mnemosyne.persons({ limit: 2 });
  return known.length === 1 ? known[0]! : person;
}

/** Where it runs, and what to try; commands are to be copied. */
function printWelcome(
  url: string,
  { path, profile, json }: Settings,
  person: string,
  keysFile: string | null,
  upstream: string | undefined,
): void {
  if (json === true) return printJson({ url, path: shownPath(path), profile, person, keysFile, upstream });
  const name = encodeURIComponent(person);
  const key = keysFile === null ? "" : ` -H "authorization: Bearer $MNEMOSYNE_API_KEY"`;
  const header = keysFile === null ? "" : ` \\\n    --header "Authorization: Bearer $MNEMOSYNE_API_KEY"`;
  print(`${heading("Mnemosyne is running")} at ${url} ${colours.dim("(stop it with Ctrl+C)")}
  memory  ${shownPath(path)}, profile ${profile}
  look    ${url}/ in a browser
  API     ${url}/openapi.json
  keys    ${keysFile ?? "none are asked for: only this machine can reach it"}
  proxy   ${upstream === undefined ? "off; --upstream <url> names a model to chat with" : `${url}/v1 → ${upstream}`}

${heading("Try it")}
  curl -s "${url}/v1/persons/${name}/recall"${key} \\
    -H 'content-type: application/json' -H 'accept: text/plain' \\
    -d '{"query": "What am I allergic to?"}'
  claude mcp add --transport http mnemosyne "${url}/mcp?person=${name}"${header}`);
}

/** Until SIGINT or SIGTERM; a second one ends the process at once. What was accepted is in the store either way. */
async function untilStopped(server: RunningServer, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const told = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.on(name, () => {
        if (told.signal.aborted) process.exit(1);
        told.abort();
        resolve();
      });
    }
  });
  try {
    await work(told.signal);
    await stopped;
  } finally {
    await server.stop();
    printError("Stopped.");
  }
}

function toServerSettings(options: ServeOptions): ServerSettings {
  const { host, port, allowedHost, allowedOrigin, trustProxy = false, upstream, upstreamTokens } = options;
  const key = readVariable("MNEMOSYNE_UPSTREAM_KEY") ?? null;
  const chats: UpstreamSettings | null =
    upstream === undefined ? null : { url: upstream, key, quietSeconds, tokenBudget: upstreamTokens };
  return {
    host,
    port,
    allowedHosts: allowedHost,
    allowedOrigins: allowedOrigin,
    trustsProxy: trustProxy,
    limits: { ...defaultLimits, requestsPerMinuteMax: options.requestsPerMinute },
    upstream: chats,
  };
}

/** Keys are asked for if a file is named, or there is one. */
function findKeys({ path }: Settings, { keys }: ServeOptions): string | null {
  const file = findKeysFile({ keys, path });
  return keys !== undefined || existsSync(file) ? file : null;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("it must be a whole number from 0 to 65535");
  }
  return port;
}
