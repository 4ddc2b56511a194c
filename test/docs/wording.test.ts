/** Phrases that read as translated do not come back. To hold more files to it, add them to `checked`. */
import { describe, expect, it } from "vitest";
import { documents, read } from "./project-files.js";

/** Each with what to say instead. */
const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bhand(?:ed|ing|s)? in\b/iu, "submitted"],
  [/\banew\b/iu, "again"],
  [/\ba fault of ours\b/iu, "internal error"],
  [/\b(?:lives?|living) through\b/iu, "replays"],
  [/\btold when\b/iu, "called when"],
  [/judgement/iu, "judgment"],
  [/\bis no repetition\b/iu, "is not a repetition"],
];

/** Documents at the root and in docs. Sources would follow with `...listFiles("src")`. */
const checked: readonly string[] = [...documents];
/** Reworded last. */
const exempt: ReadonlySet<string> = new Set(["docs/paper-map.md"]);

function findAvoided(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, i) =>
      avoided
        .filter(([pattern]) => pattern.test(line))
        .map(([pattern, instead]) => `line ${i + 1}: "${pattern.exec(line)![0]}", say "${instead}"`),
    );
}

describe("plain words", () => {
  it.each(checked.filter((path) => !exempt.has(path)))("in %s", (path) => {
    expect(findAvoided(read(path))).toEqual([]);
  });

  it("are asked of something", () => {
    expect(checked.length).toBeGreaterThan(15);
    expect(checked).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/api.md"]));
  });

  it.each([
    "An interaction that is handed in.",
    "Hand in a text.",
    "It is written anew.",
    "This is a fault of ours.",
    "It lives through a journey.",
    "Told when a step falls back.",
    "The judgements are saved.",
    "What brings new numbers is no repetition.",
  ])("would be missed in: %s", (line) => expect(findAvoided(line)).toHaveLength(1));
});
