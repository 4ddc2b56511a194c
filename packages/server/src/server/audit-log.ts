/**
 * Who read, committed, changed or forgot what, and when: lines of JSON that are only ever appended. A line has names of
 * persons and ids, and no memory text. It is written before `record` returns, so it survives the death of the process. If
 * it cannot be written the request goes on: a full disk must not keep people from forgetting. The log says so.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { InputError } from "mnemosyne-edge";
import type { AuditLog, ServerLog } from "./server-context.js";

const idCountMax = 1_000;

/** Null writes nothing. */
export function openAuditLog(file: string | null, log: ServerLog): AuditLog {
  if (file === null) return { record: () => {}, close: () => {} };
  let descriptor: number | null;
  try {
    descriptor = openSync(file, "a", 0o600);
  } catch (cause) {
    throw new InputError("option_invalid", `audit log ${describeUnwritable(file, cause)}`, { cause });
  }
  return {
    record: ({ ids, ...entry }) => {
      if (descriptor === null) return;
      const shown = ids === undefined ? {} : { ids: ids.slice(0, idCountMax), idCount: ids.length };
      try {
        writeSync(descriptor, `${JSON.stringify({ at: new Date().toISOString(), ...entry, ...shown })}\n`);
      } catch (cause) {
        log.error({ reason: describeUnwritable(file, cause) }, "the audit log lost a line");
      }
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}
