/**
 * The package `@redis/client`, loaded on demand, behind the few calls the store makes: a single Redis and a cluster
 * look the same. It reconnects automatically, waiting longer each time; until then commands fail at once and
 * connection.ts retries them.
 */
import { StoreError } from "../../../errors.js";
import type { RedisTarget } from "./options.js";

export type RedisArgument = string | Buffer;
export type RedisReply = null | number | string | Buffer | readonly RedisReply[];

export interface RedisClient {
  /** Sends a command to the node that has the key, even while its slot is moving. */
  send(key: string, args: readonly RedisArgument[]): Promise<RedisReply>;
  /**
   * The connection to the master that should have a key's slot; it may answer that the slot is moving (isRedirection).
   */
  nodeOf(key: string): Promise<RedisNode>;
  /** One connection per master. */
  nodes(): Promise<RedisNode[]>;
  isReady(): boolean;
  /** Closes once the commands in progress are answered. */
  close(): Promise<void>;
  /** Closes at once. */
  destroy(): void;
}

/** The part of the package's client we use. */
export interface RedisNode {
  sendCommand(args: readonly RedisArgument[]): Promise<RedisReply>;
  readonly isReady: boolean;
  /** Counts connections; a new one knows nothing about what the last one wrote. */
  readonly socketEpoch: number;
  readonly options: { readonly socket: { readonly host: string; readonly port: number } };
  unref(): void;
}

interface PackageClient extends RedisNode {
  on(event: string, listener: (value: unknown) => void): this;
  connect(): Promise<unknown>;
  close(): Promise<void>;
  destroy(): void;
}

interface PackageCluster {
  on(event: string, listener: (value: unknown) => void): this;
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
  sendCommand(key: string, isReadonly: boolean, args: readonly RedisArgument[]): Promise<RedisReply>;
  nodeClient(node: unknown): Promise<PackageClient>;
  readonly isReady: boolean;
  readonly slots: readonly ({ readonly master: unknown } | undefined)[];
  readonly masters: readonly unknown[];
  readonly nodeByAddress: ReadonlyMap<string, { readonly client?: PackageClient }>;
}

export interface ConnectionEvents {
  /** False while the first connection is being made: a failure is then not retried. */
  shouldReconnect(): boolean;
  onError(error: unknown): void;
}

const firstRetryMs = 50;
const lastRetryMs = 2_000;
/** After this long without a node, the cluster is asked again who has its slots. */
const topologyRefreshMs = 500;
const connectTimeoutMs = 5_000;
const handshakeTimeoutMs = 10_000;
const respBlobString = 36;
/** The package does not look up such a slot again, so a new client does. */
const slotUnknown = "CLUSTERDOWN nobody had the slot when the cluster was looked at";

export async function connectClient(target: RedisTarget, events: ConnectionEvents): Promise<RedisClient> {
  const redis = await importPackage();
  const settings = clientSettings(target, events);
  const handshakeMs = Math.min(handshakeTimeoutMs, target.timeoutMs);
  if (!target.isCluster) {
    const [node] = target.nodes;
    const options = { ...settings, database: target.database, socket: { ...settings.socket, ...node } };
    return connectSingle(redis.createClient(options as never) as unknown as PackageClient, events, handshakeMs);
  }
  const options = {
    rootNodes: target.nodes.map((socket) => ({ socket })),
    defaults: settings,
    commandOptions: settings.commandOptions,
    RESP: settings.RESP,
    topologyRefreshOnReconnectionAttemptStrategy: topologyRefreshMs,
  };
  return connectCluster(redis.createCluster(options as never) as unknown as PackageCluster, events, handshakeMs);
}

async function importPackage(): Promise<typeof import("@redis/client")> {
  try {
    return await import("@redis/client");
  } catch (cause) {
    const message = "a store in Redis needs the package @redis/client; run `npm install @redis/client`";
    throw new StoreError("store_failed", message, { cause });
  }
}

function clientSettings(target: RedisTarget, events: ConnectionEvents) {
  const { username, password, tls } = target;
  return {
    RESP: 2,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    commandOptions: { timeout: 0, typeMapping: { [respBlobString]: Buffer } },
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (retries: number): number | false => events.shouldReconnect() && backOffMs(retries),
      ...(tls === false ? {} : { tls: true, ...tls }),
    },
  };
}

/** With some jitter, so that many processes do not reconnect all at once. */
function backOffMs(retries: number): number {
  const ms = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(retries, 10));
  return Math.round(ms * (0.75 + Math.random() / 2));
}

async function connectSingle(
  client: PackageClient,
  events: ConnectionEvents,
  handshakeMs: number,
): Promise<RedisClient> {
  // An open store does not keep a process alive; a call waiting for its answer does.
  client.unref();
  const greet = async (): Promise<void> => checkMode(await client.sendCommand(["INFO", "server"]));
  await connected(client, events, greet, handshakeMs);
  return {
    send: (_key, args) => client.sendCommand(args),
    nodeOf: async () => client,
    nodes: async () => [client],
    isReady: () => client.isReady,
    close: () => client.close(),
    destroy: () => client.destroy(),
  };
}

async function connectCluster(
  cluster: PackageCluster,
  events: ConnectionEvents,
  handshakeMs: number,
): Promise<RedisClient> {
  const unrefAll = (): void => {
    for (const { client } of cluster.nodeByAddress.values()) client?.unref();
  };
  cluster.on("node-error", events.onError);
  cluster.on("node-connect", unrefAll);
  await connected(cluster, events, async () => {}, handshakeMs);
  unrefAll();
  const masterOf = (key: string): unknown => {
    const master = cluster.slots[slotOf(key)]?.master;
    if (master === undefined) throw new Error(slotUnknown);
    return master;
  };
  return {
    send: async (key, args) => {
      masterOf(key);
      return cluster.sendCommand(key, false, args);
    },
    nodeOf: async (key) => cluster.nodeClient(masterOf(key)),
    nodes: () => Promise.all(cluster.masters.map((master) => cluster.nodeClient(master))),
    isReady: () => cluster.isReady,
    close: async () => void (await cluster.close()),
    destroy: () => cluster.destroy(),
  };
}

/** Connects, and gives up on a server that stays silent or speaks another protocol: the package would wait forever. */
async function connected(
  client: {
    on(event: string, listener: (value: unknown) => void): unknown;
    connect(): Promise<unknown>;
    destroy(): void;
  },
  events: ConnectionEvents,
  greet: () => Promise<void>,
  handshakeMs: number,
): Promise<void> {
  let lastError: unknown;
  const talksOtherwise = new Promise<never>((_, reject) => {
    client.on("error", (error) => {
      lastError = error;
      events.onError(error);
      if (/RESP type/u.test(String(error))) reject(error as Error);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const saysNothing = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Connection timeout")), handshakeMs);
  });
  try {
    await Promise.race([client.connect().then(greet), talksOtherwise, saysNothing]);
  } catch (error) {
    client.destroy();
    throw lastError ?? error;
  } finally {
    clearTimeout(timer);
  }
}

/** The answer of a node whose slot is on another node or moving there. */
export function isRedirection(error: unknown): boolean {
  return error instanceof Error && /^(?:MOVED|ASK) \d/u.test(error.message);
}

export function isSlotUnknown(error: unknown): boolean {
  return error instanceof Error && error.message === slotUnknown;
}

function checkMode(info: RedisReply): void {
  if (!String(info).includes("redis_mode:cluster")) return;
  throw new StoreError("store_failed", "this is a node of a Redis Cluster; use redis+cluster:// instead of redis://");
}

/** CRC16 (XMODEM) of the hash tag, as in the cluster specification. */
export function slotOf(key: string): number {
  const from = key.indexOf("{");
  const to = key.indexOf("}", from + 1);
  const tag = from !== -1 && to > from + 1 ? key.slice(from + 1, to) : key;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc % 16_384;
}
