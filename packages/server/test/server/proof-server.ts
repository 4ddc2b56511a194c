/** The real server over a real socket, with the hashing embedder, for tests that attack it or measure what it gives away. */
import { Mnemosyne, type MnemosyneOptions } from "../../../memory/src/index.js";
import { afterAll } from "vitest";
import { type ServerLog, type ServerSettings, defaultLimits } from "../../src/server/server-context.js";
import { startServer } from "../../src/server/server.js";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { loopback } from "./loopback-settings.mjs";

export interface ProofServer {
  readonly url: string;
  readonly mnemosyne: Mnemosyne;
  /** Everything that was logged, as `level {fields} message`. */
  readonly logged: string[];
}

export interface ProofOptions {
  readonly memory?: MnemosyneOptions;
  readonly settings?: Partial<ServerSettings>;
  readonly keysFile?: string;
  readonly auditFile?: string;
}

/** Stopped and closed after the last test of the file. */
export async function startProofServer(options: ProofOptions = {}): Promise<ProofServer> {
  const mnemosyne = await Mnemosyne.open(laboratory(options.memory ?? { path: ":memory:" }));
  const logged: string[] = [];
  const server = await startServer({
    mnemosyne,
    // Behind a trusted proxy, so that a test can call from many addresses; without keys no proxy is.
    settings: { ...proofSettings, trustsProxy: options.keysFile !== undefined, ...options.settings },
    log: collectInto(logged),
    keysFile: options.keysFile ?? null,
    auditFile: options.auditFile ?? null,
  });
  afterAll(async () => {
    await server.stop();
    await mnemosyne.close();
  });
  return { url: server.url, mnemosyne, logged };
}

/** No limit on how often. */
const proofSettings: ServerSettings = {
  ...loopback,
  limits: { ...defaultLimits, requestsPerMinuteMax: Infinity, stopSecondsMax: 2 },
};

function collectInto(lines: string[]): ServerLog {
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
