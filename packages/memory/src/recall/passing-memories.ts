/**
 * What a recall may see: memories that the caller's selection lets pass, that have not expired and of which not everything
 * is held back. To the recall the others do not exist: it neither scans nor enters them, nothing was ended by them, and of
 * the core memory it knows what comes from those that pass. It is as though the others had been forgotten; only how rare a
 * word is counts all memories.
 */
import { isAllSilent } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import type { Clock } from "../ports/clock.js";
import type { ParsedSelection } from "../engine/memory-selection.js";

/** Whether a memory passes, as it is now: between two steps of a recall it may have changed. */
export type Passes = (node: MemoryNode) => boolean;

export interface PassingSlots {
  /** By slot, 1 where its memory passes; null where all do. */
  readonly isPassing: Uint8Array | null;
  /** Memories up to the time of the question that pass, and all of them. */
  readonly passedCount: number;
  readonly memoryCount: number;
}

export class PassingMemories {
  readonly #selection: ParsedSelection | null;
  readonly #clock: Clock;
  readonly #atMs: number;
  /** Read once, and only if something expires. */
  #nowMs: number | undefined;

  /** `atMs`: the time of the question. */
  constructor(selection: ParsedSelection | null, clock: Clock, atMs: number) {
    this.#selection = selection;
    this.#clock = clock;
    this.#atMs = atMs;
  }

  readonly passes: Passes = (node) =>
    this.#lives(node.expiresMs) && !isAllSilent(node) && (this.#selection?.passes(node.metadata, node.initMs) ?? true);

  /** The same for a slot, without reading what its memory says. */
  passesAt(slot: number, graph: MemoryGraph): boolean {
    if (!this.#lives(graph.expiresMsAt(slot))) return false;
    if (graph.isMarkedAt(slot) && isAllSilent(graph.nodeAt(slot))) return false;
    if (this.#selection === null) return true;
    return this.#selection.passes(graph.metadataAt(slot), graph.initMs[slot]!);
  }

  /** For scans of a graph as it is now. */
  slotsOf(graph: MemoryGraph): PassingSlots {
    const { slotCount, initMs: times } = graph;
    const isPassing = new Uint8Array(slotCount);
    let passedCount = 0;
    let memoryCount = 0;
    for (let slot = 0; slot < slotCount; slot++) {
      if (!(times[slot]! <= this.#atMs)) continue;
      memoryCount++;
      if (!this.passesAt(slot, graph)) continue;
      isPassing[slot] = 1;
      passedCount++;
    }
    return { isPassing: passedCount === memoryCount ? null : isPassing, passedCount, memoryCount };
  }

  #lives(expiresMs: number | null): boolean {
    return expiresMs === null || expiresMs > (this.#nowMs ??= this.#clock.nowMs());
  }
}
