/** Parts of pages that a run writes between marks: every run leaves the rest of the page as it is. */
import { readFileSync, writeFileSync } from "node:fs";

const comparedWithOthers = sectionOf("benchmarks.md", "compared with others");

export function sectionOf(document, name) {
  return {
    page: new URL(`../../../docs/${document}`, import.meta.url),
    begin: `<!-- ${name}: begin -->`,
    end: `<!-- ${name}: end -->`,
  };
}

/** The part as it is in the page, with its marks; empty between them if there is none yet. */
export function readKeptSection({ page, begin, end } = comparedWithOthers) {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return from < 0 || to < from ? `${begin}\n\n${end}` : text.slice(from, to + end.length);
}

export function writeKeptSection(content, section = comparedWithOthers) {
  const { page, begin, end } = section;
  const kept = readKeptSection(section);
  const text = readFileSync(page, "utf8");
  const whole = text.includes(kept) ? text : `${text.trimEnd()}\n\n${kept}\n`;
  writeFileSync(
    page,
    whole.replace(kept, () => `${begin}\n\n${content}\n\n${end}`),
  );
}
