/**
 * Which parts of the recalled memories a context quotes: the statements closest to the question, whichever memory they
 * are from. A statement counts by its memory, by its own vector and words, and a little by its neighbours, since an
 * answer comes next to its question. What was said goes before a summary of it, which repeats it with less detail.
 */
import type { StatementCoverage } from "../../core/text/lexical-index.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import type { MemoryNode } from "../../core/graph/memory-node.js";
import { type QuantizedVector, cosine } from "../../core/vectors/quantized-vector.js";
import { splitWords } from "../../core/text/words.js";
import { namesSpeaker, speakerOf } from "../commitment/statements.js";
import type { TokenSearch } from "./token-search.js";

/** A piece of a memory that makes sense in a context on its own. */
export interface ContextPiece {
  readonly memory: MemoryNode;
  /** Its position among the memory's pieces. */
  readonly position: number;
  readonly text: string;
  readonly value: number;
}

/** What pieces are compared with, and how. */
export interface PieceSearch {
  readonly query: QuantizedVector;
  readonly coverage: StatementCoverage;
  readonly words: Pick<TokenSearch, "of">;
  readonly graph: MemoryGraph;
}

const neighbourShare = 0.3;
const summarizedPenalty = 0.3;
/** Real questions are shorter; names beyond are not looked for. */
const namesLengthMax = 2000;
const possessive = /['’]s?(?!\p{L})/gu;

/** Pieces of a memory worth `memoryValue`, in order; a memory without statements is its summary. */
export function findPieces(
  memory: MemoryNode,
  memoryValue: number,
  { query, coverage, words, graph }: PieceSearch,
): ContextPiece[] {
  if (memory.statements.length === 0) return [{ memory, position: 0, text: memory.summaryText, value: memoryValue }];
  const vectors = graph.statements.vectorsOf(graph.slotOf(memory.id));
  const matches = words.of(memory.id)?.statements;
  const values = memory.statements.map(
    (text, i) => memoryValue + cosine(query, vectors[i]!) + coverage.of(text) + (matches?.[i] ?? 0),
  );
  const hasTurns = memory.statements.some(namesSpeaker);
  const isSummary = (text: string): boolean => !namesSpeaker(text) && memory.summaryText.includes(text);
  const pieces = memory.statements.map((text, position) => {
    const besides = Math.max(values[position - 1] ?? 0, values[position + 1] ?? 0);
    const value = values[position]! + neighbourShare * besides - (hasTurns && isSummary(text) ? summarizedPenalty : 0);
    return { memory, position, text, value };
  });
  // A model's statement may repeat what was said word for word.
  return pieces.filter(({ text, position }) => memory.statements.indexOf(text) === position);
}

/** People speak of themselves: what was said by somebody whom the question names gains. */
export function preferNamedSpeakers(pieces: readonly ContextPiece[], query: string, gain: number): ContextPiece[] {
  const join = (text: string): string => ` ${splitWords(text.toLowerCase().replace(possessive, " ")).join(" ")} `;
  const asked = join(query.slice(0, namesLengthMax));
  return pieces.map((piece) => {
    const who = speakerOf(piece.text);
    return who !== null && asked.includes(join(who)) ? { ...piece, value: piece.value + gain } : piece;
  });
}

/** The pieces of one memory, the best as they are and each further one worth `spread` less than it would be before it. */
export function spreadPieces(pieces: readonly ContextPiece[], spread: number): ContextPiece[] {
  const bestFirst = pieces.toSorted((x, y) => y.value - x.value || x.position - y.position);
  const rankOf = new Map(bestFirst.map((piece, rank) => [piece, rank]));
  return pieces.map((piece) => ({ ...piece, value: piece.value - spread * rankOf.get(piece)! }));
}
