/** A recalled memory as the caller sees it. */
import { isSilent } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import { naturalizeTime } from "../paper/naturalized-time.js";
import type { Metadata } from "../engine/records/person-data.js";
import { splitTerms } from "../text/words.js";
import type { Outdated } from "./outdated.js";
import type { Passes } from "./passing-memories.js";

export interface RecalledMemory {
  readonly id: string;
  readonly at: string;
  readonly naturalizedTime: string;
  readonly summary: string;
  readonly state: string | null;
  readonly keywords: readonly string[];
  readonly metadata: Metadata;
  /** The memory that says nearly the same. */
  readonly pairId: string | null;
  /** A start node, or reached from `fromId` by traversal. */
  readonly found: "start" | "traversal";
  readonly fromId: string | null;
  /** Start score; null for a memory that only traversal reached. */
  readonly score: number | null;
  /** Since when nothing of it holds, and what ended it; null while any of it holds. */
  readonly outdated: Outdated | null;
  readonly inContext: boolean;
}

interface Circumstances {
  readonly atMs: number;
  readonly timeZone: string;
  readonly graph: MemoryGraph;
  readonly passes: Passes;
}

/** What of it does not depend on how it was found. */
export function describeRecalled(
  node: MemoryNode,
  { atMs, timeZone, graph, passes }: Circumstances,
): Omit<RecalledMemory, "found" | "fromId" | "score" | "outdated" | "inContext"> {
  const { id, initMs, state, metadata, pairId } = node;
  const { summary, keywords } = saidOf(node);
  const pair = pairId === null ? undefined : graph.node(pairId);
  return {
    id,
    at: new Date(initMs).toISOString(),
    naturalizedTime: naturalizeTime(initMs, atMs, timeZone).phrase,
    summary,
    state,
    keywords,
    metadata,
    pairId: pair !== undefined && passes(pair) ? pairId : null,
  };
}

/** Without the statements of which nothing may be said. */
function saidOf(node: MemoryNode): Pick<RecalledMemory, "summary" | "keywords"> {
  const { summaryText, keywords, statements } = node;
  const spoken = statements.filter((_, position) => !isSilent(node, position));
  if (spoken.length === statements.length) return { summary: summaryText, keywords };
  const summary = spoken.map(({ text }) => text).join(" ");
  const terms = new Set(splitTerms(summary));
  return { summary, keywords: keywords.filter((word) => splitTerms(word).every((term) => terms.has(term))) };
}
