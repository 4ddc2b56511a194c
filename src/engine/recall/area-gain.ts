/**
 * Questions about the person. A memory gains if what lasts of it belongs to the areas of life that the question asks about,
 * as the judge reads them. A question about the person as a whole ("What should a new carer know about me?") asks about no
 * area more than another: there the facts of the core summary speak, the most vital first, the areas in turn.
 */
import { rankFacts } from "../core-summary/carried-facts.js";
import { isSaid, readCoreFacts } from "../core-summary/core-fact.js";
import { areasOf } from "../core-summary/fact-lines.js";
import type { AreaShares, LifeArea } from "../../ports/judge.js";
import type { EngineContext } from "../engine-context.js";
import type { PersonState } from "../person-state.js";

const person =
  "(?:me|myself|him|her|them|us|(?:this|the|my) (?:person|patient|client|resident|user|man|woman|lady|guy)|\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)";
const subject = "(?:i|he|she|they|(?:this|the) (?:person|patient|client|resident|user|man|woman)|\\p{Lu}[\\p{L}'’-]+)";
const end = "(?: in general| overall| at all| as a person| so far| already)?\\s*[?.!]*$";

/** Questions about a whole person. */
const wholePerson: readonly RegExp[] = [
  `\\b(?:know|knows|known|learn(?:ed|t)?|remember|understand|tell|told|say|said|note|keep in mind|aware)\\b.{0,30}\\b(?:about|of) ${person}${end}`,
  `^(?:please )?(?:describe|introduce|summari[sz]e|profile|sum up) ${person}${end}`,
  `\\bwh(?:at|o) (?:am|is|are|was) ${subject}(?: like)?${end}`,
  `\\bwhat (?:sort|kind|type) of (?:a )?(?:person|man|woman|patient) (?:am|is|are) ${subject}${end}`,
  `\\bwhat (?:do|does) ${subject} (?:care|worry|think) (?:most )?about(?: most)?${end}`,
  `\\bwhat (?:matters|is important|counts)(?: the)?(?: most)? (?:to|for) ${person}${end}`,
].map((pattern) => new RegExp(pattern, "iu"));

/** More than any other cue gives: the facts come first. */
const wholePersonGain = 2;

/** What a question asks about: a person as a whole, or areas of life; null if nobody can tell. */
type AskedAreas = "whole person" | AreaShares | null;

export async function readAskedAreas(query: string, { judging, parameters }: EngineContext): Promise<AskedAreas> {
  if (judging?.tellsAreas !== true || parameters.areaWeight === 0) return null;
  if (wholePerson.some((pattern) => pattern.test(query.trim()))) return "whole person";
  const shares = await judging.areas([query]);
  return shares![0]!;
}

/** By slot of the graph. */
export function gainsByArea(asked: AskedAreas, atMs: number, state: PersonState): Float64Array {
  const gains = new Float64Array(state.graph.slotCount);
  if (asked === "whole person") gainByFacts(gains, atMs, state);
  else if (asked !== null) gainByAreas(gains, asked, state);
  return gains;
}

function gainByFacts(gains: Float64Array, atMs: number, { graph, coreSummary, context }: PersonState): void {
  const said = readCoreFacts(coreSummary).filter((fact) => isSaid(fact, atMs));
  const facts = rankFacts(said, areasOf(context.profile)).filter(({ sourceId }) => graph.node(sourceId) !== undefined);
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
  const personal = [...personalAreas].reduce((sum, area) => sum + shareOf.get(area)!, 0);
  const weightOf = (area: string): number => ((shareOf.get(area) ?? 0) + (personalAreas.has(area) ? personal : 0)) / 2;
  for (let slot = 0; slot < gains.length; slot++) {
    if (Number.isNaN(graph.initMs[slot])) continue;
    for (const { area, probability } of graph.nodeAt(slot).facts ?? []) {
      const gain = context.parameters.areaWeight * asksForLasting * weightOf(area) * probability;
      gains[slot] = Math.max(gains[slot]!, gain);
    }
  }
}
