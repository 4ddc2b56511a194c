/** What was acknowledged survives a crash at any moment, once, and the memory becomes what it would have become. */
import { setTimeout as delay } from "node:timers/promises";
import { type InteractionInput, Mnemosyne, type StoreOptions } from "mnemosyne-edge";
import { describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { CrashingStore, type Moment } from "./crashing-store.js";
import { engines } from "./engines.js";
import { exportLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { interactionAt, laboratory, personAt } from "./laboratory.mjs";
import { damageIn, openMemories } from "./opened-memories.js";

const positionsTo = (count: number): number[] => Array.from({ length: count }, (_, position) => position);

describe("a process killed again and again", () => {
  const scenes = engines()
    .filter(({ name }) => !/(?:Redis|PostgreSQL), sealed/u.test(name))
    .map((engine) => ({
      name: engine.name,
      next: engine.next,
      ...(engine.name === "SQLite" ? { count: 100, killCountMin: 8 } : { count: 50, killCountMin: 4 }),
    }));

  test.each(scenes)(
    "in $name loses nothing, doubles nothing and ends where an uninterrupted one does",
    async ({ next, count, killCountMin }) => {
      const open = await next();
      const revisions: Record<string, number[]> = {};
      const { acknowledged, killCount } = await commitWhileKilling(open, count, revisions);

      expect(killCount).toBeGreaterThanOrEqual(killCountMin);
      expect([...acknowledged]).toEqual(positionsTo(count).map((position) => interactionAt(position).id));
      for (const seen of Object.values(revisions)) expect(seen).toEqual(seen.toSorted((x, y) => x - y));

      expect(await damageIn(open)).toEqual([]);
      const survived = await openMemories(open);
      await survived.settled();
      expect(await survived.persons()).toEqual(["ada", "bea", "cem"]);
      for (const person of ["ada", "bea", "cem"]) {
        const memory = survived.person(person);
        const history = await memory.history();
        expect(history.map(({ id }) => id)).toEqual(idsOf(person, count));
        expect(history.filter(({ outcome }) => outcome === "queued" || outcome === "open")).toEqual([]);
        expect(await memory.check()).toEqual([]);
        expect((await memory.statistics()).revision).toBeGreaterThanOrEqual(revisions[person]!.at(-1)!);
      }
      const { outcomes } = await survived.person("ada").statistics();
      expect(outcomes.paired).toBeGreaterThan(0);
      expect(outcomes.replaced).toBeGreaterThan(0);

      const uninterrupted = await openMemories({ path: ":memory:" });
      for (const position of positionsTo(count)) {
        await uninterrupted.person(personAt(position)).commit(interactionAt(position));
      }
      await uninterrupted.settled();
      for (const person of ["ada", "bea", "cem"]) {
        const expected = await exportLines(uninterrupted.person(person));
        expect(await exportLines(survived.person(person))).toEqual(expected);
      }
    },
  );

  function idsOf(person: string, count: number): string[] {
    const own = positionsTo(count).filter((position) => personAt(position) === person);
    return own.map((position) => interactionAt(position).id);
  }

  /** Each process goes on from the first id that was not acknowledged, and may be killed in accepting or in processing. */
  async function commitWhileKilling(
    open: StoreOptions,
    interactionCount: number,
    revisions: Record<string, number[]>,
  ): Promise<{ acknowledged: Set<string>; killCount: number }> {
    const random = seededRandom("kill");
    const acknowledged = new Set<string>();
    let killCount = 0;
    while (acknowledged.size < interactionCount) {
      const next = acknowledged.size;
      const positions = positionsTo(interactionCount).slice(next, next + 10);
      const child = startChild("committing-child.mjs", { open, positions });
      const killAfterCount = Math.floor(random() * 9);
      const killAfterMs = random() * 30;
      await child.until(() => child.said("acknowledged").length >= killAfterCount && child.lines.length > 0);
      await delay(killAfterMs);
      await child.kill();
      if ((await child.exited).signal === "SIGKILL") killCount++;
      expect(child.said("failed")).toEqual([]);
      for (const id of child.said("acknowledged")) acknowledged.add(id);
      for (const [person, revision] of child.said("revision").map((line) => line.split(" ") as [string, string])) {
        (revisions[person] ??= []).push(Number(revision));
      }
    }
    return { acknowledged, killCount };
  }
});

describe("a crash before or after any single write", () => {
  const interactions = Array.from({ length: 24 }, (_, position) => position)
    .filter((position) => personAt(position) === "ada")
    .map(interactionAt);

  test.each([
    ["without a limit", { coreSummaryIntervalCommits: 5 }],
    ["at a limit on memories", { coreSummaryIntervalCommits: 5, memoryCountMax: 7 }],
  ])("leads to the same memory: %s", async (_, parameters) => {
    const expected = await commitAll(new CrashingStore(), interactions, parameters);
    const { writeCount } = await commitUntilCrash(new CrashingStore(), Infinity, "after", parameters);
    expect(writeCount).toBeGreaterThan(2 * interactions.length);
    const different: string[] = [];
    for (let crashAt = 1; crashAt <= writeCount; crashAt++) {
      for (const moment of ["before", "after"] as const) {
        const store = new CrashingStore();
        const { acknowledgedCount, lastWrite } = await commitUntilCrash(store, crashAt, moment, parameters);
        const got = await commitAll(store, interactions.slice(acknowledgedCount), parameters);
        if (JSON.stringify(got) !== JSON.stringify(expected))
          different.push(`${moment} write ${crashAt}: ${lastWrite}`);
      }
    }
    expect(different).toEqual([]);
  });

  test("in forgetting leaves no memory without its core summary for long", async () => {
    const store = new CrashingStore();
    await commitAll(store, interactions);
    const memories = await openMemories({ store });
    const memory = memories.person("ada");
    const { sourceIds } = await memory.coreSummary();
    expect(sourceIds.length).toBeGreaterThan(0);
    store.crashAt(1, "after");
    await expect(memory.forget(sourceIds[0]!)).rejects.toThrow("crashed");
    expect(store.lastWrite).toContain("delete interaction");
    await memories.close();
    store.restart();

    const reopened = await openMemories({ store });
    await reopened.person("ada").commit({ ...interactionAt(50), id: "after the crash" });
    await reopened.settled();
    const core = await reopened.person("ada").coreSummary();
    expect(core.text).not.toBe("N/A");
    expect(core.sourceIds).not.toContain(sourceIds[0]);
  });

  async function commitAll(
    store: CrashingStore,
    inputs: readonly InteractionInput[],
    parameters: Record<string, number> = {},
  ): Promise<string[]> {
    const memories = await Mnemosyne.open(laboratory({ store, parameters }));
    const memory = memories.person("ada");
    await memories.settled();
    for (const input of inputs) {
      await memory.commit(input);
      await memory.settled();
    }
    expect(await memory.check()).toEqual([]);
    return exportLines(memory);
  }

  async function commitUntilCrash(
    store: CrashingStore,
    crashAt: number,
    moment: Moment,
    parameters: Record<string, number>,
  ): Promise<{ acknowledgedCount: number; writeCount: number; lastWrite: string }> {
    store.crashAt(crashAt, moment);
    let acknowledgedCount = 0;
    try {
      const memories = await Mnemosyne.open(laboratory({ store, parameters }));
      try {
        for (const input of interactions) {
          await memories.person("ada").commit(input);
          acknowledgedCount++;
          await memories.settled();
        }
      } finally {
        await memories.close();
      }
    } catch (error) {
      if (!String(error).includes("crashed")) throw error;
    }
    store.restart();
    const { writeCount, lastWrite } = store;
    return { acknowledgedCount, writeCount, lastWrite };
  }
});
