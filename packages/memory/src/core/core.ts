/**
 * Core memory (section 3.3), on one page: what the assistant always has in mind. It is made from the statements alone: those
 * that state a lasting fact of the person or of somebody they know, hold, can stand alone and were not taken out. The most
 * vital come first, area by area, as many as fit; the central subset of the paper decides between equals. Where no reader
 * tells what lasts, it is the text that was written from the central subset.
 */
import type { CoreFact, CoreMemories, CoreMemory, CoreSource } from "../engine/core-memory.js";
import type { EngineContext } from "../engine/engine-context.js";
import { hasOwnNumber, isWordedTheSame } from "../english/changed-words.js";
import { onlyAsks } from "../english/clauses.js";
import { namesSomebody, pointsBack } from "../english/day-words.js";
import { isInstruction } from "../english/instructions.js";
import { tellsOwnWarning } from "../english/warnings.js";
import { isWarning } from "../english/guards.js";
import { endersOf, isAllSilent, isMarked, isOutdated, isSilent } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import { type Statement, fullText } from "../graph/statement.js";
import { isTold } from "../reader/read.js";
import { withoutOutdated } from "../model/outdated-sources.js";
import type { Parameters } from "../parameters.js";
import { areasOf } from "../profiles/general.js";
import type { ProfileArea } from "../profiles/profile.js";
import { splitSentences } from "../text/sentences.js";
import { splitTerms } from "../text/words.js";
import { countLineWords, lineOf, writeFacts } from "./lines.js";

type Rules = Pick<EngineContext, "profile" | "parameters" | "timeZone" | "reading">;
type Passes = (node: MemoryNode) => boolean;

const pinnedValue = 100;
const alertValue = 10;
const toldWeight = 0.1;
const centralWeight = 0.1;
/** Per word beyond a short line. */
const lengthWeight = 0.02;
const shortWordCount = 12;
/** What each fact of an area that comes before it costs another: areas take turns. */
const turnWeight = 0.15;
/** How surely a statement about somebody else must stand alone where no word names them. */
const namedMin = 0.65;
/** Facts with at least this share of common terms are one. */
const sameShareMin = 0.6;

export class CoreMemoryWriter implements CoreMemories {
  readonly #rules: Rules;
  /** The last one of each graph, as it is now. */
  readonly #known = new WeakMap<MemoryGraph, { readonly key: string; readonly memory: CoreMemory }>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  of({ graph, coreSummary }: CoreSource, atMs = Infinity, passes?: Passes): CoreMemory {
    if (!usesFacts(this.#rules)) return writeText({ graph, coreSummary }, atMs, passes ?? (() => true), this.#rules);
    const key = `${graph.changeCount} ${atMs >= newestMs(graph) ? "now" : atMs} ${coreSummary?.updatedMs}`;
    const known = passes === undefined ? this.#known.get(graph) : undefined;
    if (known?.key === key) return known.memory;
    const central = new Set(coreSummary?.sourceIds ?? []);
    const facts = findFacts(graph, atMs, passes ?? (() => true), central, this.#rules);
    const memory = ofFacts(chooseFacts(rankFacts(joinSame(facts), this.#rules), this.#rules), this.#rules);
    if (passes === undefined) this.#known.set(graph, { key, memory });
    return memory;
  }
}

/** Facts need a reader, which tells what lasts. */
export function usesFacts({ reading, parameters }: Pick<Rules, "reading" | "parameters">): boolean {
  return reading !== null && parameters.coreSummaryIntervalCommits > 0;
}

function newestMs(graph: MemoryGraph): number {
  return graph.initMs.subarray(0, graph.slotCount).reduce((newest, ms) => (ms > newest ? ms : newest), -Infinity);
}

/** What somebody pinned, and the stored text without what ended since; null where not all of its sources pass. */
function writeText({ graph, coreSummary }: CoreSource, atMs: number, passes: Passes, rules: Rules): CoreMemory {
  const pinned = findFacts(graph, atMs, passes, new Set(), rules).filter(({ isPinned }) => isPinned);
  const nodes = (coreSummary?.sourceIds ?? []).map((id) => graph.node(id));
  const isSeen = atMs >= (coreSummary?.updatedMs ?? 0) && nodes.every((node) => node === undefined || passes(node));
  const { ended, holding } = textsOf(
    nodes.filter((node) => node !== undefined),
    graph,
  );
  const stored = isSeen && coreSummary !== null ? withoutOutdated(coreSummary.text ?? "", ended, holding) : "";
  const sentences = stored
    .split("\n")
    .flatMap((line) => splitSentences(line).map((text, i) => (i === 0 ? "\n" : " ") + text));
  const count = pinned.length + sentences.length;
  const first = (some: number): string => {
    const facts = writeFacts(pinned.slice(0, some), areasOf(rules.profile));
    return (facts + sentences.slice(0, Math.max(0, some - pinned.length)).join("")).trim();
  };
  return { facts: pinned, text: count === 0 ? null : first(count), count, first };
}

/** What memories say, parted into what may no longer be said, as it ended or is silent, and what holds. */
export function textsOf(nodes: readonly MemoryNode[], graph: MemoryGraph): { ended: string[]; holding: string[] } {
  const ended: string[] = [];
  const holding: string[] = [];
  for (const node of nodes) {
    const { summaryText, statements } = node;
    const isGone = (position: number): boolean =>
      isSilent(node, position) || endersOf(node, position, graph).length > 0;
    const gone = statements.flatMap(({ text }, position) => (isGone(position) ? [text] : []));
    if (isOutdated(node, graph) || isAllSilent(node)) ended.push(summaryText, ...gone);
    else if (gone.length === 0) holding.push(summaryText);
    else {
      ended.push(...gone);
      holding.push(...statements.flatMap(({ text }, position) => (isGone(position) ? [] : [text])));
    }
  }
  return { ended: [...new Set(ended)], holding };
}

function ofFacts(facts: readonly CoreFact[], { profile }: Rules): CoreMemory {
  const areas = areasOf(profile);
  const first = (count: number): string => writeFacts(facts.slice(0, count), areas);
  return { facts, text: facts.length === 0 ? null : first(facts.length), count: facts.length, first };
}

/** Everything that could be said at any time, ended or not. */
export function findEver(graph: MemoryGraph, rules: Rules): CoreFact[] {
  return findFacts(graph, Infinity, () => true, new Set(), rules, true);
}

/** Everything that could be said at a time. */
function findFacts(
  graph: MemoryGraph,
  atMs: number,
  passes: Passes,
  central: ReadonlySet<string>,
  rules: Rules,
  withEnded = false,
): CoreFact[] {
  const facts: CoreFact[] = [];
  const counts = (node: MemoryNode): boolean => node.initMs <= atMs && passes(node);
  for (const { node, position } of candidates(graph)) {
    const statement = position === null ? undefined : node.statements[position];
    const pin = node.marks.find((mark) => mark.kind === "pinned" && mark.position === position);
    const area = findArea(pin?.area ?? (statement === undefined ? "" : areaIn(statement)), pin !== undefined, rules);
    if (!counts(node) || area === null || isSilent(node, position) || isMarked(node, position, "removed")) continue;
    if (!withEnded && endersOf(node, position, graph, counts).length > 0) continue;
    // A doubt takes no warning away.
    const isWarned = statement !== undefined && isWarning(statement);
    if (pin === undefined && !isWarned && isInDoubt(node, position, graph, counts)) continue;
    const lead = findLead(node, position, graph, counts);
    if (pin === undefined && !belongs(statement!, lead, rules.parameters)) continue;
    const probability = statement?.reading?.lasting ?? 1;
    facts.push({
      memory: node.id,
      position: position ?? 0,
      area: area.title,
      line: lineOf(node, statement, lead, isChangeOf(node, position, graph), rules.timeZone),
      toldMs: node.initMs,
      isPinned: pin !== undefined,
      isCentral: central.has(node.id),
      isChange: isChangeOf(node, position, graph),
      probability,
      toldCount: 1,
      value: 0,
    });
  }
  return facts;
}

/** Whether something that was told later may have ended it. */
function isInDoubt(node: MemoryNode, position: number | null, graph: MemoryGraph, counts: Passes): boolean {
  return graph.doubtsAbout(node.id).some((link) => {
    const newer = graph.node(link.from)!;
    return link.position === position && counts(newer) && !isSilent(newer, link.by);
  });
}

interface Candidate {
  readonly node: MemoryNode;
  readonly position: number | null;
}

function* candidates(graph: MemoryGraph): Generator<Candidate> {
  const lasting = graph.lasting();
  for (const [id, positions] of lasting) {
    const node = graph.node(id)!;
    for (const position of positions) yield { node, position };
    yield* pinnedBesides(node, positions);
  }
  for (const id of graph.markedIds()) if (!lasting.has(id)) yield* pinnedBesides(graph.node(id)!, []);
}

function* pinnedBesides(node: MemoryNode, positions: readonly number[]): Generator<Candidate> {
  for (const { kind, position } of node.marks) {
    if (kind === "pinned" && (position === null || !positions.includes(position))) yield { node, position };
  }
}

/**
 * The statement before it in its turn, where only that says of whom or what it speaks: "she starts in May". Null where it
 * needs none, or has none that may be said.
 */
function findLead(node: MemoryNode, position: number | null, graph: MemoryGraph, counts: Passes): Statement | null {
  const statement = position === null ? undefined : node.statements[position];
  const lead = node.statements[position! - 1];
  if (statement === undefined || lead === undefined || statement.asked !== null) return null;
  const speaks = !pointsBack(statement.text) && (statement.reading?.about !== "other" || namesSomebody(statement.text));
  if (speaks || lead.turn !== statement.turn || !isTold(lead)) return null;
  const isGone =
    isSilent(node, position! - 1) ||
    isMarked(node, position! - 1, "removed") ||
    isInDoubt(node, position! - 1, graph, counts) ||
    endersOf(node, position! - 1, graph, counts).length > 0;
  const isUnfit = onlyAsks(lead.text) || isInstruction(lead.text) || lead.reading?.area === "codes";
  return isGone || isUnfit ? null : lead;
}

/** Whether a statement that lasts may be said of a person: empty is better than wrong. */
function belongs(
  statement: Statement,
  lead: Statement | null,
  { lastingProbabilityMin, factProbabilityMin, aloneProbabilityMin }: Parameters,
): boolean {
  const { text, asked, reading } = statement;
  const { fact, lasting, alone, about } = reading!;
  // To leave a warning out is dangerous; what only the reader takes for one has to be sure.
  const isVital = tellsOwnWarning(fullText(statement));
  const isSure = isVital || (fact >= factProbabilityMin && lasting >= lastingProbabilityMin);
  if (!isSure || about === "nobody" || isInstruction(text)) return false;
  const said = lead === null ? text : `${lead.text} ${text}`;
  // Of somebody else only with a name, or what they are to the person; names without a capital only the reader knows.
  if (about === "other" && !namesSomebody(said) && alone < namedMin) return false;
  const isClear = asked !== null || lead !== null || isVital || alone >= aloneProbabilityMin;
  return isClear && !pointsBack(said);
}

/** A warning stands with the alerts, whatever else it is about. */
function areaIn(statement: Statement): string {
  return isWarning(statement) ? "alert" : (statement.reading?.area ?? "");
}

/** The profile's area; of a pin to one that the profile lacks, the first. Null if to none. */
function findArea(name: string, isPinned: boolean, { profile, parameters }: Rules): ProfileArea | null {
  const areas = areasOf(profile);
  const own =
    areas.find(({ title }) => title === name) ?? areas.find(({ of }) => (of as readonly string[]).includes(name));
  // Codes are for those who ask.
  if (name === "codes" && !isPinned && parameters.coreSaysCodes === 0) return null;
  return own ?? (isPinned ? (areas.find(({ of }) => of.includes("self")) ?? areas[0] ?? null) : null);
}

/** Whether it ended something that was told before. */
function isChangeOf(node: MemoryNode, position: number | null, graph: MemoryGraph): boolean {
  return node.ends.some(
    ({ by, memory, isDoubtful }) => isDoubtful !== true && (by === position || by === null) && graph.has(memory),
  );
}

/** Of facts that say the same the newest stands for all. */
function joinSame(facts: readonly CoreFact[]): CoreFact[] {
  const joined: (Worded & { readonly fact: CoreFact })[] = [];
  for (const fact of facts.toSorted((x, y) => Number(y.isPinned) - Number(x.isPinned) || y.toldMs - x.toldMs)) {
    const text = fact.line.replace(dateAtEnd, "");
    const worded = { text, terms: new Set(splitTerms(text)) };
    const same = joined.findIndex((other) => areSame(other, worded));
    if (same < 0) joined.push({ fact, ...worded });
    else
      joined[same] = { ...joined[same]!, fact: { ...joined[same]!.fact, toldCount: joined[same]!.fact.toldCount + 1 } };
  }
  return joined.map(({ fact }) => fact);
}

const dateAtEnd = / \((?:since )?\d{1,2} \p{L}+ \d{4}(?:, not before)?\)$/u;

interface Worded {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** Another dose, and another sister, are another fact. */
function areSame(one: Worded, other: Worded): boolean {
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length;
  if (shared === 0 || shared / (one.terms.size + other.terms.size - shared) < sameShareMin) return false;
  const [x, y] = [one.text, other.text];
  return !isWordedTheSame(x, y) && !hasOwnNumber(x, y) && !hasOwnNumber(y, x);
}

/** The most vital first, the areas in turn. */
function rankFacts(facts: readonly CoreFact[], { profile }: Rules): CoreFact[] {
  const areas = new Map(areasOf(profile).map((area) => [area.title, area]));
  const valued = facts.map((fact) => ({ ...fact, value: valueOf(fact, areas.get(fact.area)!) }));
  valued.sort((x, y) => y.value - x.value || y.toldMs - x.toldMs);
  const taken = new Map<string, number>();
  const turned = valued.map((fact) => {
    const turn = taken.get(fact.area) ?? 0;
    taken.set(fact.area, turn + 1);
    return { fact, value: fact.value - (fact.value >= alertValue ? 0 : turn * turnWeight) };
  });
  return turned.sort((x, y) => y.value - x.value).map(({ fact }) => fact);
}

function valueOf({ line, isPinned, isCentral, probability, toldCount }: CoreFact, area: ProfileArea): number {
  return (
    (isPinned ? pinnedValue : 0) +
    (area.isAlert === true ? alertValue : 0) +
    area.weight +
    probability +
    toldWeight * Math.log2(toldCount) +
    (isCentral ? centralWeight : 0) -
    lengthWeight * Math.max(0, countLineWords(line) - shortWordCount)
  );
}

/** The first that fit into so many words, headings included; pinned ones whatever their length. */
function chooseFacts(ranked: readonly CoreFact[], { parameters }: Rules): CoreFact[] {
  const chosen: CoreFact[] = [];
  const begun = new Set<string>();
  let left = parameters.coreSummaryWordCountMax;
  for (const fact of ranked) {
    const heading = begun.has(fact.area) ? 0 : countLineWords(fact.area);
    const wordCount = heading + countLineWords(`- ${fact.line}`);
    if (!fact.isPinned && wordCount > left) continue;
    left -= wordCount;
    begun.add(fact.area);
    chosen.push(fact);
  }
  return chosen;
}
