/** What the engine keeps in a store, for tests that look past the door. */
import type { Batch, RecordChange, RecordPut, Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { MemoryGraph } from "../../../src/graph/memory-graph.js";
import { noChange } from "../../../src/graph/memory-node.js";
import { GraphLoading } from "../../../src/engine/records/graph-loading.js";
import { goneLayout, kinds } from "../../../src/engine/records/kinds.js";
import { aligned, dimensionsOf, numbersIn } from "../../../src/engine/records/memory-content.js";
import type { EngineRecord } from "../../../src/engine/records/opened-store.js";
import { Records } from "../../../src/engine/records/records.js";
import { type PersonMoment, readMoment } from "../../../src/upkeep/transfer/person-moment.js";
import { Codec } from "../../../src/stores/codec.js";

/** Of a graph that is only looked at. */
const binCount = 3;

export function recordsOf(store: Store, codec = new Codec()): Promise<Records> {
  return Records.open(store, codec);
}

export async function momentOf(store: Store, person = "ada"): Promise<PersonMoment> {
  return readMoment(person, await recordsOf(store));
}

/** Writes a batch, or an empty one, on what is there. */
export async function applyBatch(
  store: Store,
  parts: Partial<Batch> = {},
  person = "ada",
  codec?: Codec,
): Promise<number> {
  const records = await recordsOf(store, codec);
  const snapshot = await records.readGraph(person, 0);
  const found: EngineRecord[] = [];
  for await (const page of snapshot.pages) found.push(...page.records);
  const first = found.find(({ kind, layout }) => kind === kinds.memory && layout !== goneLayout);
  const known = first && dimensionsOf(numbersIn(aligned(first.bytes)), 0);
  const graph = new MemoryGraph(known ?? parts.change?.putNodes[0]?.summaryVector.length ?? 1, binCount);
  const loading = new GraphLoading(person, graph);
  await loading.take(found);
  await loading.end();
  const baseRevision = snapshot.revision;
  const batch = { baseRevision, change: noChange, outcomes: [], forgetInteractions: [], ...parts };
  return records.apply(person, batch, graph, new Map());
}

/** The text of a record that is plain JSON, such as the core summary. */
export function textOf(person: string, { kind, id, bytes }: RecordPut): string {
  return Buffer.from(new Codec().decode(person, { kind, id }, bytes)!.bytes).toString();
}

/** The interactions of a change that are done: no longer on the queue. */
export function doneIn({ put = [] }: RecordChange): string[] {
  return put.flatMap(({ kind, id, due }) => (kind === kinds.interaction && due?.queue === undefined ? [id] : []));
}

/** A store in memory that says when it is written to. */
export class WatchedStore extends MemoryStore {
  override async write(person: string, base: number, change: RecordChange): Promise<number>;
  override async write(person: string, base: number | null, change: RecordChange): Promise<number | null>;
  override async write(person: string, base: number | null, change: RecordChange): Promise<number | null> {
    await this.beforeWrite(person, change, base);
    const revision = await super.write(person, base, change);
    await this.afterWrite(person, change);
    return revision;
  }

  /** What it throws is thrown instead. */
  async beforeWrite(_person: string, _change: RecordChange, _base: number | null): Promise<void> {}

  async afterWrite(_person: string, _change: RecordChange): Promise<void> {}
}
