/** The queue's loop: what it says when it fails, when it tries again, and what it leaves for the next process. */
import { describe, expect, it } from "vitest";
import type { LogEvent, PersonMemory } from "mnemosyne-edge";
import { StoreError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";

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
    parameters: { redundancyThreshold: 10 },
    log: (event) => events.push(event),
  });
  return { person: memories.person("ada"), embedder, events };
}

const waits = (seconds: number): string => `commitment is paused (embedder_failed); next try in ${seconds} s`;

describe("a queue that cannot be processed", () => {
  it("is tried again after 1 s, then after twice as long each time, up to 60 s; after a success after 1 s again", async () => {
    const { person, embedder, events } = await openFailing();
    await person.commit({ id: "a", summary: "The knee is better." });
    for (let tries = 0; tries < 8; tries++) {
      await expect(person.settled()).rejects.toMatchObject({ code: "embedder_failed" });
    }
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

  it("for a reason without a code is said to be unexpected", async () => {
    class BrokenStore extends MemoryStore {
      override async apply(): Promise<number> {
        throw new TypeError("not a function");
      }
    }
    const events: LogEvent[] = [];
    const memories = await openMemories({ store: new BrokenStore(), log: (event) => events.push(event) });
    const person = memories.person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    await expect(person.settled()).rejects.toThrow("not a function");
    expect(events[0]!.message).toBe("commitment is paused (unexpected); next try in 1 s");
  });
});

it("interactions are processed in the order they came, those that come meanwhile too", async () => {
  const committed: string[] = [];
  class NotingStore extends MemoryStore {
    override apply(...[person, batch]: Parameters<MemoryStore["apply"]>): Promise<number> {
      committed.push(...batch.outcomes.map(({ id }) => id));
      return super.apply(person, batch);
    }
  }
  const memories = await openMemories({ store: new NotingStore(), parameters: { redundancyThreshold: 10 } });
  const person = memories.person("ada");
  const ids = Array.from({ length: 12 }, (_, i) => `v${i}`);
  for (const [i, id] of ids.entries()) {
    await person.commit({ id, summary: `Visit number ${i}: the knee is better.` });
    if (i === 6) await new Promise((resolve) => setImmediate(resolve));
  }
  await person.settled();
  expect(committed).toEqual(ids);
});

it("closing ends after the interaction under way; the rest waits in the store for the next opening", async () => {
  class LastingStore extends MemoryStore {
    override async close(): Promise<void> {}
  }
  const store = new LastingStore();
  let begin = (): void => {};
  const hasBegun = new Promise<void>((resolve) => (begin = resolve));
  class BeginningEmbedder extends HashingEmbedder {
    override embed(texts: readonly string[]): Promise<Float32Array[]> {
      begin();
      return super.embed(texts);
    }
  }
  const memories = await openMemories({ store, embedder: new BeginningEmbedder() });
  for (let i = 0; i < 5; i++)
    await store.accept("ada", { ...interaction, id: `v${i}`, summary: `Visit ${i}.` }, "queued");
  const person = memories.person("ada");
  await person.commit({ id: "v5", summary: "Visit 5." });
  await hasBegun;
  await memories.close();
  const waiting = await store.queued("ada", 10);
  expect(waiting.length).toBeGreaterThan(3);
  await (await openMemories({ store })).settled();
  expect(await store.queued("ada", 10)).toEqual([]);
});

it("an interaction that replaces a memory says so in the history of that one", async () => {
  const memories = await openMemories({ path: ":memory:", parameters: { redundancyShortTermCountMax: 0 } });
  const person = memories.person("ada");
  const said = "Ada plays the violin in the harbour orchestra every Friday evening with her friends.";
  for (const [i, id] of ["first", "second", "third"].entries()) {
    await person.commit({ id, summary: said, at: Date.parse("2025-05-01T10:00:00Z") + i * 86_400_000 });
  }
  await person.settled();
  const [second] = await person.history({ ids: ["second"] });
  expect(second).toMatchObject({ outcome: "replaced", trace: { outcome: "replaced", by: "third" } });
  const [third] = await person.history({ ids: ["third"] });
  expect(third).toMatchObject({ outcome: "paired", trace: { pairing: { case: "replace", removedId: "second" } } });
});

it("a store that is full is named to whoever waits", async () => {
  class FullStore extends MemoryStore {
    override async apply(): Promise<number> {
      throw new StoreError("store_full", "no room");
    }
  }
  const memories = await openMemories({ store: new FullStore() });
  await memories.person("ada").commit({ id: "a", summary: "The knee is better." });
  await expect(memories.settled()).rejects.toMatchObject({ code: "store_full" });
});

const interaction = {
  initMs: 0,
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
