/**
 * A language model's text about facts, checked fact by fact: a line that says what the facts do not is left out, and a fact
 * that no line says is added in its own words.
 */
import { isNumberWord, splitTerms, splitWords } from "../../core/text/words.js";
import { Source } from "../language-model/grounding.js";
import type { CoreFact } from "./core-fact.js";
import { type LineRules, areaOf, writeFact, writeFacts } from "./fact-lines.js";
import { isInstruction } from "./instructions.js";

/** Of a line's terms, and of a fact's, that the other must have. */
const sharedShareMin = 1 / 2;

/** Null if no line can stay. `source`: the facts as the model was shown them. */
export function checkLines(
  text: string,
  facts: readonly CoreFact[],
  source: Source,
  { areas, timeZone }: LineRules,
): string | null {
  const known = facts.map((fact) => ({ fact, ...readWords(writeFact(fact, timeZone)) }));
  const lines = readLines(text)
    .filter((line) => !isInstruction(line) && source.inventionsIn(line).length === 0)
    .flatMap((line) => {
      const own = readWords(line);
      const meant = known.filter((each) => saysFact(own, each));
      const terms = new Set(meant.flatMap((each) => [...each.terms]));
      return meant.length > 0 && shareOf(own.terms, terms) >= sharedShareMin ? [{ line, meant }] : [];
    });
  if (lines.length === 0) return null;
  const said = new Set(lines.flatMap(({ meant }) => meant));
  const own = known.filter((each) => !said.has(each));
  const all = [
    ...lines.map(({ line, meant }) => ({ line, fact: meant[0]!.fact })),
    ...own.map(({ fact }) => ({ line: writeFact(fact, timeZone), fact })),
  ];
  return areas
    .flatMap((area) => {
      const under = all.filter(({ fact }) => areaOf(fact, areas) === area);
      return under.length === 0 ? [] : [area.title, ...under.map(({ line }) => `- ${line}`)];
    })
    .join("\n");
}

/** A text that was checked once, for facts that have changed since. */
export function keepLines(text: string, facts: readonly CoreFact[], rules: LineRules): string {
  const own = writeFacts(facts, rules);
  return checkLines(text, facts, Source.read(own), rules) ?? own;
}

function readLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^[\s*•–#-]+/u, "").trim())
    .filter((line) => line !== "");
}

interface LineWords {
  readonly terms: ReadonlySet<string>;
  readonly numbers: readonly string[];
}

function readWords(text: string): LineWords {
  return { terms: new Set(splitTerms(text)), numbers: splitWords(text).filter(isNumberWord) };
}

/** Whether a line says a fact, with all its numbers. */
function saysFact(line: LineWords, fact: LineWords): boolean {
  return (
    shareOf(fact.terms, line.terms) >= sharedShareMin && fact.numbers.every((number) => line.numbers.includes(number))
  );
}

function shareOf(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return terms.size === 0 ? 0 : [...terms].filter((term) => others.has(term)).length / terms.size;
}
