/**
 * One reading of an export: its options, what it counted, and how it speaks of damage. What is left out is counted with
 * its reason; what is damaged is refused with its place, or left out if the caller asked for that.
 */
import { parseTime } from "../engine/interaction.js";
import { InputError } from "../errors.js";
import type { ImportedInteraction, SizeLimits } from "./imported-interaction.js";

export interface ReadingCounts {
  /** Conversations, memories, entities or sections in the source. */
  readonly sourceCount: number;
  readonly interactionCount: number;
  /** Messages or facts in these interactions. */
  readonly messageCount: number;
  /** What was left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Messages by who said them. */
  readonly speakers: Readonly<Record<string, number>>;
  /** Milliseconds since 1970 of the earliest and the latest interaction; null before one with a time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

export interface ReadingSettings {
  readonly name: string;
  readonly timeZone: string;
  readonly asUser: string | null;
  readonly dateOrder: "dmy" | "mdy" | null;
  readonly skipDamaged: boolean;
  readonly limits: SizeLimits;
}

/** Something in the source that is not as its format says; whoever knows the place catches it. */
export class DamagedPart extends Error {}

const remedy = "repair it or export again, or leave out what is damaged (--skip-damaged, skipDamaged)";
const resumption = "What came before can be imported; importing again stores nothing twice";
const labelLengthMax = 200;

export class Reading {
  readonly settings: ReadingSettings;
  #sourceCount = 0;
  #interactionCount = 0;
  #messageCount = 0;
  #firstMs: number | null = null;
  #lastMs: number | null = null;
  readonly #skipped = new Map<string, number>();
  readonly #speakers = new Map<string, number>();

  constructor(settings: ReadingSettings) {
    this.settings = settings;
  }

  get counts(): ReadingCounts {
    return {
      sourceCount: this.#sourceCount,
      interactionCount: this.#interactionCount,
      messageCount: this.#messageCount,
      skipped: Object.fromEntries(this.#skipped),
      speakers: Object.fromEntries(this.#speakers),
      firstMs: this.#firstMs,
      lastMs: this.#lastMs,
    };
  }

  /** One more conversation, memory, entity or section. */
  count(): void {
    this.#sourceCount++;
  }

  skip(reason: string, count = 1): void {
    if (count > 0) this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + count);
  }

  /** What `read` makes of one part of the source; empty if that is damaged and may be left out. */
  attempt(place: string, read: () => readonly ImportedInteraction[]): readonly ImportedInteraction[] {
    try {
      const interactions = read();
      for (const interaction of interactions) checkUnicode(interaction);
      for (const interaction of interactions) this.#take(interaction);
      return interactions;
    } catch (error) {
      if (!(error instanceof DamagedPart)) throw error;
      if (!this.settings.skipDamaged) throw this.refuse(`${place}: ${error.message}; ${remedy}. ${resumption}`);
      this.skip("damaged");
      return [];
    }
  }

  /** Of the whole file: nothing can be left out to get further. */
  refuse(what: string): InputError {
    return new InputError("import_invalid", `${this.settings.name}, ${what}`);
  }

  /** A time as text or, in seconds or milliseconds, as `unit` says. */
  time(value: unknown, field: string, unitMs = 1): number {
    if (typeof value === "number" || typeof value === "string") {
      try {
        return parseTime(typeof value === "number" ? value * unitMs : value, field, this.settings.timeZone);
      } catch (error) {
        if (error instanceof InputError) throw new DamagedPart(error.message);
        throw error;
      }
    }
    throw new DamagedPart(`${field} is ${kindOf(value)}, not a time`);
  }

  #take({ at, turns = [], summary }: ImportedInteraction): void {
    this.#interactionCount++;
    this.#messageCount += turns.length + (summary === undefined ? 0 : 1);
    for (const { who } of turns) this.#speakers.set(who, (this.#speakers.get(who) ?? 0) + 1);
    if (at === undefined) return;
    this.#firstMs = Math.min(at, this.#firstMs ?? at);
    this.#lastMs = Math.max(at, this.#lastMs ?? at);
  }
}

/** "a number", "a list": never what it holds. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** An object of the source. */
export type Fields = Readonly<Record<string, unknown>>;

export function readObject(value: unknown, field: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new DamagedPart(`${field} is ${kindOf(value)}, not an object`);
}

export function readList(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new DamagedPart(`${field} is ${kindOf(value)}, not a list`);
}

export function readText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new DamagedPart(`${field} is ${kindOf(value)}, not a text`);
}

/** An empty text where there is none. */
export function readOptionalText(value: unknown, field: string): string {
  return value === null || value === undefined ? "" : readText(value, field);
}

/** A speaker's name as who said something: visible, in one line, short enough. */
export function cleanName(name: string): string {
  const flat = name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, labelLengthMax)
    .toWellFormed();
  return flat === "" ? "unknown" : flat;
}

function checkUnicode({ turns = [], summary = "", metadata }: ImportedInteraction): void {
  const values = Object.values(metadata).flat();
  const texts = [summary, ...turns.map(({ text }) => text), ...values.filter((value) => typeof value === "string")];
  if (!texts.every((text) => text.isWellFormed())) {
    throw new DamagedPart("a text contains half of a surrogate pair; it is not valid Unicode");
  }
  if (texts.some((text) => text.includes("\0"))) throw new DamagedPart("a text contains a NUL character");
}
