/** A part of docs/benchmarks.md that another run writes: every run leaves the other's part as it is. */
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../docs/benchmarks.md", import.meta.url);
const begin = "<!-- beside others: begin -->";
const end = "<!-- beside others: end -->";

/** The part as it stands in the page, with its marks; empty between them where there is none yet. */
export function readKeptSection() {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return from < 0 || to < from ? `${begin}\n\n${end}` : text.slice(from, to + end.length);
}

export function writeKeptSection(content) {
  const kept = readKeptSection();
  const text = readFileSync(page, "utf8");
  const whole = text.includes(kept) ? text : `${text.trimEnd()}\n\n${kept}\n`;
  writeFileSync(
    page,
    whole.replace(kept, () => `${begin}\n\n${content}\n\n${end}`),
  );
}
