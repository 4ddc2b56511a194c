/**
 * The statements of memories as a context may quote them, each with what it is worth there: its memory's score, and its
 * own closeness to the question. A context quotes what people said; an assistant's words, and a summary of what stands
 * beside it word for word, come after that.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import type { StartScore } from "../paper/start-node.js";
import { type QuantizedVector, cosine } from "../graph/vectors/quantized-vector.js";
import { assistantPrefix } from "../commit/relations.js";
import { namesSpeaker } from "../reader/cut.js";

export interface QuotedStatement {
  readonly memory: MemoryNode;
  /** Its position among the memory's statements. */
  readonly position: number;
  readonly text: string;
  readonly value: number;
}

/** What somebody else's word for it is worth less than the person's own. */
const secondHandPenalty = 0.5;

/** Words say which memory, and less which statement: a long talk has some in common with any question. */
const wordShare = 0.3;

/** What a memory is worth to its statements: how close it comes and when it was, and a share of what its words add. */
export function worthOf({ score, querySimilarity, timeGain }: StartScore): number {
  const said = querySimilarity + timeGain;
  return said + wordShare * (score - said);
}

/** What statements are compared with. */
interface Compared {
  readonly query: QuantizedVector;
  /** How well the words of each statement match the question's. */
  readonly matches: readonly number[];
  readonly graph: MemoryGraph;
}

/** Statements of a memory worth `memoryValue`, in order; a memory without any is its summary. */
export function quoteMemory(
  memory: MemoryNode,
  memoryValue: number,
  { query, matches, graph }: Compared,
): QuotedStatement[] {
  const { statements, summaryText } = memory;
  if (statements.length === 0) return [{ memory, position: 0, text: summaryText, value: memoryValue }];
  const vectors = graph.statements.vectorsOf(graph.slotOf(memory.id));
  const hasTurns = statements.some(namesSpeaker);
  const isSecondHand = (text: string): boolean =>
    text.startsWith(assistantPrefix) || (hasTurns && !namesSpeaker(text) && summaryText.includes(text));
  return statements.map((text, position) => {
    const closeness = cosine(query, vectors[position]!) + wordShare * (matches[position] ?? 0);
    const value = memoryValue + closeness - (isSecondHand(text) ? secondHandPenalty : 0);
    return { memory, position, text, value };
  });
}
