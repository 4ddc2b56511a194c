/** Counts per fault kind and store, and the table in the end. */

/** Any of these above 0 makes the run a failure. */
export const faults = {
  lost: "acknowledged, and not there",
  doubled: "there more than once",
  kept: "forgotten, and still there",
  silent: "different, and no error says so",
  raw: "an error that is not a MnemosyneError",
  aborts: "a process that ended by itself",
  hangs: "a process that did not end",
  unusable: "a store that could not be opened any more",
  harness: "a scenario that could not be carried out",
};

const columns = ["scenarios", "acknowledged", "refused", ...Object.keys(faults)];

export class Tally {
  #rows = new Map();

  /** @param scene `{ kind, store, acknowledged, refusedCount, findings }` */
  add(scene) {
    const name = `${scene.kind} ${scene.store}`;
    const row = this.#rows.get(name) ?? Object.fromEntries(columns.map((column) => [column, 0]));
    this.#rows.set(name, row);
    row.scenarios++;
    row.acknowledged += scene.acknowledged.size;
    row.refused += scene.refusedCount;
    for (const { fault } of scene.findings) row[fault]++;
  }

  get total() {
    const total = Object.fromEntries(columns.map((column) => [column, 0]));
    for (const row of this.#rows.values()) for (const column of columns) total[column] += row[column];
    return total;
  }

  get isClean() {
    const { total } = this;
    return Object.keys(faults).every((fault) => total[fault] === 0);
  }

  format() {
    const rows = [...this.#rows].toSorted(([x], [y]) => (x < y ? -1 : 1));
    const cells = [
      ["", ...columns],
      ...[...rows, ["all", this.total]].map(([name, row]) => [name, ...columns.map((column) => String(row[column]))]),
    ];
    const widths = cells[0].map((_, i) => Math.max(...cells.map((line) => line[i].length)));
    return cells
      .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "))
      .join("\n");
  }
}
