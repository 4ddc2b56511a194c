/** Source and tests are in plain English: phrases that sound translated are refused. Documents have `wording.test.ts`. */
import { describe, expect, it } from "vitest";
import { listFiles, read } from "./project-files.js";

/** Folders that are checked. */
const checkedFolders: readonly string[] = [
  "src/cli",
  "src/eval",
  "src/files",
  "scripts",
  "bench",
  "test/cli",
  "test/eval",
  "test/model",
  "test/network",
];

const refusedPhrases: readonly string[] = [
  "handed in",
  "hand in",
  "hands in",
  "handing in",
  "anew",
  "a fault of ours",
  "lives through",
  "live through",
  "told when",
  "judgement",
  "is no repetition",
];

/** The field `judgements` of `mnemosyne eval judge --json` keeps its spelling: programs read it. */
const jsonField = /\bjudgements\b/gu;

/** Phrases in a text, whatever the case and however lines are broken, also inside identifiers. */
function findRefused(text: string): string[] {
  const flat = text.replaceAll(jsonField, "").replaceAll(/\s+(?:\*\s+|\/\/\s+)?/gu, " ");
  return refusedPhrases.filter((phrase) => patternOf(phrase).test(flat));
}

/** One word may be part of an identifier; several are matched as whole words. */
function patternOf(phrase: string): RegExp {
  return new RegExp(phrase === "judgement" ? phrase : `\\b${phrase}\\b`, "iu");
}

describe("plain words", () => {
  const paths = checkedFolders.flatMap(listFiles).filter((path) => /\.(?:ts|mts|mjs|md)$/u.test(path));

  it("there are files to look at", () => {
    expect(paths.length).toBeGreaterThan(120);
  });

  it.each(paths)("%s has no refused phrase", (path) => {
    expect(findRefused(read(path))).toEqual([]);
  });

  it.each([
    ["in any case", "Handed in twice.", ["handed in"]],
    ["across the lines of a comment", "/**\n * It is handed\n * in.\n */", ["handed in"]],
    ["across line comments", "// written\n// anew", ["anew"]],
    ["in identifiers", "summarizeJudgements(records)", ["judgement"]],
    ["not inside other words", "We renewed it on a sandy beach inland.", []],
    ["not in the name of a JSON field", "report.judgements[0]", []],
  ])("are found %s", (_, text, found) => {
    expect(findRefused(text)).toEqual(found);
  });
});
