/**
 * Who calls: by a key in `Authorization: Bearer` or `x-api-key`, which is what Anthropic's clients send. A right key always
 * gets in; wrong ones are counted per address, so that somebody behind the same address cannot lock others out.
 */
import type { ServerResponse } from "node:http";
import { isIP } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { RequestError } from "../problem.js";
import type { ServerContext, ServerEnv, ServerSettings } from "../server-context.js";
import { fullAccess } from "./access.js";
import { OpenAnswers } from "./open-answers.js";
import { TokenBuckets } from "./request-limits.js";

export const failuresPerMinuteMax = 30;
const challenge = 'Bearer realm="mnemosyne"';

export function authenticate({ keys, settings, audit }: ServerContext): MiddlewareHandler<ServerEnv> {
  const failures = new TokenBuckets(failuresPerMinuteMax);
  const open = keys === null ? null : new OpenAnswers(keys);
  return async (c, next) => {
    const address = clientAddress(c, settings);
    if (keys === null) {
      c.set("access", fullAccess);
      c.set("caller", `ip:${address}`);
      return next();
    }
    const key = keyOf(c.req.header("authorization"), c.req.header("x-api-key"));
    const access = key === null ? null : await keys.verify(key);
    if (access === null) {
      const seconds = failures.take(address);
      if (seconds > 0) throw tooManyFailures(seconds);
      // Beyond the limit nothing is noted: whoever guesses cannot fill the disk.
      audit.record({ action: "refuse", operation: "authenticate", keyId: null, person: null, outcome: 401 });
      throw key === null ? keyMissing() : keyInvalid();
    }
    c.set("access", access);
    c.set("caller", `key:${access.keyId}`);
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse };
    if (outgoing !== undefined && access.keyId !== null) open?.add(access.keyId, outgoing);
    return next();
  };
}

/** Of two, the one that looks like ours: the other may be meant for a model behind us. */
function keyOf(authorization: string | undefined, apiKey: string | undefined): string | null {
  const bearer = /^Bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1];
  const given = [bearer, apiKey?.trim()].filter((key) => key !== undefined && key !== "") as string[];
  return given.find((key) => key.startsWith("mnk_")) ?? given[0] ?? null;
}

function keyMissing(): RequestError {
  return new RequestError("key_missing", "A key is needed: send it as `Authorization: Bearer mnk_…` or `x-api-key`.", {
    headers: { "www-authenticate": challenge },
  });
}

/** Says the same of a key that is unknown, revoked or expired. */
function keyInvalid(): RequestError {
  return new RequestError("key_invalid", "The key is unknown, revoked or expired.", {
    headers: { "www-authenticate": `${challenge}, error="invalid_token"` },
  });
}

function tooManyFailures(seconds: number): RequestError {
  return new RequestError("rate_limited", `Too many wrong keys from this address; try again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/**
 * The address of the connection, or with a trusted proxy the last one it noted: those before it are what the client claims.
 * Of an IPv6 address the first 64 bits count, because whoever has one address has the other 2^64 too.
 */
export function clientAddress(c: Context, { trustsProxy }: Pick<ServerSettings, "trustsProxy">): string {
  const forwarded = trustsProxy ? c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return counted(forwarded !== undefined && isIP(forwarded) > 0 ? forwarded : connectionAddress(c));
}

function connectionAddress(c: Context): string {
  // Without a socket, as when a test calls the app itself, there is no address.
  const isConnected = (c.env as { readonly incoming?: unknown } | undefined)?.incoming !== undefined;
  return (isConnected ? getConnInfo(c).remote.address : undefined) ?? "unknown";
}

function counted(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6 || address === "::1") return address;
  const [left = "", right] = address.split("%")[0]!.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const parts = [...head, ...(right === undefined ? [] : zeros), ...tail].slice(0, 4);
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(":")}::/64`;
}
