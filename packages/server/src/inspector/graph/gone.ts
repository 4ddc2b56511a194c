/**
 * Memories that are no longer in the graph, but in the history: replaced by a repetition, or pruned. What was forgotten is
 * in neither. The history does not say when a memory went, so its end is the time of what took its place.
 */
import type { GraphView, HistoryItem, Memory } from "mnemosyne-edge";
import { textOf } from "../words.js";

export interface GoneMemory {
  readonly memory: Memory;
  /** From then on it is not shown. */
  readonly untilMs: number;
  /** Why it is gone, in the words of the history. */
  readonly reason: string;
  readonly outcome: HistoryItem["outcome"];
}

/**
 * `gone` are the replaced and the pruned. `outdatedBy` has, for a memory that was made outdated, what did it. Where
 * neither says what took its place, a memory was there until the newest came.
 */
export function findGone(
  { memories }: GraphView,
  gone: readonly HistoryItem[],
  outdatedBy: ReadonlyMap<string, string>,
): GoneMemory[] {
  const timeOf = new Map([...memories, ...gone].map(({ id, at }) => [id, Date.parse(at)]));
  let newestMs = 0;
  for (const time of timeOf.values()) newestMs = Math.max(newestMs, time);
  return gone.map((item) => {
    const by = item.trace?.outcome === "replaced" ? item.trace.by : outdatedBy.get(item.id);
    return {
      memory: asMemory(item),
      untilMs: timeOf.get(by ?? "") ?? newestMs,
      reason: item.reason,
      outcome: item.outcome,
    };
  });
}

/** Its edges, cues and pair went with it. */
function asMemory(item: HistoryItem): Memory {
  const { id, at, state, metadata, expiresAt, trace } = item;
  return {
    id,
    at,
    naturalizedTime: "",
    summary: textOf(item),
    state,
    keywords: [],
    statements: [],
    hypotheticalQuery: "",
    pairId: null,
    updates: trace?.outcome === "pruned" ? (trace.updates ?? []) : [],
    outdatedBy: [],
    pinnedArea: null,
    metadata,
    expiresAt,
    edgeCount: 0,
  };
}
