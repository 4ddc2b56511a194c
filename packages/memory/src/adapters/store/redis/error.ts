/** Translates what Redis and its connection report into our errors: what happened, where, and what to do. */
import { type ErrorCode, MnemosyneError, StoreError } from "../../../errors.js";

interface Meaning {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly meaning: string;
  /** Nothing was done, or it is safe to repeat; it may work a moment later. */
  readonly isPassing?: boolean;
}

const meanings: readonly Meaning[] = [
  {
    pattern: /NOAUTH/u,
    code: "store_failed",
    meaning: "it requires a password; put it into the address, as in redis://user:password@host, or into the options",
  },
  {
    pattern: /WRONGPASS|AUTH .{0,200}without any password|invalid password/u,
    code: "store_failed",
    meaning: "it rejects the user name and password; check them",
  },
  {
    pattern: /NOPERM/u,
    code: "store_read_only",
    meaning: "this user may not run the required commands; docs/redis.md lists them",
  },
  {
    pattern: /READONLY/u,
    code: "store_read_only",
    meaning: "it is a read-only replica; connect to its master",
  },
  {
    pattern: /OOM /u,
    code: "store_full",
    meaning: "its memory is full (maxmemory); raise the limit or forget something",
  },
  {
    pattern: /MISCONF|No space left/u,
    code: "store_full",
    meaning: "it cannot write to its disk; free some space or check its log",
  },
  {
    pattern: /NOREPLICAS/u,
    code: "store_busy",
    meaning: "too few replicas are connected (min-replicas-to-write); bring them back",
    isPassing: true,
  },
  {
    pattern:
      /CLUSTERDOWN|MASTERDOWN|TRYAGAIN|LOADING|UNBLOCKED|WAIT cannot be used with replica|Too many Cluster redirections|Cannot find node/u,
    code: "store_busy",
    meaning: "it is starting, or the cluster is moving slots or electing a master; try again",
    isPassing: true,
  },
  {
    pattern: /^Error: BUSY |^BUSY /u,
    code: "store_busy",
    meaning: "a long script keeps it busy; try again",
    isPassing: true,
  },
  {
    pattern: /MOVED \d|ASK \d/u,
    code: "store_failed",
    meaning: "it is a node of a Redis Cluster; use redis+cluster:// instead of redis://",
  },
  {
    pattern: /cluster support disabled/u,
    code: "store_failed",
    meaning: "it is not a Redis Cluster; use redis:// instead of redis+cluster://",
  },
  {
    pattern: /Unknown RESP type|Unknown type|unknown command|wrong number of arguments for 'hello'|Protocol error/u,
    code: "store_not_ours",
    meaning: "the server there is not a Redis of version 7 or newer",
  },
  { pattern: /WRONGTYPE/u, code: "store_not_ours", meaning: "another program uses these keys; choose another prefix" },
  {
    pattern: /CERT|certificate|SSL|ssl3|EPROTO/u,
    code: "store_failed",
    meaning: "TLS does not work; check the address (redis:// or rediss://) and the certificates",
  },
  {
    pattern:
      /ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|Socket closed|Connection timeout|Socket timeout|Disconnects client|client is (?:offline|closed)|root nodes are unavailable|Cluster closed/u,
    code: "store_failed",
    meaning: "it cannot be reached; check that it is running and that the address is right",
    isPassing: true,
  },
];

export function isPassing(error: unknown): boolean {
  return !(error instanceof MnemosyneError) && meaningOf(error)?.isPassing === true;
}

export function toRedisError(operation: string, location: string, error: unknown): MnemosyneError {
  if (error instanceof MnemosyneError) return error;
  const known = meaningOf(error);
  const cause = withoutArguments(error);
  const meaning = known?.meaning ?? (cause instanceof Error ? cause.message : String(cause));
  return new StoreError(known?.code ?? "store_failed", `${operation} ${location}: ${meaning}.`, { cause });
}

/** Redis quotes what it does not understand, and that may be a text or a password. */
function withoutArguments(error: unknown): unknown {
  const quoted = /,? with args beginning with:.*$/su;
  return error instanceof Error && quoted.test(error.message) ? new Error(error.message.replace(quoted, "")) : error;
}

function meaningOf(error: unknown): Meaning | undefined {
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  const text = `${code} ${message}`.trim();
  return meanings.find(({ pattern }) => pattern.test(text));
}
