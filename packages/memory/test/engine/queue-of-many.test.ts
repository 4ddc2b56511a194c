/** Many processes on one store: queues are claimed, left ones are taken over, and persons in memory are bounded. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Batch } from "mnemosyne-edge";
import { StoreError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { exportLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";

/** A store without leases: every process goes ahead. Others get their turn while it works. */
class OpenStore extends MemoryStore {
  override async queued(person: string, countMax: number): ReturnType<MemoryStore["queued"]> {
    await new Promise((resolve) => setImmediate(resolve));
    return super.queued(person, countMax);
  }

  override async apply(...args: Parameters<MemoryStore["apply"]>): Promise<number> {
    await new Promise((resolve) => setImmediate(resolve));
    return super.apply(...args);
  }

  override async close(): Promise<void> {}
}

/** A store whose history takes longer to read than an interaction to process. */
class LongHistoryStore extends OpenStore {
  override async history(
    ...[person, selection]: Parameters<MemoryStore["history"]>
  ): ReturnType<MemoryStore["history"]> {
    const entries = await super.history(person, selection);
    if (selection === undefined) await new Promise((resolve) => setTimeout(resolve, 30));
    return entries;
  }
}

/** A store with leases, in memory, which stands for one that processes share. */
class SharedStore extends MemoryStore {
  readonly owners = new Map<string, { owner: string; untilMs: number }>();
  readonly claims: string[] = [];

  async claimQueue(person: string, owner: string, leaseMs: number): Promise<boolean> {
    const held = this.owners.get(person);
    if (held !== undefined && held.owner !== owner && held.untilMs > Date.now()) return false;
    this.owners.set(person, { owner, untilMs: Date.now() + leaseMs });
    this.claims.push(person);
    return true;
  }

  async releaseQueue(person: string, owner: string): Promise<void> {
    if (this.owners.get(person)?.owner === owner) this.owners.delete(person);
  }

  override async close(): Promise<void> {}
}

/** Something to wait for. */
class Gate {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** A store in which a process stops right after it has written an interaction, as if frozen, until it is let go on. */
class FreezingStore extends OpenStore {
  freezeAt: string | undefined;
  readonly frozen = new Gate();
  readonly thawed = new Gate();

  override async apply(person: string, batch: Batch): Promise<number> {
    const revision = await super.apply(person, batch);
    if (batch.outcomes.some(({ id }) => id === this.freezeAt)) {
      this.frozen.open();
      await this.thawed.opened;
    }
    return revision;
  }
}

/** Does something else before its first text. */
class BusyEmbedder extends HashingEmbedder {
  readonly #before: () => Promise<void>;
  #isFirst = true;

  constructor(before: () => Promise<void>) {
    super();
    this.#before = before;
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) await this.#before();
    return super.embed(texts);
  }
}

/** Knows how many queues were claimed at the same time. */
class CountingStore extends SharedStore {
  claimedMax = 0;

  override async claimQueue(...args: Parameters<SharedStore["claimQueue"]>): Promise<boolean> {
    const isClaimed = await super.claimQueue(...args);
    this.claimedMax = Math.max(this.claimedMax, this.owners.size);
    return isClaimed;
  }
}

const parameters = { substanceThreshold: -10, redundancyThreshold: 10 };

/** As a store has it, without an id. */
const interaction = {
  initMs: 0,
  acceptedMs: 0,
  turns: [],
  summary: "The knee.",
  state: null,
  restored: false,
  kept: false,
  updates: [],
  metadata: {},
  expiresMs: null,
  versions: [],
};

describe("a shared queue", () => {
  it("is claimed while it is processed and given back after", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters });
    const person = memories.person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    expect(store.owners.size + store.claims.length).toBeGreaterThan(0);
    await person.settled();
    expect(store.claims).toContain("ada");
    expect(store.owners.size).toBe(0);
  });

  it("that another process works on is left to it, and settled when that one is done", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters });
    store.owners.set("ada", { owner: "another", untilMs: Infinity });
    const person = memories.person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    let isSettled = false;
    const settled = person.settled().then(() => (isSettled = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isSettled).toBe(false);
    expect((await person.history())[0]!.outcome).toBe("queued");
    // The other process dies and its lease runs out.
    store.owners.set("ada", { owner: "another", untilMs: 0 });
    await settled;
    expect((await person.history())[0]!.outcome).toBe("committed");
  });

  it("left by a process that died is processed by the next one that opens", async () => {
    const store = new SharedStore();
    const interaction = {
      id: "a",
      initMs: 0,
      acceptedMs: 0,
      turns: [],
      summary: "The knee is better.",
      state: null,
      restored: false,
      kept: false,
      updates: [],
      metadata: {},
      expiresMs: null,
      versions: [],
    };
    await store.accept("ada", interaction, "queued");
    const memories = await openMemories({ store, parameters });
    await memories.settled();
    expect(await memories.person("ada").list()).toHaveLength(1);
  });

  it("that nobody works on is found and taken over, one that somebody works on is left alone", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters: { ...parameters, queueLeaseSeconds: 0.1 } });
    store.owners.set("bea", { owner: "another", untilMs: Infinity });
    for (const name of ["ada", "bea"]) await store.accept(name, { id: "a", ...interaction }, "queued");
    const outcomeOf = async (name: string): Promise<string> => (await store.history(name))[0]!.outcome;
    await expect.poll(() => outcomeOf("ada"), { timeout: 60_000 }).toBe("committed");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await outcomeOf("bea")).toBe("queued");
    // Nobody in this process waits for it: there is nothing to settle.
    await memories.settled();
    store.owners.delete("bea");
    await expect.poll(() => outcomeOf("bea"), { timeout: 60_000 }).toBe("committed");
  });

  it("that a dead process left is taken over by whoever asks for the person", async () => {
    const store = new SharedStore();
    const memories = await openMemories({ store, parameters: { ...parameters, queueLeaseSeconds: 86_400 } });
    await store.accept("ada", { id: "a", ...interaction }, "queued");
    const { trace } = await memories.person("ada").recall("What about the knee?");
    expect(trace.queuedCount).toBe(1);
    await memories.settled();
    expect((await store.history("ada"))[0]!.outcome).toBe("committed");
  });

  it("that cannot be processed now is not tried again with every question", async () => {
    let applyCount = 0;
    class FullStore extends SharedStore {
      override async apply(): Promise<number> {
        applyCount++;
        throw new StoreError("store_full", "no room");
      }
    }
    const person = (await openMemories({ store: new FullStore(), parameters })).person("ada");
    // The queue's own next try does not come: whatever is tried here is tried because of a question.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await person.commit({ id: "a", summary: "The knee is better." });
    await expect(person.settled()).rejects.toMatchObject({ code: "store_full" });
    const before = applyCount;
    for (let i = 0; i < 8; i++) {
      expect((await person.recall("What about the knee?")).trace.queuedCount).toBe(1);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(applyCount).toBe(before);
    // Its own next try does come.
    await vi.advanceTimersByTimeAsync(60_000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(applyCount).toBeGreaterThan(before);
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

  it("frozen between an interaction and what follows it: another does that first", async () => {
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
    const embedder = new BusyEmbedder(async () => {
      await handedIn.opened;
      await openMemories({ store, parameters: limits });
      await store.frozen.opened;
    });
    const memory = (await openMemories({ store, embedder, parameters: limits })).person("ada");
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

  it("that is long does not keep another process from forgetting", async () => {
    const store = new LongHistoryStore();
    const forgetful = await openMemories({ store, parameters });
    const interaction = {
      acceptedMs: 0,
      turns: [],
      state: null,
      restored: false,
      kept: false,
      updates: [],
      metadata: {},
      expiresMs: null,
      versions: [],
    };
    for (let i = 0; i < 1_000; i++) {
      const summary = `Visit number ${i}: the knee is better.`;
      await store.accept("ada", { ...interaction, id: `v${i}`, initMs: i, summary }, "queued");
    }
    await openMemories({ store, parameters: { ...parameters, memoryCountMax: 20 } });
    await forgetful.person("ada").forget("v0");
    expect(await store.queued("ada", 1)).toHaveLength(1);
    expect(await store.history("ada", { ids: ["v0"] })).toEqual([]);
  });

  it("of one person processed by two memories at once takes effect once", async () => {
    const store = new SharedStore();
    const two = await Promise.all([openMemories({ store, parameters }), openMemories({ store, parameters })]);
    for (let i = 0; i < 20; i++) {
      await two[i % 2]!.person("ada").commit({ id: `v${i}`, summary: `Visit number ${i}: the knee is better.` });
    }
    await Promise.all(two.map((memories) => memories.settled()));
    const outcomes = (await two[0].person("ada").history()).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => "committed"));
    expect(await two[1].person("ada").list()).toHaveLength(20);
    expect(await two[1].person("ada").check()).toEqual([]);
  });
});

describe("persons in memory", () => {
  it("are few at a time, and few in the end, when many have something waiting", async () => {
    const store = new CountingStore();
    const names = Array.from({ length: 200 }, (_, i) => `p${i}`);
    for (const name of names) await store.accept(name, { id: "a", ...interaction }, "queued");
    const memories = await openMemories({ store, parameters: { ...parameters, personsInMemoryMax: 3 } });
    await memories.settled();
    expect(await store.personsWithQueue()).toEqual([]);
    expect(store.claimedMax).toBeLessThanOrEqual(16);
    // Closing does not wait for those whose turn has not come.
    for (const name of names) await store.accept(name, { id: "b", ...interaction }, "queued");
    const brief = await openMemories({ store, parameters });
    await brief.close();
    expect((await store.personsWithQueue()).length).toBeGreaterThan(100);
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
    // Whoever kept the one that was let go sees what others do, and is waited for.
    await memories.person("p0").commit({ id: "b", summary: "Person 0 has a dog, too." });
    await memories.settled();
    expect(await first.list()).toHaveLength(2);
    await first.commit({ id: "c", summary: "Person 0 has three birds." });
    await memories.settled();
    expect(await memories.person("p0").list()).toHaveLength(3);
  });
});
