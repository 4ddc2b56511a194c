/** The queue: in order, tried again after a failure, claimed by one process of many, taken over from one that died. */
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LogEvent, PersonMemory, ReadSelection, RecordChange, RecordSnapshot } from "mnemosyne-edge";
import { StoreError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { QueueLease } from "../../src/queue/queue-lease.js";
import { QueueTurns } from "../../src/queue/queue-turns.js";
import type { PersonState } from "../../src/engine/person-state.js";
import { exportLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { bareInteraction } from "../engine/bare-interaction.js";
import { WatchedStore, doneIn, recordsOf } from "../engine/records/opened-records.js";

const parameters = { redundancyThreshold: 10 };
const knee = { ...bareInteraction, summary: "The knee is better." };
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Something to wait for. */
class Gate {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** A store without leases: every process goes ahead. Others get their turn while it works. */
class OpenStore extends WatchedStore {
  override async read(person: string, selection?: ReadSelection): Promise<RecordSnapshot> {
    await pause();
    return super.read(person, selection);
  }

  override async beforeWrite(): Promise<void> {
    await pause();
  }

  override async lease(): Promise<boolean> {
    return true;
  }

  override async close(): Promise<void> {}
}

/** A store with leases, in memory, which stands for one that processes share. */
class SharedStore extends WatchedStore {
  readonly owners = new Map<string, { owner: string; untilMs: number }>();
  claimedMax = 0;

  override async lease(person: string, owner: string, ms: number): Promise<boolean> {
    const held = this.owners.get(person);
    if (held !== undefined && held.owner !== owner && held.untilMs > Date.now()) return false;
    if (ms === 0) this.owners.delete(person);
    else this.owners.set(person, { owner, untilMs: Date.now() + ms });
    this.claimedMax = Math.max(this.claimedMax, this.owners.size);
    return true;
  }

  override async close(): Promise<void> {}
}

describe("a queue that cannot be processed", () => {
  class FailingEmbedder extends HashingEmbedder {
    isFailing = true;

    override async embed(texts: readonly string[]): Promise<Float32Array[]> {
      if (this.isFailing) throw new Error("out of order");
      return super.embed(texts);
    }
  }

  async function openFailing(): Promise<{ person: PersonMemory; embedder: FailingEmbedder; events: LogEvent[] }> {
    const embedder = new FailingEmbedder();
    const events: LogEvent[] = [];
    const memories = await openMemories({
      path: ":memory:",
      embedder,
      parameters,
      log: (event) => events.push(event),
    });
    return { person: memories.person("ada"), embedder, events };
  }

  const waits = (seconds: number): string => `commitment is paused (embedder_failed); next try in ${seconds} s`;

  it("is tried again after 1 s, then after twice as long each time, up to 60 s; after a success after 1 s again", async () => {
    const { person, embedder, events } = await openFailing();
    await person.commit({ id: "a", summary: "The knee is better." });
    for (let tries = 0; tries < 8; tries++) {
      await expect(person.settled()).rejects.toMatchObject({ code: "embedder_failed" });
    }
    expect((await person.history())[0]!.outcome).toBe("queued");
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60];
    expect(events.map(({ message }) => message).slice(0, 8)).toEqual(seconds.map(waits));
    expect(events[0]).toMatchObject({ level: "error", person: "ada", cause: { code: "embedder_failed" } });

    embedder.isFailing = false;
    await person.settled();
    events.length = 0;
    embedder.isFailing = true;
    await person.commit({ id: "b", summary: "The garden blooms." });
    await expect(person.settled()).rejects.toMatchObject({ code: "embedder_failed" });
    expect(events[0]!.message).toBe(waits(1));
  });

  it("is tried again by itself", async () => {
    const { person, embedder, events } = await openFailing();
    await person.commit({ id: "a", summary: "The knee is better." });
    await expect.poll(() => events.length, { timeout: 60_000 }).toBeGreaterThan(0);
    embedder.isFailing = false;
    const outcome = async (): Promise<string> => (await person.history())[0]!.outcome;
    await expect.poll(outcome, { timeout: 60_000 }).toBe("committed");
  });

  it.each([
    [new TypeError("not a function"), "unexpected"],
    [new StoreError("store_full", "no room"), "store_full"],
  ])("says why, to the log and to whoever waits: %s", async (reason, code) => {
    class BrokenStore extends WatchedStore {
      override async beforeWrite(_person: string, change: RecordChange): Promise<void> {
        if (doneIn(change).length > 0) throw reason;
      }
    }
    const events: LogEvent[] = [];
    const memories = await openMemories({ store: new BrokenStore(), log: (event) => events.push(event) });
    await memories.person("ada").commit({ id: "a", summary: "The knee is better." });
    await expect(memories.settled()).rejects.toBe(reason);
    expect(events[0]!.message).toBe(`commitment is paused (${code}); next try in 1 s`);
  });

  it("is not tried again with every question, but in its own time", async () => {
    let applyCount = 0;
    class FullStore extends SharedStore {
      override async beforeWrite(_person: string, change: RecordChange): Promise<void> {
        if (doneIn(change).length === 0) return;
        applyCount++;
        throw new StoreError("store_full", "no room");
      }
    }
    const person = (await openMemories({ store: new FullStore(), parameters })).person("ada");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await person.commit({ id: "a", summary: "The knee is better." });
    await expect(person.settled()).rejects.toMatchObject({ code: "store_full" });
    const before = applyCount;
    for (let i = 0; i < 8; i++) {
      expect((await person.recall("What about the knee?")).trace.queuedCount).toBe(1);
      for (let turn = 0; turn < 20; turn++) await pause();
    }
    expect(applyCount).toBe(before);
    await vi.advanceTimersByTimeAsync(60_000);
    for (let turn = 0; turn < 20; turn++) await pause();
    expect(applyCount).toBeGreaterThan(before);
  });
});

it("interactions are processed in the order they came, those that come meanwhile too", async () => {
  const committed: string[] = [];
  class NotingStore extends WatchedStore {
    override async afterWrite(_person: string, change: RecordChange): Promise<void> {
      committed.push(...doneIn(change));
    }
  }
  const person = (await openMemories({ store: new NotingStore(), parameters })).person("ada");
  const ids = Array.from({ length: 12 }, (_, i) => `v${i}`);
  for (const [i, id] of ids.entries()) {
    await person.commit({ id, summary: `Visit number ${i}: the knee is better.` });
    if (i === 6) await pause();
  }
  await person.settled();
  expect(committed).toEqual(ids);
});

it("closing ends after the interaction under way; the rest waits in the store for the next opening", async () => {
  const store = new OpenStore();
  const begun = new Gate();
  class BeginningEmbedder extends HashingEmbedder {
    override embed(texts: readonly string[]): Promise<Float32Array[]> {
      begun.open();
      return super.embed(texts);
    }
  }
  const memories = await openMemories({ store, embedder: new BeginningEmbedder() });
  const records = await recordsOf(store);
  for (let i = 0; i < 5; i++) await records.accept("ada", { ...knee, id: `v${i}`, summary: `Visit ${i}.` }, "queued");
  await memories.person("ada").commit({ id: "v5", summary: "Visit 5." });
  await begun.opened;
  await memories.close();
  expect((await records.queued("ada", 10)).length).toBeGreaterThan(3);
  await (await openMemories({ store })).settled();
  expect(await records.queued("ada", 10)).toEqual([]);
});

describe("a lease, by a fake clock", () => {
  afterEach(() => vi.useRealTimers());

  interface Lease {
    readonly owner: string;
    readonly ms: number;
  }

  function leaseOver(lease: (asked: Lease) => Promise<boolean>): QueueLease {
    vi.useFakeTimers();
    const records = { lease: (_person: string, owner: string, ms: number) => lease({ owner, ms }) };
    const context = { records, parameters: { queueLeaseSeconds: 30 } };
    return new QueueLease({ person: "ada", context } as unknown as PersonState);
  }

  it("is prolonged three times within its length, by the same owner, until it is given back", async () => {
    const claims: (Lease & { atMs: number })[] = [];
    const released: string[] = [];
    const take = async ({ owner, ms }: Lease): Promise<boolean> => {
      if (ms === 0) released.push(owner);
      else claims.push({ owner, ms, atMs: Date.now() - startMs });
      return true;
    };
    const lease = leaseOver(take);
    const startMs = Date.now();
    expect(await lease.take()).toBe(true);
    await vi.advanceTimersByTimeAsync(35_000);
    expect(claims.map(({ atMs, ms }) => [atMs, ms])).toEqual([0, 10_000, 20_000, 30_000].map((atMs) => [atMs, 30_000]));
    expect(new Set(claims.map(({ owner }) => owner)).size).toBe(1);
    await lease.release();
    await lease.release();
    expect(released).toEqual([claims[0]!.owner]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(claims).toHaveLength(4);
    // Another queue of the same person is another owner.
    await leaseOver(take).take();
    expect(claims[4]!.owner).not.toBe(claims[0]!.owner);
  });

  it("that somebody else has is neither prolonged nor given back", async () => {
    const asked: number[] = [];
    const lease = leaseOver(async ({ ms }) => {
      asked.push(ms);
      return false;
    });
    expect(await lease.take()).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    await lease.release();
    expect(asked).toEqual([30_000]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends by itself where the store cannot be told, and a failing prolongation stops nothing", async () => {
    let isReachable = true;
    const lease = leaseOver(async () => {
      if (!isReachable) throw new Error("connection lost");
      return true;
    });
    expect(await lease.take()).toBe(true);
    isReachable = false;
    await vi.advanceTimersByTimeAsync(15_000);
    await expect(lease.release()).resolves.toBeUndefined();
  });
});

it("so many have their turn at once; whoever is done hands it to the one that waits longest", async () => {
  const turns = new QueueTurns(2);
  const taken: number[] = [];
  for (let i = 0; i < 6; i++) void turns.take().then(() => taken.push(i));
  await pause();
  expect(taken).toEqual([0, 1]);
  turns.give();
  await pause();
  expect(taken).toEqual([0, 1, 2]);
  turns.give();
  turns.give();
  await pause();
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

describe("a shared queue", () => {
  const outcomeOf = async (store: MemoryStore, name = "ada"): Promise<string> =>
    (await (await recordsOf(store)).history(name))[0]!.outcome;

  it("that another process works on is left to it, and settled when that one is done or its lease runs out", async () => {
    const store = new SharedStore();
    store.owners.set("ada", { owner: "another", untilMs: Infinity });
    const person = (await openMemories({ store, parameters })).person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    let isSettled = false;
    const settled = person.settled().then(() => (isSettled = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([isSettled, await outcomeOf(store)]).toEqual([false, "queued"]);
    store.owners.set("ada", { owner: "another", untilMs: 0 });
    await settled;
    expect(await outcomeOf(store)).toBe("committed");
    expect(store.owners.size).toBe(0);
  });

  it("that nobody works on is found and taken over, one that somebody works on is left alone", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters: { ...parameters, queueLeaseSeconds: 0.1 } });
    store.owners.set("bea", { owner: "another", untilMs: Infinity });
    const records = await recordsOf(store);
    for (const name of ["ada", "bea"]) await records.accept(name, { id: "a", ...knee }, "queued");
    await expect.poll(() => outcomeOf(store), { timeout: 60_000 }).toBe("committed");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await outcomeOf(store, "bea")).toBe("queued");
    // Nobody in this process waits for it: there is nothing to settle.
    await memories.settled();
    store.owners.delete("bea");
    await expect.poll(() => outcomeOf(store, "bea"), { timeout: 60_000 }).toBe("committed");
  });

  it("that a dead process left is taken over by whoever asks for the person", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters: { ...parameters, queueLeaseSeconds: 86_400 } });
    await (await recordsOf(store)).accept("ada", { id: "a", ...knee }, "queued");
    const { trace } = await memories.person("ada").recall("What about the knee?");
    expect(trace.queuedCount).toBe(1);
    await memories.settled();
    expect(await outcomeOf(store)).toBe("committed");
  });

  it("that many work on at once becomes what one would make of it, to the last byte", async () => {
    const limits = { memoryCountMax: 15, coreSummaryIntervalCommits: 3 };
    const live = async (count: number): Promise<string[]> => {
      const store = new OpenStore();
      const some = await Promise.all(Array.from({ length: count }, () => openMemories({ store, parameters: limits })));
      for (let i = 0; i < 40; i++) await some[i % count]!.person("ada").commit(interactionAt(i));
      await Promise.all(some.map((memories) => memories.settled()));
      await Promise.all(some.map((memories) => memories.settled()));
      return exportLines(some[0]!.person("ada"));
    };
    expect(await live(3)).toEqual(await live(1));
  });

  it("of a process frozen between an interaction and what follows it: another does that first", async () => {
    /** Freezes right after it has written an interaction, until it is let go on. */
    class FreezingStore extends OpenStore {
      freezeAt: string | undefined;
      readonly frozen = new Gate();
      readonly thawed = new Gate();

      override async afterWrite(_person: string, change: RecordChange): Promise<void> {
        if (!doneIn(change).some((id) => id === this.freezeAt)) return;
        this.frozen.open();
        await this.thawed.opened;
      }
    }
    const limits = { memoryCountMax: 3, coreSummaryIntervalCommits: 3 };
    const begin = async (store: MemoryStore): Promise<void> => {
      const early = await openMemories({ store, parameters: { ...limits, coreSummaryIntervalCommits: 0 } });
      for (let i = 0; i < 3; i++) await early.person("ada").commit(interactionAt(i));
      await early.settled();
    };
    const [store, alone] = [new FreezingStore(), new OpenStore()];
    await begin(store);
    store.freezeAt = interactionAt(3).id!;
    const handedIn = new Gate();
    // While one writes the core summary, another writes it, commits the next interaction and freezes before it prunes.
    class BusyEmbedder extends HashingEmbedder {
      #isFirst = true;

      override async embed(texts: readonly string[]): Promise<Float32Array[]> {
        const isFirst = this.#isFirst;
        this.#isFirst = false;
        if (isFirst) {
          await handedIn.opened;
          await openMemories({ store, parameters: limits });
          await store.frozen.opened;
        }
        return super.embed(texts);
      }
    }
    const memory = (await openMemories({ store, embedder: new BusyEmbedder(), parameters: limits })).person("ada");
    for (const i of [3, 4]) await memory.commit(interactionAt(i));
    handedIn.open();
    await memory.settled();
    const lines = await exportLines(memory);
    store.thawed.open();

    await begin(alone);
    const single = (await openMemories({ store: alone, parameters: limits })).person("ada");
    for (const i of [3, 4]) await single.commit(interactionAt(i));
    await single.settled();
    expect(lines).toEqual(await exportLines(single));
  });
});

describe("persons in memory", () => {
  it("are few at a time, and few in the end, when many have something waiting", async () => {
    const store = new SharedStore();
    const names = Array.from({ length: 200 }, (_, i) => `p${i}`);
    const records = await recordsOf(store);
    for (const name of names) await records.accept(name, { id: "a", ...knee }, "queued");
    const memories = await openMemories({ store, parameters: { ...parameters, personsInMemoryMax: 3 } });
    await memories.settled();
    expect(await records.queues()).toEqual([]);
    expect(store.claimedMax).toBeLessThanOrEqual(16);
    // Closing does not wait for those whose turn has not come.
    for (const name of names) await records.accept(name, { id: "b", ...knee }, "queued");
    const brief = await openMemories({ store, parameters });
    await brief.close();
    expect((await records.queues()).length).toBeGreaterThan(100);
  });

  it("are let go when there are too many, and loaded again when asked for", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters: { ...parameters, personsInMemoryMax: 2 } });
    const first = memories.person("p0");
    for (let i = 0; i < 5; i++) {
      const person = memories.person(`p${i}`);
      await person.commit({ id: "a", summary: `Person ${i} has a cat.` });
      await person.settled();
    }
    expect(memories.person("p4")).toBe(memories.person("p4"));
    expect(memories.person("p0")).not.toBe(first);
    expect((await memories.person("p0").list()).map(({ summary }) => summary)).toEqual(["Person 0 has a cat."]);
    // The one that was let go sees what others do, and is waited for.
    await first.commit({ id: "b", summary: "Person 0 has three birds." });
    await memories.settled();
    expect(await memories.person("p0").list()).toHaveLength(2);
  });
});
