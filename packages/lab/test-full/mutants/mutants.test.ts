/** The mutation run: what it changes and leaves alone, how it draws, and the share that the tests catch. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { drawMutants, findMutants, mutantsOf, rooms } from "./find.mjs";

const changesOf = (code: string): string[] => mutantsOf("example.ts", code).map(({ change }) => change);

describe("changes", () => {
  it.each([
    ["f(a < b);", ["f(a < b); → ;", "a < b → a <= b", "a < b → a >= b"]],
    ["const c = a ?? b;", ["a ?? b → (a)"]],
    ["const c = a && b;", ["a && b → ((a) || (b))", "a && b → a", "a && b → b"]],
    ["const c = [...a, 5];", ["[...a, 5] → []", "5 → 4", "5 → 6"]],
    ["const c = a.filter(f);", ["a.filter(f) → a"]],
    ["const c = a.some(f);", ["some → every"]],
    ["a = b;", ["a = b; → ;"]],
    ["if (!a) b();", ["!a → true", "!a → false", "!a → a", "b(); → ;"]],
  ])("of %s", (code, expected) => expect(changesOf(code)).toEqual(expected));

  it.each([
    'import { a } from "./a.js";',
    'export interface A { readonly kind: "a" | "b"; readonly size: 5 }',
    "throw new TypeError(`${a + 1} is wrong`);",
    'log({ level: "warn", size: 5 });',
  ])("are not made in %s", (code) => expect(changesOf(code)).toEqual([]));

  it("of every room's sources parse, and the same are drawn for the same seed", () => {
    for (const room of Object.keys(rooms)) {
      const mutants = findMutants(room);
      const drawn = drawMutants(mutants, 20, "1");
      expect(mutants.length, room).toBeGreaterThan(100);
      expect(drawn.filter(({ file, mutated }) => parseSync(file, mutated).errors.length > 0)).toEqual([]);
      expect(drawMutants(mutants, 20, "1")).toEqual(drawn);
      expect(drawMutants(mutants, 20, "2")).not.toEqual(drawn);
    }
  });
});

it("every room names tests that are there", () => {
  const memory = fileURLToPath(new URL("../../../memory/", import.meta.url));
  const named = Object.values(rooms).flatMap(({ source, tests }) => [source, ...tests]);
  expect(named.filter((path) => !existsSync(memory + path))).toEqual([]);
});

it("at least two thirds of a few mutants are caught", { timeout: 3_600_000 }, async () => {
  const run = fileURLToPath(new URL("run.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [run, "--count", "8"]);
  process.stdout.write(stdout);
  const counts = [...stdout.matchAll(/^\w+: (\d+) of 8 caught/gmu)].map(([, caught]) => Number(caught));
  expect(counts).toHaveLength(Object.keys(rooms).length);
  expect(counts.reduce((sum, caught) => sum + caught, 0)).toBeGreaterThanOrEqual((16 / 3) * counts.length);
});
