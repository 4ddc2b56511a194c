/** What a reader of an export produces: interactions, whatever the source called them. */
import { createHash } from "node:crypto";
import { parseMetadata } from "../engine/interaction-metadata.js";
import { InputError } from "../errors.js";
import type { Turn } from "../engine/records/person-data.js";

export const exportFormats = ["chatgpt", "claude", "mem0", "whatsapp", "markdown"] as const;

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

const titleLengthMax = 1000;

/** A title that is as long as a message is shortened: what was said is in the turns. */
export function describeSource(source: ExportFormat, title = ""): ImportedMetadata {
  return title === "" ? { source } : { source, title: title.slice(0, titleLengthMax).toWellFormed() };
}

/** Whether a memory takes it as metadata. */
export function isMetadata(metadata: Readonly<Record<string, unknown>>): metadata is ImportedMetadata {
  try {
    parseMetadata(metadata, () => {});
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
