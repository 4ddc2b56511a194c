/**
 * Questions about the person. A memory gains if what lasts of it belongs to the areas of life that the question asks about,
 * as the judge reads them. A question about the person as a whole ("What should a new carer know about me?") asks about no
 * area more than another: there the facts of the core summary speak, the most vital first, the areas in turn.
 */
import { rankFacts } from "../core-summary/carried-facts.js";
import { isSaid, readCoreFacts } from "../core-summary/core-fact.js";
import { areasOf } from "../core-summary/fact-lines.js";
import { isMainName } from "../core-summary/standing-alone.js";
import type { AreaShares, LifeArea } from "../../ports/judge.js";
import type { EngineContext } from "../engine-context.js";
import type { PersonState } from "../person-state.js";
import type { Passes } from "./passing-memories.js";

/** A match counts only if this begins with a capital, whatever else is written in small letters. */
const name = "(?<name>\\p{L}[\\p{L}'’-]+(?: \\p{L}[\\p{L}'’-]+)??)";
const described = "(?:person|patient|client|resident|user|man|woman|lady|guy)";
const person = `(?:me|myself|him|her|them|us|(?:this|the|my) ${described}|${name})`;
const subject = `(?:i|he|she|(?:this|the|my) ${described}|${name})`;
const end = "(?: in general| overall| at all| as a person| so far| already)?\\s*[?.!]*$";
/** What somebody else knows or said is a question about them and what they said. */
const byOthers =
  "^(?:(?=.*\\b(?:needs?|ought|has|have) to\\b)|(?!.*\\b(?:do|does|did|has|have|had) (?!(?:you|we|i|been)\\b)))(?!who (?:knows|told|said)\\b)";
const knowing =
  "\\b(?:(?:know|knows|known|learn(?:ed|t)?|remember|understand|tell|told|say|said|note|keep in mind)\\b.{0,30}\\babout|(?:know|knows|known|remember|aware) of)";

/** Questions about a whole person. */
const wholePerson: readonly RegExp[] = [
  `${byOthers}.*${knowing} ${person}${end}`,
  `^(?:please )?(?:describe|introduce|summari[sz]e|profile|sum up) ${person}${end}`,
  `\\bwho (?:am|is|was) ${subject}${end}`,
  `\\bwhat (?:(?:am|is|was) ${subject}|are they) like${end}`,
  `\\bwhat (?:sort|kind|type) of (?:a )?(?:person|man|woman|patient) (?:(?:am|is) ${subject}|are they)${end}`,
  `\\bwhat (?:do|does) (?:${subject}|they) (?:care|worry|think) (?:most )?about(?: most)?${end}`,
  `\\bwhat (?:matters|is important|counts)(?: the)?(?: most)? (?:to|for) ${person}${end}`,
].map((pattern) => new RegExp(pattern, "iu"));

/** A longer sentence asks for more than a whole person. */
const wholeLengthMax = 300;

/** More than any other cue gives: the facts come first. */
const wholePersonGain = 2;

export interface AskedAreas {
  /** Whom it asks about as a whole, if by a name: "" for the person without one, null for nobody. */
  readonly whole: string | null;
  /** Null where they do not matter. */
  readonly shares: AreaShares | null;
}

/** Null if nobody can tell. */
export async function readAskedAreas(
  query: string,
  { judging, parameters }: EngineContext,
): Promise<AskedAreas | null> {
  if (judging?.tellsAreas !== true || parameters.areaWeight === 0) return null;
  const whole = findWholePerson(query);
  // Whether a name is that of the person only the memories tell.
  const shares = whole === "" ? null : (await judging.areas([query], "question"))![0]!;
  return { whole, shares };
}

/** By its last sentence. */
function findWholePerson(query: string): AskedAreas["whole"] {
  const last = query
    .trim()
    .split(/(?<=[.?!])\s+|\n/u)
    .at(-1)!;
  if (last.length > wholeLengthMax) return null;
  const asked = last.replace(/\b(wh(?:at|o))['’]s\b/iu, "$1 is");
  const named = wholePerson.flatMap((pattern) => {
    const match = pattern.exec(asked);
    return match === null ? [] : [match.groups?.["name"] ?? ""];
  });
  return named.find((found) => found.split(" ").every((word) => /^(?:\p{Lu}|$)/u.test(word))) ?? null;
}

/** By slot of the graph. */
export function gainsByArea(asked: AskedAreas | null, atMs: number, passes: Passes, state: PersonState): Float64Array {
  const gains = new Float64Array(state.graph.slotCount);
  if (asked === null) return gains;
  if (asked.whole !== null && isPerson(asked.whole, state)) gainByFacts(gains, atMs, passes, state);
  else if (asked.shares !== null) gainByAreas(gains, asked.shares, state);
  return gains;
}

/** Whether a name is that of the one whom the memories are about, not of somebody in their life. */
function isPerson(named: string, { person: key, graph }: PersonState): boolean {
  return (
    named === "" ||
    named.split(" ").some((word) => word.toLowerCase() === key.toLowerCase() || isMainName(word, graph.lexicalIndex))
  );
}

function gainByFacts(
  gains: Float64Array,
  atMs: number,
  passes: Passes,
  { graph, coreSummary, context }: PersonState,
): void {
  const said = readCoreFacts(coreSummary).filter((fact) => isSaid(fact, atMs));
  const facts = rankFacts(said, areasOf(context.profile)).filter(({ sourceId }) => {
    const node = graph.node(sourceId);
    return node !== undefined && passes(node);
  });
  for (const [i, { sourceId }] of facts.entries()) {
    const slot = graph.slotOf(sourceId);
    gains[slot] = Math.max(gains[slot]!, wholePersonGain * (1 - i / facts.length));
  }
}

/** Areas in which facts tell who somebody is. */
const personalAreas: ReadonlySet<string> = new Set<LifeArea>([
  "self",
  "people",
  "help",
  "abilities",
  "habits",
  "manner",
  "plans",
  "worries",
]);
/** A question that asks less about what lasts than this gains nothing. */
const lastingShareMin = 0.6;

/** Half for the very area that is asked about, half for telling who somebody is where that is asked. */
function gainByAreas(gains: Float64Array, { passing, ...shares }: AreaShares, { graph, context }: PersonState): void {
  const asksForLasting = Math.max(0, (1 - passing - lastingShareMin) / (1 - lastingShareMin));
  if (asksForLasting === 0) return;
  const shareOf = new Map(Object.entries(shares));
  const personal = [...personalAreas].reduce((sum, area) => sum + (shareOf.get(area) ?? 0), 0);
  const weightOf = (area: string): number => ((shareOf.get(area) ?? 0) + (personalAreas.has(area) ? personal : 0)) / 2;
  for (let slot = 0; slot < gains.length; slot++) {
    if (Number.isNaN(graph.initMs[slot])) continue;
    for (const { area, probability } of graph.factsAt(slot)) {
      const gain = context.parameters.areaWeight * asksForLasting * weightOf(area) * probability;
      gains[slot] = Math.max(gains[slot]!, gain);
    }
  }
}
