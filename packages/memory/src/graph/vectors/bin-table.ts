/** Binned vectors by slot, computed on first use: a process that only recalls never needs them. */
export class BinTable {
  readonly #makeBins: (slot: number) => Uint8Array;
  readonly #bins: (Uint8Array | undefined)[] = [];

  constructor(makeBins: (slot: number) => Uint8Array) {
    this.#makeBins = makeBins;
  }

  /** Called when the vector of a slot was changed or removed. */
  forget(slot: number): void {
    this.#bins[slot] = undefined;
  }

  at(slot: number): Uint8Array {
    return (this.#bins[slot] ??= this.#makeBins(slot));
  }
}
