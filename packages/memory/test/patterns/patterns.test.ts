/**
 * No regular expression may take more than time proportional to a text: one that takes the square of its length blocks
 * everybody for seconds with a single long text. Found by static analysis and by counting steps, never by a clock.
 */
import { analyse } from "scslre";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileTexts } from "./hostile-texts.js";
import { countSteps, parsePattern } from "./matching-steps.js";
import {
  type SourcePattern,
  allWrittenPatterns,
  builtPatterns,
  findBuilders,
  writtenPatterns,
} from "./source-patterns.js";

/** Patterns that may take longer, by file and how they begin, and why. */
const allowed: readonly { readonly file: string; readonly begins: string; readonly reason: string }[] = [
  {
    file: "packages/server/src/inspector/words.ts",
    begins: "[\\s.,;:]+$",
    reason: "in the page, of the reader's own memories",
  },
];

/** Files that build patterns only when called, and why none of them can take longer. */
const builtLater: Readonly<Record<string, string>> = {
  "packages/memory/src/commit/edit.ts": "the words of a statement, escaped, and white space between them",
  "packages/server/src/server/rest/mounting.ts": "the name of a parameter of a route",
};

const shortLength = 200;
/** Twice the text takes twice the steps, or four times as many. */
const growthMax = 3;
const stepMax = 3_000_000;

/** Why a pattern may take more than time proportional to a text; null if it does not. */
function findFault({ source, flags }: SourcePattern): string | null {
  const [report] = analyse({ source, flags }).reports;
  if (report !== undefined) return `${report.type} with ${JSON.stringify(report.character.pick)}`;
  // Without a limitless part nothing can grow.
  if (!/[*+]|,\}/u.test(source)) return null;
  const pattern = parsePattern(source, flags);
  for (const { prefix, piece } of hostileTexts(pattern, flags)) {
    const count = Math.ceil(shortLength / piece.length);
    const [once, twice] = [count, 2 * count].map((times) =>
      countSteps(pattern, flags, `${prefix}${piece.repeat(times)}\u2028~`, stepMax),
    ) as [number, number];
    if (twice > growthMax * once) return `${once} and ${twice} steps with ${JSON.stringify([prefix, piece])}`;
  }
  return null;
}

const isAllowed = ({ file, source }: SourcePattern): boolean =>
  allowed.some((each) => each.file === file && source.startsWith(each.begins));

function faultsOf(patterns: readonly SourcePattern[]): unknown[] {
  const faults = patterns.filter((each) => !isAllowed(each)).map((each) => [each.file, each.source, findFault(each)]);
  return faults.filter(([, , fault]) => fault !== null);
}

describe("patterns", () => {
  let built: readonly SourcePattern[] = [];

  beforeAll(async () => {
    built = await builtPatterns(findBuilders().filter((file) => !(file in builtLater)));
  });

  it("are found to take long where they do", () => {
    const slow = [
      ["[^.!?]*\\?", "gu"],
      ["\\s+$", "u"],
      ["no .*came up", "iu"],
      ["(?:i|we)(?: am| got)*(?: (?:now|got))* divorced", "iu"],
      ["\\b\\p{L}+n't\\b", "giu"],
      ["^[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*$", "u"],
    ] as const;
    for (const [source, flags] of slow) expect(findFault({ file: "", source, flags }), source).not.toBeNull();
    for (const source of ["(?<!\\s)\\s+$", "(?<![^.!?])[^.!?]*\\?", "a{1,20}b", "^\\w+$"])
      expect(findFault({ file: "", source, flags: "u" }), source).toBeNull();
  });

  it("are read from a file", () => {
    const code = "const x = /[^.!?]*\\?/gu;\nfunction f(y: string) { return y.replace(/a+b/u, ''); }";
    expect(writtenPatterns("x.ts", code).map(({ source }) => source)).toEqual(["[^.!?]*\\?", "a+b"]);
  });

  it("written in the source take time proportional to a text, except for those allowed", () => {
    const patterns = allWrittenPatterns();
    expect(patterns.length).toBeGreaterThan(200);
    expect(faultsOf([...patterns, ...built])).toEqual([]);
    const slow = [...patterns, ...built].filter((each) => isAllowed(each) && findFault(each) !== null);
    expect(new Set(slow.map(({ file }) => file))).toEqual(new Set(allowed.map(({ file }) => file)));
  });

  it("are built when a file is imported, except for those known to be harmless", () => {
    const unseen = findBuilders().filter((file) => !built.some((each) => each.file === file));
    expect(unseen.filter((file) => !(file in builtLater))).toEqual([]);
  });
});
