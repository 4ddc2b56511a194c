/** What a reader of an export produces: interactions, whatever the source called them. */
import { createHash } from "node:crypto";
import type { Turn } from "../ports/store.js";

export const exportFormats = ["chatgpt", "claude", "mem0", "server-memory", "letta", "whatsapp", "markdown"] as const;

export type ExportFormat = (typeof exportFormats)[number];

export type ImportedMetadata = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface ImportedInteraction {
  /** Derived from the source's own ids, or from time and words where it has none: the same in every run. */
  readonly id: string;
  /** Milliseconds since 1970; absent where the source has no time. */
  readonly at?: number;
  readonly turns?: readonly Turn[];
  readonly summary?: string;
  readonly metadata: ImportedMetadata;
  /** True for what is a fact about the person already. */
  readonly keep?: boolean;
  /** Milliseconds since 1970 from which the source no longer shows it. */
  readonly expiresAt?: number;
}

/** One message of a conversation, before it is divided into interactions. */
export interface TimedMessage {
  /** The source's own; null where it has none. */
  readonly id: string | null;
  readonly who: string;
  readonly text: string;
  readonly atMs: number;
}

/** What an interaction may have at most. */
export interface SizeLimits {
  readonly turnCountMax: number;
  readonly characterCountMax: number;
}

const fingerprintLength = 16;

export function fingerprint(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, fingerprintLength);
}

/** A source's id as part of ours; one that could not be an id is represented by its fingerprint. */
export function idPart(id: string): string {
  return /^[\w.:@-]{1,80}$/u.test(id) ? id : fingerprint(id);
}

/** Consecutive messages of one conversation as an interaction. */
export function toInteraction(
  id: string,
  messages: readonly TimedMessage[],
  metadata: ImportedMetadata,
): ImportedInteraction {
  return { id, at: messages[0]!.atMs, turns: messages.map(({ who, text }) => ({ who, text })), metadata };
}

/** Leaves out what is not said. */
export function describeSource(source: ExportFormat, more: Record<string, unknown> = {}): ImportedMetadata {
  const said = Object.entries(more)
    .map(([key, value]) => [key, typeof value === "string" ? shorten(value) : value] as const)
    .filter(([, value]) => isMetadataValue(value) && value !== "");
  return Object.fromEntries([["source", source], ...said]) as ImportedMetadata;
}

/** What metadata of an interaction may have at most. */
export const metadataKeyCountMax = 32;
const keyPattern = /^[^$\p{Cc}][^\p{Cc}]{0,63}$/u;
const textLengthMax = 1000;
const itemCountMax = 64;

export function isMetadataField([key, value]: readonly [string, unknown]): boolean {
  const isReserved = ["__proto__", "constructor", "prototype"].includes(key);
  return keyPattern.test(key) && key.length <= 64 && key.isWellFormed() && !isReserved && isMetadataValue(value);
}

function isMetadataValue(value: unknown): value is ImportedMetadata[string] {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.length <= itemCountMax && value.every(isShortText);
  return typeof value === "boolean" || isShortText(value);
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= textLengthMax;
}

/** A title that is as long as a message is shortened: what was said is in the turns. */
function shorten(text: string): string {
  return text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
