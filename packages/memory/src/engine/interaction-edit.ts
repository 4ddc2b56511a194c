/** Validation of edits: what a caller wants an interaction to be instead, checked like a new one. */
import { InputError } from "../errors.js";
import type { Parameters } from "../parameters.js";
import type { Interaction, Metadata, Turn } from "./records/person-data.js";
import { readOptions } from "./given-values.js";
import { type Time, checkWords, noLimits, parseInteraction } from "./interaction.js";
import { differingFields } from "./interaction-content.js";

/** What is to change; the rest stays. Null removes what can be absent. */
export interface InteractionEdit {
  /** One turn of the user, in place of all turns. */
  readonly text?: string;
  readonly turns?: readonly Turn[];
  /** If omitted, other turns take a given summary away: it was about what is no longer said. */
  readonly summary?: string | null;
  readonly at?: Time;
  readonly state?: string | null;
  /** In place of all that was noted. */
  readonly metadata?: Metadata | null;
  readonly expiresAt?: Time | null;
}

const editFields = [
  "text",
  "turns",
  "summary",
  "at",
  "state",
  "metadata",
  "expiresAt",
] as const satisfies (keyof InteractionEdit)[];

/** An edit as plain data, each field read once. */
export function readEdit(edit: InteractionEdit): InteractionEdit {
  const fields = readOptions(edit, editFields, "the changes of an update");
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) {
    throw new InputError("option_invalid", `update changes nothing; name at least one of: ${editFields.join(", ")}`);
  }
  if (given["text"] !== undefined && given["turns"] !== undefined) {
    throw new InputError(
      "option_invalid",
      "update takes text or turns, not both; text stands for one turn of the user",
    );
  }
  return given;
}

/** The interaction after an edit, still without the version it had before. */
export function applyEdit(
  { text, turns = text === undefined ? undefined : [{ who: "user", text }], ...given }: InteractionEdit,
  before: Interaction,
  nowMs: number,
  parameters: Parameters,
  timeZone: string,
): Interaction {
  const { summary, state, expiresAt } = {
    summary: given.summary === undefined ? before.summary : given.summary,
    state: given.state === undefined ? before.state : given.state,
    expiresAt: given.expiresAt === undefined ? before.expiresMs : given.expiresAt,
  };
  const input = {
    at: given.at ?? before.initMs,
    turns: turns ?? before.turns,
    metadata: given.metadata === undefined ? before.metadata : (given.metadata ?? {}),
    ...(summary === null ? {} : { summary }),
    ...(state === null ? {} : { state }),
    ...(expiresAt === null ? {} : { expiresAt }),
  };
  // What stays as it is was accepted once, whatever the limits and the clock are now.
  const isLonger = turns !== undefined || given.summary != null || given.metadata != null;
  const limits = {
    ...(isLonger ? {} : noLimits),
    ...(given.at === undefined ? { futureToleranceMinutes: Infinity } : {}),
    mayBeExpired: given.expiresAt === undefined,
  };
  const parsed = parseInteraction(input, nowMs, { ...parameters, ...limits }, timeZone);
  const { initMs, metadata, expiresMs } = parsed;
  const next = { ...before, initMs, turns: parsed.turns, summary: parsed.summary, state: parsed.state };
  const isAboutOthers = given.summary === undefined && differingFields(before, next, ["turns"]).length > 0;
  if (isAboutOthers) checkWords(next.turns, null);
  return { ...next, ...(isAboutOthers ? { summary: null } : {}), metadata, expiresMs };
}
