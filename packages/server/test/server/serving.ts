/** A real server around a real memory, in this process, on a port of its own; stopped after the last test. */
import { afterAll } from "vitest";
import { Mnemosyne, type MnemosyneOptions } from "../../../memory/src/index.js";
import { type ServerParts, startServer } from "../../src/server/server.js";
import { type ServerLimits, type ServerSettings, defaultLimits } from "../../src/server/server-context.js";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { loopback } from "./loopback-settings.mjs";

export interface Serving {
  readonly url: string;
  readonly mnemosyne: Mnemosyne;
  readonly stop: () => Promise<void>;
}

export interface ServingOptions {
  readonly path: string;
  readonly port?: number;
  readonly limits?: Partial<ServerLimits>;
  readonly allowedOrigins?: readonly string[];
  readonly keysFile?: string | null;
  readonly memory?: MnemosyneOptions;
}

const silentLog: ServerParts["log"] = { debug() {}, info() {}, warn() {}, error() {} };

function settingsOf({ limits, port = 0, allowedOrigins = [] }: Partial<ServingOptions>): ServerSettings {
  return { ...loopback, port, allowedOrigins, limits: { ...defaultLimits, ...limits } };
}

export async function openMemory(path: string, more: MnemosyneOptions = {}): Promise<Mnemosyne> {
  return Mnemosyne.open({ path, embedder: new HashingEmbedder(), reader: false, ...more });
}

/** Servers of one test file, each on a file of its own unless a path is given. */
export class Servers {
  readonly folder = new ScratchFolder();
  readonly #running = new Set<Serving>();

  constructor() {
    afterAll(async () => {
      for (const serving of this.#running) await serving.stop();
    });
  }

  async start(options: Partial<ServingOptions> = {}): Promise<Serving> {
    const mnemosyne = await openMemory(options.path ?? this.folder.next(), options.memory);
    const { url, stop } = await startServer({
      mnemosyne,
      settings: settingsOf(options),
      log: silentLog,
      keysFile: options.keysFile ?? null,
      auditFile: null,
    });
    const serving: Serving = {
      url,
      mnemosyne,
      stop: async () => {
        if (!this.#running.delete(serving)) return;
        await stop();
        await mnemosyne.close();
      },
    };
    this.#running.add(serving);
    return serving;
  }
}
