/**
 * A bounded number of bytes, shared out among owners: beyond it, whoever has most loses the oldest. An owner who takes no
 * more than its share, the bound divided by the number of owners, loses nothing to others.
 */
export interface KeptLine {
  readonly name: string;
  readonly owner: string;
  readonly atMs: number;
  readonly byteCount: number;
}

interface Share<Line> {
  byteCount: number;
  /** Oldest first. */
  readonly lines: Map<string, Line>;
}

export class FairEntries<Line extends KeptLine> {
  readonly #byteCountMax: number;
  /** Oldest first. */
  readonly #lines = new Map<string, Line>();
  readonly #shares = new Map<string, Share<Line>>();
  #byteCount = 0;

  constructor(byteCountMax: number) {
    this.#byteCountMax = byteCountMax;
  }

  get(name: string): Line | undefined {
    return this.#lines.get(name);
  }

  add(line: Line): void {
    const { name, owner, byteCount } = line;
    this.delete(name);
    const share = this.#shares.get(owner) ?? { byteCount: 0, lines: new Map<string, Line>() };
    this.#shares.set(owner, share);
    share.lines.set(name, line);
    share.byteCount += byteCount;
    this.#lines.set(name, line);
    this.#byteCount += byteCount;
    while (this.#byteCount > this.#byteCountMax) this.delete(this.#oldestOfGreediest());
  }

  delete(name: string): void {
    const line = this.#lines.get(name);
    if (line === undefined) return;
    const share = this.#shares.get(line.owner)!;
    this.#lines.delete(name);
    share.lines.delete(name);
    share.byteCount -= line.byteCount;
    this.#byteCount -= line.byteCount;
    if (share.lines.size === 0) this.#shares.delete(line.owner);
  }

  /** Those of that time and before. */
  deleteUntil(atMs: number): void {
    for (const line of this.#lines.values()) {
      if (line.atMs > atMs) return;
      this.delete(line.name);
    }
  }

  #oldestOfGreediest(): string {
    let greediest: Share<Line> | null = null;
    for (const share of this.#shares.values()) {
      if (greediest === null || share.byteCount > greediest.byteCount) greediest = share;
    }
    const [name] = greediest!.lines.keys();
    return name!;
  }
}
