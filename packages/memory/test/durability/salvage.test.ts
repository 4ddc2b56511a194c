/** Damage in known places: what is named, what can still be read, and how what is whole is saved. */
import { copyFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import Database from "libsql";
import { type HistoryItem, MnemosyneError } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { noChange } from "../../src/core/graph/memory-node.js";
import { salvageMoment } from "../../src/engine/transfer/salvage.js";
import { exportLines } from "./export-lines.js";
import { interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { fillRichDatabase } from "./rich-database.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const count = 12;
const links = { i006: ["i001"], i008: ["i002", "i007"] };

/** A file with memories of ada and bea, links between some and a pin, damaged by SQL behind our back. */
async function makeDamaged(sql: string): Promise<string> {
  const path = scratch.next();
  const memories = await openMemories({ path });
  for (let position = 0; position < count; position++) await memories.person("ada").commit(interactionAt(position));
  await memories.person("bea").commit(interactionAt(20));
  await memories.settled();
  await memories.close();
  const store = await SqliteStore.open({ path });
  const setUpdates = Object.entries(links).map(([id, updates]) => ({ id, updates }));
  const change = { ...noChange, setUpdates, setPinned: [{ id: "i006", area: "garden" }] };
  const baseRevision = await store.revision("ada");
  await store.apply("ada", { baseRevision, change, outcomes: [], forgetInteractions: [] });
  await store.close();
  const database = new Database(path);
  database.exec(sql);
  database.close();
  return path;
}

/** What is whole of everybody, exported and imported into another file. */
async function moveWhole(path: string, to: string, names: readonly string[]): Promise<void> {
  const [source, target] = [await openMemories({ path }), await openMemories({ path: to })];
  try {
    for (const name of names) await target.person(name).import(source.person(name).export({ skipDamaged: true }));
  } finally {
    await source.close();
    await target.close();
  }
}

async function damageOf(path: string): Promise<object[]> {
  const store = await SqliteStore.open({ path });
  const damage = await store.damage();
  await store.close();
  return damage;
}

const ids = Array.from({ length: count }, (_, position) => interactionAt(position).id);

describe("a memory that is damaged", () => {
  const spoil = "UPDATE memory SET content = zeroblob(500) WHERE id = 'i007'";
  const named = { code: "store_damaged", message: expect.stringContaining('"ada", "i007": the memory is damaged') };

  test("is named by everything that needs it, and by nothing else", async () => {
    const path = await makeDamaged(spoil);
    expect(await damageOf(path)).toEqual([{ person: "ada", id: "i007", part: "the memory is damaged" }]);
    const memories = await openMemories({ path });
    const ada = memories.person("ada");
    for (const work of [() => ada.recall("the garden"), () => ada.list(), () => ada.graph(), () => exportLines(ada)]) {
      await expect(work()).rejects.toMatchObject(named);
    }
    expect((await ada.history()).map(({ id }) => id)).toEqual(ids);
    // Links are those of the graph, which cannot be read.
    expect(await ada.history({ ids: ["i001"] })).toMatchObject([{ updates: null, outdatedBy: null }]);
    expect(await ada.check()).toEqual([expect.stringContaining('"ada", "i007"')]);
    expect(await memories.person("bea").list()).toHaveLength(1);
    await ada.commit(interactionAt(40));
    expect((await ada.history()).map(({ id }) => id)).toEqual([...ids, "i040"]);
  });

  test("is made again from its interaction when what is whole is imported elsewhere", async () => {
    const [path, whole] = [await makeDamaged(spoil), scratch.next()];
    await moveWhole(path, whole, ["ada", "bea"]);
    const ada = (await openMemories({ path: whole })).person("ada");
    await ada.settled();
    expect((await ada.history()).map(({ id }) => id)).toEqual(ids);
    expect((await ada.get("i007")).outcome).toMatch(/committed|paired/u);
    expect(await ada.check()).toEqual([]);
  });
});

test("a link or a pin that is damaged is named, and so is one where there was none", async () => {
  const spoilt = [
    ["i006", "updates = NULL"],
    ["i006", `updates = CAST('["i002"]' AS BLOB)`],
    ["i004", `updates = CAST('["i002"]' AS BLOB)`],
    ["i006", "updates = x'ff00'"],
    ["i006", "pinned_area = NULL"],
    ["i006", "pinned_area = CAST('home' AS BLOB)"],
    ["i004", "pinned_area = CAST('home' AS BLOB)"],
    ["i008", "pinned_area = updates, updates = NULL"],
  ] as const;
  const path = await makeDamaged("SELECT 1");
  for (const [id, change] of spoilt) {
    const copy = scratch.next();
    copyFileSync(path, copy);
    const database = new Database(copy);
    database.exec(`UPDATE memory SET ${change} WHERE id = '${id}'`);
    database.close();
    expect(await damageOf(copy), change).toEqual([{ person: "ada", id, part: "the memory is damaged" }]);
    const list = (await openMemories({ path: copy })).person("ada").list();
    await expect(list, change).rejects.toMatchObject({ code: "store_damaged" });
  }
});

test("a pin is kept when another memory is damaged", async () => {
  const path = await makeDamaged("UPDATE memory SET content = zeroblob(500) WHERE id = 'i003'");
  const lines: string[] = [];
  const ada = (await openMemories({ path })).person("ada");
  for await (const line of ada.export({ skipDamaged: true })) lines.push(line);
  const pins = lines.map((line) => JSON.parse(line) as { id?: string; pinnedArea?: string | null });
  expect(pins.filter(({ pinnedArea }) => typeof pinnedArea === "string")).toMatchObject([
    { id: "i006", pinnedArea: "garden" },
  ]);
});

describe("links to and from a memory that is damaged", () => {
  const linksIn = (lines: readonly string[]): Record<string, readonly string[]> => {
    const memories = lines.map((line) => JSON.parse(line) as { type: string; id: string; updates?: string[] });
    const linked = memories.filter(({ type, updates }) => type === "memory" && updates!.length > 0);
    return Object.fromEntries(linked.map(({ id, updates }) => [id, updates!]));
  };

  test.each([
    ["i007", { i006: ["i001"], i008: ["i002"] }],
    ["i006", { i008: ["i002", "i007"] }],
  ])("are dropped, and the others kept: %s", async (id, kept) => {
    const path = await makeDamaged(`UPDATE memory SET content = zeroblob(500) WHERE id = '${id}'`);
    const lines: string[] = [];
    const ada = (await openMemories({ path })).person("ada");
    for await (const line of ada.export({ skipDamaged: true })) lines.push(line);
    expect(linksIn(lines)).toEqual(kept);
  });

  test("become wishes where no memory can be kept", async () => {
    const store = await SqliteStore.open({ path: await makeDamaged("SELECT 1") });
    const salvaged = await store.salvage("ada");
    const [first, ...others] = salvaged.nodes;
    // Vectors of two sizes fit into no graph.
    const nodes = [{ ...first!, summaryVector: first!.summaryVector.slice(1) }, ...others];
    Object.assign(store, { salvage: () => Promise.resolve({ ...salvaged, nodes }) });
    const { entries, change } = await salvageMoment("ada", store);
    await store.close();
    expect(change).toEqual(noChange);
    const wishes = entries.filter(({ interaction }) => interaction.updates.length > 0);
    expect(wishes.map(({ outcome }) => outcome)).toEqual(["queued", "queued"]);
    expect(Object.fromEntries(wishes.map(({ interaction: { id, updates } }) => [id, updates]))).toEqual(links);
  });
});

describe("an interaction that is damaged", () => {
  const spoil = "UPDATE interaction SET body = CAST('[1, 2' AS BLOB) WHERE id = 'i005'";

  test("is left out on request, and is told in the words of its memory by an export", async () => {
    const path = await makeDamaged(spoil);
    expect(await damageOf(path)).toEqual([{ person: "ada", id: "i005", part: "the interaction is damaged" }]);
    const ada = (await openMemories({ path })).person("ada");
    await expect(ada.history()).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining('"ada", "i005": the interaction is damaged'),
    });
    expect((await ada.history({ skipDamaged: true })).map(({ id }) => id)).toEqual(ids.filter((id) => id !== "i005"));
    const lines: string[] = [];
    for await (const line of ada.export({ skipDamaged: true })) lines.push(line);

    const copy = (await openMemories({ path: scratch.next() })).person("ada");
    expect(await copy.import(lines)).toMatchObject({ mode: "restored", acceptedCount: count });
    const [retold] = await copy.history({ ids: ["i005"] });
    const { turns = [], summary } = interactionAt(5);
    for (const text of [summary ?? "", ...turns.map((turn) => turn.text)]) expect(retold!.summary).toContain(text);
    expect(await copy.check()).toEqual([]);
  });
});

test.each([
  ["the record of a person", "UPDATE person SET core_summary = CAST('{' AS BLOB) WHERE name = 'ada'"],
  ["a person's memory", "UPDATE memory SET content = zeroblob(9) WHERE id = 'i002'"],
  ["a person's interaction", "UPDATE interaction SET body = zeroblob(9) WHERE id = 'i002'"],
])("damage to %s does not keep anybody from being forgotten", async (_, sql) => {
  const path = await makeDamaged(sql);
  const memories = await openMemories({ path });
  await memories.person("ada").forgetAll();
  expect(await memories.persons()).toEqual(["bea"]);
  expect(databaseBytes(path).includes("i007")).toBe(false);
  await memories.close();
  expect(await damageOf(path)).toEqual([]);
});

test.each([
  ["a memory", "DELETE FROM memory WHERE id = 'i003'", "the list of memories is incomplete"],
  ["an edge", "DELETE FROM edge WHERE (a, b) IN (SELECT a, b FROM edge LIMIT 1)", "the list of edges is incomplete"],
  ["an interaction", "DELETE FROM interaction WHERE id = 'i003'", "the list of interactions is incomplete"],
])("%s that is gone without a trace is missed", async (_, remove, part) => {
  const table = /FROM (\w+)/u.exec(remove)![1]!;
  const path = await makeDamaged(`DROP TRIGGER ${table}_removed; ${remove}`);
  expect(await damageOf(path)).toContainEqual({ person: "ada", id: null, part });
  const ada = (await openMemories({ path })).person("ada");
  await expect(exportLines(ada)).rejects.toMatchObject({ code: "store_damaged" });
});

describe("a page that lost everything", () => {
  const pageSize = 4_096;
  const words = (items: readonly HistoryItem[]): Map<string, string> =>
    new Map(items.map(({ id, turns, summary }) => [id, JSON.stringify([turns, summary])]));

  test("takes little with it, whichever it is", { timeout: 300_000 }, async () => {
    const original = scratch.next();
    await fillRichDatabase({ path: original });
    const whole = scratch.next();
    copyFileSync(original, whole);
    const before = words(await (await openMemories({ path: whole })).person("Zoë").history());
    let savedCount = 0;
    let soundCount = 0;
    const pageCount = statSync(original).size / pageSize;
    // Every third: all of them take minutes.
    for (let page = 1; page <= pageCount; page += 3) {
      const [path, saved] = [scratch.next(), scratch.next()];
      const bytes = readFileSync(original);
      writeFileSync(path, bytes.fill(0, (page - 1) * pageSize, page * pageSize));
      const failure: unknown = await moveWhole(path, saved, ["Zoë", "bea"]).catch((error: unknown) => error);
      if (failure instanceof MnemosyneError) continue;
      expect(failure).toBeUndefined();
      const damage = await damageOf(path);
      const store = await SqliteStore.open({ path: saved });
      const entries = await store.history("Zoë");
      await store.close();
      const same = new Set(
        entries.filter(
          ({ interaction: { id, turns, summary } }) => before.get(id) === JSON.stringify([turns, summary]),
        ),
      );
      // Nothing is altered except what is told in the words of its memory.
      expect(entries.filter((entry) => !same.has(entry) && entry.interaction.turns.length > 0)).toEqual([]);
      if (entries.length < before.size) expect(damage).not.toEqual([]);
      savedCount += entries.length;
      soundCount++;
    }
    // A few pages hold the beginning of everything.
    expect(soundCount).toBeGreaterThanOrEqual(Math.ceil(pageCount / 3) - 3);
    expect(savedCount).toBeGreaterThan(0.9 * soundCount * before.size);
  });
});

test("a file that was renamed while it was open has everything under its new name", async () => {
  const path = scratch.next();
  const memories = await openMemories({ path });
  await memories.person("ada").commit(interactionAt(1));
  await memories.settled();
  renameSync(path, `${path}.new`);
  await expect(memories.person("ada").commit(interactionAt(2))).rejects.toMatchObject({ code: "store_moved" });
  await memories.close();
  const renamed = await openMemories({ path: `${path}.new` });
  expect(await renamed.person("ada").history()).toHaveLength(1);
});

test("the log of a database that is not there is not dropped", async () => {
  const path = scratch.next();
  writeFileSync(`${path}-wal`, "what was written last");
  await expect(SqliteStore.open({ path })).rejects.toMatchObject({ code: "store_moved" });
  expect(readFileSync(`${path}-wal`, "utf8")).toBe("what was written last");
});
