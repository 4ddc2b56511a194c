/** The mutation run itself: what it changes, what it leaves alone, and how it draws and counts. */
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { findMutants, mutantsOf, sourcesOf } from "./find.mjs";
import { drawSample, wilson } from "./sample.mjs";

const changesOf = (code: string): string[] =>
  mutantsOf("src/core/example.ts", code).map(({ original, replacement }) => `${original} → ${replacement}`);

describe("changes", () => {
  it.each([
    ["f(a < b);", ["f(a < b); → ;", "a < b → a <= b", "a < b → a >= b"]],
    ["const c = a ?? b;", ["a ?? b → (a)"]],
    ["const c = a && b;", ["a && b → ((a) || (b))", "a && b → a", "a && b → b"]],
    ["const c = a?.b;", ["a?.b → a.b"]],
    ["const c = [...a, 5];", ["[...a, 5] → []", "...a → ...[]", "5 → 4", "5 → 6"]],
    ["const c = a.filter(f);", ["a.filter(f) → a"]],
    ["const c = a.some(f);", ["some → every"]],
    ["const c = Math.min(a, b);", ["min → max"]],
    ["const c = /^a+$/u;", ["/^a+$/u → /a+$/u", "/^a+$/u → /^a$/u", "/^a+$/u → /^a+/u"]],
    ["a = b;", ["a = b; → ;"]],
    ["if (!a) b();", ["!a → true", "!a → false", "!a → a", "b(); → ;"]],
    ["while (a) break;", ["a → false", "break; → ;"]],
    ['const c = { "key": "text" };', ['"text" → ""']],
  ])("of %s", (code, expected) => expect(changesOf(code)).toEqual(expected));

  it.each([
    'import { a } from "./a.js";',
    'export interface A { readonly kind: "a" | "b"; readonly size: 5 }',
    'type A = "a"; const b = c as "d";',
    "throw new TypeError(`${a + 1} is wrong`);",
    'log({ level: "warn", message: "text" });',
    "const b = new RangeError('text');",
  ])("are not made in %s", (code) => expect(changesOf(code)).toEqual([]));

  it("of the sources all parse, each with an id of its own", () => {
    const mutants = sourcesOf("core").slice(0, 12).flatMap(findMutants);
    const broken = mutants.filter(({ file, mutated }) => parseSync(file, mutated).errors.length > 0);
    expect(broken.map(({ file, line, replacement }) => `${file}:${line} ${replacement}`)).toEqual([]);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });
});

describe("a sample", () => {
  const mutants = ["a", "b", "c"].flatMap((name, i) =>
    mutantsOf(`src/core/${name}.ts`, `const list = [${Array.from({ length: 50 * (i + 1) }, () => 0).join(",")}];`),
  );
  const countIn = (sample: typeof mutants, name: string): number =>
    sample.filter(({ file }) => file.endsWith(`${name}.ts`)).length;

  it("is spread over files in proportion, the same for the same seed", () => {
    // 51, 101 and 151 mutants; of 30 drawn a tenth of them, give or take the rounding.
    const sample = drawSample(mutants, 30, 1);
    expect(sample).toHaveLength(30);
    expect(countIn(sample, "a")).toBeGreaterThanOrEqual(5);
    expect(countIn(sample, "c")).toBeGreaterThanOrEqual(14);
    expect(drawSample(mutants, 30, 1)).toEqual(sample);
    expect(drawSample(mutants, 30, 2)).not.toEqual(sample);
    expect(drawSample(mutants, 1000, 1)).toEqual(mutants);
  });

  it("has Wilson's interval: 90 of 100 is 82.6 % to 94.5 %, 10 of 10 is 72.2 % to 100 %", () => {
    const rounded = (hits: number, total: number): number[] =>
      wilson(hits, total).map((bound) => Math.round(bound * 1000) / 10);
    expect(rounded(90, 100)).toEqual([82.6, 94.5]);
    expect(rounded(10, 10)).toEqual([72.2, 100]);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });
});
