/** What Redis and its connection report, in our words: what happened and what to do. */
import type { ErrorCode } from "../../errors.js";

export interface Meaning {
  readonly code: ErrorCode;
  readonly meaning: string;
  /** Nothing was done, or it can be repeated; it may work a moment later. */
  readonly isPassing: boolean;
  readonly cause: unknown;
}

/** The first that fits. */
const meanings: readonly (readonly [pattern: RegExp, code: ErrorCode, meaning: string, isPassing?: true])[] = [
  [/NOAUTH/u, "store_failed", "it requires a password, as in redis://user:password@host"],
  [/WRONGPASS|invalid password|without any password/u, "store_failed", "it rejects the user name and password"],
  [
    /NOPERM|can't run this command/u,
    "store_read_only",
    "this user may not run the required commands; docs/redis.md lists them",
  ],
  [/READONLY/u, "store_read_only", "it is a read-only replica; connect to its master"],
  [/OOM /u, "store_full", "its memory is full (maxmemory); raise the limit or forget something"],
  [/MISCONF|No space left/u, "store_full", "it cannot write to its disk; free some space or check its log"],
  [/NOREPLICAS/u, "store_busy", "too few replicas are connected (min-replicas-to-write); bring them back", true],
  [/support disabled/u, "store_failed", "it is not a Redis Cluster; use redis:// instead of redis+cluster://"],
  [/CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED |ASK /u, "store_busy", "slots move or a master is elected; try again", true],
  [/LOADING|UNBLOCKED|BUSY |WAIT cannot/u, "store_busy", "it is starting or busy; try again", true],
  [/RESP type|unknown command|'hello'|Protocol/u, "store_not_ours", "the server there is not a Redis 7 or newer"],
  [/WRONGTYPE/u, "store_not_ours", "another program uses these keys; choose another prefix"],
  [/CERT|certificate|SSL|EPROTO/u, "store_failed", "TLS does not work; check rediss:// and the certificates"],
  [/no answer/u, "store_busy", "it did not answer in time and may still do it; check load, network and TLS", true],
  [/ECONN|EPIPE|ETIMEDOUT|UNREACH|EAI_AGAIN|ENOTFOUND/u, "store_failed", "it cannot be reached; is it running?", true],
  [/[Ss]ocket|[Cc]onnection|client/u, "store_failed", "it cannot be reached; check that it is running", true],
];

export function meaningOf(error: unknown): Meaning {
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  // Redis quotes what it does not understand, and that may be a text or a password.
  const said = message.replace(/,? with args beginning with:.*$/su, "");
  const known = meanings.find(([pattern]) => pattern.test(`${code} ${said}`));
  const cause = said === message ? error : new Error(said);
  return { code: known?.[1] ?? "store_failed", meaning: known?.[2] ?? said, isPassing: known?.[3] === true, cause };
}
