/** When a failed request is worth retrying, and how long to pause before it. */

const firstDelayMs = 500;
const delayMsMax = 60_000;

/** What fetch reports when an established connection is lost; one that was never established is not worth a retry. */
const lostConnectionCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function isWorthRetrying(status: number): boolean {
  return status === 429 || status >= 500;
}

export function isLostConnection(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === "string" && lostConnectionCodes.has(cause.code);
}

/** Doubles with each try; a server that says when to come back is obeyed, up to a minute. */
export function retryDelayMs(retryCount: number, retryAfter: string | null, nowMs: number): number {
  const asked = retryAfter === null ? Number.NaN : readRetryAfterMs(retryAfter, nowMs);
  const delayMs = Number.isNaN(asked) ? firstDelayMs * 2 ** retryCount : Math.max(0, asked);
  return Math.min(delayMs, delayMsMax);
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfterMs(retryAfter: string, nowMs: number): number {
  const text = retryAfter.trim();
  return /^\d+$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
}
