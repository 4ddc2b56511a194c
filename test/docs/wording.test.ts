/** Documents, sources and tests are in plain English: some phrases sound translated, and free relative clauses are rare. */
import { expect, it } from "vitest";
import { documents, listFiles, prose, read } from "./project-files.js";

const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bhand(?:ed|ing|s)? in\b/iu, "submitted"],
  [/\banew\b/iu, "again"],
  [/\ba fault of ours\b/iu, "internal error"],
  [/\b(?:lives?|living) through\b/iu, "replays"],
  [/\btold when\b/iu, "called when"],
  [/judgement/iu, "judgment"],
  [/\bis no repetition\b/iu, "is not a repetition"],
];

const isCode = (path: string): boolean => /\.(?:ts|tsx|mts|mjs)$|README\.md$/u.test(path);
const folders = ["packages", "test", "test-full", "scripts", "examples"];
const pages = documents.filter((document) => document !== "CHANGELOG.md");
const checked = [...documents, ...folders.flatMap(listFiles).filter(isCode)].filter(
  (path) => path !== "test/docs/wording.test.ts" && !path.startsWith("packages/lab/benchmarks"),
);

/** Stays as it is: a prompt, whose replies were measured. */
const verbatim = /Write the summary anew/gu;

/** Phrases in a text, however the lines of a comment are broken, also inside identifiers. */
function findAvoided(text: string): string[] {
  const flat = text.replaceAll(verbatim, "").replaceAll(/\s+(?:\*\s+|\/\/\s+)?/gu, " ");
  return avoided
    .filter(([pattern]) => pattern.test(flat))
    .map(([pattern, instead]) => `"${pattern.exec(flat)![0]}", say "${instead}"`);
}

it("no text has a phrase that sounds translated", () => {
  expect(checked.flatMap((path) => findAvoided(read(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  expect(findAvoided("/**\n * It is handed\n * in.\n */")).toHaveLength(1);
});

it("documents have at most 8 free relatives in a thousand words", () => {
  const shares = pages.flatMap((document) => {
    const text = prose(document).replaceAll(/`[^`]*`|"[^"]*"/gu, "");
    const words = text.match(/[\p{L}']+/gu) ?? [];
    const count = text.match(/\b(?:what|whoever|whom|nobody|somebody|whose|those who)\b/giu)?.length ?? 0;
    return count > Math.max(3, words.length * 0.008) ? [`${document}: ${count} in ${words.length}`] : [];
  });
  expect(shares).toEqual([]);
});
