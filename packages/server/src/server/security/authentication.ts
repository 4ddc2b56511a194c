/**
 * Who calls: by a key in `Authorization: Bearer` or `x-api-key`, which is what Anthropic's clients send. A right key always
 * gets in; wrong ones are counted per address, so that somebody behind the same address cannot lock others out.
 */
import type { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { RequestError } from "../problem.js";
import type { ServerContext, ServerEnv } from "../server-context.js";
import { fullAccess } from "./access.js";
import { clientAddress } from "./client-address.js";
import { OpenAnswers } from "./open-answers.js";
import { TokenBuckets } from "./token-buckets.js";

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
