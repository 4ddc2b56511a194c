/**
 * Binned vectors by slot, interleaved in blocks of sixteen: for each component a block holds the bins of its sixteen
 * slots, so a kernel can process sixteen memories at once. Blocks never move, so growing a table copies nothing. Bins
 * are computed on first use, because a process that only recalls never needs them.
 */

/** Slots per block. */
export const blockSlotCount = 16;

export class BinTable {
  readonly dimensions: number;
  readonly #makeBins: (slot: number) => Uint8Array;
  readonly #blocks: (Uint8Array | undefined)[] = [];
  /** By block, a bit for each slot whose bins are still to be computed. */
  readonly #dueLanes: number[] = [];

  constructor(dimensions: number, makeBins: (slot: number) => Uint8Array) {
    this.dimensions = dimensions;
    this.#makeBins = makeBins;
  }

  /** Marks the bins of a slot as out of date, to be computed on next use. */
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

  /** The bins of sixteen slots from `16 * index`: component by component, one byte per slot. */
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
