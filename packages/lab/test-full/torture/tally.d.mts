import type { Finding } from "./checks.mjs";

export const faults: Readonly<Record<string, string>>;

export class Tally {
  add(scene: {
    kind: string;
    store: string;
    acknowledged: ReadonlySet<string>;
    refusedCount: number;
    findings: readonly Finding[];
  }): void;
  readonly isClean: boolean;
  format(): string;
}
