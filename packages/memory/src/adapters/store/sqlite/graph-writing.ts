/** Writing what a batch changes in a person's graph. */
import type { GraphChange } from "../../../core/graph/memory-node.js";
import { linkChanges, missingMemory } from "../batch-steps.js";
import { memoryContent, packLinks, unpackLinks } from "../content.js";
import type { RowReader } from "./reading.js";
import type { MemoryHead, PersonRow } from "./rows.js";
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
      const { id } = embedded.node;
      const memory = this.#reader.memoryHead(person, id)?.key ?? this.#nextKey();
      const place = { key: memory, person: key, revision, ...packLinks(id, embedded.node) };
      this.#writer.putMemory({ ...place, content: memoryContent(embedded) }, embedded.tokenBytes);
    }
    for (const [id, parts] of linkChanges(change)) {
      const head = this.#memoryHead(person, id);
      this.#writer.updateMemory({ ...head, ...packLinks(id, { ...unpackLinks(head), ...parts }), revision });
    }
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
