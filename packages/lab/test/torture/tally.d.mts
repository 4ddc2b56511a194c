import type { Finding } from "./checks.mjs";

export const faults: Readonly<Record<string, string>>;

export class Tally {
  add(scene: {
    kind: string;
    store: string;
    acknowledgedCount: number;
    refusedCount: number;
    findings: readonly Finding[];
    damage: Readonly<Record<string, number>> | null;
    block: { ms: number; cpuMs: number; busiestMs: number; noiseMs: number; what: string } | null;
  }): void;
  readonly isClean: boolean;
  format(): string;
}
