/** How many bytes a graph takes in memory: what `memoryBytesMax` limits. */
import type { MemoryNode } from "./memory-node.js";
import { packMetadata } from "./metadata.js";

/** Bytes of objects and maps that V8 keeps per memory and per edge, measured by `npm run bench`. */
const nodeOverheadBytes = 2_500;
export const edgeOverheadBytes = 350;
/** Vectors that every memory has: of its summary, its hypothetical query and its naturalized time, and its bins. */
const vectorsPerNode = 4;

/** Of a memory, by the number of its further vectors and of its characters. */
export function bytesOf(vectorCount: number, characterCount: number, dimensions: number): number {
  return (vectorsPerNode + vectorCount) * dimensions + characterCount + nodeOverheadBytes;
}

/** Characters that a memory keeps: of its summary, statements and questions. */
export function charactersOf({ summaryText, statements, questions }: MemoryNode): number {
  let count = summaryText.length;
  for (const { text, asked } of statements) count += text.length + (asked?.length ?? 0);
  for (const { length } of questions) count += length;
  return count;
}

/** Of a memory, not counting its edges. */
export function bytesOfNode(node: MemoryNode, dimensions: number): number {
  const characterCount = charactersOf(node) + (packMetadata(node.metadata)?.length ?? 0);
  return bytesOf(node.statements.length + node.questions.length, characterCount, dimensions);
}
