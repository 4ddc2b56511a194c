/**
 * A question may name whose memory it asks: "Where does Ada live?" of the person "ada", who said "I live in Lisbon". The
 * judge reads the two alone and cannot know that they are about the same person, so the name is taken out for it, unless
 * the memories use it for more than an introduction: then they speak of Ada by name, or of another Ada.
 */
import { toTerm } from "../../core/text/words.js";
import type { PersonState } from "../person-state.js";

const nameLengthMin = 3;

/** How somebody asks it who speaks of themselves, as in most of what the judge has read: "does Ada" is "do I". */
const asOneself: Readonly<Record<string, string>> = { does: "do", is: "am", has: "have" };
const helpingVerbs = "(?:(does|is|has|did|was|can|could|will|would|should|must|had) )?";

/** The question as the judge reads it. */
export function withoutOwnName(query: string, { person, graph }: Pick<PersonState, "person" | "graph">): string {
  const names = person.split(/[^\p{L}]+/u).filter((name) => name.length >= nameLengthMin);
  const name = `(?:${names.join("|")})`;
  const named = new RegExp(`(?<!\\p{L})${helpingVerbs}(${name}(?: ${name}){0,3})(?:(['’])s)?(?!\\p{L})`, "giu");
  if (names.length === 0 || ![...query.matchAll(named)].some(isName)) return query;
  if (!names.every((each) => isOnlyIntroduced(each, graph))) return query;
  return query.replaceAll(named, (_, verb: string | undefined, __, apostrophe: string | undefined) => {
    const before = verb === undefined ? "" : `${verb} `;
    if (apostrophe !== undefined) return `${before}my`;
    return verb === undefined ? "the user" : `${asOneself[verb.toLowerCase()] ?? verb} I`;
  });
}

/** With a capital letter, and not only because the question begins with it: "Will she come?" of "will". */
function isName({ index, 1: verb, 2: name, 3: apostrophe }: RegExpExecArray): boolean {
  return /^\p{Lu}/u.test(name!) && (index > 0 || verb !== undefined || apostrophe !== undefined);
}

function isOnlyIntroduced(name: string, graph: PersonState["graph"]): boolean {
  const term = toTerm(name);
  if (term === null) return false;
  if (graph.lexicalIndex.documentFrequency(term) === 0) return true;
  const introduction = new RegExp(
    `(?<!\\p{L})(?:my name(?:['’]s| is)|i['’]?m|i am|call me|this is) (?:\\p{L}+ )?${name}(?!\\p{L})`,
    "iu",
  );
  return [...graph.nodes()].every(
    ({ id, summaryText }) => !graph.lexicalIndex.holds(graph.slotOf(id), term) || introduction.test(summaryText),
  );
}
