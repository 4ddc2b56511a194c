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

/** By file and how the pattern begins: why it may take longer. */
const allowed: readonly { readonly file: string; readonly begins: string; readonly reason: string }[] = [
  { file: "src/inspector/words.ts", begins: "[\\s.,;:]+$", reason: "in the page, of the reader's own memories" },
  { file: "src/engine/recall/several-asked.ts", begins: "\\bfirst\\b", reason: "reads 2,000 characters at most" },
];

/** Files that build patterns only when called, from what they are given: why none of them can take longer. */
const builtLater: Readonly<Record<string, string>> = {
  "src/adapters/embedder/onnx/word-pieces.ts": "the fixed tokens of a vocabulary, escaped",
  "src/cli/layout.ts": "colourCode of src/cli/paint.ts, in brackets",
  "src/core/text/spelling.ts": "one word of at most 24 letters",
  "src/engine/recall/own-name.ts": "the letters of a person's names, four of them in a row at most",
  "src/eval/study/study-pack.ts": "the name of a system",
  "src/server/rest/mounting.ts": "the name of a parameter of a route",
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

  it("written in src take time proportional to a text", () => {
    const patterns = allWrittenPatterns();
    expect(patterns.length).toBeGreaterThan(400);
    expect(faultsOf(patterns)).toEqual([]);
  });

  it("built in src take time proportional to a text", () => {
    for (const file of findBuilders()) {
      const isBuilt = file in builtLater || built.some((each) => each.file === file);
      expect(isBuilt, `${file} builds a pattern only when called; say in builtLater why it is harmless`).toBe(true);
    }
    expect(faultsOf(built)).toEqual([]);
  });

  it("that are allowed to take longer still do", () => {
    const slow = [...allWrittenPatterns(), ...built].filter((each) => isAllowed(each) && findFault(each) !== null);
    expect(new Set(slow.map(({ file }) => file))).toEqual(new Set(allowed.map(({ file }) => file)));
  });
});
