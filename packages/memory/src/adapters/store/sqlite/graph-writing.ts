/** Writing what a batch changes in a person's graph. */
import type { GraphChange, MemoryNode } from "../../../core/graph/memory-node.js";
import { packMetadata } from "../../../core/graph/metadata.js";
import { StoreError } from "../../../errors.js";
import { memoryContent } from "./content.js";
import type { RowReader } from "./reading.js";
import { type MemoryHead, type PersonRow, packUpdates } from "./rows.js";
import type { RowWriter } from "./writing.js";

export class GraphWriter {
  readonly #reader: RowReader;
  readonly #writer: RowWriter;

  constructor(reader: RowReader, writer: RowWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  apply(person: PersonRow, revision: number, change: GraphChange): void {
    const { key } = person;
    for (const [a, b] of change.removeEdges) {
      this.#reader.connection.run(`DELETE FROM edge WHERE a = ${memoryKey} AND b = ${memoryKey}`, [key, a, key, b]);
      this.#writer.putRemoval(key, revision, a, b);
    }
    for (const id of change.removeNodes) {
      this.#reader.connection.run("DELETE FROM memory WHERE person = ? AND id = ?", [key, id]);
      this.#writer.putRemoval(key, revision, id, null);
    }
    for (const embedded of change.putNodes) {
      const { id, pairId, pinnedArea } = embedded.node;
      const memory = this.#reader.memoryHead(person, id)?.key ?? this.#nextKey();
      const notes = { updates: packUpdates(embedded.node.updates), pinnedArea, ...packNotes(embedded.node) };
      const place = { key: memory, person: key, id, revision, pairId, ...notes };
      this.#writer.putMemory({ ...place, content: memoryContent(embedded) }, embedded.tokenBytes);
    }
    const set = (id: string, parts: Partial<MemoryHead>): void =>
      this.#writer.updateMemory({ ...this.#memoryHead(person, id), ...parts, revision });
    for (const { id, pairId } of change.setPairs) set(id, { pairId });
    for (const { id, updates } of change.setUpdates) set(id, { updates: packUpdates(updates) });
    for (const { id, area } of change.setPinned) set(id, { pinnedArea: area });
    for (const next of change.setMetadata) set(next.id, packNotes(next));
    const keys = new Map<string, number>();
    const keyOf = (id: string): number => {
      if (!keys.has(id)) keys.set(id, this.#memoryHead(person, id).key);
      return keys.get(id)!;
    };
    for (const { a, b, weight, boostMs, boostedMs } of change.putEdges) {
      this.#writer.putEdge({ a: keyOf(a), b: keyOf(b), person: key, revision, weight, boostMs, boostedMs });
    }
  }

  #memoryHead(person: PersonRow, id: string): MemoryHead {
    const head = this.#reader.memoryHead(person, id);
    if (head === undefined) throw missingMemory(id);
    return head;
  }

  /** Chosen here, because the mark of a row includes its key. */
  #nextKey(): number {
    return (this.#reader.connection.number("SELECT max(key) FROM memory") ?? 0) + 1;
  }
}

const memoryKey = "(SELECT key FROM memory WHERE person = ? AND id = ?)";

/** Metadata and expiry as a row has them. */
function packNotes({
  metadata,
  expiresMs,
}: Pick<MemoryNode, "metadata" | "expiresMs">): Pick<MemoryHead, "metadata" | "expiresMs"> {
  return { metadata: packMetadata(metadata), expiresMs };
}

function missingMemory(id: string): StoreError {
  return new StoreError("store_corrupt", `apply names memory "${id}", which does not exist; nothing was changed`);
}
