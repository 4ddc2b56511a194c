/**
 * One person in memory: the graph, its revision, and the lock under which it changes. Every change first brings the
 * graph up to date, computes on it, writes the batch, and applies the same change here. A batch that the store rejects
 * as stale is computed again on what others changed.
 */
import { indexedTermsSteps } from "../graph/indexed-terms.js";
import { MemoryGraph } from "../graph/memory-graph.js";
import { noChange } from "../graph/memory-node.js";
import { MnemosyneError } from "../errors.js";
import {
  GraphLoading,
  type LoadedCore,
  type OpenedRecord,
  damagedPart,
  graphDifference,
} from "./records/graph-loading.js";
import type { Batch, CoreSummary, HistoryEntry, Interaction } from "./records/person-data.js";
import type { DamagedPart, RecordsSnapshot } from "./records/opened-store.js";
import type { EngineContext } from "./engine-context.js";
import type { ForgettingReason, NamedEvent } from "./memory-events.js";
import { SerialLock, runInSlices } from "./serial-lock.js";

/** How often a batch is recomputed while other processes keep writing first. */
const staleTriesMax = 50;
/** After this many failures the other processes are made to notice: a queue whose work becomes stale pauses. */
const staleTriesInPeace = 2;
/** The others may be first even then. */
const disturbingTriesMax = 5;

type CoreText = string | null | undefined;

interface ComputedChange<Result> {
  readonly batch: Omit<Batch, "baseRevision"> | null;
  readonly result: Result;
  readonly events?: readonly NamedEvent[];
  /** Why the batch forgets what it forgets; on request if omitted. */
  readonly forgottenBecause?: ForgettingReason;
}

export class PersonState {
  readonly person: string;
  readonly context: EngineContext;
  readonly #lock = new SerialLock();
  #graph: MemoryGraph;
  #revision = 0;
  #coreSummary: CoreSummary | null = null;
  #commitsSinceCoreSummary = 0;
  #changesByOthers = 0;

  constructor(person: string, context: EngineContext) {
    this.person = person;
    this.context = context;
    this.#graph = this.#emptyGraph();
  }

  get graph(): MemoryGraph {
    return this.#graph;
  }

  get revision(): number {
    return this.#revision;
  }

  get coreSummary(): CoreSummary | null {
    return this.#coreSummary;
  }

  get commitsSinceCoreSummary(): number {
    return this.#commitsSinceCoreSummary;
  }

  /** How often changes by other processes were taken over. */
  get changesByOthers(): number {
    return this.#changesByOthers;
  }

  /** Waits for changes in progress and takes over those of other processes. */
  refresh(): Promise<void> {
    return this.#lock.run(() => this.#catchUp());
  }

  /**
   * Computes a batch on the newest state and writes it; `compute` returns null as the batch when there is nothing to
   * do. Nothing else in this process changes the graph in between. `events` are told once it is written.
   */
  change<Result>(compute: () => Promise<ComputedChange<Result>>): Promise<Result> {
    return this.#lock.run(async () => {
      for (let tries = 1; ; tries++) {
        await this.#catchUp();
        const { batch, result, events = [], forgottenBecause = "requested" } = await compute();
        // The person is unknown, so they were forgotten in the meantime and there is nothing to change.
        const isOfNobody = this.#revision === 0 && (batch?.acceptEntries ?? []).length === 0;
        if (batch === null || isOfNobody) return result;
        const before = this.#coreText();
        try {
          await this.#write({ ...batch, baseRevision: this.#revision });
          this.#tellOf(batch, forgottenBecause, before);
          for (const event of events) this.context.events.emit(event);
          return result;
        } catch (error) {
          if (!isStale(error) || tries === staleTriesMax) throw error;
          if (tries >= staleTriesInPeace) await this.#disturb();
        }
      }
    });
  }

  /** An interaction and what became of it. */
  async findEntry(id: string): Promise<HistoryEntry | undefined> {
    return (await this.context.records.history(this.person, { ids: [id] }))[0];
  }

  /** Reads what all memories say, for whoever goes through all of them: one after the other would hold up other work. */
  readAll(): Promise<void> {
    return runInSlices(this.#graph.readSteps());
  }

  /** Removes the person from the store and from memory. */
  erase<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#lock.run(async () => {
      const result = await work();
      this.#reset();
      return result;
    });
  }

  /** Drops what is in memory, so that the next access loads it again. */
  #reset(): void {
    this.#graph = this.#emptyGraph();
    this.#revision = 0;
    this.#coreSummary = null;
    this.#commitsSinceCoreSummary = 0;
  }

  /** Changes only the revision, which is quick enough to get in between and makes what others are computing stale. */
  async #disturb(): Promise<void> {
    for (let tries = 1; tries <= disturbingTriesMax; tries++) {
      await this.#catchUp();
      if (this.#revision === 0) return;
      try {
        await this.#write({ baseRevision: this.#revision, change: noChange, outcomes: [], forgetInteractions: [] });
        return;
      } catch (error) {
        if (!isStale(error)) throw error;
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const snapshot = await this.context.records.readGraph(this.person, this.#revision);
        if (!snapshot.isWhole && snapshot.revision === this.#revision) return;
        if (snapshot.revision === 0 && this.#revision === 0) {
          // Of nobody, or of somebody whose head is damaged.
          for await (const { damage } of snapshot.pages) this.#refuse(damage);
          return;
        }
        this.#changesByOthers++;
        return await this.#take(snapshot);
      } catch (error) {
        // Something was forgotten while the pages were read.
        if (!isStale(error) || tries === staleTriesMax) throw error;
      }
    }
  }

  /**
   * A whole graph is built in slices next to the old one and replaces it when complete. A difference is applied at
   * once.
   */
  async #take(snapshot: RecordsSnapshot): Promise<void> {
    if (snapshot.isWhole) {
      const graph = this.#emptyGraph();
      const loading = new GraphLoading(this.person, graph);
      for await (const { records, damage } of snapshot.pages) {
        this.#refuse(damage);
        await loading.take(records);
      }
      await loading.end();
      this.#graph = graph;
      this.#takeCore({ coreSummary: null, commitsSinceCoreSummary: 0, ...loading.core });
    } else {
      const all: OpenedRecord[] = [];
      for await (const { records, damage } of snapshot.pages) {
        this.#refuse(damage);
        all.push(...records);
      }
      const { change, core } = graphDifference(all, this.person, this.#graph);
      this.#graph.apply(change, await runInSlices(indexedTermsSteps(change)));
      this.#takeCore(core);
    }
    this.#revision = snapshot.revision;
  }

  #takeCore({ coreSummary, commitsSinceCoreSummary }: LoadedCore): void {
    if (coreSummary !== undefined) this.#coreSummary = coreSummary;
    if (commitsSinceCoreSummary !== undefined) this.#commitsSinceCoreSummary = commitsSinceCoreSummary;
  }

  #refuse([first]: readonly DamagedPart[]): void {
    if (first !== undefined) throw damagedPart(this.person, first.id, first.part);
  }

  async #write(batch: Batch): Promise<void> {
    // In slices, and before the store writes: from then on the graph must not lag behind.
    const terms = await runInSlices(indexedTermsSteps(batch.change));
    this.#revision = await this.context.records.apply(this.person, batch, this.#graph, terms);
    for (const { expiresMs } of enteredIn(batch)) if (expiresMs !== null) this.context.expiries.expect(expiresMs);
    this.#graph.apply(batch.change, terms);
    this.#takeCore(batch);
  }

  /** What a batch says by itself, whatever computed it. */
  #tellOf(
    { forgetInteractions: ids }: Pick<Batch, "forgetInteractions">,
    reason: ForgettingReason,
    before: CoreText,
  ): void {
    const { person, context } = this;
    if (ids.length > 0) context.events.emit({ name: "forgotten", event: { person, ids, reason } });
    const text = this.#coreText();
    if (text !== undefined && text !== before) context.events.emit({ name: "core", event: { person, text } });
  }

  /** What the core memory says, if somebody listens for it. */
  #coreText(): CoreText {
    return this.context.events.hasListener("core", this.person) ? this.context.core.of(this).text : undefined;
  }

  #emptyGraph(): MemoryGraph {
    const { embedding, parameters } = this.context;
    return new MemoryGraph(embedding.identity.dimensions, parameters.redundancyBinCount);
  }
}

function isStale(error: unknown): boolean {
  return error instanceof MnemosyneError && error.code === "store_stale";
}

/** The interactions that a batch stores as they are from now on. */
function enteredIn({ acceptEntries = [], replaceInteractions = [] }: Batch): Interaction[] {
  return [...acceptEntries.map(({ interaction }) => interaction), ...replaceInteractions];
}
