/** `mnemosyne serve`: the memory as a server, until it is told to stop. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError, type LogEvent, type Mnemosyne } from "mnemosyne-edge";
import { listKeys } from "../server/security/key-file.js";
import type { RunningServer } from "../server/server.js";
import {
  type ServerLimits,
  type ServerLog,
  type ServerSettings,
  type UpstreamSettings,
  defaultLimits,
} from "../server/server-context.js";
import { demoPath, demoSettings, fillDemo } from "./demo-person.js";
import { readVariable } from "./environment.js";
import { findKeysFile } from "./keys-command.js";
import { printWelcome } from "./serve-welcome.js";
import { type Settings, openMnemosyne, parseNames, parsePositive, parseWholeNumber, shownPath } from "./settings.js";
import { choosePerson } from "./shown-person.js";
import { printError } from "./terminal.js";

type LogLevel = "debug" | "info" | "warn" | "error";

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly keys?: string;
  readonly allowedHost: readonly string[];
  readonly allowedOrigin: readonly string[];
  readonly trustProxy?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly upstream?: string;
  readonly anthropicUpstream?: string;
  readonly quietSeconds: number;
  readonly upstreamTokens: number;
  readonly audit?: string;
  readonly logLevel: LogLevel;
  readonly logTexts?: boolean;
  readonly requestsPerMinute: number;
  readonly requestsAtOnce: number;
  readonly stopSeconds: number;
  readonly demo?: boolean;
  readonly open?: boolean;
}

const defaultPort = 7373;
const quietSecondsDefault = 300;
const upstreamTokensDefault = 800;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("run a server: REST, MCP and a memory proxy for chat clients")
    .option("--host <address>", "address to listen on", readVariable("MNEMOSYNE_HOST") ?? "127.0.0.1")
    .option("--port <n>", "port to listen on; 0 takes a free one", parsePort, portOf(readVariable("MNEMOSYNE_PORT")))
    .option("--keys <file>", "API keys; by default <path>.keys.json if there is one", readVariable("MNEMOSYNE_KEYS"))
    .option(
      "--allowed-host <names>",
      "names by which it may be called, with commas",
      parseNames,
      namesOf("MNEMOSYNE_ALLOWED_HOSTS"),
    )
    .option("--allowed-origin <urls>", "origins of web pages that may call it, with commas", parseNames, [])
    .option("--trust-proxy", "believe X-Forwarded-For: only behind a proxy that sets it")
    .option("--tls-cert <file>", "certificate, for HTTPS")
    .option("--tls-key <file>", "its private key")
    .option(
      "--upstream <url>",
      "model behind the memory proxy, such as http://localhost:11434/v1",
      readVariable("MNEMOSYNE_UPSTREAM"),
    )
    .option("--quiet-seconds <n>", "silence that ends a chat of the proxy", parsePositive, quietSecondsDefault)
    .option("--anthropic-upstream <url>", "where /v1/messages goes, if elsewhere")
    .option("--upstream-tokens <n>", "tokens of memory in a chat of the proxy", parsePositive, upstreamTokensDefault)
    .option("--audit <file>", "note there who read, committed, changed or forgot what")
    .addOption(
      new Option("--log-level <level>", "how much is logged")
        .choices(["debug", "info", "warn", "error"])
        .default(process.stderr.isTTY === true ? "warn" : "info"),
    )
    .option("--log-texts", "let errors that quote texts into the log")
    .option("--requests-per-minute <n>", "of one key", parsePositive, defaultLimits.requestsPerMinuteMax)
    .option("--requests-at-once <n>", "of one key", parsePositive, defaultLimits.requestsAtOnceMax)
    .option(
      "--stop-seconds <n>",
      "time for running requests when it stops",
      parseWholeNumber,
      defaultLimits.stopSecondsMax,
    )
    .option("--demo", "serve an invented person with half a year of conversations")
    .option("--open", "open the inspector in a browser")
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
      // The demo is for somebody who reads what it prints, also through a pipe: between its lines are no notes of each request.
      const isChosen = command.getOptionValueSource("logLevel") !== "default";
      await serve(settings, options.demo === true && !isChosen ? { ...options, logLevel: "warn" } : options);
    });
}

async function serve(settings: Settings, options: ServeOptions): Promise<void> {
  const [{ startServer }, { createLog }] = await Promise.all([
    import("../server/server.js"),
    import("../server/log.js"),
  ]);
  const log = createLog({ level: options.logLevel, logsTexts: options.logTexts === true });
  const mnemosyne = await openMnemosyne(settings, { log: (event) => logEvent(event, log) });
  try {
    const keysFile = findKeys(settings, options);
    const server = await startServer({
      mnemosyne,
      settings: toServerSettings(options),
      log,
      keysFile,
      auditFile: options.audit ?? null,
    });
    await untilStopped(server, async (signal) => {
      const person = options.demo === true ? await fillDemo(mnemosyne, signal) : settings.person;
      if (signal.aborted) return;
      await greet(server, { settings, options, person, keysFile, mnemosyne });
    });
  } finally {
    await mnemosyne.close();
  }
}

interface Started {
  readonly settings: Settings;
  readonly options: ServeOptions;
  readonly person: string;
  readonly keysFile: string | null;
  readonly mnemosyne: Mnemosyne;
}

async function greet({ url }: RunningServer, started: Started): Promise<void> {
  const { settings, options, person, keysFile, mnemosyne } = started;
  const { path, profile } = settings;
  const known = await mnemosyne.persons({ limit: 2 });
  const keys = keysFile === null ? [] : await listKeys(keysFile);
  const shown = choosePerson([...(known.length === 1 ? known : []), person], keys, Date.now());
  const upstream = options.upstream ?? options.anthropicUpstream ?? null;
  printWelcome({ url, path: shownPath(path), profile, ...shown, keysFile, upstream }, settings.json === true);
  if (options.open === true) openBrowser(`${url}/`);
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
  const { tlsCert, tlsKey } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new InputError("option_invalid", "--tls-cert and --tls-key belong together");
  }
  const limits: ServerLimits = {
    ...defaultLimits,
    requestsPerMinuteMax: options.requestsPerMinute,
    requestsAtOnceMax: options.requestsAtOnce,
    stopSecondsMax: options.stopSeconds,
  };
  return {
    host: options.host,
    port: options.port,
    allowedHosts: options.allowedHost,
    allowedOrigins: options.allowedOrigin,
    trustsProxy: options.trustProxy === true,
    tls: tlsCert === undefined || tlsKey === undefined ? null : { certFile: tlsCert, keyFile: tlsKey },
    limits,
    logsTexts: options.logTexts === true,
    upstream: toUpstream(options),
  };
}

function toUpstream({
  upstream,
  anthropicUpstream,
  quietSeconds,
  upstreamTokens,
}: ServeOptions): UpstreamSettings | null {
  const url = upstream ?? anthropicUpstream;
  if (url === undefined) return null;
  return {
    url,
    key: readVariable("MNEMOSYNE_UPSTREAM_KEY") ?? null,
    anthropicUrl: anthropicUpstream ?? null,
    anthropicKey: readVariable("MNEMOSYNE_ANTHROPIC_KEY") ?? null,
    quietSeconds,
    tokenBudget: upstreamTokens,
  };
}

/** Keys are asked for if a file is named, or there is one. */
function findKeys({ path }: Settings, { keys }: ServeOptions): string | null {
  const file = findKeysFile({ keys, path });
  return keys !== undefined || existsSync(file) ? file : null;
}

/** Names and ids of people stay out of the log. */
function logEvent({ level, message }: LogEvent, log: ServerLog): void {
  log[level]({}, message);
}

function openBrowser(url: string): void {
  const commands: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };
  const [command, ...args] = commands[process.platform] ?? ["xdg-open"];
  const opener = spawn(command!, [...args, url], { stdio: "ignore", detached: true });
  opener.on("error", () => printError(`No browser could be opened; go to ${url}`));
  opener.unref();
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("it must be a whole number from 0 to 65535");
  }
  return port;
}

function portOf(text: string | undefined): number {
  return text === undefined ? defaultPort : parsePort(text);
}

function namesOf(variable: "MNEMOSYNE_ALLOWED_HOSTS"): string[] {
  return parseNames(readVariable(variable) ?? "");
}
