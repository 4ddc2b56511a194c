/** The size of a memory: bytes in the process and on the disk, compared with the library's own estimate. */
import { statSync } from "node:fs";
import { openFilled } from "./commit-recall.mjs";
import { collectGarbage } from "./harness.mjs";
import { dimensions } from "./synthetic.mjs";

/** In addition to those of the statements: summary, hypothetical query, topic. Only commits create bins. */
const vectorsPerMemory = 3;

export async function measureFootprint({ path, count }) {
  const diskByteCount = statSync(path).size;
  const opened = await openFilled(path);
  await collectGarbage();
  const before = process.memoryUsage();
  await opened.memory.coreSummary();
  await collectGarbage();
  const after = process.memoryUsage();
  const heapByteCount = after.heapUsed - before.heapUsed;
  const externalByteCount = after.external - before.external;
  const statistics = await opened.memory.statistics();
  const characterCount = await countCharacters(opened.memory);
  await opened.mnemosyne.close();
  return {
    count,
    edgeCount: statistics.edgeCount,
    statementCount: statistics.statementCount,
    characterCount,
    estimatedByteCount: statistics.bytesInMemory,
    heapByteCount,
    externalByteCount,
    memoryByteCount: heapByteCount + externalByteCount,
    residentByteCount: after.rss - before.rss,
    diskByteCount,
  };
}

async function countCharacters(memory) {
  let sum = 0;
  for (const { summary, statements } of await memory.list()) sum += summary.length + statements.join("").length;
  return sum;
}

/**
 * The two constants of the library's estimate, bytes of objects per memory and per edge: from the same memories with and
 * without edges, and from fewer of them, which removes the process's fixed cost.
 */
export function fitConstants(withEdges, withoutEdges, fewer) {
  const objectBytes = ({ memoryByteCount, characterCount, count, statementCount }) =>
    memoryByteCount - characterCount - (vectorsPerMemory * count + statementCount) * dimensions;
  return {
    count: withoutEdges.count,
    nodeOverheadBytes: (objectBytes(withoutEdges) - objectBytes(fewer)) / (withoutEdges.count - fewer.count),
    edgeOverheadBytes: (withEdges.heapByteCount - withoutEdges.heapByteCount) / withEdges.edgeCount,
  };
}
