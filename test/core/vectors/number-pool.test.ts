import { expect, it } from "vitest";
import { NumberPool } from "../../../src/core/vectors/number-pool.js";

it("gives a list out again after it was given back, also for a few more numbers", () => {
  const pool = new NumberPool();
  const first = pool.take(100);
  expect(first.length).toBe(100);
  pool.giveBack(first);
  const second = pool.take(110);
  expect(second.length).toBe(110);
  expect(second.buffer).toBe(first.buffer);
});

it("never gives one list to two", () => {
  const pool = new NumberPool();
  const first = pool.take(10);
  const second = pool.take(10);
  expect(second.buffer).not.toBe(first.buffer);
  pool.giveBack(first, second);
  const buffers = new Set([pool.take(10), pool.take(10), pool.take(10)].map(({ buffer }) => buffer));
  expect(buffers.size).toBe(3);
});

it("lets go of a list that has become too short", () => {
  const pool = new NumberPool();
  const short = pool.take(10);
  pool.giveBack(short);
  const long = pool.take(1_000);
  expect(long.length).toBe(1_000);
  pool.giveBack(long);
  expect(pool.take(10).buffer).toBe(long.buffer);
});
