/** What is stored of one of mem0's memories, and how it looks to mem0's users. */
import { createHash } from "node:crypto";
import { InputError } from "../../errors.js";
import type { Memory as EngineMemory, HistoryItem, Metadata, MetadataValue } from "../../index.js";
import { isPackedName, packValue, unpackValue } from "../stored-value.js";
import type { HistoryRow, MemoryItem } from "./mem0-types.js";
import { personWithoutUser } from "./scope.js";

/** Names in the metadata that are not the caller's. */
const scopeNames: ReadonlySet<string> = new Set(["user_id", "agent_id", "run_id"]);
const updatedName = "updated_at";
const flatCountMax = 20;
const dayMs = 86_400_000;

/**
 * An id in the form of a UUID: the first half stands for the person, the second for the content, so that a memory is found
 * by its id alone, and what is added twice is one memory.
 */
export function memoryId(person: string, content: unknown): string {
  const hex = personPart(person) + hash("sha256", JSON.stringify(content)).slice(0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

/** Whether the id is one that a memory of this person has. */
export function isIdOf(person: string, id: string): boolean {
  return id.replaceAll("-", "").startsWith(personPart(person));
}

function personPart(person: string): string {
  return hash("sha256", person).slice(0, 16);
}

function hash(algorithm: "md5" | "sha256", text: string): string {
  return createHash(algorithm).update(text).digest("hex");
}

/** Flat values are noted as they are, to filter by; the rest is kept exactly. */
export function packMetadata(metadata: Readonly<Record<string, unknown>>, fields: Metadata): Metadata {
  const flat: [string, MetadataValue][] = [];
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(metadata)) {
    if (scopeNames.has(name) || value === undefined) continue;
    if (flat.length < flatCountMax && isFlat(name, value)) flat.push([name, value]);
    else rest.push([name, value]);
  }
  const packed = rest.length === 0 ? {} : packValue(Object.fromEntries(rest), "metadata");
  return { ...Object.fromEntries(flat), ...fields, ...packed };
}

function isFlat(name: string, value: unknown): value is MetadataValue {
  const isName = /^[\p{L}_][\p{L}\p{N}_ .-]{0,63}$/u.test(name) && !isPackedName(name) && name !== updatedName;
  const isReserved = ["constructor", "prototype", "__proto__", "and", "or", "not", "AND", "OR", "NOT"].includes(name);
  if (!isName || isReserved) return false;
  if (typeof value === "boolean" || (Number.isFinite(value) && !Object.is(value, -0))) return true;
  if (Array.isArray(value)) return value.length > 0 && value.length <= 64 && value.every(isShortText);
  return isShortText(value);
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= 1_000 && value.isWellFormed() && !value.includes("\0");
}

/** The caller's metadata as it was given. */
export function unpackMetadata(metadata: Metadata): Record<string, unknown> {
  const isOurs = (name: string): boolean => scopeNames.has(name) || name === updatedName || isPackedName(name);
  const flat = Object.entries(metadata).filter(([name]) => !isOurs(name));
  return { ...Object.fromEntries(flat), ...(unpackValue(metadata) as object | undefined) };
}

/** What the memory says, without who said it: summaries name the user. */
function plainText(summary: string): string {
  return summary.replaceAll(/^user: /gmu, "");
}

type Viewed = Pick<EngineMemory, "id" | "at" | "summary" | "metadata"> & { readonly score?: number | null };

export function viewMemory({ id, at, summary, metadata, score }: Viewed, person: string): MemoryItem {
  const memory = plainText(summary);
  const updatedAt = metadata[updatedName];
  const { agent_id, run_id } = metadata;
  return {
    id,
    memory,
    hash: hash("md5", memory),
    createdAt: at,
    ...(typeof updatedAt === "string" ? { updatedAt } : {}),
    ...(score === undefined || score === null ? {} : { score }),
    metadata: unpackMetadata(metadata),
    ...(person === personWithoutUser ? {} : { user_id: person }),
    ...(typeof agent_id === "string" ? { agent_id } : {}),
    ...(typeof run_id === "string" ? { run_id } : {}),
  };
}

/** A row for each text it has had, the newest first. */
export function historyRows({ id, acceptedAt, versions, ...present }: HistoryItem): HistoryRow[] {
  const states = [...versions, present];
  const rows = states.map((state, i): HistoryRow => {
    const previous = states[i - 1];
    return {
      id: i + 1,
      memory_id: id,
      previous_value: previous === undefined ? null : textOf(previous),
      new_value: textOf(state),
      action: previous === undefined ? "ADD" : "UPDATE",
      created_at: acceptedAt,
      updated_at: versions[i - 1]?.replacedAt ?? null,
      is_deleted: 0,
    };
  });
  return rows.reverse();
}

/** The given summary, or what was said; the user's own words where there are any. */
export function textOf({ summary, turns }: Pick<HistoryItem, "summary" | "turns">): string {
  if (summary !== null) return summary;
  return turns.map(({ who, text }) => (who === "user" ? text : `${who}: ${text}`)).join("\n");
}

/** The first moment after the day. */
export function expiryOf(date: string): Date {
  const startMs = /^\d{4}-\d{2}-\d{2}$/u.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(startMs) || new Date(startMs).toISOString().slice(0, 10) !== date) {
    throw new InputError("time_invalid", `expirationDate is ${JSON.stringify(date)}; it must be a date as YYYY-MM-DD`);
  }
  return new Date(startMs + dayMs);
}

export function updatedField(): Metadata {
  return { [updatedName]: new Date().toISOString() };
}
