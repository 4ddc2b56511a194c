/** The right to process a queue: claimed, prolonged while the work goes on, given back; by a fake clock. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QueueLease } from "../../../src/engine/commitment/queue-lease.js";
import type { PersonState } from "../../../src/engine/person-state.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function leaseOver(store: object): QueueLease {
  return new QueueLease({
    person: "ada",
    context: { store, parameters: { queueLeaseSeconds: 30 } },
  } as unknown as PersonState);
}

it("is prolonged three times within its length, by the same owner, until it is given back", async () => {
  const claims: { owner: string; leaseMs: number; atMs: number }[] = [];
  const released: string[] = [];
  const startMs = Date.now();
  const lease = leaseOver({
    claimQueue: async (_person: string, owner: string, leaseMs: number) => {
      claims.push({ owner, leaseMs, atMs: Date.now() - startMs });
      return true;
    },
    releaseQueue: async (_person: string, owner: string) => void released.push(owner),
  });
  expect(await lease.take()).toBe(true);
  await vi.advanceTimersByTimeAsync(35_000);
  expect(claims.map(({ atMs, leaseMs }) => [atMs, leaseMs])).toEqual([
    [0, 30_000],
    [10_000, 30_000],
    [20_000, 30_000],
    [30_000, 30_000],
  ]);
  expect(new Set(claims.map(({ owner }) => owner)).size).toBe(1);
  await lease.release();
  expect(released).toEqual([claims[0]!.owner]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(claims).toHaveLength(4);
  await lease.release();
  expect(released).toHaveLength(1);
});

it("that somebody else has is not prolonged, and not given back", async () => {
  let claimCount = 0;
  const released: string[] = [];
  const lease = leaseOver({
    claimQueue: async () => {
      claimCount++;
      return false;
    },
    releaseQueue: async (_person: string, owner: string) => void released.push(owner),
  });
  expect(await lease.take()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  await lease.release();
  expect([claimCount, released]).toEqual([1, []]);
});

it("is not needed where a store knows none", async () => {
  const lease = leaseOver({});
  expect(await lease.take()).toBe(true);
  await lease.release();
  expect(vi.getTimerCount()).toBe(0);
});

it("ends by itself where the store cannot be told, and a failing prolongation stops nothing", async () => {
  let isReachable = true;
  const lease = leaseOver({
    claimQueue: async () => {
      if (!isReachable) throw new Error("connection lost");
      return true;
    },
    releaseQueue: () => Promise.reject(new Error("connection lost")),
  });
  expect(await lease.take()).toBe(true);
  isReachable = false;
  await vi.advanceTimersByTimeAsync(15_000);
  await expect(lease.release()).resolves.toBeUndefined();
});

it("of two queues of the same person are two owners", async () => {
  const owners = new Set<string>();
  const store = {
    claimQueue: async (_person: string, owner: string) => {
      owners.add(owner);
      return true;
    },
    releaseQueue: async () => {},
  };
  for (const lease of [leaseOver(store), leaseOver(store)]) {
    await lease.take();
    await lease.release();
  }
  expect(owners.size).toBe(2);
});
