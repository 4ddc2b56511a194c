/** Text in lines and columns: nothing is wider than the terminal, and nothing is lost. */
import fc from "fast-check";
import stringWidth from "string-width";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatFoldedTable, formatTable, shorten, visibleWidth, wrap } from "../../src/cli/layout.js";
import { colours, paintFor } from "../../src/cli/paint.js";

const { columns } = process.stdout;
beforeEach(() => void (process.stdout.columns = 40));
afterEach(() => void (process.stdout.columns = columns));

/** Words as memories have them: letters that take no, one or two columns, and words longer than a line. */
const word = fc
  .array(fc.constantFrom("a", "Z", "7", "é", "e\u0301", "膝", "痛", "👍", "👨‍👩‍👧‍👦", "🇵🇹", "ก็", "שׁ", "-", "\u0007"), {
    minLength: 1,
    maxLength: 60,
  })
  .map((parts) => parts.join(""));
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const indent = fc.constantFrom("", "  ", "      ");

const widthOf = (line: string): number => stringWidth(paintFor(line, false));
const widest = (printed: string): number => Math.max(...printed.split("\n").map(widthOf));
const letters = (printed: string): string => paintFor(printed, false).replaceAll(/\s/gu, "");

describe("wrapped text", () => {
  it("fits, and has every letter in its order", () => {
    fc.assert(
      fc.property(text, indent, indent, (given, first, hanging) => {
        const wrapped = wrap(given, first, hanging);
        expect(widest(wrapped)).toBeLessThanOrEqual(40);
        expect(letters(wrapped)).toBe(letters(given));
      }),
    );
  });

  it("breaks a line only where the next word does not fit", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/u), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, (given) => {
        // The naive way: a word at a time.
        const lines = [""];
        for (const each of given) {
          const line = `${lines.at(-1)!} ${each}`.trimStart();
          if (line.length <= 40) lines[lines.length - 1] = line;
          else lines.push(each);
        }
        expect(wrap(given.join(" "))).toBe(lines.join("\n"));
      }),
    );
  });

  it("what fits stays as it is, with its own spaces", () => {
    expect(wrap("  a    b", "> ")).toBe(">   a    b");
  });

  it("continues a list item under its text", () => {
    expect(wrap("- one two three four five six seven eight nine")).toBe(
      "- one two three four five six seven\n  eight nine",
    );
  });

  it("ends a colour with its line", () => {
    const painted = paintFor(wrap(colours.red("one two three four five six seven eight nine")), true);
    expect(painted.split("\n")).toEqual([
      "\u001b[31mone two three four five six seven eight\u001b[39m",
      "\u001b[31mnine\u001b[39m",
    ]);
  });
});

describe("shortened text", () => {
  it("fits and is a beginning", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (given, width) => {
        const short = shorten(given, width);
        expect(widthOf(short)).toBeLessThanOrEqual(width);
        expect(letters(given).startsWith(letters(short).replace(/…$/u, ""))).toBe(true);
      }),
    );
  });

  it.each([
    ["膝が痛い", 8, "膝が痛い"],
    ["膝が痛い", 7, "膝が痛…"],
    ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, "👨‍👩‍👧‍👦…"],
    ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
  ])("%s in %i columns", (given, width, short) => {
    expect(shorten(given, width)).toBe(short);
  });
});

describe("a table", () => {
  const cell = fc.oneof(text, fc.integer().map(String), fc.constant(""));

  it("fits, folded or not, and has every letter", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.array(cell, { minLength: 6, maxLength: 6 })),
        (n, given) => {
          const header = ["id", "b", "c", "d", "e", "f"].slice(0, n);
          const rows = given.map((row) => row.slice(0, n));
          for (const table of [formatTable(header, rows), formatFoldedTable(header, rows)]) {
            expect(widest(table)).toBeLessThanOrEqual(40);
            const counted = (printed: string): number => [...letters(printed)].length;
            expect(counted(table)).toBeGreaterThanOrEqual(counted([...header, ...rows.flat()].join("")));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("wraps its longest text, and keeps the lines of a cell", () => {
    const rows = [["knee", "The knee bends to ninety-five degrees since May.\nkept"]];
    expect(paintFor(formatTable(["id", "text"], rows), false).split("\n")).toEqual([
      "id    text",
      "knee  The knee bends to ninety-five",
      "      degrees since May.",
      "      kept",
    ]);
  });

  it("aligns by what the screen shows", () => {
    const lines = paintFor(
      formatTable(
        ["a", "b"],
        [
          ["膝", "x"],
          ["ab", "y"],
        ],
      ),
      false,
    ).split("\n");
    expect(lines.slice(1).map((line) => visibleWidth(line.slice(0, line.search(/[xy]/u))))).toEqual([4, 4]);
  });
});
