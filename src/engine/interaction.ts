/**
 * Validation of interactions: what a caller submits is checked here, once, and rejected with a reason if it cannot be
 * stored as it is. Nothing is repaired silently.
 */
import { createHash } from "node:crypto";
import { dayMs, hourMs, momentOf, startOfLocalDay } from "../core/time.js";
import { InputError } from "../errors.js";
import type { Parameters } from "../parameters.js";
import type { Interaction, Turn } from "../ports/store.js";

/**
 * A moment: a Date, milliseconds since 1970, or an ISO 8601 text such as "2025-01-08T09:15:00Z". A text without a zone
 * is a time in the memory's time zone; a date alone is the first moment of that day.
 */
export type Time = Date | number | string;

export interface InteractionInput {
  /** Submitting the same id twice has no effect the second time. Derived from time and text if omitted. */
  readonly id?: string;
  /** When it took place; now if omitted. */
  readonly at?: Time;
  readonly turns?: readonly Turn[];
  /** Made from the turns if omitted. */
  readonly summary?: string;
  /** Domain-specific state at the time, such as "post-surgery recovery phase". */
  readonly state?: string;
}

const labelLengthMax = 200;
/** The limits of Date, less a day: local dates differ from UTC by up to a day. */
export const timeMsMax = 8.64e15 - dayMs;
/** A year has four digits, or a sign and six; 24:00 is the end of a day. Whether a month has the day is checked later. */
const datePattern = String.raw`(?!-000000)(?:\d{4}|[+-]\d{6})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clockPattern = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?|24:00(?::00(?:\.0+)?)?`;
const zonePattern = String.raw`Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d`;
const isoPattern = new RegExp(`^(${datePattern})(?:[T ](${clockPattern})(${zonePattern})?)?$`, "u");
// eslint-disable-next-line no-control-regex -- finding control characters is the point
const controlPattern = /[\u0000-\u001f\u007f]/u;

export function parseInteraction(
  input: InteractionInput,
  nowMs: number,
  parameters: Parameters,
  timeZone: string,
): Omit<Interaction, "id"> {
  if (typeof input !== "object" || input === null) {
    throw new InputError("interaction_invalid", "commit needs an object with turns or a summary");
  }
  const { initMs, acceptedMs, state, restored } = parseCircumstances(input, nowMs, parameters, timeZone);
  const turns = parseTurns(input.turns ?? []);
  const summary = input.summary === undefined ? null : parseText(input.summary, "summary");
  checkLength(turns, summary, parameters);
  return { initMs, acceptedMs, turns, summary, state, restored };
}

/** Everything about an interaction except what was said. */
export function parseCircumstances(
  { at, state }: Pick<InteractionInput, "at" | "state">,
  nowMs: number,
  { futureToleranceMinutes }: Parameters,
  timeZone: string,
): Omit<Interaction, "id" | "turns" | "summary"> {
  const initMs = at === undefined ? nowMs : parseTime(at, "at", timeZone);
  if (initMs > nowMs + futureToleranceMinutes * 60_000) {
    throw new InputError(
      "time_in_future",
      `commit at ${new Date(initMs).toISOString()} lies in the future (now is ${new Date(nowMs).toISOString()}); a memory is about the past`,
    );
  }
  const label = state === undefined ? null : parseLabel(state, "state", "interaction_invalid");
  return { initMs, acceptedMs: nowMs, state: label, restored: false };
}

/** An id for an interaction submitted without one: its day and time, and a fingerprint of what was said. */
export function makeId(interaction: Omit<Interaction, "id">): string {
  const { initMs, turns, summary, state } = interaction;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([initMs, turns, summary, state]))
    .digest("hex");
  const [date, time] = new Date(initMs).toISOString().split("T") as [string, string];
  return `${date.replaceAll("-", "")}-${time.slice(0, 5).replace(":", "")}-${fingerprint.slice(0, 6)}`;
}

export function parseTime(value: Time, name: string, timeZone: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? parseIso(value, timeZone) : value;
  if (!isMoment(ms)) {
    const shown = value instanceof Date ? "an invalid Date" : show(value);
    throw new InputError("time_invalid", `${name} is ${shown}; it must be a date such as "2025-01-08T09:15:00Z"`);
  }
  return Math.round(ms);
}

/** Whether a value is a moment in milliseconds, within the limits. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= timeMsMax;
}

/** NaN if the text is not a time. */
function parseIso(text: string, timeZone: string): number {
  const [, date, clock, zone] = isoPattern.exec(text.trim()) ?? [];
  if (date === undefined) return NaN;
  const dateMs = Date.parse(`${date}T00:00Z`);
  // Date.parse carries 31 February over into March; a date that does not exist is an error.
  if (new Date(dateMs).getUTCDate() !== Number(date.slice(-2))) return NaN;
  if (clock === undefined) return startOfLocalDay(dateMs / dayMs, timeZone);
  const clockMs = Date.parse(`${date}T${clock}Z`);
  return zone === undefined ? momentOf(clockMs, timeZone) : clockMs - zoneMs(zone);
}

/** "Z", "+05:30" or "-0530". */
function zoneMs(zone: string): number {
  if (zone === "Z") return 0;
  const aheadMs = Number(zone.slice(1, 3)) * hourMs + Number(zone.slice(-2)) * 60_000;
  return zone.startsWith("-") ? -aheadMs : aheadMs;
}

export function parsePerson(person: string): string {
  return parseLabel(person, "person", "person_invalid");
}

export function parseId(id: string): string {
  return parseLabel(id, "id", "id_invalid");
}

export function parseQuery(query: string): string {
  if (typeof query !== "string" || query.trim() === "") throw new InputError("query_empty", "recall needs a question");
  return parseText(query, "query");
}

export function parseTurn(turn: Turn): Turn {
  if (typeof turn !== "object" || turn === null) {
    throw new InputError("interaction_invalid", `a turn must be { who, text }, not ${show(turn)}`);
  }
  return {
    who: parseLabel(turn.who, "who of a turn", "interaction_invalid"),
    text: parseText(turn.text, "text of a turn"),
  };
}

/** A value of any type as an error message shows it. */
export function show(value: unknown): string {
  const shownLengthMax = 60;
  // JSON has no word for Infinity.
  if (typeof value === "number") return String(value);
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, shownLengthMax);
  } catch {
    return `a ${typeof value}`;
  }
}

function parseTurns(turns: readonly Turn[]): Turn[] {
  if (!Array.isArray(turns)) throw new InputError("interaction_invalid", "turns must be an array of { who, text }");
  return turns.map(parseTurn);
}

function parseText(text: string, name: string): string {
  if (typeof text !== "string") {
    throw new InputError("interaction_invalid", `${name} must be text, not ${text === null ? "null" : typeof text}`);
  }
  if (!text.isWellFormed()) {
    throw new InputError("text_not_well_formed", `${name} contains half of a surrogate pair; it is not valid Unicode`);
  }
  if (text.includes("\0")) {
    throw new InputError("text_not_well_formed", `${name} contains a NUL character; remove it`);
  }
  return text;
}

function parseLabel(
  label: string,
  name: string,
  code: "person_invalid" | "id_invalid" | "interaction_invalid",
): string {
  const isUsable =
    typeof label === "string" &&
    label.trim() !== "" &&
    label.length <= labelLengthMax &&
    label.isWellFormed() &&
    !controlPattern.test(label);
  if (!isUsable) {
    const shown = show(label);
    throw new InputError(
      code,
      `${name} is ${shown}; it must be 1 to ${labelLengthMax} characters without control characters`,
    );
  }
  return label;
}

/** Neither empty nor too long. */
export function checkLength(turns: readonly Turn[], summary: string | null, parameters: Parameters): void {
  const texts = [...turns.map(({ text }) => text), summary ?? ""];
  if (texts.every((text) => text.trim() === "")) {
    throw new InputError("interaction_empty", "commit needs turns or a summary with at least one word");
  }
  const characterCount = texts.reduce((sum, text) => sum + text.length, 0);
  const { interactionCharacterCountMax } = parameters;
  if (characterCount > interactionCharacterCountMax) {
    throw new InputError(
      "text_too_long",
      `commit has ${characterCount} characters; an interaction may have at most ${interactionCharacterCountMax} (parameter interactionCharacterCountMax). Split it, or submit a summary`,
    );
  }
}
