/**
 * A store in memory: for tests, trials and memories that may end with the process. Everything that goes in or out is
 * copied, so that stored data changes only through a batch.
 */
import { type Edge, type EmbeddedNode, noChange } from "../../../core/graph/memory-node.js";
import { InputError, StaleRevisionError, StoreError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import {
  type AcceptedEntry,
  type Batch,
  type CoreSummary,
  type ErasedCounts,
  type ExpiredInteraction,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type Outcome,
  type OutcomeCounts,
  type PersonSelection,
  type PersonSnapshot,
  type SnapshotPage,
  type Store,
  type StoreDescription,
  type StoredTrace,
  continuesTurns,
} from "../../../ports/store.js";
import { knownInteraction, linkChanges, missingMemory, namedMemories, rewrittenEntries } from "../batch-steps.js";
import { badCursor, isAfter, readCursor, toCursor } from "../cursor.js";

const memoriesPerPage = 100;
const edgesPerPage = 500;

interface PersonRows {
  revision: number;
  readonly history: Map<string, HistoryEntry>;
  readonly nodes: Map<string, EmbeddedNode>;
  readonly edges: Map<string, Edge>;
  coreSummary: CoreSummary | null;
  commitsSinceCoreSummary: number;
}

export class MemoryStore implements Store {
  readonly kind = "memory";
  readonly #persons = new Map<string, PersonRows>();
  readonly #cache = new Map<string, Uint8Array>();
  #embedder: EmbedderIdentity | null = null;
  /**
   * New persons start above every revision of a forgotten one, so that a person who comes back is never confused with
   * the old one.
   */
  #revisionFloor = 0;
  /** Of the interaction that was accepted last. */
  #lastSequence = 0;
  #isClosed = false;

  async describe(): Promise<StoreDescription> {
    return { kind: this.kind, location: ":memory:", schemaVersion: 1, encrypted: false, byteCount: 0 };
  }

  async embedder(): Promise<EmbedderIdentity | null> {
    return this.#embedder;
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    this.#checkOpen();
    this.#embedder = structuredClone(identity);
  }

  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    this.#checkOpen();
    this.#embedder ??= structuredClone(identity);
    return this.#embedder;
  }

  async cached(key: string): Promise<Uint8Array | null> {
    return this.#cache.get(key)?.slice() ?? null;
  }

  async cache(key: string, bytes: Uint8Array): Promise<void> {
    this.#checkOpen();
    this.#cache.set(key, bytes.slice());
  }

  async persons({ after, limit = Infinity }: PersonSelection = {}): Promise<string[]> {
    const names = [...this.#persons.keys()].filter((name) => after === undefined || name > after);
    return names.sort().slice(0, limit);
  }

  async personsWithQueue(): Promise<string[]> {
    return [...this.#persons]
      .filter(([, rows]) => [...rows.history.values()].some(({ outcome }) => outcome === "queued"))
      .map(([person]) => person)
      .sort();
  }

  async accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { mustContinue?: boolean } = {},
  ): Promise<boolean> {
    this.#checkOpen();
    const known = this.#persons.get(person)?.history.get(interaction.id);
    if (known === undefined ? mustContinue : !isContinuation(known, interaction)) return false;
    const cursor = known?.cursor ?? this.#nextCursor();
    this.#rowsOf(person).history.set(interaction.id, structuredClone({ interaction, outcome, trace: null, cursor }));
    return true;
  }

  async queued(person: string, countMax: number): Promise<Interaction[]> {
    const entries = await this.history(person, { outcomes: ["queued"] });
    return entries.slice(0, countMax).map(({ interaction }) => interaction);
  }

  async queuedCount(person: string): Promise<number> {
    return (await this.outcomeCounts(person)).queued ?? 0;
  }

  async history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    this.#checkOpen();
    const { ids, outcomes, after, limit = Infinity, newestFirst = false } = selection;
    const sequence = readCursor(after);
    if (Number.isNaN(sequence)) throw new InputError("option_invalid", badCursor);
    const entries = [...(this.#persons.get(person)?.history.values() ?? [])].filter(
      ({ interaction, outcome, cursor }) =>
        (ids === undefined || ids.includes(interaction.id)) &&
        (outcomes === undefined || outcomes.includes(outcome)) &&
        isAfter(Number(cursor), sequence, newestFirst),
    );
    return structuredClone((newestFirst ? entries.reverse() : entries).slice(0, limit));
  }

  async expired(nowMs: number, limit: number): Promise<ExpiredInteraction[]> {
    return this.#expiries()
      .filter(({ expiresMs }) => expiresMs <= nowMs)
      .slice(0, limit)
      .map(({ person, id }) => ({ person, id }));
  }

  async nextExpiryMs(): Promise<number | null> {
    return this.#expiries()[0]?.expiresMs ?? null;
  }

  async outcomeCounts(person: string): Promise<OutcomeCounts> {
    this.#checkOpen();
    const counts: Partial<Record<Outcome, number>> = {};
    for (const { outcome } of this.#persons.get(person)?.history.values() ?? []) {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  async traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    this.#checkOpen();
    return [...(this.#persons.get(person)?.history.values() ?? [])]
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ interaction, trace }) => ({ id: interaction.id, trace }));
  }

  async revision(person: string): Promise<number> {
    this.#checkOpen();
    return this.#persons.get(person)?.revision ?? 0;
  }

  async load(person: string, sinceRevision = 0): Promise<PersonSnapshot> {
    this.#checkOpen();
    const rows = this.#persons.get(person);
    const isUnchanged = rows !== undefined && sinceRevision === rows.revision;
    const { revision = 0, coreSummary = null, commitsSinceCoreSummary = 0 } = rows ?? {};
    const pages = isUnchanged || rows === undefined ? noPages() : pagesOf(rows);
    return {
      revision,
      isWhole: !isUnchanged,
      coreSummary: structuredClone(coreSummary),
      commitsSinceCoreSummary,
      pages,
    };
  }

  async apply(person: string, batch: Batch): Promise<number> {
    this.#checkOpen();
    const known = this.#persons.get(person);
    if ((known?.revision ?? 0) !== batch.baseRevision) {
      throw new StaleRevisionError(person, batch.baseRevision, known?.revision ?? 0);
    }
    checkReferences(known, batch);
    const rows = this.#rowsOf(person);
    applyBatch(rows, structuredClone(batch), () => this.#nextCursor());
    rows.revision++;
    if (rows.history.size === 0) this.#remove(person);
    return rows.revision;
  }

  async tokens(person: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    this.#checkOpen();
    const nodes = this.#persons.get(person)?.nodes;
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const bytes = nodes?.get(id)?.tokenBytes ?? null;
      if (bytes !== null) found.set(id, bytes.slice());
    }
    return found;
  }

  async forgetPerson(person: string): Promise<ErasedCounts> {
    this.#checkOpen();
    const rows = this.#persons.get(person);
    this.#remove(person);
    return {
      interactions: rows?.history.size ?? 0,
      memories: rows?.nodes.size ?? 0,
      edges: rows?.edges.size ?? 0,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** What expires, the next first. */
  #expiries(): (ExpiredInteraction & { readonly expiresMs: number })[] {
    this.#checkOpen();
    return [...this.#persons]
      .flatMap(([person, { history }]) =>
        [...history.values()].flatMap(({ interaction: { id, expiresMs } }) =>
          expiresMs === null ? [] : [{ person, id, expiresMs }],
        ),
      )
      .sort((x, y) => x.expiresMs - y.expiresMs);
  }

  #nextCursor(): string {
    return toCursor(++this.#lastSequence);
  }

  #remove(person: string): void {
    this.#revisionFloor = Math.max(this.#revisionFloor, this.#persons.get(person)?.revision ?? 0);
    this.#persons.delete(person);
  }

  #rowsOf(person: string): PersonRows {
    let rows = this.#persons.get(person);
    if (rows === undefined) {
      rows = {
        revision: this.#revisionFloor + 1,
        history: new Map(),
        nodes: new Map(),
        edges: new Map(),
        coreSummary: null,
        commitsSinceCoreSummary: 0,
      };
      this.#persons.set(person, rows);
    }
    return rows;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreError("store_closed", "the memory store was closed; open it again");
  }
}

async function* noPages(): AsyncGenerator<SnapshotPage> {}

/** Rows are replaced, never changed, so a list of them is a snapshot; copies are made page by page. */
function pagesOf(rows: PersonRows): AsyncGenerator<SnapshotPage> {
  const memories = [...rows.nodes.values()].map((embedded) => ({ ...embedded, tokenBytes: null }));
  return copyPages(memories, [...rows.edges.values()]);
}

async function* copyPages(memories: readonly EmbeddedNode[], edges: readonly Edge[]): AsyncGenerator<SnapshotPage> {
  for (let from = 0; from < memories.length; from += memoriesPerPage) {
    const putNodes = memories.slice(from, from + memoriesPerPage);
    yield structuredClone({ change: { ...noChange, putNodes } });
  }
  for (let from = 0; from < edges.length; from += edgesPerPage) {
    const putEdges = edges.slice(from, from + edgesPerPage);
    yield structuredClone({ change: { ...noChange, putEdges } });
  }
}

function isContinuation({ interaction, outcome }: AcceptedEntry, next: Interaction): boolean {
  return outcome === "open" && continuesTurns(interaction.turns, next.turns);
}

/** A database's foreign keys reject an edge or a pair to a memory that does not exist; so does this store. */
function checkReferences(rows: PersonRows | undefined, { change, acceptEntries = [] }: Batch): void {
  const taken = acceptEntries.find(({ interaction }) => rows?.history.has(interaction.id));
  if (taken !== undefined) throw knownInteraction(taken.interaction.id);
  const present = new Set(rows?.nodes.keys());
  for (const id of change.removeNodes) present.delete(id);
  for (const { node } of change.putNodes) present.add(node.id);
  const missing = namedMemories(change).find((id) => !present.has(id));
  if (missing !== undefined) throw missingMemory(missing);
}

function applyBatch(rows: PersonRows, batch: Batch, nextCursor: () => string): void {
  const { change } = batch;
  for (const entry of batch.acceptEntries ?? []) {
    rows.history.set(entry.interaction.id, { ...entry, cursor: nextCursor() });
  }
  for (const [id, entry] of rewrittenEntries(batch, (known) => rows.history.get(known))) {
    rows.history.set(id, { ...entry, cursor: rows.history.get(id)!.cursor });
  }
  for (const [a, b] of change.removeEdges) rows.edges.delete(edgeKey(a, b));
  for (const id of [...change.removeNodes, ...batch.forgetInteractions]) removeNode(rows, id);
  for (const embedded of change.putNodes) rows.nodes.set(embedded.node.id, embedded);
  for (const [id, parts] of linkChanges(change)) {
    const embedded = rows.nodes.get(id)!;
    rows.nodes.set(id, { ...embedded, node: { ...embedded.node, ...parts } });
  }
  for (const edge of change.putEdges) rows.edges.set(edgeKey(edge.a, edge.b), edge);
  for (const id of batch.forgetInteractions) rows.history.delete(id);
  if (batch.coreSummary !== undefined) rows.coreSummary = batch.coreSummary;
  if (batch.commitsSinceCoreSummary !== undefined) rows.commitsSinceCoreSummary = batch.commitsSinceCoreSummary;
}

function removeNode(rows: PersonRows, id: string): void {
  rows.nodes.delete(id);
  for (const [key, { a, b }] of rows.edges) if (a === id || b === id) rows.edges.delete(key);
}

function edgeKey(a: string, b: string): string {
  return JSON.stringify([a, b]);
}
