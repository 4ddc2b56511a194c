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

  /** @param scene `{ kind, store, acknowledgedCount, refusedCount, findings, damage, block }` */
  add(scene) {
    const name = `${scene.kind} ${scene.store}`;
    const row = this.#rows.get(name) ?? { ...Object.fromEntries(columns.map((column) => [column, 0])), blocks: [] };
    this.#rows.set(name, row);
    row.scenarios++;
    row.acknowledged += scene.acknowledgedCount;
    row.refused += scene.refusedCount;
    for (const { fault } of scene.findings) row[fault]++;
    if (scene.block !== null) row.blocks.push(scene.block);
    if (scene.damage === null) return;
    row.damage ??= { places: 0, named: 0, unharmed: 0, readable: 0, total: 0 };
    for (const [key, count] of Object.entries(scene.damage)) row.damage[key] += count;
  }

  get total() {
    const total = { ...Object.fromEntries(columns.map((column) => [column, 0])), blocks: [] };
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
    const table = cells.map((line) =>
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "),
    );
    return [...table, "", ...rows.flatMap(formatDamage), ...rows.flatMap(formatBlock)].join("\n");
  }
}

function formatDamage([name, { damage }]) {
  if (damage === undefined) return [];
  const { places, named, unharmed, readable, total } = damage;
  const share = ((100 * readable) / total).toFixed(1);
  return [
    `${name}: ${places} places; an error named ${named}, ${unharmed} harmed nothing; ${share} % of the interactions stayed readable`,
  ];
}

/** The longest block with how much of it the process was at work, and what an idle loop saw on the same machine. */
function formatBlock([name, { blocks }]) {
  if (blocks.length === 0) return [];
  const longest = blocks.toSorted((x, y) => y.ms - x.ms)[0];
  const noiseMs = Math.max(...blocks.map((block) => block.noiseMs));
  const busiestMs = Math.max(...blocks.map((block) => block.busiestMs));
  const { ms, cpuMs, what } = longest;
  return [
    `${name}: longest block of the event loop ${Math.round(ms)} ms (${Math.round(cpuMs)} ms of CPU; ${what}); at most ${Math.round(busiestMs)} ms of CPU in any; idle ${Math.round(noiseMs)} ms`,
  ];
}
