/**
 * Validation of interactions: what a caller submits is checked here, once, and rejected with a reason if it cannot be
 * stored as it is. Nothing is repaired silently.
 */
import { createHash } from "node:crypto";
import { uniteIds } from "../graph/memory-node.js";
import { hasMetadata, noMetadata, packMetadata } from "../graph/metadata.js";
import { dayMs, hourMs, momentOf, startOfLocalDay } from "../text/time.js";
import { InputError } from "../errors.js";
import type { Parameters } from "../parameters.js";
import type { Interaction, Metadata, Turn } from "./records/person-data.js";
import { checkCharacters, checkFlag, describeValue, isPlain, readFields, readItems } from "./given-values.js";
import { parseMetadata } from "./interaction-metadata.js";
import type { TurnInput } from "./messages.js";

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
  /** What the user says; before the turns or messages, if there are any. */
  readonly text?: string;
  /** Who said what. */
  readonly turns?: readonly TurnInput[];
  /** The same, under the name that chat APIs have for it. */
  readonly messages?: readonly TurnInput[];
  /** Made from the turns if omitted. */
  readonly summary?: string;
  /** Domain-specific state at the time, such as "post-surgery recovery phase". */
  readonly state?: string;
  /** Makes a memory of it whatever the substance filter says. */
  readonly keep?: boolean;
  /** Ids of earlier interactions that it makes outdated. */
  readonly updates?: string | readonly string[];
  /** What to find or filter it by later, such as `{ agent: "support", tags: ["billing"] }`. */
  readonly metadata?: Metadata;
  /** When it is to be forgotten; never if omitted. */
  readonly expiresAt?: Time;
}

const labelLengthMax = 200;
/** Ids that one call may name. */
const idCountMax = 100_000;
/** No date is longer. */
const timeLengthMax = 100;
/** Ids that one interaction may make outdated. */
const updateCountMax = 16;
export const interactionFields = [
  "id",
  "at",
  "text",
  "turns",
  "messages",
  "summary",
  "state",
  "keep",
  "updates",
  "metadata",
  "expiresAt",
] as const satisfies (keyof InteractionInput)[];

/** An interaction as plain data: text and messages have become turns. */
export type GivenInteraction = Omit<InteractionInput, "text" | "turns" | "messages"> & {
  readonly turns?: readonly Turn[];
};

/** What an interaction may have at most. */
export type InteractionLimits = Pick<Parameters, "interactionCharacterCountMax" | "interactionTurnCountMax"> & {
  readonly updateCountMax?: number;
  /** Whether it may have expired already. */
  readonly mayBeExpired?: boolean;
};

/**
 * For what an earlier release or other parameters accepted, such as an export or a conversation in progress: nothing that
 * was told is refused for its size later.
 */
export const noLimits: InteractionLimits = {
  interactionCharacterCountMax: Infinity,
  interactionTurnCountMax: Infinity,
  updateCountMax: Infinity,
  mayBeExpired: true,
};

/** The limits of Date, less a day: local dates differ from UTC by up to a day. */
export const timeMsMax = 8.64e15 - dayMs;
/** A year has four digits, or a sign and six; 24:00 is the end of a day. Whether a month has the day is checked later. */
const datePattern = String.raw`(?!-000000)(?:\d{4}|[+-]\d{6})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clockPattern = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?|24:00(?::00(?:\.0+)?)?`;
const zonePattern = String.raw`Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d`;
const isoPattern = new RegExp(`^(${datePattern})(?:[T ](${clockPattern})(${zonePattern})?)?$`, "u");

export function parseInteraction(
  input: GivenInteraction,
  nowMs: number,
  parameters: Parameters & InteractionLimits,
  timeZone: string,
): Omit<Interaction, "id"> {
  const circumstances = parseCircumstances(input, nowMs, parameters, timeZone);
  checkFlag(input.keep, "keep", "interaction_invalid");
  const updates = parseUpdates(input, parameters);
  const counter = new CharacterCounter(parameters);
  counter.add(circumstances.state);
  counter.add(packMetadata(circumstances.metadata));
  const turns = parseTurns(input.turns ?? [], parameters, counter);
  const summary = input.summary === undefined ? null : parseText(input.summary, "summary", counter);
  checkWords(turns, summary);
  return { ...circumstances, turns, summary, kept: input.keep === true, updates, versions: [] };
}

/** Sorted, each once. */
function parseUpdates({ id: ownId, updates = [] }: GivenInteraction, limits: InteractionLimits): string[] {
  const countMax = limits.updateCountMax ?? updateCountMax;
  const ids = readItems(typeof updates === "string" ? [updates] : updates, "updates", "id_invalid", (count) => {
    if (count <= countMax) return;
    throw new InputError("id_invalid", `updates names ${count} ids; an interaction may name at most ${countMax}`);
  }).map((id) => parseLabel(id as string, "an id in updates", "id_invalid"));
  if (ownId !== undefined && ids.includes(ownId)) {
    throw new InputError("id_invalid", "updates names the interaction itself; name earlier ones");
  }
  return uniteIds(ids);
}

/** Everything about an interaction except what was said. */
export function parseCircumstances(
  { at, state, metadata, expiresAt }: Pick<InteractionInput, "at" | "state" | "metadata" | "expiresAt">,
  nowMs: number,
  { futureToleranceMinutes, ...limits }: Parameters & InteractionLimits,
  timeZone: string,
): Circumstances {
  const initMs = at === undefined ? nowMs : parseTime(at, "at", timeZone);
  if (initMs > nowMs + futureToleranceMinutes * 60_000) {
    throw new InputError(
      "time_in_future",
      `commit at ${new Date(initMs).toISOString()} lies in the future (now is ${new Date(nowMs).toISOString()}); a memory is about the past`,
    );
  }
  const label = state === undefined ? null : parseLabel(state, "state", "interaction_invalid");
  const counter = new CharacterCounter(limits);
  return {
    initMs,
    acceptedMs: nowMs,
    state: label,
    restored: false,
    metadata: metadata === undefined ? noMetadata : parseMetadata(metadata, (text) => counter.add(text)),
    expiresMs: expiresAt === undefined ? null : parseExpiry(expiresAt, nowMs, limits, timeZone),
  };
}

type Circumstances = Pick<Interaction, "initMs" | "acceptedMs" | "state" | "restored" | "metadata" | "expiresMs">;

function parseExpiry(
  expiresAt: Time,
  nowMs: number,
  { mayBeExpired = false }: InteractionLimits,
  timeZone: string,
): number {
  const expiresMs = parseTime(expiresAt, "expiresAt", timeZone);
  if (expiresMs > nowMs || mayBeExpired) return expiresMs;
  throw new InputError(
    "time_invalid",
    `expiresAt ${new Date(expiresMs).toISOString()} has passed (now is ${new Date(nowMs).toISOString()}); name a time to come`,
  );
}

/** An id for an interaction submitted without one: its day and time, and a fingerprint of what was said. */
export function makeId(interaction: Omit<Interaction, "id">): string {
  const { initMs, turns, summary, state, metadata } = interaction;
  const notes = hasMetadata(metadata) ? [metadata] : [];
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([initMs, turns, summary, state, ...notes]))
    .digest("hex");
  const [date, time] = new Date(initMs).toISOString().split("T") as [string, string];
  return `${date.replaceAll("-", "")}-${time.slice(0, 5).replace(":", "")}-${fingerprint.slice(0, 6)}`;
}

export function parseTime(value: Time, name: string, timeZone: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? parseIso(value, timeZone) : value;
  if (!isMoment(ms)) {
    const shown = value instanceof Date ? "an invalid Date" : describeTime(value);
    throw new InputError("time_invalid", `${name} is ${shown}; it must be a date such as "2025-01-08T09:15:00Z"`);
  }
  return Math.round(ms);
}

/** What looks like a time is repeated; anything else may be what somebody said. */
function describeTime(value: unknown): string {
  return typeof value === "string" && /^[\d+:.TZ -]{1,40}$/iu.test(value)
    ? JSON.stringify(value)
    : describeValue(value);
}

/** Whether a value is a moment in milliseconds, within the limits. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= timeMsMax;
}

/** NaN if the text is not a time. */
function parseIso(text: string, timeZone: string): number {
  if (text.length > timeLengthMax) return NaN;
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
  // `person()` is the only one; a name that is missing by mistake must not mix the memories of many.
  if (person === undefined) {
    throw new InputError("person_invalid", 'person is undefined; give a name, such as mnemosyne.person("ada")');
  }
  return parseLabel(person, "person", "person_invalid");
}

export function parseId(id: string): string {
  return parseLabel(id, "id", "id_invalid");
}

export function parseIds(ids: unknown): string[] {
  const items = readItems(ids, "the list of ids", "id_invalid", (count) => {
    if (count <= idCountMax) return;
    throw new InputError("id_invalid", `${count} ids are too many for one call; name at most ${idCountMax} at a time`);
  });
  return [...new Set(items.map((id) => parseId(id as string)))];
}

export function parseQuery(query: string, { questionCharacterCountMax }: Parameters): string {
  if (typeof query !== "string") {
    const message = `recall needs a question as text, not ${describeValue(query)}; write recall("…", { … })`;
    throw new InputError("query_empty", message);
  }
  // Before anything that takes longer for a longer text.
  if (query.length > questionCharacterCountMax) {
    throw new InputError(
      "text_too_long",
      `the question has ${query.length} characters; it may have at most ${questionCharacterCountMax} (parameter questionCharacterCountMax). Ask with the part that matters`,
    );
  }
  if (query.trim() === "") throw new InputError("query_empty", "recall needs a question");
  return parseText(query, "query");
}

/** The same seed gives the same recall, so it has to be one that stays the same. */
export function parseSeed(seed: number | string): number | string {
  const isUsable =
    (typeof seed === "number" && Number.isFinite(seed)) || (typeof seed === "string" && seed.length <= labelLengthMax);
  if (isUsable) return seed;
  const message = `seed is ${describeValue(seed)}; it must be a number or at most ${labelLengthMax} characters`;
  throw new InputError("option_invalid", message);
}

/** A turn of a conversation in progress. */
export function parseAddedTurn(turn: Turn, limits: InteractionLimits): Turn {
  return parseTurn(turn, "the turn", new CharacterCounter(limits));
}

function parseTurn(turn: Turn, name: string, counter: CharacterCounter): Turn {
  const { who, text } = readFields(turn, ["who", "text"], name, "interaction_invalid") as unknown as Turn;
  const label = parseLabel(who, `who of ${name}`, "interaction_invalid");
  counter.add(label);
  return { who: label, text: parseText(text, `text of ${name}`, counter) };
}

function parseTurns(turns: readonly Turn[], limits: InteractionLimits, counter: CharacterCounter): Turn[] {
  const items = readItems(turns, "turns", "interaction_invalid", (count) => checkTurnCount(count, limits));
  return items.map((turn, i) => parseTurn(turn as Turn, `turn ${i + 1}`, counter));
}

/** Adds up the characters of an interaction, and refuses as soon as there are too many. */
class CharacterCounter {
  readonly #limits: InteractionLimits;
  #count = 0;

  constructor(limits: InteractionLimits) {
    this.#limits = limits;
  }

  add(text: string | null): void {
    this.#count += text?.length ?? 0;
    const { interactionCharacterCountMax } = this.#limits;
    if (this.#count <= interactionCharacterCountMax) return;
    throw new InputError(
      "text_too_long",
      `the interaction has more than ${interactionCharacterCountMax} characters (parameter interactionCharacterCountMax); split it, or submit a summary`,
    );
  }
}

export function checkTurnCount(count: number, { interactionTurnCountMax }: InteractionLimits): void {
  if (count <= interactionTurnCountMax) return;
  throw new InputError(
    "too_many_turns",
    `the interaction has ${count} turns; it may have at most ${interactionTurnCountMax} (parameter interactionTurnCountMax). Split it, or submit a summary`,
  );
}

function parseText(text: string, name: string, counter?: CharacterCounter): string {
  if (typeof text !== "string") {
    throw new InputError("interaction_invalid", `${name} must be text, not ${describeValue(text)}`);
  }
  // Before anything that takes longer for a longer text.
  counter?.add(text);
  return checkCharacters(text, name);
}

function parseLabel(
  label: string,
  name: string,
  code: "person_invalid" | "id_invalid" | "interaction_invalid",
): string {
  const isUsable = typeof label === "string" && label.length <= labelLengthMax && label.trim() !== "" && isPlain(label);
  if (!isUsable) {
    throw new InputError(
      code,
      `${name} is ${describeValue(label)}; it must be 1 to ${labelLengthMax} characters without control characters`,
    );
  }
  return label;
}

/** Whether what an interaction has grown to is still within the limits. */
export function checkSize(
  { turns, summary, state, metadata }: Omit<Interaction, "id">,
  limits: InteractionLimits,
): void {
  checkTurnCount(turns.length, limits);
  const counter = new CharacterCounter(limits);
  counter.add(state);
  counter.add(packMetadata(metadata));
  counter.add(summary);
  for (const { who, text } of turns) {
    counter.add(who);
    counter.add(text);
  }
}

export function checkWords(turns: readonly Turn[], summary: string | null): void {
  if ((summary ?? "").trim() !== "" || turns.some(({ text }) => text.trim() !== "")) return;
  throw new InputError("interaction_empty", "commit needs turns or a summary with at least one word");
}
