/** What was acknowledged survives a crash at any moment, once, and the memory becomes what it would have become. */
import { setTimeout as delay } from "node:timers/promises";
import { type InteractionInput, Mnemosyne, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { startChild } from "./child-process.js";
import { exportLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { interactionAt, laboratory, personAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const isOfGraph = (line: string): boolean => !/^\{"(?:kind":"(?:core|commits)"|type":"end")/u.test(line);

describe("a process killed again and again", () => {
  const interactionCount = 100;
  const killCountMin = 8;
  const positions = Array.from({ length: interactionCount }, (_, position) => position);
  const idsOf = (person: string): string[] =>
    positions.filter((position) => personAt(position) === person).map((position) => interactionAt(position).id);

  test("loses nothing, doubles nothing and ends where an uninterrupted one does", async () => {
    const path = scratch.next();
    const revisions: Record<string, number[]> = {};
    const { acknowledged, killCount } = await commitWhileKilling(path, revisions);

    expect(killCount).toBeGreaterThanOrEqual(killCountMin);
    expect([...acknowledged]).toEqual(positions.map((position) => interactionAt(position).id));
    for (const seen of Object.values(revisions)) expect(seen).toEqual(seen.toSorted((x, y) => x - y));

    const store = await SqliteStore.open({ path });
    expect(await store.damage()).toEqual([]);
    const survived = await openMemories({ store });
    await survived.settled();
    expect(await survived.persons()).toEqual(["ada", "bea", "cem"]);
    for (const person of ["ada", "bea", "cem"]) {
      const memory = survived.person(person);
      const history = await memory.history();
      expect(history.map(({ id }) => id)).toEqual(idsOf(person));
      expect(history.filter(({ outcome }) => outcome === "queued" || outcome === "open")).toEqual([]);
      expect(await memory.check()).toEqual([]);
      expect((await memory.statistics()).revision).toBeGreaterThanOrEqual(revisions[person]!.at(-1)!);
    }
    const { outcomes } = await survived.person("ada").statistics();
    expect(outcomes.paired).toBeGreaterThan(0);
    expect(outcomes.replaced).toBeGreaterThan(0);

    const uninterrupted = await openMemories({ path: ":memory:" });
    for (const position of positions) await uninterrupted.person(personAt(position)).commit(interactionAt(position));
    await uninterrupted.settled();
    for (const person of ["ada", "bea", "cem"]) {
      const [got, expected] = [
        await exportLines(survived.person(person)),
        await exportLines(uninterrupted.person(person)),
      ];
      expect(got.filter(isOfGraph)).toEqual(expected.filter(isOfGraph));
      expect(got).toEqual(expected);
    }
  });

  /** Each process goes on from the first id that was not acknowledged, and may be killed in accepting or in processing. */
  async function commitWhileKilling(
    path: string,
    revisions: Record<string, number[]>,
  ): Promise<{ acknowledged: Set<string>; killCount: number }> {
    const random = seededRandom("kill");
    const acknowledged = new Set<string>();
    let killCount = 0;
    while (acknowledged.size < interactionCount) {
      const next = acknowledged.size;
      // SQLite on a thread of its own and on the caller's, in turn.
      const isInline = killCount % 2 === 1;
      const child = startChild("committing-child.mjs", { path, isInline, positions: positions.slice(next, next + 10) });
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
    const expected = await commitAll(new MemoryStore(), interactions, parameters);
    const { writeCount } = await commitUntilCrash(new MemoryStore(), Infinity, "after", parameters);
    expect(writeCount).toBeGreaterThan(2 * interactions.length);
    const different: string[] = [];
    for (let crashAt = 1; crashAt <= writeCount; crashAt++) {
      for (const moment of ["before", "after"] as const) {
        const store = new MemoryStore();
        const { acknowledgedCount, lastWrite } = await commitUntilCrash(store, crashAt, moment, parameters);
        const got = await commitAll(store, interactions.slice(acknowledgedCount), parameters);
        if (JSON.stringify(got) !== JSON.stringify(expected))
          different.push(`${moment} write ${crashAt}: ${lastWrite}`);
      }
    }
    expect(different).toEqual([]);
  });

  test("in forgetting leaves no memory without its core summary for long", async () => {
    const store = new MemoryStore();
    await commitAll(store, interactions);
    const { store: crashing, log } = crashingStore(store, 1, "after");
    const memories = await openMemories({ store: crashing });
    const memory = memories.person("ada");
    const { sourceIds } = await memory.coreSummary();
    expect(sourceIds.length).toBeGreaterThan(0);
    await expect(memory.forget(sourceIds[0]!)).rejects.toThrow("crashed");
    expect(log.lastWrite).toBe("apply");
    await memories.close();

    const reopened = await openMemories({ store });
    await reopened.person("ada").commit({ ...interactionAt(50), id: "after the crash" });
    await reopened.settled();
    const core = await reopened.person("ada").coreSummary();
    expect(core.text).not.toBe("N/A");
    expect(core.sourceIds).not.toContain(sourceIds[0]);
  });

  async function commitAll(
    store: Store,
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
    store: Store,
    crashAt: number,
    moment: "before" | "after",
    parameters: Record<string, number>,
  ): Promise<{ acknowledgedCount: number; writeCount: number; lastWrite: string }> {
    const { store: crashing, log } = crashingStore(store, crashAt, moment);
    let acknowledgedCount = 0;
    try {
      const memories = await Mnemosyne.open(laboratory({ store: crashing, parameters }));
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
    return { acknowledgedCount, ...log };
  }
});

const writes = new Set<string | symbol>(["setEmbedder", "claimEmbedder", "cache", "accept", "apply", "forgetPerson"]);

/** A store that answers nothing any more from the `crashAt`-th write on, which is lost or was just done. */
function crashingStore(
  store: Store,
  crashAt: number,
  moment: "before" | "after",
): { store: Store; log: { writeCount: number; lastWrite: string } } {
  const log = { writeCount: 0, lastWrite: "" };
  let hasCrashed = false;
  const call = async (name: string | symbol, work: () => unknown): Promise<unknown> => {
    if (hasCrashed) throw new Error("crashed");
    if (!writes.has(name)) return work();
    log.writeCount++;
    log.lastWrite = String(name);
    if (log.writeCount < crashAt) return work();
    hasCrashed = true;
    if (moment === "after") await work();
    throw new Error("crashed");
  };
  const proxy = new Proxy(store, {
    get(target, name) {
      if (name === "close") return async () => {};
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => call(name, () => Reflect.apply(member, target, args) as unknown);
    },
  });
  return { store: proxy, log };
}
