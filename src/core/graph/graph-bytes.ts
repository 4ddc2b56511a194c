/** How many bytes a graph takes in memory: what `memoryBytesMax` limits. */
import type { MemoryNode } from "./memory-node.js";

/** Bytes of objects and maps that V8 keeps per memory and per edge, measured by `npm run bench`. */
const nodeOverheadBytes = 2_500;
export const edgeOverheadBytes = 350;
/** Vectors that every memory has: of its summary, its hypothetical query and its naturalized time, and its bins. */
const vectorsPerNode = 4;

/** Of a memory, not counting its edges. */
export function bytesOfNode({ summaryText, statements, questions }: MemoryNode, dimensions: number): number {
  const vectorCount = vectorsPerNode + statements.length + questions.length;
  let characterCount = summaryText.length;
  for (const texts of [statements, questions]) for (const { length } of texts) characterCount += length;
  return vectorCount * dimensions + characterCount + nodeOverheadBytes;
}
