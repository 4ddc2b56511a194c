/** What words reveal about a reply beyond its form: whether it goes in circles, and what it made up. */
import { splitTerms } from "../../../memory/dist/core/text/words.js";

const runLength = 3;
/** A text with a lower share of distinct runs of words goes in circles; plain prose is above 0.9. */
const distinctShareMin = 0.5;

/** Whether most of a reply repeats what it said before. */
export function isCircular(reply) {
  const words =
    textsOf(JSON.parse(reply))
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const runs = words.slice(runLength - 1).map((_, i) => words.slice(i, i + runLength).join(" "));
  return runs.length > 0 && new Set(runs).size / runs.length < distinctShareMin;
}

/** List items of a reply, and how many of them share no word with the text they are about. */
export function countForeignItems(reply, text) {
  const known = new Set(splitTerms(text));
  const items = Object.values(JSON.parse(reply)).filter(Array.isArray).flat();
  const foreign = items.filter((item) => !splitTerms(item).some((term) => known.has(term)));
  return { itemCount: items.length, foreignCount: foreign.length };
}

function textsOf(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
