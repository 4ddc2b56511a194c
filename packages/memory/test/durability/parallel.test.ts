/** Many at once, in one process and in several: nothing lost, nothing double, and every graph sound. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Child, startChild } from "./child-process.js";
import { engines } from "./engines.js";
import { exportEverybody, exportLines, parseLines } from "./export-lines.js";
import { interactionAt } from "./laboratory.mjs";
import { damageIn, openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const all = engines({ isSealed: false });
const positions = (count: number): number[] => Array.from({ length: count }, (_, position) => position);

describe.each(all)("one process and $name", ({ next }) => {
  test("50 commits at once", async () => {
    const memories = await openMemories(await next());
    const memory = memories.person("ada");
    const accepted = await Promise.all(positions(50).map((position) => memory.commit(interactionAt(position))));
    expect(accepted.every(({ isNew }) => isNew)).toBe(true);
    await memory.settled();
    const history = await memory.history();
    expect(history.map(({ id }) => id).sort()).toEqual(positions(50).map((position) => interactionAt(position).id));
    expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
    expect(await memory.check()).toEqual([]);
  });

  test("commits, questions, pruning, forgetting and export at once", async () => {
    const memories = await openMemories(await next());
    const memory = memories.person("ada");
    for (const position of positions(20)) await memory.commit(interactionAt(position));
    await memory.settled();
    await Promise.all([
      ...positions(60)
        .slice(20)
        .map((position) => memory.commit(interactionAt(position))),
      ...positions(10).map((seed) => memory.recall("How was the garden?", { seed })),
      memory.forget(["i000", "i007"]),
      memory.prune({ memoryCountMax: 15 }),
      memory.forget("i012"),
      memory.coreSummary({ update: true }),
      exportEverybody(memories),
    ]);
    await memory.settled();
    const ids = (await memory.history()).map(({ id }) => id);
    const expected = positions(60).map((position) => interactionAt(position).id);
    expect(ids.toSorted()).toEqual(expected.filter((id) => !["i000", "i007", "i012"].includes(id)));
    expect(await memory.check()).toEqual([]);
  });

  test("closing while commits are under way keeps all that were acknowledged", async () => {
    for (let round = 0; round < 3; round++) {
      const open = await next();
      const memories = await openMemories(open);
      const commits = positions(20).map((position) => memories.person("ada").commit(interactionAt(position)));
      await delay(round * 8);
      const [settled] = await Promise.all([Promise.allSettled(commits), memories.close()]);
      const acknowledged = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value.id] : []));
      for (const result of settled) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "store_closed" });
      }
      const memory = (await openMemories(open)).person("ada");
      await memory.settled();
      const history = await memory.history().catch(() => []);
      expect(history.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
      expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
      expect(await memory.check()).toEqual([]);
    }
  });

  test("two openings of one file see the same memory, whoever wrote it", async () => {
    const open = await next();
    const first = await openMemories(open);
    const second = await openMemories(open);
    for (const position of positions(60)) {
      await (position % 3 === 0 ? second : first).person("ada").commit(interactionAt(position));
      if (position % 7 === 0) await Promise.all([first.settled(), second.settled()]);
    }
    await Promise.all([first.settled(), second.settled()]);
    const views = await Promise.all(
      [first, second].map(async (memories) => ({
        graph: await memories.person("ada").graph(),
        recall: await memories.person("ada").recall("What did Marta tell about the garden?", { seed: 5 }),
        check: await memories.person("ada").check(),
      })),
    );
    expect(views[0]!.graph.memories.some(({ pairId }) => pairId !== null)).toBe(true);
    expect(views[1]!.graph).toEqual(views[0]!.graph);
    expect(views[1]!.recall.memories).toEqual(views[0]!.recall.memories);
    expect(views.map(({ check }) => check)).toEqual([[], []]);
  });

  test("restoring the same interaction several times at once makes one memory", async () => {
    const open = await next();
    const openings = [await openMemories(open), await openMemories(open)];
    const [memory] = openings.map((memories) => memories.person("ada"));
    for (const position of positions(24)) await memory!.commit(interactionAt(position));
    await memory!.settled();
    const [replaced] = await memory!.history({ outcomes: ["replaced"] });
    const restoring = openings.flatMap((memories) => {
      const person = memories.person("ada");
      return [person.restore(replaced!.id).then(() => person.settled()), person.restore(replaced!.id)];
    });
    // All but the first may be told that it is no longer replaced.
    expect((await Promise.allSettled(restoring)).some(({ status }) => status === "fulfilled")).toBe(true);
    for (const memories of openings) await memories.settled();
    expect((await memory!.history({ ids: [replaced!.id] }))[0]!.outcome).toBe("committed");
    expect(await memory!.check()).toEqual([]);
    const { edges } = await memory!.graph();
    expect(edges.filter(({ a, b }) => a === b)).toEqual([]);
  });

  test("two who go on with one conversation at once lose no turn", async () => {
    const memories = await openMemories(await next());
    const memory = memories.person("ada");
    const handles = [await memory.conversation({ id: "talk" }), await memory.conversation({ id: "talk" })];
    const acknowledged: string[] = [];
    for (const n of positions(3)) {
      const texts = handles.map((_, i) => `Sentence ${n} of speaker ${i} about the garden.`);
      const added = await Promise.allSettled(handles.map((handle, i) => handle.add({ who: "user", text: texts[i]! })));
      added.forEach(({ status }, i) => status === "fulfilled" && acknowledged.push(texts[i]!));
    }
    const [entry] = await memory.history({ ids: ["talk"] });
    expect(entry!.turns.map(({ text }) => text).sort()).toEqual(acknowledged.sort());
  });
});

describe("several processes and", () => {
  const countEach = 25;

  const scenes = engines().flatMap(({ name, next }) => [
    { name, next, what: "one person", personOf: () => "ada" },
    ...(name.includes("sealed") ? [] : [{ name, next, what: "a person each", personOf: (n: number) => `person ${n}` }]),
  ]);

  test.each(scenes)("$name: four, $what", async ({ next, personOf }) => {
    const open = await next();
    const numbers = positions(4);
    const children = numbers.map((n) =>
      startChild("committing-child.mjs", {
        open,
        positions: positions(countEach),
        person: personOf(n),
        prefix: `${n}-`,
        atOnce: n % 2 === 1,
        waits: true,
      }),
    );
    await beginTogether(children);
    for (const [n, child] of children.entries()) {
      expect(child.said("acknowledged").sort()).toEqual(idsOf(n));
    }

    expect(await damageIn(open)).toEqual([]);
    const memories = await openMemories(open);
    await memories.settled();
    for (const person of new Set(numbers.map(personOf))) {
      const memory = memories.person(person);
      const history = await memory.history();
      const expected = numbers.filter((n) => personOf(n) === person).flatMap(idsOf);
      expect(history.map(({ id }) => id).sort()).toEqual(expected.sort());
      expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
      expect(await memory.check()).toEqual([]);
      const remembered = history.filter(({ outcome }) => outcome === "committed" || outcome === "paired");
      expect((await memory.list()).map(({ id }) => id).sort()).toEqual(remembered.map(({ id }) => id).sort());
    }
  });

  test("SQLite: several that open a new file at the same moment all open it", async () => {
    const argument = { paths: positions(15).map(() => scratch.next()), everyMs: 20 };
    const children = positions(3).map(() => startChild("opening-together-child.mjs", argument));
    for (const child of children) await child.until((lines) => lines.includes("ready"));
    const first = String(Date.now() + 50);
    for (const child of children) child.say(first);
    for (const child of children) await child.succeeded();
    expect(children.flatMap((child) => child.said("failed"))).toEqual([]);
  });

  test.each(all)("$name: an export while another process commits is of one moment", async ({ next }) => {
    const open = await next();
    const memories = await openMemories(open);
    await memories.person("ada").commit(interactionAt(100));
    await memories.settled();
    const child = startChild("committing-child.mjs", { open, positions: positions(60), person: "ada", waits: true });
    await child.until((lines) => lines.includes("ready"));
    child.say("begin");
    const contradictions: string[] = [];
    while (!child.lines.includes("settled") && !child.lines.some((line) => line.startsWith("failed"))) {
      const exported = await exportLines(memories.person("ada"));
      contradictions.push(...findContradictions(exported));
    }
    await child.succeeded();
    expect(contradictions).toEqual([]);
  });

  test.each(all)(
    "$name: forgetting while another commits leaves no trace and disturbs nobody",
    async ({ name, next }) => {
      const open = await next();
      const memories = await openMemories(open);
      const child = startChild("committing-child.mjs", { open, positions: positions(60), person: "ada", waits: true });
      await child.until((lines) => lines.includes("ready"));
      child.say("begin");
      const forgotten: string[] = [];
      while (forgotten.length < 12) {
        const next = child.said("acknowledged").find((id) => !forgotten.includes(id));
        if (next !== undefined) {
          await memories.person("ada").forget(next);
          forgotten.push(next);
        }
        await delay(1);
      }
      await child.succeeded();
      const memory = memories.person("ada");
      await memory.settled();
      const left = positions(60)
        .map((position) => interactionAt(position).id)
        .filter((id) => !forgotten.includes(id));
      expect((await memory.history()).map(({ id }) => id)).toEqual(left);
      expect(await memory.check()).toEqual([]);
      if (name !== "SQLite") return;
      const bytes = databaseBytes(open.path).toString("latin1");
      expect(forgotten.filter((id) => bytes.includes(id))).toEqual([]);
    },
  );

  function findContradictions(exported: readonly string[]): string[] {
    const { entries, nodes } = parseLines(exported);
    const outcomes = new Map(entries.map(({ interaction, outcome }) => [interaction.id, outcome]));
    const remembered = new Set(nodes.map(({ node }) => node.id));
    const wrong = [...outcomes].filter(
      ([id, outcome]) => remembered.has(id) !== ["committed", "paired"].includes(outcome),
    );
    const unknown = [...remembered].filter((id) => !outcomes.has(id));
    return [...wrong.map(([id, outcome]) => `${id} is ${outcome}`), ...unknown.map((id) => `${id} was not submitted`)];
  }

  function idsOf(n: number): string[] {
    return positions(countEach).map((position) => `${n}-${interactionAt(position).id}`);
  }

  async function beginTogether(children: readonly Child[]): Promise<void> {
    for (const child of children) await child.until((lines) => lines.includes("ready"));
    for (const child of children) child.say("begin");
    for (const child of children) await child.succeeded();
  }
});
