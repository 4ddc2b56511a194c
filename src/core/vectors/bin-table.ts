/**
 * Binned vectors by slot, sixteen side by side: a block holds for each component the bins of its sixteen slots, so that
 * a kernel can go over sixteen memories at once. Blocks never move, so a table that grows copies nothing. Bins can be made
 * when they are first asked for: who only recalls never needs them.
 */

/** Slots of a block. */
export const blockSlotCount = 16;

export class BinTable {
  readonly dimensions: number;
  readonly #makeBins: (slot: number) => Uint8Array;
  readonly #blocks: (Uint8Array | undefined)[] = [];
  /** By block, a bit for each slot whose bins are still to be made. */
  readonly #dueLanes: number[] = [];

  constructor(dimensions: number, makeBins: (slot: number) => Uint8Array) {
    this.dimensions = dimensions;
    this.#makeBins = makeBins;
  }

  /** The bins of a slot are to be made, and made anew if there were some. */
  put(slot: number): void {
    this.#reserve(slot);
    this.#dueLanes[blockOf(slot)]! |= laneBit(slot);
  }

  clear(slot: number): void {
    this.#reserve(slot);
    this.#dueLanes[blockOf(slot)]! &= ~laneBit(slot);
    const block = this.#blocks[blockOf(slot)];
    if (block !== undefined) this.#write(block, slot, new Uint8Array(this.dimensions));
  }

  /** The bins of slots `16 * index` and on: component by component, a byte for each. */
  block(index: number): Uint8Array {
    const block = (this.#blocks[index] ??= new Uint8Array(blockSlotCount * this.dimensions));
    if (this.#dueLanes[index] === 0) return block;
    const first = index * blockSlotCount;
    for (let slot = first; slot < first + blockSlotCount; slot++) {
      if ((this.#dueLanes[index]! & laneBit(slot)) !== 0) this.#write(block, slot, this.#makeBins(slot));
    }
    this.#dueLanes[index] = 0;
    return block;
  }

  #write(block: Uint8Array, slot: number, bins: Uint8Array): void {
    for (let i = 0, at = slot % blockSlotCount; i < this.dimensions; i++, at += blockSlotCount) block[at] = bins[i]!;
  }

  #reserve(slot: number): void {
    while (this.#dueLanes.length <= blockOf(slot)) {
      this.#blocks.push(undefined);
      this.#dueLanes.push(0);
    }
  }
}

function laneBit(slot: number): number {
  return 1 << (slot % blockSlotCount);
}

export function blockOf(slot: number): number {
  return Math.floor(slot / blockSlotCount);
}
