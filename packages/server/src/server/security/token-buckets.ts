/**
 * How many of something each caller may do in a minute: a bucket of tokens per caller that refills evenly. The map is
 * bounded; the bucket that was used longest ago goes first, and whoever owned it starts with a full one.
 */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #countMax: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(perMinute: number, { countMax = 10_000, now = () => performance.now() } = {}) {
    this.#perMinute = perMinute;
    this.#countMax = countMax;
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token; 0, or the seconds until there is one. */
  take(caller: string): number {
    if (!Number.isFinite(this.#perMinute)) return 0;
    const nowMs = this.#now();
    const known = this.#buckets.get(caller);
    const gained = known === undefined ? this.#perMinute : ((nowMs - known.atMs) / 60_000) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, (known?.tokens ?? 0) + gained);
    const isTaken = tokens >= 1;
    // Set again, it is the newest in the map's order.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens: isTaken ? tokens - 1 : tokens, atMs: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#countMax) break;
      this.#buckets.delete(oldest);
    }
    return isTaken ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }
}
