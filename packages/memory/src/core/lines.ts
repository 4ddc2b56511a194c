/** Facts as a core memory puts them: short lines under their areas, with a date where the words depend on one. */
import type { CoreFact } from "../engine/core-memory.js";
import { dependsOnDay } from "../english/day-words.js";
import type { MemoryNode } from "../graph/memory-node.js";
import type { Statement } from "../graph/statement.js";
import { formatDate } from "../paper/naturalized-time.js";
import type { ProfileArea } from "../profiles/profile.js";
import { embeddedText } from "../reader/cut.js";
import { splitWords } from "../text/words.js";

/** `statement`: undefined for a memory without any, which is its summary. `lead`: what has to be said before it. */
export function lineOf(
  node: MemoryNode,
  statement: Statement | undefined,
  lead: Statement | null,
  isChange: boolean,
  timeZone: string,
): string {
  const texts =
    statement === undefined
      ? [node.summaryText]
      : lead === null
        ? [embeddedText(statement)]
        : [embeddedText(lead), statement.text];
  const line = texts.join(" ").replace(/\s+/gu, " ").trim();
  if (!isChange && !dependsOnDay(line)) return line;
  const date = formatDate(node.initMs, timeZone).replace(/^\S+ /u, "");
  return isChange ? `${line} (since ${date}, not before)` : `${line} (${date})`;
}

/** Under the areas in their order, in the order of the facts. */
export function writeFacts(facts: readonly Pick<CoreFact, "area" | "line">[], areas: readonly ProfileArea[]): string {
  return areas
    .flatMap(({ title }) => {
      const own = facts.filter(({ area }) => area === title);
      return own.length === 0 ? [] : [title, ...own.map(({ line }) => `- ${line}`)];
    })
    .join("\n");
}

/** As people count them, and where words are not set apart by spaces as the platform does. */
export function countLineWords(text: string): number {
  return Math.max(text.split(/\s+/u).length, splitWords(text).length);
}
