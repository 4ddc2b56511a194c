import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { dotKernelRowCountMax, dots, plainDots } from "../../../src/core/vectors/dot-kernel.js";

const bytes = (length: number): fc.Arbitrary<Int8Array> =>
  fc.int8Array({ minLength: length, maxLength: length }).map((codes) => codes.map((code) => Math.max(-127, code)));

it("the SIMD kernel is in use here, and gives the same whole numbers as plain JavaScript", () => {
  expect(dots).not.toBe(plainDots);
  const cases = fc
    .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 0, max: 20 }))
    .chain(([dimensions, rowCount]) =>
      fc.tuple(fc.constant(dimensions), fc.constant(rowCount), bytes(dimensions * rowCount), bytes(dimensions)),
    );
  fc.assert(
    fc.property(cases, fc.nat({ max: 20 }), ([dimensions, rowCount, codes, query], start) => {
      const from = Math.min(start, rowCount);
      const [fast, plain] = [new Int32Array(dotKernelRowCountMax), new Int32Array(dotKernelRowCountMax)];
      dots(codes, dimensions, query, from, rowCount, fast);
      plainDots(codes, dimensions, query, from, rowCount, plain);
      expect([...fast.subarray(0, rowCount - from)]).toEqual([...plain.subarray(0, rowCount - from)]);
    }),
  );
});

it("the largest products do not overflow: 1536 dimensions of -127 by -127", () => {
  const codes = new Int8Array(1536 * 3).fill(-127);
  const out = new Int32Array(dotKernelRowCountMax);
  dots(codes, 1536, new Int8Array(1536).fill(-127), 0, 3, out);
  expect([...out.subarray(0, 3)]).toEqual(Array(3).fill(1536 * 127 * 127));
});

it("vectors too long for the kernel's memory are still multiplied", () => {
  const dimensions = 100_000;
  const out = new Int32Array(dotKernelRowCountMax);
  dots(new Int8Array(dimensions * 20).fill(1), dimensions, new Int8Array(dimensions).fill(2), 0, 20, out);
  expect(out[19]).toBe(2 * dimensions);
});

it("the kernel's bytes are those of its source", () => {
  execFileSync(process.execPath, ["scripts/build-kernel.mjs", "--check"], { stdio: "pipe" });
});
