/** Translates what PostgreSQL and its connection report into our errors: what happened, where, and what to do. */
import { type ErrorCode, MnemosyneError, StoreError } from "../../errors.js";

/** SQLSTATE or code of the connection and text, our code, the meaning, and whether it may work a moment later. */
const meanings: readonly (readonly [RegExp, ErrorCode, string, "passing"?])[] = [
  [/^28/u, "store_failed", "it rejects the user or the password; check both, and its pg_hba.conf"],
  [/^3D000/u, "store_failed", "it has no such database; create it (CREATE DATABASE) or correct the address"],
  [/^42501/u, "store_read_only", "this user lacks rights; docs/postgres.md lists them"],
  [/^25006/u, "store_read_only", "it is a standby or set to read only; connect to the primary server"],
  [/^53100/u, "store_full", "its disk is full; free some space"],
  [/^53/u, "store_busy", "it is out of connections or memory; raise its limits or try again", "passing"],
  [/^(?:40|55P03)/u, "store_busy", "other transactions were in the way; try again", "passing"],
  [/^57014|read timeout/u, "store_busy", "it took too long and may still happen; check its load, or raise timeoutMs"],
  [/^57P03/u, "store_busy", "it is starting or stopping; try again", "passing"],
  [/^(?:XX00[12]|58P)/u, "store_corrupt", "its files are damaged; restore the database from a backup"],
  [/^(?:42P01|42883|3F000)/u, "store_missing", "its tables are gone; restore them, or open the store again"],
  [/^54/u, "store_failed", "a name or an id is too long for it; use shorter ones"],
  [/CERT|SSL|TLS|EPROTO|self-signed/u, "store_failed", "TLS does not work; check sslmode and the certificates"],
  [/invalid response|SASL/u, "store_failed", "it does not answer like a PostgreSQL; check address and password"],
  [
    /^(?:08|57P)|^E[A-Z]{3}|terminated|ended|closed|timeout|not queryable/u,
    "store_failed",
    "it cannot be reached; check that it is running and that the address is right",
    "passing",
  ],
];

function meaningOf(error: unknown): (typeof meanings)[number] | undefined {
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  return meanings.find(([pattern]) => pattern.test(`${code} ${message}`.trim()));
}

/** An address at which nothing has ever answered is probably wrong. */
export function isPassing(error: unknown, hasConnected: boolean): boolean {
  const { code } = error as { code?: unknown };
  if (error instanceof MnemosyneError || (!hasConnected && String(code).startsWith("E"))) return false;
  return meaningOf(error)?.[3] === "passing";
}

export function toPostgresError(operation: string, location: string, error: unknown): MnemosyneError {
  if (error instanceof MnemosyneError) return error;
  const { code: state, message = String(error) } = error as { code?: string; message?: string };
  const [, code, meaning] = meaningOf(error) ?? [undefined, "store_failed" as const, message];
  // Without its detail, which quotes rows.
  const cause = Object.assign(new Error(message), { code: state });
  return new StoreError(code, `${operation} ${location}: ${meaning}.`, { cause });
}
