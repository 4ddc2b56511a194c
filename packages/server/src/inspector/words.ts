/** Times, numbers and texts as people read them. */
import { dayMs } from "mnemosyne-edge/internal/text/time.js";
import { replaceHidden } from "mnemosyne-edge/internal/text/hidden-characters.js";
import type { HistoryItem } from "mnemosyne-edge";

const wordLengthMax = 16;
const characterLengthMax = 40;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

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
  if (shown.length <= lengthMax) return shown;
  const cut = shown.slice(0, endOfCharacter(shown, lengthMax - 1));
  // Between two words, unless the last one is long or nearly everything.
  const end = shown[cut.length] === " " ? -1 : cut.lastIndexOf(" ");
  const kept = cut.length - end <= wordLengthMax && end > lengthMax / 2 ? cut.slice(0, end) : cut;
  return `${kept.replace(/[\s.,;:]+$/u, "")}…`;
}

/** At most `end`, and not within what is seen as one: a family of emoji, a letter with its accent. */
function endOfCharacter(text: string, end: number): number {
  const near = characters.segment(text.slice(0, end + characterLengthMax)).containing(end);
  return near === undefined || near.index === 0 ? end : near.index;
}

/** Where everybody knows who speaks, a sentence begins with what they say. */
export function withoutSpeaker(text: string): string {
  return text.replace(/^user: (?=\S)/u, "");
}

/** By its first letter, as a browser finds it for an element. */
export function directionOf(text: string): "ltr" | "rtl" {
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
    ? "rtl"
    : "ltr";
}

/** What a memory says, or, before it is one, what was said. */
export function textOf({ summary, turns }: Pick<HistoryItem, "summary" | "turns">): string {
  return summary ?? turns.map(({ text }) => text).join(" ");
}

/** What became of an interaction, in a word. */
const outcomeWords: Readonly<Record<string, string>> = {
  committed: "kept",
  paired: "said before",
  discarded: "not kept",
  forgetAsked: "asks to forget",
  queued: "waiting",
  open: "in progress",
};

export function outcomeWord(outcome: string): string {
  return outcomeWords[outcome] ?? outcome;
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

/** Two ages as a range, such as "3 to 85 days". */
export function ageRange(youngestMs: number, oldestMs: number): string {
  const [young, old] = [days(youngestMs), days(oldestMs)];
  if (young === old) return oldestMs < 0.5 * dayMs ? "all less than a day" : `all ${old}`;
  const unit = / \w+$/u.exec(old)![0];
  return `${young.endsWith(unit) ? young.slice(0, -unit.length) : young} to ${old}`;
}

export function bytes(value: number): string {
  return value < 1e6 ? `${Math.ceil(value / 1e3)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}
