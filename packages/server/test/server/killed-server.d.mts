import type { ServedProcess } from "./served-process.mjs";

export interface KillingResult {
  readonly acknowledgedCount: number;
  readonly killCount: number;
  readonly inFlightKillCount: number;
  readonly retryCount: number;
  readonly impatientCount: number;
  /** Statuses other than 202, with how often. */
  readonly refusals: readonly (readonly [number, number])[];
  readonly lost: readonly string[];
  readonly strange: readonly string[];
  readonly doubled: readonly string[];
}

export declare function commitWhileKilling(options: {
  readonly served: ServedProcess;
  readonly personCount: number;
  readonly killCount: number;
  readonly killEveryMs: number;
  readonly seed?: string;
}): Promise<KillingResult>;
