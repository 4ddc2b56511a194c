/** What the tests of the Redis store submit. */
import type { Batch, EmbeddedNode, Interaction } from "mnemosyne-edge";
import { noChange } from "../../src/core/graph/memory-node.js";

export { noChange };

export function interaction(id: string, summary = `summary of ${id}`): Interaction {
  return {
    id,
    initMs: 1_000,
    acceptedMs: 2_000,
    turns: [],
    summary,
    state: null,
    restored: false,
    kept: false,
    updates: [],
    metadata: {},
    expiresMs: null,
    versions: [],
  };
}

export function memory(id: string, seed = 1): EmbeddedNode {
  const vector = Int8Array.from({ length: 64 }, (_, i) => ((seed * 31 + i * 17) % 255) - 127);
  return {
    node: {
      id,
      initMs: 1_000,
      pairId: null,
      summaryText: `memory about ${id}`,
      state: "at home",
      keywords: ["violin"],
      hypotheticalQuery: `what about ${id}?`,
      questions: [],
      statements: [`statement of ${id}`],
      updates: [],
      facts: [{ text: "violin", area: "violin", probability: 0.75 }],
      pinnedArea: null,
      metadata: {},
      expiresMs: null,
    },
    fullText: `the whole text of ${id}`,
    summaryVector: vector,
    hypotheticalVector: vector,
    statementVectors: [vector],
    questionVectors: [],
    tokenBytes: null,
  };
}

export function batch(baseRevision: number, parts: Partial<Batch>): Batch {
  return { baseRevision, change: noChange, outcomes: [], forgetInteractions: [], ...parts };
}

/** A ring of memories, each joined to the next ones. */
export function ring(count: number, edgesEach: number): Partial<Batch> {
  const ids = Array.from({ length: count }, (_, i) => `m${String(i).padStart(5, "0")}`);
  const putEdges = ids.flatMap((id, i) =>
    Array.from({ length: edgesEach }, (_, n) => {
      const [a, b] = [id, ids[(i + n + 1) % count]!].sort() as [string, string];
      return { a, b, weight: 0.5 + n / 100, boostMs: 0, boostedMs: null };
    }),
  );
  return {
    acceptEntries: ids.map((id) => ({ interaction: interaction(id), outcome: "committed", trace: null })),
    change: { ...noChange, putNodes: ids.map((id, i) => memory(id, i)), putEdges },
  };
}
