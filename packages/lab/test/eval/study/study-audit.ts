/** A small invented audit file, and the command line that makes a study from it. */
import { type ExecFileException, execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { AuditHeader, AuditRecord } from "../../../src/report/audit.js";

export const header: AuditHeader = { format: "mnemosyne-audit-1", dataset: "invented", seed: 7, commit: null };

export function recordOf(system: string, number: number, changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    system,
    group: "harbour",
    questionId: `q${number}`,
    question: `What was said on walk ${number}?`,
    kind: number % 3 === 0 ? "when" : "what",
    at: `2025-03-${String((number % 28) + 1).padStart(2, "0")}T09:00:00Z`,
    gold: [`i${number}`],
    goldAnswer: null,
    ranked: [`i${number}`],
    // Differs by system without naming it.
    context: `Walk ${number}: ${"the tide was out; ".repeat(system.length)}`,
    contextTokens: 12,
    ...changes,
  };
}

export function recordsOf(systems: readonly string[], questionCount: number): AuditRecord[] {
  const numbers = Array.from({ length: questionCount }, (_, i) => i);
  return numbers.flatMap((number) => systems.map((system) => recordOf(system, number)));
}

const program = fileURLToPath(new URL("../../../../server/dist/cli/main.js", import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

export function runStudy(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, COLUMNS: "200" };
    execFile(process.execPath, [program, "eval", "study", ...args], { env }, (error, out, errors) => {
      const code = error === null ? 0 : (error as ExecFileException).code;
      if (typeof code === "number") resolve({ code, out, errors });
      else reject(error as Error);
    });
  });
}
