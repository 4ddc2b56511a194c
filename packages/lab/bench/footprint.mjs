/** The size of a memory: bytes in the process and on the disk, compared with the library's own estimate. */
import { statSync } from "node:fs";
import { openFilled } from "./commit-recall.mjs";
import { collectGarbage } from "./harness.mjs";

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
  await opened.mnemosyne.close();
  return {
    count,
    edgeCount: statistics.edgeCount,
    estimatedByteCount: statistics.bytesInMemory,
    heapByteCount,
    externalByteCount,
    memoryByteCount: heapByteCount + externalByteCount,
    residentByteCount: after.rss - before.rss,
    diskByteCount,
  };
}
