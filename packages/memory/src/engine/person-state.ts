/**
 * One person in memory: the graph, its revision, and the lock under which it changes. Every change first brings the
 * graph up to date, computes on it, writes the batch, and applies the same change here. A batch that the store rejects
 * as stale is computed again on what others changed.
 */
import { indexedTermsSteps } from "../core/graph/indexed-terms.js";
import { MemoryGraph } from "../core/graph/memory-graph.js";
import { type EmbeddedNode, noChange } from "../core/graph/memory-node.js";
import { MnemosyneError, StoreError } from "../errors.js";
import {
  type Batch,
  type CoreSummary,
  type HistoryEntry,
  type Interaction,
  type PersonSnapshot,
  readPages,
} from "../ports/store.js";
import type { EngineContext } from "./engine-context.js";
import type { ForgettingReason, NamedEvent } from "./memory-events.js";
import { SerialLock, runInSlices } from "./serial-lock.js";

/** How often a batch is recomputed while other processes keep writing first. */
const staleTriesMax = 50;
/** After this many failures the other processes are made to notice: a queue whose work becomes stale pauses. */
const staleTriesInPeace = 2;
/** The others may be first even then. */
const disturbingTriesMax = 5;

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
        try {
          await this.#write({ ...batch, baseRevision: this.#revision });
          this.#tellOf(batch, forgottenBecause);
          for (const event of events) this.context.events.emit(event);
          return result;
        } catch (error) {
          const isStale = error instanceof MnemosyneError && error.code === "store_stale";
          if (!isStale || tries === staleTriesMax) throw error;
          if (tries >= staleTriesInPeace) await this.#disturb();
        }
      }
    });
  }

  /** An interaction and what became of it. */
  async findEntry(id: string): Promise<HistoryEntry | undefined> {
    return (await this.context.store.history(this.person, { ids: [id] }))[0];
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
        if (!(error instanceof MnemosyneError && error.code === "store_stale")) throw error;
      }
    }
  }

  async #catchUp(): Promise<void> {
    const { store } = this.context;
    const revision = await store.revision(this.person);
    if (revision === this.#revision) return;
    this.#changesByOthers++;
    await this.#take(await store.load(this.person, this.#revision));
  }

  /**
   * A whole graph is built in slices next to the old one and replaces it when complete. A difference is applied at
   * once.
   */
  async #take(snapshot: PersonSnapshot): Promise<void> {
    if (snapshot.isWhole) this.#graph = await this.#buildGraph(snapshot);
    else {
      const { change } = await readPages(snapshot);
      this.#checkDimensions(change.putNodes);
      this.#graph.apply(change, await runInSlices(indexedTermsSteps(change)));
    }
    this.#revision = snapshot.revision;
    this.#coreSummary = snapshot.coreSummary;
    this.#commitsSinceCoreSummary = snapshot.commitsSinceCoreSummary;
  }

  async #buildGraph({ pages }: PersonSnapshot): Promise<MemoryGraph> {
    const graph = this.#emptyGraph();
    for await (const { change, packed } of pages) {
      if (packed !== undefined) {
        this.#checkDimensions([packed.embeddedAt(0)]);
        await runInSlices(graph.putPackedSteps(packed));
      }
      this.#checkDimensions(change.putNodes);
      await runInSlices(graph.applySteps(change));
    }
    return graph;
  }

  async #write(batch: Batch): Promise<void> {
    // In slices, and before the store writes: from then on the graph must not lag behind.
    const terms = await runInSlices(indexedTermsSteps(batch.change));
    this.#revision = await this.context.store.apply(this.person, batch);
    for (const { expiresMs } of enteredIn(batch)) if (expiresMs !== null) this.context.expiries.expect(expiresMs);
    this.#graph.apply(batch.change, terms);
    if (batch.coreSummary !== undefined) this.#coreSummary = batch.coreSummary;
    if (batch.commitsSinceCoreSummary !== undefined) this.#commitsSinceCoreSummary = batch.commitsSinceCoreSummary;
  }

  /** What a batch says by itself, whoever computed it. */
  #tellOf(
    { forgetInteractions: ids, coreSummary }: Pick<Batch, "forgetInteractions" | "coreSummary">,
    reason: ForgettingReason,
  ): void {
    const { person, context } = this;
    if (ids.length > 0) context.events.emit({ name: "forgotten", event: { person, ids, reason } });
    if (coreSummary === undefined) return;
    context.events.emit({ name: "core", event: { person, text: coreSummary?.text ?? null } });
  }

  #checkDimensions(nodes: readonly EmbeddedNode[]): void {
    const wrong = nodes.find(({ summaryVector }) => summaryVector.length !== this.#graph.dimensions);
    if (wrong === undefined) return;
    throw new StoreError(
      "embedder_mismatch",
      `memory "${wrong.node.id}" has a vector of ${wrong.summaryVector.length} dimensions, but the embedder returns ${this.#graph.dimensions}; run \`mnemosyne reembed\``,
    );
  }

  #emptyGraph(): MemoryGraph {
    const { embedding, parameters } = this.context;
    return new MemoryGraph(embedding.identity.dimensions, parameters.redundancyBinCount);
  }
}

/** The interactions that a batch stores as they are from now on. */
function enteredIn({ acceptEntries = [], replaceInteractions = [] }: Batch): Interaction[] {
  return [...acceptEntries.map(({ interaction }) => interaction), ...replaceInteractions];
}
