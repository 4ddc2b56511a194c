/**
 * Commands with a time limit, to one Redis or to the masters of a cluster. The package `@redis/client` makes the single
 * connections; a broken one is thrown away, and after a failure the cluster is asked again for its slots. Failures that
 * pass are retried until the limit, so a write has to recognize its repetition.
 */
import { createHash, randomBytes } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { MnemosyneError, StoreError } from "../../errors.js";
import type { RedisTarget } from "./options.js";
import { meaningOf } from "./meanings.js";

export type Reply = null | number | string | Buffer | readonly Reply[];
type Arguments = readonly (string | Uint8Array)[];
type Send = (args: Arguments) => Promise<Reply>;
type Package = typeof import("@redis/client");
type Client = Pick<ReturnType<Package["createClient"]>, "connect" | "on" | "close" | "destroy" | "unref"> & {
  sendCommand: Send;
};

const [firstPauseMs, lastPauseMs] = [20, 500];
/** A node that is silent for a third of the time, but at least for this long, may be gone without a word. */
const silenceMs = 1_000;
const blobString = 36;
const slotCount = 16_384;

export interface Script {
  readonly source: string;
  readonly sha: string;
}

export function makeScript(source: string): Script {
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}

export class RedisConnection {
  readonly #target: RedisTarget;
  readonly #package: Package;
  readonly #clients = new Map<string, Promise<Client>>();
  /** Who has each slot, as last heard. */
  #slots: Promise<readonly string[]> | undefined;
  readonly #waits = new WeakMap<Client, { last: Promise<unknown>; next: Promise<number> | undefined }>();
  /** Why a connection was dropped; what waited for its answer says only that it was. */
  #complaint: unknown;
  #isOpen = false;
  #isClosed = false;

  /** `greet` fails at once if nobody is there: only what worked before is waited for. */
  static async open(
    target: RedisTarget,
    greet: (connection: RedisConnection) => Promise<void>,
  ): Promise<RedisConnection> {
    const found = await import("@redis/client").catch((cause: unknown) => {
      const message = "a store in Redis needs the package @redis/client; run `npm install @redis/client`";
      throw new StoreError("store_failed", message, { cause });
    });
    const connection = new RedisConnection(target, found);
    try {
      await greet(connection);
      connection.#isOpen = true;
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private constructor(target: RedisTarget, found: Package) {
    this.#target = target;
    this.#package = found;
  }

  /** A command that can be repeated, on the node that has its key. */
  command(operation: string, key: string, ...args: Arguments): Promise<Reply> {
    return this.#persist(operation, key, (_, send) => send(args));
  }

  /** A script that can be repeated. */
  run(operation: string, script: Script, keys: readonly string[], args: Arguments): Promise<Reply> {
    return this.#persist(operation, keys[0]!, (_, send) => evaluate(send, script, keys, args));
  }

  /** A script that writes, with a stamp and "1" if it is repeated as its first arguments; waits for the replicas. */
  write(operation: string, script: Script, keys: readonly string[], args: Arguments): Promise<Reply> {
    const { waitReplicas, waitMs, location } = this.#target;
    const stamp = randomBytes(9).toString("base64url");
    let tries = 0;
    return this.#persist(operation, keys[0]!, async (client, send) => {
      const reply = await evaluate(send, script, keys, [stamp, tries++ === 0 ? "" : "1", ...args]);
      const count = waitReplicas === 0 ? 0 : await this.#confirmations(client);
      if (count >= waitReplicas) return reply;
      const message = `${operation} ${location}: only ${count} of ${waitReplicas} replicas confirmed it within ${waitMs} ms.`;
      const advice = "The master has it, but could lose it if it failed now; try again when the replicas are back.";
      throw new StoreError("store_busy", `${message} ${advice}`);
    });
  }

  /** Asks every master. */
  everywhere<Result>(operation: string, ask: (send: Send, address: string) => Promise<Result>): Promise<Result[]> {
    return this.#persist(operation, "{}", async () => {
      const masters = this.#target.isCluster ? await this.#findSlots() : this.#target.nodes;
      return Promise.all(
        [...new Set(masters)].map(async (address) => {
          const client = await this.#client(address);
          return ask((args) => client.sendCommand(args), address);
        }),
      );
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    const finish = (client: Promise<Client>): Promise<unknown> =>
      within(this.#target.timeoutMs, async () => (await client).close()).catch(() => end(client));
    await Promise.all(clients.map(finish));
  }

  async #persist<Result>(
    operation: string,
    key: string,
    attempt: (client: Client, send: Send) => Promise<Result>,
  ): Promise<Result> {
    const { timeoutMs, location, nodes, isCluster } = this.#target;
    const untilMs = performance.now() + timeoutMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
      if (this.#isClosed) throw new StoreError("store_closed", `${location} was closed; open it again`);
      let used: Promise<Client> | undefined;
      try {
        const limitMs = Math.min(untilMs - performance.now(), Math.max(silenceMs, timeoutMs / 3));
        return await within(limitMs, async () => {
          const node = isCluster ? (await this.#findSlots())[slotOf(key)] : nodes[0];
          if (!node) throw new Error("CLUSTERDOWN no node has the slot");
          const client = await (used = this.#client(node));
          return attempt(client, (args) => client.sendCommand(args));
        });
      } catch (error) {
        if (error instanceof MnemosyneError) throw error;
        // A node that answered can be asked again.
        if (used !== undefined && !(error instanceof this.#package.ErrorReply)) this.#drop(used);
        this.#slots = undefined;
        const isDropped = (error as Error).message === "Disconnects client";
        const { code, meaning, isPassing, cause } = meaningOf(isDropped ? (this.#complaint ?? error) : error);
        const isLate = performance.now() + pauseMs >= untilMs;
        if (!this.#isClosed && (!isPassing || isLate || !this.#isOpen))
          throw new StoreError(code, `${operation} ${location}: ${meaning}.`, { cause });
        await delay(pauseMs);
      }
    }
  }

  #client(address: string): Promise<Client> {
    const known = this.#clients.get(address);
    if (known !== undefined) return known;
    const client = this.#connect(address, () => this.#drop(client));
    this.#clients.set(address, client);
    return client;
  }

  async #connect(address: string, drop: () => void): Promise<Client> {
    const { username, password, database, tls } = this.#target;
    const at = address.lastIndexOf(":");
    const host = address.slice(0, at).replace(/^\[|\]$/gu, "");
    const options = {
      RESP: 2,
      username,
      password,
      database,
      disableClientInfo: true,
      maintNotifications: "disabled",
      commandOptions: { timeout: 0, typeMapping: { [blobString]: Buffer } },
      socket: {
        host,
        port: Number(address.slice(at + 1)),
        reconnectStrategy: false,
        ...(tls && { tls: true, ...tls }),
      },
    };
    const client = this.#package.createClient(options as never) as unknown as Client;
    try {
      await new Promise((resolve, reject) => {
        client.on("error", (error) => {
          this.#complaint = error;
          reject(error as Error);
          drop();
        });
        client.connect().then(resolve, reject);
      });
      // An open store does not keep a process alive; a call that waits for its answer does.
      client.unref();
      return client;
    } catch (error) {
      drop();
      throw error;
    }
  }

  #drop(client: Promise<Client>): void {
    for (const [address, known] of this.#clients) if (known === client) this.#clients.delete(address);
    end(client);
  }

  /** The first answer of any node that is known. */
  #findSlots(): Promise<readonly string[]> {
    const ask = async (address: string): Promise<string[]> => {
      const ranges = (await (await this.#client(address)).sendCommand(["CLUSTER", "SLOTS"])) as [
        number,
        number,
        Reply[],
      ][];
      const masters = Array.from({ length: slotCount }, () => "");
      // A node that does not know its own name is where it was asked.
      for (const [from, to, [host, port]] of ranges)
        masters.fill(
          `${String(host ?? "") || address.slice(0, address.lastIndexOf(":"))}:${String(port)}`,
          from,
          to + 1,
        );
      return masters;
    };
    const known = [...new Set([...this.#target.nodes, ...this.#clients.keys()])];
    return (this.#slots ??= Promise.any(known.map(ask)).catch((error: AggregateError) =>
      Promise.reject(error.errors[0]),
    ));
  }

  /**
   * How many replicas have everything that was written through a connection. A WAIT blocks its connection, so writes that
   * finish while one is under way share the next one.
   */
  #confirmations(client: Client): Promise<number> {
    const waits = this.#waits.get(client) ?? { last: Promise.resolve(), next: undefined };
    this.#waits.set(client, waits);
    return (waits.next ??= waits.last.then(nextTurn).then(() => {
      const count = client
        .sendCommand(["WAIT", String(this.#target.waitReplicas), String(this.#target.waitMs)])
        .then(Number);
      [waits.last, waits.next] = [count.catch(() => {}), undefined];
      return count;
    }));
  }
}

/** By its hash; a node that does not know the script gets its text. */
async function evaluate(send: Send, { sha, source }: Script, keys: readonly string[], args: Arguments): Promise<Reply> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await send(["EVALSHA", sha, ...rest]);
  } catch (error) {
    if (!String((error as Error).message).startsWith("NOSCRIPT")) throw error;
    return send(["EVAL", source, ...rest]);
  }
}

async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), Math.max(0, ms));
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

function end(client: Promise<Client>): void {
  client.then((made) => made.destroy()).catch(() => {});
}

/** CRC16 (XMODEM) of the text in braces, as in the cluster specification. */
function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(key.slice(key.indexOf("{") + 1, key.indexOf("}")))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc % slotCount;
}
