/**
 * Colours and hidden characters. Text carries marks in place of colour codes until it is printed: whether a stream shows
 * colours is known only then, and stored text cannot pose as one. Hidden characters of a memory, a name or a server are
 * written as JSON writes them, \u001b for the escape character, so that JSON stays the same value.
 */
import { randomUUID } from "node:crypto";
import pc from "picocolors";
import { replaceHidden } from "mnemosyne-edge/internal/text/hidden-characters.js";
import { readVariable } from "./environment.js";

type Paint = (text: string) => string;

/** Stands for the start of a colour code. */
const colourMark = randomUUID();
const colourStart = "\u001b[";
const painter = pc.createColors(true);

export const colourCode = new RegExp(`${colourMark}\\d+m`, "gu");

export const colours = {
  bold: marked(painter.bold),
  dim: marked(painter.dim),
  red: marked(painter.red),
  green: marked(painter.green),
  yellow: marked(painter.yellow),
  magenta: marked(painter.magenta),
  cyan: marked(painter.cyan),
};

function marked(paint: Paint): Paint {
  const [before = "", after = ""] = paint(" ").replaceAll(colourStart, colourMark).split(" ");
  return (text) => before + text + after;
}

export function heading(text: string): string {
  return colours.bold(text);
}

export function stripColour(text: string): string {
  return text.replace(colourCode, "");
}

/** As a stream gets it: our colours where it shows them, and nothing else that is not visible. */
export function paintFor(text: string, isColoured: boolean): string {
  const marks = isColoured ? text : stripColour(text);
  return showHidden(marks).replaceAll(colourMark, colourStart);
}

/** On terminals only, unless FORCE_COLOR or NO_COLOR decides. */
export function showsColours(stream: { readonly isTTY?: boolean }): boolean {
  if (readVariable("NO_COLOR") !== undefined) return false;
  const forced = readVariable("FORCE_COLOR");
  if (forced !== undefined) return !["0", "false"].includes(forced.toLowerCase());
  return stream.isTTY === true && pc.isColorSupported;
}

export function showHidden(text: string): string {
  return replaceHidden(text.replaceAll("\r\n", "\n"), escapeUnits);
}

function escapeUnits(text: string): string {
  const units = text.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}
