/**
 * Links the other way round: `MemoryNode.ends` names the older statements that a memory's statements ended, and this index
 * finds the newer ones. It mirrors the links of the memories that were put, whether or not the older ones are there, so
 * that the order in which memories arrive makes no difference.
 */
import type { MemoryNode } from "./memory-node.js";
import type { EndLink } from "./statement.js";

/** A link as the memory sees it in which something ended. */
export interface LinkTo extends Pick<EndLink, "position" | "by" | "isDoubtful"> {
  /** The newer memory. */
  readonly from: string;
}

type Linked = Pick<MemoryNode, "id" | "ends">;

export class LinkIndex {
  /** By the older memory, then by the newer one. */
  readonly #links = new Map<string, Map<string, LinkTo[]>>();

  put({ id, ends }: Linked): void {
    for (const { memory, ...link } of ends) {
      const links = this.#links.get(memory) ?? new Map<string, LinkTo[]>();
      this.#links.set(memory, links.set(id, [...(links.get(id) ?? []), { from: id, ...link }]));
    }
  }

  remove({ id, ends }: Linked): void {
    for (const { memory } of ends) {
      const links = this.#links.get(memory);
      links?.delete(id);
      if (links?.size === 0) this.#links.delete(memory);
    }
  }

  to(id: string): LinkTo[] {
    return [...(this.#links.get(id)?.values() ?? [])].flat();
  }
}
