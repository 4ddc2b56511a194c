/** Whole memories in every place: the same to the last byte, for several processes at once, whatever is lost or damaged. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Mnemosyne, type MnemosyneOptions, type PersonMemory } from "mnemosyne-edge";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openRecords, openStore } from "../../src/opening.js";
import { Codec } from "../../src/stores/codec.js";
import { startChild } from "../durability/child-process.js";
import { exportEverybody, exportLines, parseLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { interactionAt, laboratory } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { fillRichDatabase } from "../durability/rich-database.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { type StartedPlace, places } from "./places.js";
import { type Task, inputOf, makeTasks } from "./under-fire-tasks.mjs";

const scratch = new ScratchFolder();
const encryptionKey = "correct horse";
const sealings = [{}, { encryptionKey }];

/** A life with pairs, replacements, something forgotten, something restored, a small memory limit and a core summary. */
async function live(options: MnemosyneOptions): Promise<{ exported: string[]; recalls: string }> {
  const parameters = { memoryCountMax: 22, coreSummaryIntervalCommits: 10 };
  const memory = (await openMemories({ ...options, parameters })).person("Zoë {1}");
  for (let position = 0; position < 35; position++) {
    await memory.commit(interactionAt(position));
    await memory.settled();
  }
  await memory.forget("i007");
  const [pruned] = await memory.history({ outcomes: ["pruned"] });
  await memory.restore(pruned!.id);
  await memory.settled();
  const ask = async (position: number): Promise<unknown> =>
    memory.recall(interactionAt(position).summary ?? "What about the garden?", { seed: position });
  const recalls = JSON.stringify([await ask(3), await ask(20), await ask(34)]);
  return { exported: await exportLines(memory), recalls };
}

async function fill(options: MnemosyneOptions, count = 6): Promise<string> {
  const memories = await Mnemosyne.open(laboratory(options));
  for (let position = 0; position < count; position++) await memories.person("ada").commit(interactionAt(position));
  await memories.person("bea").commit(interactionAt(20));
  await memories.settled();
  await memories.close();
  return options.path!;
}

async function damageOf(options: MnemosyneOptions): Promise<object[]> {
  const records = await openRecords(options);
  try {
    return await records.damage();
  } finally {
    await records.close();
  }
}

const questions: readonly ((zoe: PersonMemory) => Promise<unknown>)[] = [
  exportLines,
  // Links are those of the graph: null if it cannot be read.
  async (zoe) => (await zoe.history()).map(({ updates: _, outdatedBy: __, ...item }) => item),
  (zoe) => zoe.list(),
  (zoe) => zoe.statistics(),
  async (zoe) => (await zoe.recall("the garden and the knee", { seed: 1 })).context,
  (zoe) => zoe.coreSummary(),
  (zoe) => zoe.get("i010"),
];

let richLines: Promise<string[]> | undefined;
function fillRichLines(): Promise<string[]> {
  return (richLines ??= fillRichDatabase({ path: scratch.next() }));
}

async function idsOf(memory: PersonMemory): Promise<string[]> {
  return (await memory.history()).map(({ id }) => id);
}

describe.each(places)("memories in $name", (place) => {
  describe.runIf(place.isHere)("that is there", () => {
    let started: StartedPlace;
    beforeAll(async () => {
      started = await place.start();
    });
    afterAll(() => started?.stop());
    const nextPath = (): string => started.nextPath();

    test("are those in memory, byte for byte, encrypted or not, and after opening them again", async () => {
      const expected = await live({ path: ":memory:" });
      expect(expected.exported.length).toBeGreaterThan(50);
      for (const sealing of sealings) {
        const path = nextPath();
        expect(await live({ path, ...sealing })).toEqual(expected);
        const again = (await openMemories({ path, ...sealing })).person("Zoë {1}");
        expect(await exportLines(again)).toEqual(expected.exported);
        expect(await again.check()).toEqual([]);
      }
    });

    test("move to a file and back, byte for byte, with links, readings, pins and vectors of words", async () => {
      const rich = await fillRichLines();
      const { nodes, coreSummary } = parseLines(rich);
      expect(nodes.filter(({ node }) => node.ends.length > 0)).not.toEqual([]);
      expect(nodes.filter(({ node }) => node.marks.length > 0)).not.toEqual([]);
      const isRead = ({ reading }: { readonly reading: unknown }): boolean => reading !== null;
      expect(nodes.filter(({ node, tokenBytes }) => tokenBytes !== null && node.statements.some(isRead))).not.toEqual(
        [],
      );
      expect(coreSummary!.sourceIds).not.toEqual([]);
      let lines = rich;
      for (const options of [{ path: nextPath(), encryptionKey }, { path: scratch.next() }, { path: nextPath() }]) {
        const memories = await openMemories(options);
        await memories.person("Zoë").import(lines);
        await memories.close();
        lines = await exportLines((await openMemories(options)).person("Zoë"));
        expect(lines).toEqual(rich);
      }
    });

    test("of several processes: two that are given the same people do together what one would", async () => {
      const path = nextPath();
      const parameters = { memoryCountMax: 30, coreSummaryIntervalCommits: 7 };
      const lists = makeTasks({ interactionCount: 120, personCount: 3, processCount: 2, seed: "two processes" });
      const children = lists.map((tasks) =>
        startChild("../stores/under-fire-child.mjs", { path, parameters, tasks, lanes: 2 }),
      );
      await Promise.all(children.map((child) => child.succeeded()));
      expect(children.flatMap((child) => child.said("again"))).toEqual([]);
      const memories = await openMemories({ path, parameters });
      await memories.settled();
      const byId = new Map(lists.flat().map((task) => [task.id, task]));
      for (const name of ["person 0", "person 1", "person 2"]) {
        const memory = memories.person(name);
        const ids = await idsOf(memory);
        const own = [...byId.values()].filter(({ person }) => person === name);
        expect(ids.toSorted()).toEqual(own.map(({ id }) => id).sort());
        expect(await memory.check()).toEqual([]);
        expect(await exportLines(memory)).toEqual(await replay(ids.map((id) => byId.get(id)!)));
      }
    });

    /** What one process makes of a person's history, in the order of that history. */
    async function replay(history: readonly Task[]): Promise<string[]> {
      const parameters = { memoryCountMax: 30, coreSummaryIntervalCommits: 7 };
      const memory = (await openMemories({ path: ":memory:", parameters })).person(history[0]!.person);
      for (const task of history) await memory.commit(inputOf(task));
      await memory.settled();
      return exportLines(memory);
    }

    test("of one person processed by three at once take effect once, and nobody keeps the queue", async () => {
      const path = nextPath();
      const parameters = { redundancyThreshold: 10 };
      const three = await Promise.all([1, 2, 3].map(() => openMemories({ path, parameters })));
      for (let i = 0; i < 30; i++) {
        await three[i % 3]!.person("ada").commit({ id: `v${i}`, summary: `Visit number ${i}: the knee is better.` });
      }
      await Promise.all(three.map((memories) => memories.settled()));
      const outcomes = (await three[0]!.person("ada").history()).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(Array.from({ length: 30 }, () => "committed"));
      const graphs = await Promise.all(three.map((memories) => memories.person("ada").graph()));
      expect(new Set(graphs.map((graph) => JSON.stringify(graph))).size).toBe(1);
      expect(await three[1]!.person("ada").check()).toEqual([]);
      await Promise.all(three.map((memories) => memories.close()));
      const records = await openRecords({ path });
      onTestFinished(() => records.close());
      expect(await records.lease("ada", "somebody else", 60_000)).toBe(true);
    });

    test("that another process made or forgot are seen by the next question", async () => {
      const path = nextPath();
      const [one, two] = [await openMemories({ path }), await openMemories({ path })];
      const recalledBy = async (memories: Mnemosyne, query: string): Promise<string[]> => {
        const recall = await memories.person("ada").recall(query, { seed: 1 });
        return recall.memories.map(({ id }) => id);
      };
      const [aboutMarta, aboutOskar] = ["Who plays in the choir?", "Who sold something to a bakery?"];
      await one.person("ada").commit({ id: "a", summary: "Marta plays the violin in the choir." });
      await one.settled();
      expect(await recalledBy(two, aboutMarta)).toContain("a");
      await one.person("ada").commit({ id: "b", summary: "Oskar sold his violin to a bakery." });
      await one.settled();
      expect(await recalledBy(two, aboutOskar)).toContain("b");
      await two.person("ada").forget("a");
      expect(await recalledBy(one, aboutMarta)).not.toContain("a");
      await one.person("ada").forgetAll();
      expect(await recalledBy(two, aboutOskar)).toEqual([]);
      await expect(two.person("ada").graph()).rejects.toMatchObject({ code: "unknown_person" });
      // Whoever comes back is somebody new.
      await two.person("ada").commit({ id: "c", summary: "Ines paints boats." });
      await two.settled();
      expect(await idsOf(one.person("ada"))).toEqual(["c"]);
      expect(await recalledBy(one, aboutOskar)).not.toContain("b");
    });

    test("get new vectors from another embedder", async () => {
      const path = await fill({ path: nextPath() }, 20);
      const embedder = new HashingEmbedder({ name: "another", dimensions: 48 });
      await expect(Mnemosyne.open(laboratory({ path, embedder }))).rejects.toMatchObject({ code: "embedder_mismatch" });
      await Mnemosyne.reembed(laboratory({ path, embedder }));
      const memory = (await openMemories({ path, embedder })).person("ada");
      expect(await memory.check()).toEqual([]);
      expect(await memory.history()).toHaveLength(20);
    });

    test("that are forgotten are gone from the store, with every name", async () => {
      for (const sealing of sealings) {
        const path = nextPath();
        const memories = await openMemories({ path, ...sealing });
        const ada = memories.person("adelaide");
        await ada.commit({ id: "secret", summary: "Quetzalcoatl hid emeralds beneath the veranda." });
        await ada.commit({ id: "other", summary: "Pelicans nested at the lighthouse." });
        await memories.person("bertrand").commit(interactionAt(3));
        await memories.settled();
        const words = ["adelaide", "secret", "Quetzalcoatl", "emeralds", "Pelicans", "lighthouse", "bertrand"];
        const found = async (): Promise<string[]> => {
          const contents = await started.contents(path);
          return words.filter((word) => contents.includes(word));
        };
        const isPlain = !("encryptionKey" in sealing);
        expect(await found()).toEqual(isPlain ? words : []);
        await ada.forget("secret");
        expect(await found()).toEqual(isPlain ? ["adelaide", "Pelicans", "lighthouse", "bertrand"] : []);
        await ada.forgetAll();
        expect(await found()).toEqual(isPlain ? ["bertrand"] : []);
        const text = new Codec(encryptionKey).toText("adelaide");
        expect((await started.contents(path)).includes(text)).toBe(false);
        expect(await damageOf({ path, ...sealing })).toEqual([]);
      }
    });

    test("that are forgotten leave no claim of a process that died with the name in it", async () => {
      const path = nextPath();
      const records = await openRecords({ path });
      onTestFinished(() => records.close());
      const ada = (await openMemories({ path })).person("adelaide");
      for (const forget of [() => ada.forget("only"), () => ada.forgetAll()]) {
        await ada.commit({ id: "only", summary: "Pelicans nested at the lighthouse." });
        await ada.settled();
        expect(await records.lease("adelaide", "somebody who died", 60_000)).toBe(true);
        expect(await started.contents(path)).toContain("somebody who died");
        await forget();
        const contents = await started.contents(path);
        expect(["adelaide", "somebody", "Pelicans"].filter((word) => contents.includes(word))).toEqual([]);
      }
    });

    test("whose settings are lost go on, and are opened by the right key only", async () => {
      for (const sealing of sealings) {
        const path = await fill({ path: nextPath(), ...sealing });
        const loseSettings = async (): Promise<void> => {
          const store = await openStore(path);
          await store.erase("");
          await store.close();
        };
        const one = await openMemories({ path, ...sealing });
        await loseSettings();
        await one.person("ada").commit(interactionAt(7));
        await one.settled();
        const wrong = "encryptionKey" in sealing ? [{}, { encryptionKey: "wrong horse" }] : [{ encryptionKey }];
        for (const key of wrong) {
          await expect(Mnemosyne.open(laboratory({ path, ...key }))).rejects.toMatchObject({ code: "store_not_ours" });
        }
        const two = await openMemories({ path, ...sealing });
        await two.person("ada").commit(interactionAt(8));
        await two.settled();
        expect(await exportEverybody(two)).toEqual(await exportEverybody(one));
        expect(await two.person("ada").history()).toHaveLength(8);
        for (const key of wrong) {
          await expect(Mnemosyne.open(laboratory({ path, ...key }))).rejects.toMatchObject({ code: "store_not_ours" });
        }
      }
    });

    test("that are open do not keep a process alive", async () => {
      const [door, rest] = ["../../dist/index.js", "../durability/laboratory.mjs"].map((file) =>
        JSON.stringify(new URL(file, import.meta.url).href),
      );
      const script = `
        const [{ Mnemosyne }, { laboratory }] = [await import(${door}), await import(${rest})];
        const memories = await Mnemosyne.open(laboratory({ path: ${JSON.stringify(nextPath())} }));
        await memories.person("ada").commit({ summary: "Ines paints boats." });
        await memories.settled();
        process.stdout.write(String((await memories.person("ada").history()).length));`;
      const args = ["--input-type=module", "-e", script];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
      expect(stdout).toBe("1");
    });

    describe("that are damaged", () => {
      const harms = ["interaction", "links", "memory"].flatMap((kind) =>
        (["alter", "remove"] as const).map((how) => ({ kind, how })),
      );

      test.each(harms)("($kind, $how) are named, the rest can be saved, and forgotten", async ({ kind, how }) => {
        const sealing = how === "alter" ? { encryptionKey } : {};
        const path = await fill({ path: nextPath(), ...sealing });
        const memories = await openMemories({ path, ...sealing });
        const ada = memories.person("ada");
        const whole = parseLines(await exportLines(ada));
        expect(await ada.check()).toEqual([]);
        const text = new Codec(how === "alter" ? encryptionKey : undefined).toText("i002", "ada");
        expect(await started.spoil(path, how, kind, text)).toBe(1);

        // The person is in memory, and the damage is found in the store.
        const named = expect.stringMatching(/^"ada", "i002": .* (?:damaged|missing)$/u) as unknown;
        expect(await ada.check()).toContainEqual(named);
        const inStore = /(?:"ada", "i002": .* (?:damaged|missing))|"ada": the list of records is incomplete/u;
        const found = (await damageOf({ path, ...sealing })).map((part) => JSON.stringify(part));
        expect(found.join("\n")).toMatch(/ada/u);
        expect(await memories.person("bea").check()).toEqual([]);
        const refused = { code: "store_damaged", message: expect.stringMatching(inStore) as unknown };
        await expect(exportLines(ada)).rejects.toMatchObject(refused);

        // To another process that reads all of it.
        const fresh = (await openMemories({ path, ...sealing })).person("ada");
        if (kind === "interaction") {
          await expect(fresh.history()).rejects.toMatchObject(refused);
          expect(await fresh.history({ skipDamaged: true })).toHaveLength(5);
        }
        if (kind !== "interaction") {
          await expect(fresh.list()).rejects.toMatchObject(refused);
          await expect(fresh.recall("the garden")).rejects.toMatchObject(refused);
        }
        const saved: string[] = [];
        for await (const line of fresh.export({ skipDamaged: true })) saved.push(line);
        const { entries, nodes } = parseLines(saved);
        expect(entries.map(({ interaction }) => interaction.id).sort()).toEqual(
          whole.entries.map(({ interaction }) => interaction.id).sort(),
        );
        const lostCount = kind === "interaction" ? 0 : 1;
        expect(nodes.length).toBeGreaterThanOrEqual(whole.nodes.length - lostCount);

        await fresh.forgetAll();
        expect(await memories.persons()).toEqual(["bea"]);
        expect(await damageOf({ path, ...sealing })).toEqual([]);
        expect((await started.contents(path)).includes(text)).toBe(false);
      });

      test.runIf(place.name !== "SQLite")("in any record never say anything else without a word", async () => {
        const path = nextPath();
        const memories = await openMemories({ path });
        await memories.person("Zoë").import(await fillRichLines());
        await memories.close();
        const whole = await claims(path);
        expect(whole.filter((claim) => claim.startsWith("refused"))).toEqual([]);
        const store = await openStore(path);
        onTestFinished(() => store.close());
        const records: { person: string; kind: string; id: string }[] = [];
        for (const person of ["", "Zoë"]) {
          for await (const page of (await store.read(person)).pages) {
            records.push(...page.records.map(({ kind, id }) => ({ person, kind, id })));
          }
        }
        expect(new Set(records.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
        const ofKind = new Map<string, number>();
        for (const { person, kind, id } of records) {
          // The first few of each kind: a look at all of them takes long.
          const seen = ofKind.get(kind) ?? 0;
          ofKind.set(kind, seen + 1);
          if (seen >= 3) continue;
          expect(await started.spoil(path, "alter", kind, id)).toBe(1);
          const found = await claims(path);
          const silent = found.filter((claim, i) => claim !== whole[i] && !claim.startsWith("refused: store_"));
          expect([person, kind, id, silent]).toEqual([person, kind, id, []]);
          const named = await damageOf({ path }).catch((error: { code: string }) => [error.code]);
          expect([kind, named]).not.toEqual([kind, []]);
          await started.spoil(path, "alter", kind, id);
        }
        expect(await claims(path)).toEqual(whole);
      });

      /** Answers to everything that can be asked about Zoë, or the codes of the refusals. */
      async function claims(path: string): Promise<string[]> {
        const code = (error: { code?: string }): string => `refused: ${error.code ?? String(error)}`;
        let memories: Mnemosyne;
        try {
          memories = await Mnemosyne.open(laboratory({ path }));
        } catch (error) {
          return questions.map(() => code(error as { code?: string }));
        }
        const zoe = memories.person("Zoë");
        const found: string[] = [];
        for (const ask of questions) found.push(await ask(zoe).then((answer) => JSON.stringify(answer), code));
        await memories.close();
        return found;
      }

      test("(a whole memory that is gone) are missed by everything that needs all of them", async () => {
        const path = await fill({ path: nextPath() });
        for (const kind of ["interaction", "links", "memory"]) await started.spoil(path, "remove", kind, "i002");
        const ada = (await openMemories({ path })).person("ada");
        for (const work of [() => ada.list(), () => ada.recall("the garden"), () => exportLines(ada)]) {
          await expect(work()).rejects.toMatchObject({ code: "store_damaged" });
        }
        expect(await ada.check()).not.toEqual([]);
        expect(await damageOf({ path })).not.toEqual([]);
      });
    });
  });
});
