/**
 * The memories of a graph by id and by slot. A slot is a memory's place in all tables and is used again after it. What a
 * loaded memory says stays packed until somebody asks for it.
 */
import type { MemoryNode } from "./memory-node.js";
import type { Metadata } from "./metadata.js";
import type { NodeTexts } from "./packed-nodes.js";
import { isLasting } from "./statement.js";

const nodesPerSlice = 20;

interface UnreadPage {
  readonly texts: NodeTexts;
  readonly firstSlot: number;
}

export class NodeTable {
  /** In the order in which the memories came. */
  readonly #slots = new Map<string, number>();
  readonly #ids: (string | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  /** Undefined for a free slot and for a memory that was not read yet. */
  readonly #nodes: (MemoryNode | undefined)[] = [];
  /** By slot, where to read it. */
  readonly #unread: (UnreadPage | undefined)[] = [];

  get count(): number {
    return this.#slots.size;
  }

  get slotCount(): number {
    return this.#ids.length;
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  idAt(slot: number): string {
    return this.#ids[slot]!;
  }

  get(id: string): MemoryNode | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined ? undefined : this.at(slot);
  }

  at(slot: number): MemoryNode {
    return this.#nodes[slot] ?? this.#read(slot);
  }

  /** Whether anything of a memory lasts, without reading what it says. */
  lastsAt(slot: number): boolean {
    const page = this.#unread[slot];
    if (page !== undefined) return page.texts.lasts(slot - page.firstSlot);
    return this.#nodes[slot]?.statements.some(isLasting) ?? false;
  }

  /** Without reading what the memory says. */
  metadataAt(slot: number): Metadata {
    const page = this.#unread[slot];
    return page === undefined ? this.at(slot).metadata : page.texts.metadataAt(slot - page.firstSlot);
  }

  expiresMsAt(slot: number): number | null {
    const page = this.#unread[slot];
    return page === undefined ? this.at(slot).expiresMs : page.texts.expiresMsAt(slot - page.firstSlot);
  }

  *all(): Generator<MemoryNode> {
    for (const slot of this.#slots.values()) yield this.at(slot);
  }

  /** Reads what was not read yet, so that `all` takes no longer than it must. */
  *readSteps(): Generator<void, void> {
    for (let slot = 0; slot < this.#ids.length; slot++) {
      if (this.#unread[slot] !== undefined) this.#read(slot);
      if (slot % nodesPerSlice === nodesPerSlice - 1) yield;
    }
  }

  /** Puts a memory into the slot it has, or into a free one, and returns the slot. */
  put(node: MemoryNode): number {
    const slot = this.#slots.get(node.id) ?? this.#freeSlots.pop() ?? this.#ids.length;
    this.#slots.set(node.id, slot);
    this.#ids[slot] = node.id;
    this.#settle(slot, node);
    return slot;
  }

  /** Adds memories that are not there yet, in slots next to each other, and returns the first. */
  putPage(ids: readonly string[], texts: NodeTexts): number {
    const firstSlot = this.#ids.length;
    const page = { texts, firstSlot };
    for (const id of ids) {
      this.#slots.set(id, this.#ids.length);
      this.#ids.push(id);
      this.#nodes.push(undefined);
      this.#unread.push(page);
    }
    return firstSlot;
  }

  /** Removes a memory and returns the slot it had. */
  remove(id: string): number {
    const slot = this.#slots.get(id)!;
    this.#slots.delete(id);
    this.#ids[slot] = undefined;
    this.#settle(slot, undefined);
    this.#freeSlots.push(slot);
    return slot;
  }

  #read(slot: number): MemoryNode {
    const page = this.#unread[slot]!;
    const node = page.texts.nodeAt(slot - page.firstSlot);
    this.#settle(slot, node);
    return node;
  }

  #settle(slot: number, node: MemoryNode | undefined): void {
    this.#nodes[slot] = node;
    this.#unread[slot] = undefined;
  }
}
