/**
 * The server's log: a line of JSON for each message, on standard error, written before the call returns so that the last
 * words before a crash are there. Neither keys nor what people said and asked appear in it.
 */
import { type DestinationStream, type Level, destination, pino, stdTimeFunctions } from "pino";
import type { ServerLog } from "./server-context.js";

export interface LogOptions {
  readonly level: Level | "silent";
  /** Standard error by default. */
  readonly to?: DestinationStream;
}

const standardError = 2;
const depthMax = 6;
const itemCountMax = 50;
const hidden = "[hidden]";

/** Names of fields, in lower case without marks between words. */
const hiddenNames = new Set(
  `authorization cookie setcookie xapikey apikey key secret token password encryptionkey
  text texts query question questions wording wordings context summary statement statements keywords hypotheticalquery
  state metadata turn turns content message messages body prompt input output reply answer filter trace value memory
  memories fact facts`.split(/\s+/u),
);
const keyPattern = /mnk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}/gu;
const bearerPattern = /\b(Bearer|Basic) +[^\s"']+/giu;

export function createLog({ level, to }: LogOptions): ServerLog {
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to ?? destination({ dest: standardError, sync: true }),
  );
  const write =
    (at: "debug" | "info" | "warn" | "error") =>
    (fields: object, message: string): void => {
      if (log.isLevelEnabled(at)) log[at](discreet(fields) as object, withoutKeys(message));
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** A copy without keys and texts. */
function discreet(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return withoutKeys(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === depthMax) return hidden;
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.slice(0, itemCountMax).map((item) => discreet(item, depth + 1));
  if (ArrayBuffer.isView(value)) return hidden;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      withoutKeys(name),
      isHidden(name) ? hidden : discreet(part, depth + 1),
    ]),
  );
}

function isHidden(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
  return hiddenNames.has(plain);
}

/** A message may repeat what somebody said; where it happened never does. */
function describeError(error: Error, depth: number): object {
  const { name, stack = "", cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  const frames = stack.split("\n").filter((line) => /^ {4}at /u.test(line));
  return {
    name,
    ...(code === undefined ? {} : { code }),
    at: frames.map((line) => line.trim().slice(3)),
    ...(cause === undefined ? {} : { cause: discreet(cause, depth + 1) }),
  };
}

/** Which key it was may be known; the secret in it may not. */
function withoutKeys(text: string): string {
  return text.replaceAll(keyPattern, `mnk_$1_${hidden}`).replaceAll(bearerPattern, `$1 ${hidden}`);
}
