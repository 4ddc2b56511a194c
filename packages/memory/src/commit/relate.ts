/**
 * Relating: what the facts of an interaction are to facts that were told before. Each is compared with the nearest that
 * hold; the reader sees all pairs in one batch. It repeats one, ends one, or is another fact.
 */
import type { RelatedStatement } from "../engine/commit-trace.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { isWordedTheSame } from "../english/changed-words.js";
import { namesArea, tellsOfEnd } from "../english/ends.js";
import { findGuard } from "../english/guards.js";
import { endersOf, isSilent } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";
import { type Statement, isFact } from "../graph/statement.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import type { Relation, StatementPair } from "../ports/reader.js";
import { embeddedText } from "../reader/cut.js";
import { logOdds } from "../reader/reading-queue.js";
import type { ReadInteraction } from "../reader/read.js";
import { splitTerms } from "../text/words.js";

/** Facts of an interaction that are compared, and pairs for each that are looked at before the best are read. */
const factCountMax = 8;
const nearestCount = 12;
const cosineMin = 0.2;
const pairsPerFactMax = 3;
const rowsPerSlice = 20_000;

/** How likely a pair is to matter, before it is read: as closeness, each term that both have. */
const termGain = 0.1;
const termCountMax = 2;

interface Candidate {
  readonly by: number;
  readonly node: MemoryNode;
  readonly position: number;
  readonly cosine: number;
  readonly sharedCount: number;
  readonly value: number;
}

export async function relateStatements(read: ReadInteraction, state: PersonState): Promise<RelatedStatement[]> {
  const { graph, context } = state;
  if (context.reading === null) return [];
  const facts = read.statements
    .flatMap((statement, position) => (isComparable(statement) ? [position] : []))
    .sort((x, y) => lastingOf(read.statements[y]!) - lastingOf(read.statements[x]!) || x - y)
    .slice(0, factCountMax);
  const found: Candidate[] = [];
  for (const by of facts) found.push(...(await runInSlices(findNearestSteps(by, read, graph))));
  const chosen = found.sort((x, y) => y.value - x.value).slice(0, context.parameters.relationCountMax);
  const isLater = ({ node }: Candidate): boolean => compareAge(node, read.interaction) > 0;
  const pairs = chosen.map((candidate) => {
    const [stored, told] = [candidate.node.statements[candidate.position]!, read.statements[candidate.by]!];
    const [older, newer] = isLater(candidate) ? [told, stored] : [stored, told];
    return { older, newer };
  });
  const texts = pairs.map(({ older, newer }) => ({ older: embeddedText(older), newer: embeddedText(newer) }));
  const verdicts = await context.reading.relate(texts);
  const relations = verdicts.map((relation, i) => (isSame(texts[i]!) ? { repeats: 1, ends: 0, other: 0 } : relation));
  return chosen.map((candidate, i) => ({
    ...relations[i]!,
    memory: candidate.node.id,
    position: candidate.position,
    by: candidate.by,
    cosine: candidate.cosine,
    probability: probabilityOf(relations[i]!, candidate, pairs[i]!),
    guard: findGuard(pairs[i]!.older, pairs[i]!.newer),
  }));
}

/** What is said in the same words is said again, whatever a reader thinks. */
function isSame({ older, newer }: StatementPair): boolean {
  return older.trim().toLowerCase() === newer.trim().toLowerCase();
}

function isComparable(statement: Statement): boolean {
  return isFact(statement) && statement.reading!.about !== "nobody";
}

function lastingOf({ reading }: Statement): number {
  return reading?.lasting ?? 0;
}

/** The nearest facts that hold, for one new fact. */
function* findNearestSteps(by: number, read: ReadInteraction, graph: MemoryGraph): Generator<void, Candidate[]> {
  const [statement, vector] = [read.statements[by]!, read.statementVectors[by]!];
  const { id } = read.interaction;
  const terms = new Set(splitTerms(statement.text));
  const candidates = new Map<string, Candidate>();
  const consider = (node: MemoryNode, position: number, closeness: number): void => {
    const other = node.statements[position]!;
    if (node.id === id || !isComparable(other) || !mayBeOne(statement, other)) return;
    // What only its own words ended before they were edited is open again.
    if (isSilent(node, position) || endersOf(node, position, graph, (ender) => ender.id !== id).length > 0) return;
    const sharedCount = new Set(splitTerms(other.text).filter((term) => terms.has(term))).size;
    const value = closeness + termGain * Math.min(sharedCount, termCountMax);
    candidates.set(`${position} ${node.id}`, { by, node, position, cosine: closeness, sharedCount, value });
  };
  for (const { slot, position, closeness } of yield* nearestRowsSteps(vector, graph)) {
    consider(graph.nodeAt(slot), position, closeness);
  }
  return [...candidates.values()].sort((x, y) => y.value - x.value).slice(0, pairsPerFactMax);
}

/** What one speaker says of themselves changes nothing about another. */
function mayBeOne(statement: Statement, other: Statement): boolean {
  if (statement.who === other.who || statement.who === null || other.who === null) return true;
  return statement.reading!.about === "other" && other.reading!.about === "other";
}

interface Row {
  readonly slot: number;
  readonly position: number;
  readonly closeness: number;
}

function* nearestRowsSteps(vector: QuantizedVector, { statements }: MemoryGraph): Generator<void, Row[]> {
  const { vectors, slots } = statements;
  let best: { readonly row: number; readonly closeness: number }[] = [];
  for (let from = 0; from < vectors.rowCount; from += rowsPerSlice) {
    const to = Math.min(from + rowsPerSlice, vectors.rowCount);
    const cosines = new Float64Array(to - from);
    vectors.cosines(vector, cosines, from, to);
    for (let row = from; row < to; row++) {
      const closeness = cosines[row - from]!;
      const isAmong = best.length < nearestCount || closeness > best.at(-1)!.closeness;
      if (slots[row]! < 0 || closeness < cosineMin || !isAmong) continue;
      best = [...best, { row, closeness }].sort((x, y) => y.closeness - x.closeness).slice(0, nearestCount);
    }
    yield;
  }
  return best.map(({ row, closeness }) => ({ slot: slots[row]!, position: statements.positionOf(row), closeness }));
}

/**
 * What speaks for an end: the reader, whose verdict alone is too often wrong, closeness, shared terms and words of an end.
 * Fitted on the lives of authors that the reader had not read, but for the word of a whole area, which is rare there.
 */
const weights = { ends: 0.44, cosine: 9.26, term: 1.13, words: 0.88, area: 3 };
const intercept = -7.23;
/** What comes closer is one of a series, or the same again. */
const cosineMax = 0.8;
/** The reader takes what is said again for an end, too. */
const repeatsShareMax = 0.6;
/** Two that differ in a word are a change, or two of a series: only a sure reader knows. */
const sureMin = 0.6;
/** Below, the reader says that it ends nothing. */
const endsMin = 0.05;
const lastingMin = 0.5;

function probabilityOf(
  { ends, repeats }: Relation,
  { cosine, sharedCount }: Candidate,
  { older, newer }: { readonly older: Statement; readonly newer: Statement },
): number {
  if (ends < endsMin || repeats >= repeatsShareMax * ends) return 0;
  const { area, lasting } = older.reading!;
  // What passes anyway does not end.
  if (lasting < lastingMin) return 0;
  if (ends < sureMin && isWordedTheSame(older.text, newer.text)) return 0;
  const tells = tellsOfEnd(newer.text);
  const isArea = tells && area === newer.reading!.area && namesArea(newer.text, area);
  const score =
    intercept +
    weights.ends * logOdds(ends) +
    weights.cosine * Math.min(cosineMax, cosine) +
    weights.term * Math.min(termCountMax, sharedCount) +
    (tells ? weights.words : 0) +
    (isArea ? weights.area : 0);
  return 1 / (1 + Math.exp(-score));
}
