/** Where a Redis is and how to use it; docs/redis.md lists addresses and options. An address can hold every setting. */
import type { ConnectionOptions } from "node:tls";
import { InputError } from "../../errors.js";

export type RedisTlsOptions = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

export interface RedisOptions {
  /** `redis://user:password@host:6379/0?prefix=mine:`, `rediss://host`, `redis+cluster://a:1,b:2`, `rediss+cluster://a`. */
  readonly url: string;
  readonly prefix?: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: boolean | RedisTlsOptions;
  /** Replicas that must confirm a change before it is acknowledged, and how long they may take. */
  readonly waitReplicas?: number;
  readonly waitMs?: number;
  /** How long one operation may take in all, including reconnects and retries. */
  readonly timeoutMs?: number;
}

export interface RedisTarget extends Required<Pick<RedisOptions, "prefix" | "waitReplicas" | "waitMs" | "timeoutMs">> {
  readonly isCluster: boolean;
  /** `host:port` of each. */
  readonly nodes: readonly string[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly tls: false | RedisTlsOptions;
  /** The address without user and password, for messages. */
  readonly location: string;
}

const address = /^(rediss?)(\+cluster)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/(\d*))?(?:\?(.*))?$/iu;
const settingsInAddress: readonly string[] = ["prefix", "waitReplicas", "waitMs", "timeoutMs"];

export function isRedisUrl(path: string): boolean {
  return /^rediss?(?:\+cluster)?:\/\//iu.test(path);
}

/** Probably meant to be an address: `redis:/host`, `host:6379`. */
export function isNearlyRedisUrl(path: string): boolean {
  return !isRedisUrl(path) && /^(?:rediss?(?:\+cluster)?:|[\w.-]+:\d{2,5}$)/iu.test(path);
}

export function parseRedisOptions(options: RedisOptions): RedisTarget {
  const match = typeof options.url === "string" ? address.exec(options.url) : null;
  if (match === null)
    throw invalid("the address of a Redis must look like redis://host:port or redis+cluster://a:1,b:2");
  const [, scheme = "", cluster = "", user = "", hosts = "", database = "", query] = match;
  const asked = new URLSearchParams(query);
  const unknown = [...asked.keys()].find((name) => !settingsInAddress.includes(name));
  if (unknown !== undefined)
    throw invalid(`"${unknown}" in the address is unknown; the settings are ${settingsInAddress.join(", ")}`);
  const nodes = hosts.split(",").map(parseNode);
  if (cluster === "" && nodes.length > 1) throw invalid("only redis+cluster:// takes several nodes");
  if (cluster !== "" && Number(database) > 0) throw invalid("a Redis Cluster has only database 0");
  const count = (name: "waitReplicas" | "waitMs" | "timeoutMs", fallback: number, smallest: number): number => {
    const value = options[name] ?? Number(asked.get(name) ?? fallback);
    if (Number.isInteger(value) && value >= smallest) return value;
    throw invalid(`${name} must be an integer of at least ${smallest}`);
  };
  const prefix = options.prefix ?? asked.get("prefix") ?? "mnemosyne:";
  // The first braces of a key decide where a cluster keeps it; those have to be the person's.
  if (typeof prefix !== "string" || /[{}]/u.test(prefix)) throw invalid("prefix must be text without braces");
  const [username, password] = [user.split(":", 1)[0]!, user.replace(/^[^:]*:?/u, "")].map(decode);
  return {
    isCluster: cluster !== "",
    nodes,
    username: options.username ?? username,
    password: options.password ?? password,
    database: Number(database),
    tls: typeof options.tls === "object" ? options.tls : (options.tls ?? scheme.toLowerCase() === "rediss") && {},
    prefix,
    waitReplicas: count("waitReplicas", 0, 0),
    waitMs: count("waitMs", 1_000, 1),
    timeoutMs: count("timeoutMs", 30_000, 1),
    location: `${scheme}${cluster}://${nodes.join(",")}${Number(database) > 0 ? `/${database}` : ""}, keys ${prefix}*`,
  };
}

function parseNode(text: string): string {
  const [isNode, host = "", port = "6379"] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/u.exec(text) ?? [];
  if (isNode === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw invalid(`"${text}" is not a host and a port`);
  return `${host || "127.0.0.1"}:${Number(port)}`;
}

/** The error repeats nothing of what may be a password, and keeps no cause that does. */
function decode(text: string): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    throw invalid("the user or password in the address of the Redis is malformed; write % as %25");
  }
}

function invalid(message: string): InputError {
  return new InputError("option_invalid", message);
}
