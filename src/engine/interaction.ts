/**
 * Validation of interactions: what a caller submits is checked here, once, and rejected with a reason if it cannot be
 * stored as it is. Nothing is repaired silently.
 */
import { createHash } from "node:crypto";
import { dayMs } from "../core/time.js";
import { InputError } from "../errors.js";
import type { Parameters } from "../parameters.js";
import type { Interaction, Turn } from "../ports/store.js";

/** A moment: a Date, milliseconds since 1970, or an ISO 8601 text such as "2025-01-08T09:15:00Z". */
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
const timeMsMax = 8.64e15 - dayMs;
const isoPattern = /^[+-]?\d{4,6}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u;
// eslint-disable-next-line no-control-regex -- finding control characters is the point
const controlPattern = /[\u0000-\u001f\u007f]/u;

export function parseInteraction(
  input: InteractionInput,
  nowMs: number,
  parameters: Parameters,
): Omit<Interaction, "id"> {
  if (typeof input !== "object" || input === null) {
    throw new InputError("interaction_invalid", "commit needs an object with turns or a summary");
  }
  const { initMs, acceptedMs, state, restored } = parseCircumstances(input, nowMs, parameters);
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
): Omit<Interaction, "id" | "turns" | "summary"> {
  const initMs = at === undefined ? nowMs : parseTime(at, "at");
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

export function parseTime(value: Time, name: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? parseIso(value) : value;
  if (typeof ms !== "number" || !Number.isFinite(ms) || Math.abs(ms) > timeMsMax) {
    const shown = value instanceof Date ? "an invalid Date" : show(value);
    throw new InputError("time_invalid", `${name} is ${shown}; it must be a date such as "2025-01-08T09:15:00Z"`);
  }
  return Math.round(ms);
}

function parseIso(text: string): number {
  const trimmed = text.trim();
  if (!isoPattern.test(trimmed)) return NaN;
  const ms = Date.parse(trimmed.replace(" ", "T"));
  // Date.parse carries 31 February over into March; a date that does not exist is an error.
  const day = Number(trimmed.slice(0, 10).split("-")[2]);
  const lastDay = new Date(Date.UTC(Number(trimmed.slice(0, 4)), Number(trimmed.slice(5, 7)), 0)).getUTCDate();
  return day > lastDay ? NaN : ms;
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
function show(value: unknown): string {
  const shownLengthMax = 60;
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
