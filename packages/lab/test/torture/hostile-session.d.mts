import type { Mnemosyne } from "mnemosyne-edge";
import type { Finding } from "./checks.mjs";

export function submitHostileInputs(session: {
  memories: Mnemosyne;
  seed: string;
  meter: { measure<Result>(what: string, work: () => Promise<Result>): Promise<Result> };
  count: number;
}): Promise<{ acceptedCount: number; refusedCount: number; findings: Finding[] }>;
