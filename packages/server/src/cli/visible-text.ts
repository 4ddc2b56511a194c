/**
 * Text that shows all it holds. A memory's text, a name or a server's words may contain hidden characters. Each of them
 * is written as JSON writes it, \u001b for the escape character, so that JSON stays the same value.
 */
import { replaceHidden } from "mnemosyne-edge/internal/core/text/hidden-characters.js";

export function showHidden(text: string): string {
  return replaceHidden(text.replaceAll("\r\n", "\n"), escapeUnits);
}

function escapeUnits(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
