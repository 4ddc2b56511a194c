/**
 * Binned vectors by slot, sixteen side by side: a block holds for each component the bins of its sixteen slots, so that
 * a kernel can go over sixteen memories at once. Blocks never move, so a table that grows copies nothing.
 */

/** Slots of a block. */
export const blockSlotCount = 16;

export class BinTable {
  readonly dimensions: number;
  readonly #blocks: Uint8Array[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  set(slot: number, bins: Uint8Array): void {
    while (this.#blocks.length <= blockOf(slot)) this.#blocks.push(new Uint8Array(blockSlotCount * this.dimensions));
    const block = this.block(blockOf(slot));
    for (let i = 0, at = slot % blockSlotCount; i < this.dimensions; i++, at += blockSlotCount) block[at] = bins[i]!;
  }

  clear(slot: number): void {
    this.set(slot, new Uint8Array(this.dimensions));
  }

  /** The bins of slots `16 * index` and on: component by component, a byte for each. */
  block(index: number): Uint8Array {
    return this.#blocks[index]!;
  }
}

export function blockOf(slot: number): number {
  return Math.floor(slot / blockSlotCount);
}
