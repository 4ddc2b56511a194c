/**
 * Where a PostgreSQL is and how to use it. The address can hold every setting:
 *
 *   postgres://user:password@host:5432/database?schema=mine&sslmode=require&timeoutMs=10000
 *   postgres:///database?host=/run/postgresql          a Unix socket
 */
import type { ConnectionOptions } from "node:tls";
import { InputError } from "../../errors.js";

export interface PostgresOptions {
  /** Address; see above. */
  readonly url: string;
  /** The schema of the tables; `mnemosyne` if omitted. Two memories in two schemas share a database. */
  readonly schema?: string;
  /** If not in the address. */
  readonly password?: string;
  /** TLS with these settings, such as `{ ca }`; `true` is the same as `sslmode=require`. Certificates are verified. */
  readonly tls?: boolean | Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;
  /** How long one operation may be tried, including reconnects. */
  readonly timeoutMs?: number;
}

export interface PostgresTarget {
  /** As the package `pg` takes it. */
  readonly server: object;
  readonly schema: string;
  readonly timeoutMs: number;
  /** The address without user and password, for messages. */
  readonly location: string;
}

const settingsInAddress = ["schema", "sslmode", "host", "timeoutMs"];
/** The server would cut a longer name. */
const schemaBytesMax = 63;

export function isPostgresUrl(path: string): boolean {
  return /^postgres(?:ql)?:\/\//iu.test(path);
}

export function parsePostgresOptions(options: PostgresOptions): PostgresTarget {
  const { address, login } = parseAddress(options.url);
  const asked = Object.fromEntries(address.searchParams);
  const unknown = Object.keys(asked).find((name) => !settingsInAddress.includes(name));
  if (unknown !== undefined)
    throw invalid(`"${unknown}" in the address is unknown; the settings are ${settingsInAddress.join(", ")}`);
  const { sslmode = "disable" } = asked;
  if (!/^(?:disable|require|verify-full)$/u.test(sslmode))
    throw invalid("sslmode must be disable, require or verify-full");
  const { schema = asked["schema"] ?? "mnemosyne", tls = sslmode !== "disable" } = options;
  if (schema === "" || Buffer.byteLength(schema) > schemaBytesMax || /^pg_|\0/u.test(schema))
    throw invalid(`schema is ${JSON.stringify(schema)}; it must be a name of at most ${schemaBytesMax} bytes`);
  const timeoutMs = options.timeoutMs ?? Number(asked["timeoutMs"] ?? 30_000);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1) throw invalid("timeoutMs must be an integer of at least 1");
  const [user, password, database] = login;
  const host = asked["host"] ?? (address.hostname.replaceAll(/[[\]]/gu, "") || "127.0.0.1");
  const port = Number(address.port || 5432);
  return {
    server: { host, port, user, password: options.password ?? password, database, ssl: tls === true ? {} : tls },
    schema,
    timeoutMs,
    location: `postgres://${host}:${port}/${database ?? ""}, schema ${schema}`,
  };
}

/** The error repeats nothing of an address, which may hold a password. */
function parseAddress(text: string): { address: URL; login: (string | undefined)[] } {
  try {
    const address = new URL(isPostgresUrl(text) ? text : "");
    const login = [address.username, address.password, address.pathname.slice(1)];
    return { address, login: login.map((part) => decodeURIComponent(part) || undefined) };
  } catch {
    throw invalid("the address of a PostgreSQL looks like postgres://user:password@host:5432/database; % in it is %25");
  }
}

function invalid(message: string): InputError {
  return new InputError("option_invalid", message);
}
