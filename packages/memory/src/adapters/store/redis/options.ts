/**
 * Where a Redis is and how to use it. The address can hold every setting, so that a path on the command line is enough:
 *
 *   redis://user:password@host:6379/0?prefix=mine:&waitReplicas=1
 *   rediss://host:6379                          with TLS
 *   redis+cluster://host:7000,host:7001         Redis Cluster; any of its nodes will do
 *   rediss+cluster://host:7000                  with TLS
 */
import type { ConnectionOptions } from "node:tls";
import { InputError } from "../../../errors.js";

export interface RedisOptions {
  /** Address; see above. */
  readonly url: string;
  /** The prefix of every key; `mnemosyne:` if omitted. */
  readonly prefix?: string;
  readonly username?: string;
  readonly password?: string;
  /** TLS with these settings, such as `{ ca }`; `true` is the same as `rediss://`. */
  readonly tls?: boolean | RedisTlsOptions;
  /** Encrypts texts and vectors (AES-256-GCM) before they leave the process. */
  readonly encryptionKey?: string;
  /** Replicas that must confirm a change before it is acknowledged; 0 if omitted. */
  readonly waitReplicas?: number;
  /** How long they may take to confirm. */
  readonly waitMs?: number;
  /** How long one operation may take in total, including reconnecting and retrying. */
  readonly timeoutMs?: number;
}

export type RedisTlsOptions = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

export interface RedisTarget {
  readonly isCluster: boolean;
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** False without TLS. */
  readonly tls: false | RedisTlsOptions;
  readonly prefix: string;
  readonly encryptionKey: string | undefined;
  readonly waitReplicas: number;
  readonly waitMs: number;
  readonly timeoutMs: number;
  /** The address without user and password, for messages. */
  readonly location: string;
}

const defaultPort = 6379;
const defaultPrefix = "mnemosyne:";
const defaultWaitMs = 1_000;
const defaultTimeoutMs = 30_000;

const settingsInAddress: readonly string[] = ["prefix", "waitReplicas", "waitMs", "timeoutMs"];

const address = /^(rediss?)(\+cluster)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/(\d*))?(?:\?(.*))?$/iu;

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
  const [, scheme, cluster, login = "", hosts = "", database = "", query = ""] = match;
  const isCluster = cluster !== undefined;
  if (isCluster && Number(database) > 0) throw invalid("a Redis Cluster has only database 0");
  const asked = new URLSearchParams(query);
  const unknown = [...asked.keys()].find((name) => !settingsInAddress.includes(name));
  if (unknown !== undefined) {
    throw invalid(`"${unknown}" in the address is unknown; the settings are ${settingsInAddress.join(", ")}`);
  }
  const nodes = hosts.split(",").map(parseHost);
  if (!isCluster && nodes.length > 1) throw invalid("only redis+cluster:// takes several nodes");
  const [username, password] = parseLogin(login);
  const prefix = options.prefix ?? asked.get("prefix") ?? defaultPrefix;
  const place = nodes.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`).join(",");
  return {
    isCluster,
    nodes,
    database: Number(database),
    username: options.username ?? username,
    password: options.password ?? password,
    tls: parseTls(options.tls, scheme!.toLowerCase() === "rediss"),
    prefix: checkPrefix(prefix),
    encryptionKey: checkEncryptionKey(options.encryptionKey),
    waitReplicas: parseCount(options.waitReplicas, asked, "waitReplicas", 0, 0),
    waitMs: parseCount(options.waitMs, asked, "waitMs", defaultWaitMs, 1),
    timeoutMs: parseCount(options.timeoutMs, asked, "timeoutMs", defaultTimeoutMs, 1),
    location: `${scheme}${cluster ?? ""}://${place}${Number(database) > 0 ? `/${database}` : ""}, keys ${prefix}*`,
  };
}

function parseHost(text: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/u.exec(text);
  const host = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3] ?? defaultPort);
  if (match === null || port < 1 || port > 65_535) throw invalid(`"${text}" is not a host and a port`);
  return { host: host === "" ? "127.0.0.1" : host, port };
}

function parseLogin(login: string): [username: string | undefined, password: string | undefined] {
  const at = login.indexOf(":");
  const [username, password] = at === -1 ? [login, ""] : [login.slice(0, at), login.slice(at + 1)];
  return [decodeLogin(username), decodeLogin(password)];
}

/** The error repeats nothing of what may be a password, and keeps no cause that does. */
function decodeLogin(text: string): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    throw invalid("the user or password in the address of the Redis is malformed; write % as %25");
  }
}

function parseTls(tls: RedisOptions["tls"], isAsked: boolean): false | RedisTlsOptions {
  if (typeof tls === "object") return tls;
  return (tls ?? isAsked) ? {} : false;
}

/** The first braces of a key decide where a cluster keeps it; those must be the person's. */
function checkPrefix(prefix: string): string {
  if (typeof prefix === "string" && !/[{}]/u.test(prefix)) return prefix;
  throw invalid(`prefix is ${JSON.stringify(prefix)}; it must be text without braces`);
}

function checkEncryptionKey(key: string | undefined): string | undefined {
  if (key === undefined || (typeof key === "string" && key !== "")) return key;
  throw invalid("the encryption key is empty; omit it for a store without encryption");
}

function parseCount(
  given: number | undefined,
  asked: URLSearchParams,
  name: string,
  otherwise: number,
  countMin: number,
): number {
  const value = given ?? Number(asked.get(name) ?? otherwise);
  if (Number.isInteger(value) && value >= countMin) return value;
  throw invalid(`${name} must be an integer of at least ${countMin}`);
}

function invalid(message: string): InputError {
  return new InputError("option_invalid", message);
}
