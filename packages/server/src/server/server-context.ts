/** What every part of the server is given: the memory, and what watches over its use. */
import type { Registry } from "prom-client";
import type { Mnemosyne } from "mnemosyne-edge";
import type { Access } from "./security/access.js";

export interface ServerSettings {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Names by which the server may be called besides those of loopback and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call it; none by default. */
  readonly allowedOrigins: readonly string[];
  /** The last address of X-Forwarded-For is the caller's. */
  readonly trustsProxy: boolean;
  readonly limits: ServerLimits;
  readonly upstream: UpstreamSettings | null;
}

export interface ServerLimits {
  /** A body that is read as a whole. */
  readonly bodyBytesMax: number;
  /** A body that is read as a stream: an import. */
  readonly streamBytesMax: number;
  readonly requestsPerMinuteMax: number;
  /** Requests of one key at the same time, streams included. */
  readonly requestsAtOnceMax: number;
  readonly requestSecondsMax: number;
  readonly headerBytesMax: number;
  readonly connectionCountMax: number;
  readonly stopSecondsMax: number;
}

export const defaultLimits: ServerLimits = {
  bodyBytesMax: 4 * 2 ** 20,
  streamBytesMax: 256 * 2 ** 20,
  requestsPerMinuteMax: 6_000,
  requestsAtOnceMax: 64,
  requestSecondsMax: 60,
  headerBytesMax: 16 * 2 ** 10,
  connectionCountMax: 4_000,
  stopSecondsMax: 10,
};

/** Where chat requests are forwarded to. */
export interface UpstreamSettings {
  /** Such as http://localhost:11434/v1. */
  readonly url: string;
  /** Sent instead of the caller's own key; null if the caller's is passed on. */
  readonly key: string | null;
  /** Silence after which a conversation becomes a memory. */
  readonly quietSeconds: number;
  readonly tokenBudget: number;
  /** A chat, which may have images in it. Default: 32 MiB. */
  readonly bodyBytesMax?: number;
  /** Without a byte from the upstream for so long, the call has failed. Default: 600. */
  readonly silenceSecondsMax?: number;
  /** A recall, or the storing of what was said, that takes longer is not waited for. Default: 2,000. */
  readonly memoryMsMax?: number;
}

/** One line for each message, as JSON. pino's methods. */
export interface ServerLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is noted of a call. Free of memory text: ids and names only. */
export interface AuditEntry {
  readonly action: "read" | "commit" | "change" | "forget" | "refuse";
  /** The operation: a route's, a tool's. */
  readonly operation: string;
  readonly keyId: string | null;
  readonly person: string | null;
  readonly ids?: readonly string[];
  /** Status, or "ok" and "failed" where there is none. */
  readonly outcome: number | string;
}

export interface AuditLog {
  record(entry: AuditEntry): void;
  close(): void;
}

/** Who a key belongs to; null if it is unknown, revoked or expired. */
export interface KeyRing {
  verify(key: string): Promise<Access | null>;
  /** Whether a key that was right a while ago still is. */
  isStillGood(keyId: string): Promise<boolean>;
}

export interface ServerContext {
  readonly mnemosyne: Mnemosyne;
  readonly settings: ServerSettings;
  readonly log: ServerLog;
  readonly audit: AuditLog;
  /** Null where no keys are asked for: on loopback only. */
  readonly keys: KeyRing | null;
  readonly metrics: Registry;
  /** Aborted when the server begins to stop: streams end. */
  readonly stopping: AbortSignal;
}

/** What hono carries with a request. `caller` is who is counted: a key, or an address; `operation` is what is counted. */
export interface ServerEnv {
  readonly Variables: { access: Access; caller: string; requestId: string; operation?: string };
}
