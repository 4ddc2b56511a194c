/** Everything that people read is in plain English: phrases that sound translated are refused, each with what to say instead. */
import { describe, expect, it } from "vitest";
import { documents, listFiles, read } from "./project-files.js";

const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bhand(?:ed|ing|s)? in\b/iu, "submitted"],
  [/\banew\b/iu, "again"],
  [/\ba fault of ours\b/iu, "internal error"],
  [/\b(?:lives?|living) through\b/iu, "replays"],
  [/\btold when\b/iu, "called when"],
  [/judgement/iu, "judgment"],
  [/\bis no repetition\b/iu, "is not a repetition"],
];

const folders = ["src", "test", "scripts", "bench", "examples", "assembly"];
const checked = [...documents, ...folders.flatMap(listFiles)].filter(
  (path) => /\.(?:ts|mts|mjs|md)$/u.test(path) && path !== "test/docs/wording.test.ts",
);

/** Stays as it is: a prompt, whose replies were measured. */
const verbatim = /Write the summary anew/gu;

/** Phrases in a text, whatever the case and however the lines of a comment are broken, also inside identifiers. */
function findAvoided(text: string): string[] {
  const flat = text.replaceAll(verbatim, "").replaceAll(/\s+(?:\*\s+|\/\/\s+)?/gu, " ");
  return avoided
    .filter(([pattern]) => pattern.test(flat))
    .map(([pattern, instead]) => `"${pattern.exec(flat)![0]}", say "${instead}"`);
}

describe("plain words", () => {
  it("are asked of documents, sources, tests and scripts", () => {
    const some = ["README.md", "docs/api.md", "src/index.ts", "src/core/README.md", "scripts/setup.mjs"];
    expect(checked).toEqual(expect.arrayContaining(some));
    expect(checked.length).toBeGreaterThan(400);
  });

  it.each(checked)("in %s", (path) => expect(findAvoided(read(path))).toEqual([]));

  it.each([
    "An interaction that is handed in.",
    "Hand in a text.",
    "/**\n * It is handed\n * in.\n */",
    "// written\n// anew",
    "This is a fault of ours.",
    "It lives through a journey.",
    "Told when a step falls back.",
    "summarizeJudgement(records)",
    "What brings new numbers is no repetition.",
  ])("are missed in: %s", (text) => expect(findAvoided(text)).toHaveLength(1));

  it.each(["We renewed it on a sandy beach inland.", "Write the summary anew from both."])(
    "are not missed in: %s",
    (text) => expect(findAvoided(text)).toEqual([]),
  );
});
