/** A person's memories as a document to read: what is known on top, then each with its date, speakers and whether it still holds. */
import { clockAt } from "../text/time.js";
import type { CoreSummaryView, HistoryItem, MemorySelection, Outcome } from "../index.js";

/** What is needed of a person's memory. */
export interface ExportSource {
  readonly name: string;
  history(selection: MemorySelection & { outcomes: readonly Outcome[] }): PromiseLike<readonly HistoryItem[]>;
  coreSummary(): Promise<CoreSummaryView>;
}

/** The core summary is made from the rest, and is not imported again. */
export const coreSummaryMark = "<!-- core summary -->";

const told: readonly Outcome[] = ["committed", "paired", "queued", "open"];

/**
 * Pieces of Markdown, in the order of time: everything, or the part that passes, which is without the core summary because
 * that is made from all. Dates are those of the time zone.
 */
export async function* exportMarkdown(
  person: ExportSource,
  options: MemorySelection & { readonly timeZone: string },
): AsyncGenerator<string> {
  const { timeZone, ...selection } = options;
  const { text, updatedAt } = await person.coreSummary();
  yield `# ${flat(person.name)}\n\n`;
  const isPart = Object.values(selection).some((value) => value !== undefined);
  if (updatedAt !== null && !isPart) {
    yield `${coreSummaryMark}\n\nWhat is known, as of ${moment(updatedAt, timeZone)}:\n\n${escapeLines(text)}\n\n`;
  }
  const items = await person.history({ ...selection, outcomes: told });
  for (const item of items.toSorted((x, y) => Date.parse(x.at) - Date.parse(y.at))) yield toSection(item, timeZone);
}

function toSection({ id, at, turns, summary, state, outdatedBy }: HistoryItem, timeZone: string): string {
  const isOutdated = outdatedBy !== null && outdatedBy.length > 0;
  const heading = `## ${moment(at, timeZone)}${isOutdated ? " (outdated)" : ""}`;
  const notes = [
    isOutdated ? `Outdated by ${outdatedBy.join(", ")}` : "",
    state === null ? "" : `State: ${flat(state)}`,
  ].filter((note) => note !== "");
  const said = turns.map(({ who, text }) => `**${flat(who)}:** ${escapeLines(text, 1)}`);
  const body = turns.length > 0 ? said : [escapeLines(summary ?? "")];
  // In a comment, so that an import of this file reads what was said and nothing else.
  const comment = `<!-- ${[`id ${flat(id)}`, ...notes].join("; ").replaceAll("--", "- -")} -->`;
  return `${heading}\n\n${comment}\n\n${body.join("\n\n")}\n\n`;
}

/** "2025-01-08 09:15" */
function moment(iso: string, timeZone: string): string {
  const clock = new Date(clockAt(Date.parse(iso), timeZone)).toISOString();
  return clock.slice(0, -8).replace("T", " ");
}

/** Names in one line, without what would end their bold type. */
function flat(text: string): string {
  return text.replace(/[\s*_]+/gu, " ").trim();
}

/** A line that would be a heading, a speaker or a fence stays text. The first lines are behind a speaker's name already. */
function escapeLines(text: string, skipCount = 0): string {
  return text
    .split("\n")
    .map((line, i) => (i < skipCount ? line : line.replace(/^\s{0,3}(?=#{1,6}\s|\*\*|__|```|~~~|\\)/u, "\\")))
    .join("\n");
}
