/** Times, numbers and texts as people read them. */
import { dayMs } from "../core/time.js";
import { replaceHidden } from "../core/text/hidden-characters.js";
import type { HistoryItem } from "../index.js";

/** What shows nothing itself but changes what does is named, so that a text is seen as it is. */
export function visibleText(text: string): string {
  return replaceHidden(text, (character) => {
    const code = character.codePointAt(0)!;
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

export function shorten(text: string, lengthMax: number): string {
  const shown = visibleText(text).replaceAll(/\s+/gu, " ");
  return shown.length <= lengthMax ? shown : `${shown.slice(0, lengthMax - 1).trimEnd()}…`;
}

/** What a memory says, or, before it is one, what was said. */
export function textOf({ summary, turns }: Pick<HistoryItem, "summary" | "turns">): string {
  return summary ?? turns.map(({ text }) => text).join(" ");
}

export function dayOf(time: string | number): string {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

export function momentOf(time: string | number): string {
  return new Date(time).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}

export function round(value: number, digits = 2): string {
  return value.toFixed(digits);
}

export function days(ms: number): string {
  const value = ms / dayMs;
  return value >= 730 ? `${(value / 365.25).toFixed(1)} years` : count(Math.round(value), "day");
}

/** Two ages as a range, such as "3 days to 85 days". */
export function ageRange(youngestMs: number, oldestMs: number): string {
  const [young, old] = [youngestMs, oldestMs].map((ms) => (ms < 0.5 * dayMs ? "less than a day" : days(ms)));
  return young === old ? `all ${old}` : `${young} to ${old}`;
}

export function bytes(value: number): string {
  return value < 1e6 ? `${Math.ceil(value / 1e3)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}
