/**
 * Commands and scripts with a time limit. Transient failures (the connection broke, the cluster is electing a master)
 * are retried until the limit; every write carries a stamp by which a script recognizes a repeated call, so a retry
 * never does anything twice. A connection that stops answering is replaced.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../../../errors.js";
import {
  type RedisArgument,
  type RedisClient,
  type RedisNode,
  type RedisReply,
  connectClient,
  isRedirection,
  isSlotUnknown,
} from "./client.js";
import { isPassing, toRedisError } from "./error.js";
import type { RedisTarget } from "./options.js";
import { ReplicaWaits } from "./replicas.js";

export type RedisCommand = readonly [name: string, key: string, ...args: RedisArgument[]];

export class RedisScript {
  readonly source: string;
  readonly sha: string;

  constructor(source: string) {
    this.source = source;
    this.sha = createHash("sha1").update(source).digest("hex");
  }
}

const firstRetryMs = 20;
const lastRetryMs = 500;
/** An import of thousands of memories has hundreds of thousands of arguments; it gets more time. */
const argumentsBesideHashMax = 1_000;
const argumentsPerMs = 10;
const keysPerScan = 1_000;

export class RedisConnection {
  readonly target: RedisTarget;
  readonly #replicaWaits: ReplicaWaits;
  #client: RedisClient | undefined;
  #connecting: Promise<RedisClient> | undefined;
  #hasConnected = false;
  #isClosed = false;
  /** The last error of the connection: the reason when it cannot be used. */
  #complaint: unknown;

  static async open(target: RedisTarget): Promise<RedisConnection> {
    const connection = new RedisConnection(target);
    try {
      await connection.#within(target.timeoutMs, () => connection.#connected());
      connection.#hasConnected = true;
      return connection;
    } catch (error) {
      connection.#abandon();
      throw toRedisError("open", target.location, error);
    }
  }

  private constructor(target: RedisTarget) {
    this.target = target;
    this.#replicaWaits = new ReplicaWaits(target.waitReplicas, target.waitMs);
  }

  async send(...command: RedisCommand): Promise<RedisReply> {
    const [reply] = await this.sendAll([command]);
    return reply!;
  }

  /** Several commands in flight at once, executed in any order. All of them must be safe to repeat. */
  sendAll(commands: readonly RedisCommand[]): Promise<RedisReply[]> {
    if (commands.length === 0) return Promise.resolve([]);
    return this.#persist(commands[0]![0], (client) =>
      Promise.all(commands.map((command) => client.send(command[1], command))),
    );
  }

  /** Several commands on keys of one slot, executed in order, though other clients may run commands in between. */
  sendInOrder(commands: readonly RedisCommand[]): Promise<RedisReply[]> {
    return this.#persist(commands[0]![0], async (client) => {
      const node = await client.nodeOf(commands[0]![1]);
      try {
        return await Promise.all(commands.map((command) => node.sendCommand(command)));
      } catch (error) {
        if (!isRedirection(error)) throw error;
      }
      // While a slot moves, some of its keys are on one node and some on the other.
      const replies: RedisReply[] = [];
      for (const command of commands) replies.push(await client.send(command[1], command));
      return replies;
    });
  }

  /** Runs a script on keys of one slot. */
  run(script: RedisScript, keys: readonly string[], args: readonly RedisArgument[]): Promise<RedisReply> {
    return this.#persist("script", (client) => runScript(client.send, script, keys, args));
  }

  /**
   * Runs a script that writes, and waits for as many replicas as the options require. `isRepeated` means that it was
   * tried before and may have been executed.
   */
  async write(
    operation: string,
    script: RedisScript,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<{ reply: RedisReply; isRepeated: boolean }> {
    let tries = 0;
    const runOnce = (client: RedisClient): Promise<RedisReply> => {
      tries++;
      if (this.target.waitReplicas > 0) return this.#runAndWait(client, operation, script, keys, args);
      return runScript(client.send, script, keys, args);
    };
    const reply = await this.#persist(operation, runOnce, args.length / argumentsPerMs);
    return { reply, isRepeated: tries > 1 };
  }

  /**
   * WAIT covers only what its own connection wrote, and on another one would always succeed: nothing is redirected
   * here.
   */
  async #runAndWait(
    client: RedisClient,
    operation: string,
    script: RedisScript,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<RedisReply> {
    const { waitReplicas, location, waitMs } = this.target;
    const [key] = keys as [string];
    const node = await client.nodeOf(key);
    const epoch = node.socketEpoch;
    try {
      const reply = await runScript((_, command) => node.sendCommand(command), script, keys, args);
      const count = await this.#replicaWaits.count(node);
      if (node.socketEpoch !== epoch) throw new Error("Socket closed: another connection");
      if (count >= waitReplicas) return reply;
      throw new StoreError(
        "store_busy",
        `${operation} ${location}: only ${count} of ${waitReplicas} replicas confirmed it within ${waitMs} ms. The master has it, but could lose it if it failed now; try again when the replicas are back.`,
      );
    } catch (error) {
      if (!isRedirection(error)) throw error;
      // A redirected client learns who has the slot now.
      await client.send(key, ["EXISTS", key]);
      throw new Error("TRYAGAIN the slot moves", { cause: error });
    }
  }

  /** The keys of all masters that begin with a text. */
  async scan(start: string): Promise<string[]> {
    const pattern = `${start.replaceAll(/[*?[\]\\]/gu, String.raw`\$&`)}*`;
    const found = await this.askNodes(async (node) => {
      const keys: string[] = [];
      let cursor = "0";
      do {
        const command = ["SCAN", cursor, "MATCH", pattern, "COUNT", String(keysPerScan)];
        const [next, page] = (await node.sendCommand(command)) as [Buffer, Buffer[]];
        cursor = next.toString();
        for (const key of page) keys.push(key.toString());
      } while (cursor !== "0");
      return keys;
    });
    return [...new Set(found.flat())];
  }

  /** Asks every master. */
  askNodes<Result>(ask: (node: RedisNode) => Promise<Result>): Promise<Result[]> {
    return this.#persist("describe", async (client) => Promise.all((await client.nodes()).map(ask)));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    try {
      await this.#within(this.target.timeoutMs, async () => client?.close());
    } catch {
      client?.destroy();
    }
  }

  async #persist<Result>(
    operation: string,
    attempt: (client: RedisClient) => Promise<Result>,
    extraMs = 0,
  ): Promise<Result> {
    const untilMs = performance.now() + this.target.timeoutMs + extraMs;
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, lastRetryMs)) {
      if (this.#isClosed) throw this.#closedError();
      try {
        return await this.#within(untilMs - performance.now(), async () => attempt(await this.#connected()));
      } catch (error) {
        const isLate = performance.now() + waitMs >= untilMs;
        if (this.#isClosed && isPassing(error)) throw this.#closedError();
        if (isSlotUnknown(error)) this.#abandon();
        if (isLate || !isPassing(error)) throw this.#explain(operation, error);
        await delay(waitMs);
      }
    }
  }

  #closedError(): StoreError {
    return new StoreError("store_closed", `${this.target.location} was closed; open it again`);
  }

  /** Without a connection, its last error says more than the fact that there is none. */
  #explain(operation: string, error: unknown): Error {
    const isOffline = this.#client?.isReady() !== true && isPassing(error) && this.#complaint !== undefined;
    return toRedisError(operation, this.target.location, isOffline ? this.#complaint : error);
  }

  async #within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#giveUp()), Math.max(0, ms));
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(): Error {
    const { location, timeoutMs, tls } = this.target;
    const isSilent = this.#client?.isReady() === true;
    if (isSilent) this.#abandon();
    else if (this.#complaint !== undefined) return toRedisError("connect to", location, this.#complaint);
    const hint = !this.#hasConnected && tls !== false ? " It may not speak TLS: try redis://." : "";
    const message = `${location} did not answer within ${timeoutMs} ms; the operation may still complete. Check its load and the network, then try again.${hint}`;
    return new StoreError("store_busy", message);
  }

  #abandon(): void {
    this.#client?.destroy();
    this.#client = undefined;
  }

  async #connected(): Promise<RedisClient> {
    if (this.#client !== undefined) return this.#client;
    this.#connecting ??= connectClient(this.target, {
      shouldReconnect: () => this.#hasConnected && !this.#isClosed,
      onError: (error) => (this.#complaint = error),
    }).finally(() => (this.#connecting = undefined));
    const client = await this.#connecting;
    if (this.#isClosed) client.destroy();
    this.#client ??= client;
    return this.#client;
  }
}

/** By its hash; a node that does not know the script yet gets its text, and so does a call too large to send twice. */
async function runScript(
  send: RedisClient["send"],
  script: RedisScript,
  keys: readonly string[],
  args: readonly RedisArgument[],
): Promise<RedisReply> {
  const rest = [String(keys.length), ...keys, ...args];
  if (rest.length > argumentsBesideHashMax) return send(keys[0]!, ["EVAL", script.source, ...rest]);
  try {
    return await send(keys[0]!, ["EVALSHA", script.sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return send(keys[0]!, ["EVAL", script.source, ...rest]);
  }
}
