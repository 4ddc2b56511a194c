/**
 * Update links the other way round: `MemoryNode.updates` names the older memories that a memory made outdated, and this
 * index finds the newer ones. It mirrors the links of the memories that were put, whether or not the older ones are
 * there, so that the order in which memories arrive makes no difference.
 */
import type { MemoryNode } from "./memory-node.js";

export class UpdateIndex {
  readonly #newerIds = new Map<string, Set<string>>();

  put({ id, updates }: Pick<MemoryNode, "id" | "updates">): void {
    for (const older of updates) {
      const newer = this.#newerIds.get(older);
      if (newer === undefined) this.#newerIds.set(older, new Set([id]));
      else newer.add(id);
    }
  }

  remove({ id, updates }: MemoryNode): void {
    for (const older of updates) {
      const newer = this.#newerIds.get(older);
      newer?.delete(id);
      if (newer?.size === 0) this.#newerIds.delete(older);
    }
  }

  /** Ids of the memories that made this one outdated, in no particular order. */
  newerThan(id: string): Iterable<string> {
    return this.#newerIds.get(id) ?? [];
  }
}
