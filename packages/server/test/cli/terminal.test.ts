import { formatFoldedTable, formatTable } from "../../src/cli/layout.js";
import { afterEach, beforeEach, expect, it } from "vitest";

const { columns } = process.stdout;
beforeEach(() => void (process.stdout.columns = 40));
afterEach(() => void (process.stdout.columns = columns));

const header = ["name", "judge", "a", "b", "c"];
const rows = [
  ["heron", "strict", "x".repeat(10), "y".repeat(10), "z"],
  ["teal", "lenient", "u", "v", "w"],
];

it("a table that fits is left as it is", () => {
  expect(formatFoldedTable(["a", "b"], [["1", "2"]])).toBe(formatTable(["a", "b"], [["1", "2"]]));
});

// 5 + 2 + 7 are the two keys, + 2 + 10 + 2 + 10 = 38 fit into 40, the last column's 3 do not.
it("columns that do not fit follow below, with the key columns repeated", () => {
  const pick = (row: string[], ...at: number[]): string[] => at.map((column) => row[column]!);
  const part = (...at: number[]): string =>
    formatTable(
      pick(header, ...at),
      rows.map((row) => pick(row, ...at)),
    );
  expect(formatFoldedTable(header, rows, 2)).toBe(`${part(0, 1, 2, 3)}\n\n${part(0, 1, 4)}`);
  process.stdout.columns = 41;
  expect(formatFoldedTable(header, rows, 2)).toBe(formatTable(header, rows));
});

it("a column wider than the terminal is wrapped", () => {
  const wide = [["heron", "x".repeat(60), "y"]];
  const parts = formatFoldedTable(["name", "a", "b"], wide).split("\n\n");
  expect(parts).toHaveLength(2);
  expect(parts[0]!.match(/x+/gu)!.map(({ length }) => length)).toEqual([33, 27]);
});
