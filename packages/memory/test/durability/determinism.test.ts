/** The same inputs, seed and clock give the same memory and the same answers, whatever the store and whatever lies between. */
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { Mnemosyne, type PersonMemory, type Recall, type StoreOptions } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { CrashingStore } from "./crashing-store.js";
import { engines } from "./engines.js";
import { exportLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { interactionAt, laboratory, nowMs } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const questions = [
  "What did Marta tell about the garden?",
  "How was the knee last week?",
  "Who wrote down how the violin met the bakery?",
  interactionAt(3).summary!,
];

const all = engines();

/** Positions of the journey in an order in which many come after what followed them. */
function shuffledPositions(count: number, seed: string): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, position) => ({ position, order: position + random() * 12 }))
    .sort((x, y) => x.order - y.order)
    .map(({ position }) => position);
}

async function commitAll(memory: PersonMemory, positions: readonly number[]): Promise<void> {
  for (const position of positions) await memory.commit(interactionAt(position));
  await memory.settled();
}

async function recallAll(memory: PersonMemory): Promise<Recall[]> {
  const recalls: Recall[] = [];
  for (const [i, question] of questions.entries()) {
    for (const at of [nowMs, interactionAt(20).at, "2025-07-01"]) {
      recalls.push(await memory.recall(question, { at, seed: `seed ${i}`, tokenBudget: 400 }));
    }
  }
  return recalls;
}

describe("the same memory and the same answers", () => {
  test.each(all)("in $name as in memory", async ({ next }) => {
    const positions = shuffledPositions(60, "order");
    const results: string[] = [];
    for (const open of [{ path: ":memory:" }, await next()]) {
      const memory = (await openMemories(open)).person("ada");
      await commitAll(memory, positions);
      const recalls = await recallAll(memory);
      expect(recalls.some(({ memories }) => memories.some(({ found }) => found === "traversal"))).toBe(true);
      results.push(JSON.stringify({ recalls, exported: await exportLines(memory), graph: await memory.graph() }));
    }
    expect(results[1]).toBe(results[0]);
  });

  test("when asked again", async () => {
    const memory = (await openMemories({ path: ":memory:" })).person("ada");
    await commitAll(memory, shuffledPositions(60, "again"));
    const { memories } = await memory.graph();
    for (let n = 0; n < 20; n++) {
      const question = `What about ${memories[n]!.summary.split(" ")
        .slice(0, 3 + (n % 6))
        .join(" ")}?`;
      const ask = (): Promise<Recall> => memory.recall(question, { at: interactionAt(60 + n).at, seed: n });
      expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()));
    }
  });

  test("with another seed other walks", async () => {
    const memory = (await openMemories({ path: ":memory:" })).person("ada");
    await commitAll(memory, shuffledPositions(60, "order"));
    const walks = new Set<string>();
    for (let seed = 0; seed < 10; seed++) {
      const { trace } = await memory.recall(questions[0]!, { at: interactionAt(62).at, seed });
      walks.add(JSON.stringify(trace.steps.map(({ draw }) => draw)));
      expect(trace.seed).toBe(seed);
    }
    expect(walks.size).toBe(10);
  });

  test.each(all)("after closing and opening in $name", async ({ next }) => {
    const options = await next();
    const first = await openMemories(options);
    await commitAll(first.person("ada"), shuffledPositions(40, "order"));
    const [recalls, exported] = [await recallAll(first.person("ada")), await exportLines(first.person("ada"))];
    await first.close();
    const memory = (await openMemories(options)).person("ada");
    expect(await exportLines(memory)).toEqual(exported);
    expect((await recallAll(memory)).map((recall) => JSON.stringify(recall))).toEqual(
      recalls.map((recall) => JSON.stringify(recall)),
    );
  });

  test("in another time zone as if it had always been there", async () => {
    const path = scratch.next();
    const at = interactionAt(40).at;
    const ask = async (timeZone: string): Promise<string> => {
      const memories = await openMemories({ path, timeZone });
      const recall = await memories.person("ada").recall("What was told yesterday?", { at, seed: 1 });
      await memories.close();
      return JSON.stringify(recall);
    };
    const fresh = await openMemories({ path: ":memory:", timeZone: "Pacific/Auckland" });
    await commitAll(fresh.person("ada"), shuffledPositions(30, "order"));
    const memories = await openMemories({ path, timeZone: "America/Los_Angeles" });
    await commitAll(memories.person("ada"), shuffledPositions(30, "order"));
    await memories.close();
    await ask("America/Los_Angeles");
    const expected = await fresh.person("ada").recall("What was told yesterday?", { at, seed: 1 });
    expect(await ask("Pacific/Auckland")).toBe(JSON.stringify(expected));
  });

  test.each(all)("after moving by export and import into $name", async ({ next }) => {
    const source = (await openMemories({ path: scratch.next() })).person("ada");
    await commitAll(source, shuffledPositions(40, "order"));
    const talk = await source.conversation({ id: "a talk" });
    await talk.add({ who: "user", text: "The garden of plums is going on." });
    const exported = await exportLines(source);

    const target = (await openMemories(await next())).person("ada");
    const progress: number[][] = [];
    const result = await target.import(exported, { onProgress: (done, total) => void progress.push([done, total]) });
    expect(result).toMatchObject({ mode: "restored", acceptedCount: 41, knownCount: 0, differentCount: 0 });
    expect(progress.at(-1)).toEqual([41, 41]);
    expect(await exportLines(target)).toEqual(exported);
    expect(await target.check()).toEqual([]);
    expect((await target.conversation({ id: "a talk" })).turns).toEqual(talk.turns);
    expect((await recallAll(target)).map((recall) => JSON.stringify(recall))).toEqual(
      (await recallAll(source)).map((recall) => JSON.stringify(recall)),
    );

    // What comes later makes the same of both.
    const later = Array.from({ length: 20 }, (__, i) => 45 + i);
    for (const memory of [source, target]) await commitAll(memory, later);
    expect(await exportLines(target)).toEqual(await exportLines(source));

    expect(await target.import(exported)).toMatchObject({
      mode: "committed",
      acceptedCount: 0,
      knownCount: 41,
      differentCount: 0,
    });
    expect(await exportLines(target)).toEqual(await exportLines(source));
  });
});

describe("any series of steps", () => {
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.record({ do: fc.constant("commit" as const), n: fc.nat(60) }) },
    ...(["forget", "restore", "prune", "recall", "update core", "reopen", "clear"] as const).map((name) => ({
      weight: name === "clear" ? 1 : 6,
      arbitrary: fc.record({ do: fc.constant(name), n: fc.nat(1000) }),
    })),
  );

  const scenes = all.filter(({ name }) => !name.includes("sealed")).map(({ name, next }) => ({ name, next }));

  test.each(scenes)("does the same in memory and in $name, and leaves a sound graph", async ({ name, next }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: "max" }), async (steps) => {
        const [expected, got] = await Promise.all([
          takeSteps(steps, { store: new KeptStore() }),
          takeSteps(steps, await next()),
        ]);
        expect(got).toEqual(expected);
      }),
      { numRuns: name === "SQLite" ? 8 : 3, seed: 20_251_115, endOnFailure: true },
    );
  });

  interface Step {
    readonly do: "commit" | "forget" | "restore" | "prune" | "recall" | "update core" | "reopen" | "clear";
    readonly n: number;
  }

  async function takeSteps(steps: readonly Step[], options: StoreOptions): Promise<string[]> {
    const open = async (): Promise<Mnemosyne> =>
      Mnemosyne.open(laboratory({ ...options, parameters: { coreSummaryIntervalCommits: 4 } }));
    const seen: string[] = [];
    let memories = await open();
    for (const next of steps) {
      if (next.do === "reopen") {
        await memories.close();
        memories = await open();
      }
      seen.push(await takeStep(next, memories.person("ada")));
    }
    await memories.close();
    return seen;
  }

  async function takeStep({ do: what, n }: Step, memory: PersonMemory): Promise<string> {
    if (what === "commit") await memory.commit(interactionAt(n));
    await memory.settled();
    const history = await memory.history().catch(() => []);
    if (history.length === 0) return "nothing";
    const restorable = history.filter(({ outcome }) => outcome === "replaced" || outcome === "pruned");
    const result = {
      commit: async () => null,
      reopen: async () => null,
      forget: () => memory.forget(history[n % history.length]!.id),
      restore: async () => (restorable.length === 0 ? null : memory.restore(restorable[n % restorable.length]!.id)),
      prune: () => memory.prune({ memoryCountMax: 1 + (n % 20) }),
      recall: async () => JSON.stringify(await memory.recall(questions[n % questions.length]!, { seed: n })),
      "update core": () => memory.coreSummary({ update: true }),
      clear: () => memory.forgetAll(),
    }[what];
    const done = JSON.stringify(await result());
    await memory.settled();
    expect(await memory.check()).toEqual([]);
    const exported = await exportLines(memory).catch(() => []);
    return [what, n, done, ...exported].join("\n");
  }
});

/** It outlives the memory that was opened on it. */
class KeptStore extends MemoryStore {
  override async close(): Promise<void> {}
}

describe("submitting", () => {
  test("what happened long ago: it takes its place in time, and earlier questions do not see later memories", async () => {
    const memory = (await openMemories({ path: scratch.next() })).person("ada");
    await commitAll(memory, [30, 31]);
    await memory.commit({
      id: "long ago",
      at: "2019-03-02",
      summary: "The choir of Graz sang in the garden of plums.",
    });
    await memory.settled();
    expect((await memory.list()).map(({ id }) => id)).toEqual(["long ago", "i030", "i031"]);
    const early = await memory.recall("What did the choir sing in the garden?", { at: "2019-03-03", seed: 1 });
    expect(early.memories.map(({ id, naturalizedTime }) => [id, naturalizedTime])).toEqual([["long ago", "yesterday"]]);
    expect(early.trace.memoryCount).toBe(1);
    const before = await memory.recall("What did the choir sing in the garden?", { at: "2019-03-01", seed: 1 });
    expect(before.memories).toEqual([]);
    expect(await memory.check()).toEqual([]);
  });

  test("the same id twice is once, and refused if it says something else", async () => {
    const path = scratch.next();
    const memories = await openMemories({ path });
    const memory = memories.person("ada");
    expect(await memory.commit(interactionAt(1))).toEqual({ id: "i001", isNew: true });
    expect(await memory.commit(interactionAt(1))).toEqual({ id: "i001", isNew: false });
    await memory.settled();
    const before = await exportLines(memory);
    const other = { id: "i001", summary: "Something else altogether." };
    await expect(memory.commit(other)).rejects.toMatchObject({ code: "id_taken" });
    await memory.settled();
    await memories.close();
    const reopened = (await openMemories({ path })).person("ada");
    expect(await reopened.commit(interactionAt(1))).toMatchObject({ isNew: false });
    await reopened.settled();
    expect(await exportLines(reopened)).toEqual(before);
    expect(await (await openMemories({ path: ":memory:" })).person("ada").commit(interactionAt(1))).toMatchObject({
      isNew: true,
    });
  });
});

describe("a conversation", () => {
  test.each(all)(
    "in $name outlives the process that held it, turn by turn, and goes on in the next",
    async (engine) => {
      const open = await engine.next();
      const stored: string[] = [];
      const random = seededRandom("talk");
      for (let kill = 0; kill < 4; kill++) {
        const child = startChild("talking-child.mjs", { open, id: "a talk" });
        const count = 1 + Math.floor(random() * 5);
        await child.until(() => child.said("stored").length >= count);
        await delay(random() * 10);
        await child.kill();
        stored.push(...child.said("stored"));

        const memories = await openMemories(open);
        const { turns } = await memories.person("ada").conversation({ id: "a talk" });
        await memories.close();
        expect(turns.map(({ text }) => text).slice(0, stored.length)).toEqual(stored);
        expect(turns.length).toBeLessThanOrEqual(stored.length + 1);
        // The last one may have been stored without its word getting out.
        stored.splice(0, Infinity, ...turns.map(({ text }) => text));
      }
      const memory = (await openMemories(open)).person("ada");
      const conversation = await memory.conversation({ id: "a talk" });
      await conversation.add({ who: "user", text: "That was all about the garden of plums." });
      expect((await memory.history()).map(({ id, outcome }) => [id, outcome])).toEqual([["a talk", "open"]]);
      expect(await memory.list()).toEqual([]);
      expect(await conversation.summary()).toContain("garden of plums");
      await conversation.end();
      await memory.settled();
      const remembered = await memory.get("a talk");
      expect(remembered.turns.map(({ text }) => text)).toEqual([...stored, "That was all about the garden of plums."]);
      expect(remembered.state).toBe("talkative");
      expect(remembered.outcome).toBe("committed");
    },
  );

  test("ended just before a crash is processed by the next process", async () => {
    const store = new CrashingStore();
    const crashing = await openMemories({ store });
    const conversation = await crashing.person("ada").conversation({ id: "a talk" });
    await conversation.add({ who: "user", text: "The garden of plums is in bloom." });
    // The end is accepted; the commitment that follows is lost.
    store.crashAt(2, "before");
    await conversation.end();
    await expect(crashing.settled()).rejects.toThrow("crashed");
    await crashing.close();
    store.restart();
    const memory = (await openMemories({ store })).person("ada");
    await memory.settled();
    expect((await memory.get("a talk")).outcome).toBe("committed");
  });
});

describe("what the memory let go", () => {
  test.each(["replaced", "pruned"] as const)("comes back when it was %s", async (outcome) => {
    const path = scratch.next();
    const memory = (await openMemories({ path })).person("ada");
    await commitAll(
      memory,
      Array.from({ length: 30 }, (_, position) => position),
    );
    await memory.prune({ memoryCountMax: 12 });
    const gone = await memory.history({ outcomes: [outcome] });
    expect(gone.length).toBeGreaterThan(0);
    for (const { id } of gone) {
      await expect(memory.get(id)).rejects.toMatchObject({ code: "unknown_id" });
      await memory.restore(id);
    }
    await memory.settled();
    for (const { id, summary, turns } of gone) {
      const restored = await memory.get(id);
      expect(restored.outcome).toBe("committed");
      expect(restored.pairId).toBeNull();
      expect(restored.turns).toEqual(turns);
      if (summary !== null) expect(restored.summary).toBe(summary);
    }
    expect((await memory.history({ ids: gone.map(({ id }) => id) })).every(({ restored }) => restored)).toBe(true);
    expect(await memory.check()).toEqual([]);
    await expect(memory.restore(gone[0]!.id)).rejects.toMatchObject({ code: "id_invalid" });
  });
});

test.each([25, 5])("pruning to %i memories keeps the limit, and of a pair the older half", async (memoryCountMax) => {
  const memory = (await openMemories({ path: scratch.next() })).person("ada");
  await commitAll(
    memory,
    Array.from({ length: 48 }, (_, position) => position),
  );
  const before = new Map((await memory.list()).map((view) => [view.id, view]));
  expect(before.size).toBeGreaterThan(25);
  const report = await memory.prune({ memoryCountMax });
  const after = await memory.list();
  expect(report.memoryCount).toBe(memoryCountMax);
  expect(after).toHaveLength(memoryCountMax);
  expect([...report.pruned.map(({ id }) => id), ...after.map(({ id }) => id)].sort()).toEqual(
    [...before.keys()].sort(),
  );
  const pruned = new Set(report.pruned.map(({ id }) => id));
  for (const id of pruned) {
    const { pairId, at } = before.get(id)!;
    if (pairId !== null && !pruned.has(pairId)) expect(before.get(pairId)!.at < at).toBe(true);
  }
  const history = await memory.history({ outcomes: ["pruned"] });
  expect(history.map(({ id }) => id).sort()).toEqual([...pruned].sort());
  expect(await memory.check()).toEqual([]);
  expect((await memory.prune({ memoryCountMax })).pruned).toEqual([]);
});
