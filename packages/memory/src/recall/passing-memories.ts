/**
 * What a recall may see: memories that the caller's selection lets pass and that have not expired. To the recall the
 * others do not exist: it neither scans nor enters them, no chain of updates leads to them, and of the core summary it
 * knows what comes from those that pass. It is as though the others had been forgotten; only how rare a word is counts all
 * memories.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import type { Clock } from "../ports/clock.js";
import type { CoreSummary } from "../engine/records/person-data.js";
import { rankFacts } from "../core/carried-facts.js";
import { isSaid, readCoreFacts } from "../core/core-fact.js";
import { areasOf, writeFacts } from "../core/fact-lines.js";
import type { ParsedSelection } from "../engine/memory-selection.js";
import type { PersonState } from "../engine/person-state.js";

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
    this.#lives(node.expiresMs) && (this.#selection?.passes(node.metadata, node.initMs) ?? true);

  /** The same for a slot, without reading what its memory says. */
  passesAt(slot: number, graph: MemoryGraph): boolean {
    if (!this.#lives(graph.expiresMsAt(slot))) return false;
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

  /**
   * The core summary as far as it comes from memories that pass: all of it, its facts, or null. Where it was written
   * without facts, nobody knows which of its words come from where.
   */
  coreSummaryOf({ coreSummary, graph, context }: PersonState): CoreSummary | null {
    if (coreSummary === null || coreSummary.sourceIds.every((id) => this.#isSource(id, graph))) return coreSummary;
    const facts = readCoreFacts(coreSummary).filter(({ sourceId }) => this.#isSource(sourceId, graph));
    const areas = areasOf(context.profile);
    const said = rankFacts(
      facts.filter((fact) => isSaid(fact, this.#atMs)),
      areas,
    );
    if (said.length === 0) return null;
    return {
      ...coreSummary,
      text: writeFacts(said, { areas, timeZone: context.timeZone }),
      sourceIds: [...new Set(said.map(({ sourceId }) => sourceId))],
      facts: JSON.stringify(facts),
    };
  }

  /** What is a memory no longer has no metadata here, so a selection lets nothing of it pass. */
  #isSource(id: string, graph: MemoryGraph): boolean {
    const node = graph.node(id);
    return node === undefined ? this.#selection === null : this.passes(node);
  }

  #lives(expiresMs: number | null): boolean {
    return expiresMs === null || expiresMs > (this.#nowMs ??= this.#clock.nowMs());
  }
}
