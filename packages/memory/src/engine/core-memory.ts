/** The core memory (section 3.3) as other parts of the engine see it; `core` makes it. */
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import type { Place } from "../graph/statement.js";
import type { CoreSummary } from "./records/person-data.js";

export interface CoreFact extends Place {
  readonly position: number;
  /** As a line of the core memory says it. */
  readonly line: string;
  /** Title of the profile's area. */
  readonly area: string;
  readonly toldMs: number;
  readonly isPinned: boolean;
  /** Whether its memory is in the central subset. */
  readonly isCentral: boolean;
  /** Whether it ended something that was told before. */
  readonly isChange: boolean;
  /** That it lasts, in the reader's eyes. */
  readonly probability: number;
  /** Statements that say the same. */
  readonly toldCount: number;
  /** What its place is decided by. */
  readonly value: number;
}

export interface CoreMemory {
  /** The most vital first; empty where the text was written without facts. */
  readonly facts: readonly CoreFact[];
  /** Null where nothing is known. */
  readonly text: string | null;
  /** The text of the first so many facts, or of the beginning of the text. */
  first(count: number): string;
  /** How many facts or sentences there are. */
  readonly count: number;
}

/** What a core memory is made from. */
export interface CoreSource {
  readonly graph: MemoryGraph;
  readonly coreSummary: CoreSummary | null;
}

export interface CoreMemories {
  /** As it was at a time; without one, as it is. `passes`: memories that may be seen. */
  of(source: CoreSource, atMs?: number, passes?: (node: MemoryNode) => boolean): CoreMemory;
}
