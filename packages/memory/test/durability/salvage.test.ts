/** Damage in known places: what is named, what can still be read, and how what is whole is saved. */
import { copyFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import Database from "libsql";
import { type HistoryItem, MnemosyneError } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { memoryContent } from "../../src/engine/records/memory-content.js";
import { updatesOf } from "../../src/graph/memory-node.js";
import { Records } from "../../src/engine/records/records.js";
import { readMoment } from "../../src/upkeep/transfer/person-moment.js";
import { salvageMoment } from "../../src/upkeep/transfer/salvage.js";
import { Codec } from "../../src/stores/codec.js";
import { exportLines, parseLines } from "./export-lines.js";
import { interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const count = 12;
const links: Readonly<Record<string, readonly string[]>> = { i006: ["i001"], i008: ["i002", "i007"] };

/** A file with memories of ada and bea, links between some and a pin, damaged by SQL behind our back. */
async function makeDamaged(sql = "SELECT 1"): Promise<string> {
  const path = scratch.next();
  const memories = await openMemories({ path, parameters: { redundancyThreshold: 10 } });
  const ada = memories.person("ada");
  for (let position = 0; position < count; position++) {
    const { id, ...interaction } = interactionAt(position);
    await ada.commit({ id, ...interaction, updates: links[id] ?? [] });
  }
  await memories.person("bea").commit(interactionAt(20));
  await memories.settled();
  await ada.pin("i006", "home");
  await memories.close();
  const database = new Database(path);
  database.exec(sql);
  database.close();
  return path;
}

/** SQL that alters the record of an interaction. */
function spoilt(kind: string, id: string, set = "bytes = zeroblob(500)"): string {
  return `UPDATE record SET ${set} WHERE ${isRecord(kind, id)}`;
}

function isRecord(kind: string, id: string): string {
  return `kind = (SELECT key FROM kind WHERE name = CAST('${kind}' AS BLOB)) AND id = CAST('${id}' AS BLOB)
    AND person = (SELECT key FROM person WHERE name = CAST('ada' AS BLOB))`;
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
  try {
    return await (await Records.open(store, new Codec())).damage();
  } finally {
    await store.close();
  }
}

async function salvagedLines(path: string): Promise<string[]> {
  const lines: string[] = [];
  const ada = (await openMemories({ path })).person("ada");
  for await (const line of ada.export({ skipDamaged: true })) lines.push(line);
  return lines;
}

const ids = Array.from({ length: count }, (_, position) => interactionAt(position).id);

describe("a memory that is damaged", () => {
  const spoil = spoilt("memory", "i007");
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
    expect(await ada.check()).toEqual(['"ada", "i007": the memory is damaged']);
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

test.each([
  ["links", "i006", "the memory's record of links is damaged"],
  ["memory", "i004", "the memory is damaged"],
])("a record that is damaged is named: %s", async (kind, id, part) => {
  const path = await makeDamaged();
  const named = { person: "ada", id: id === "" ? null : id, part };
  for (const set of ["bytes = zeroblob(500)", "bytes = x''", "version = version + 1", "queue = 0", "mark = 0"]) {
    const copy = scratch.next();
    copyFileSync(path, copy);
    const database = new Database(copy);
    database.exec(spoilt(kind, id, set));
    database.close();
    expect(await damageOf(copy), set).toContainEqual(named);
    const list = (await openMemories({ path: copy })).person("ada").list();
    await expect(list, set).rejects.toMatchObject({ code: "store_damaged" });
  }
});

test("a pin is kept when another memory is damaged", async () => {
  const { nodes } = parseLines(await salvagedLines(await makeDamaged(spoilt("memory", "i003"))));
  const pinned = nodes.flatMap(({ node }) => node.marks.map(({ kind, area }) => [node.id, kind, area]));
  expect(pinned).toEqual([["i006", "pinned", "Home"]]);
});

describe("links to and from a memory that is damaged", () => {
  test.each([
    ["memory", "i007", { i006: ["i001"], i008: ["i002"] }],
    ["memory", "i006", { i008: ["i002", "i007"] }],
    ["links", "i006", { i008: ["i002", "i007"] }],
  ])("are dropped, and the others kept: %s %s", async (kind, id, kept) => {
    const { nodes } = parseLines(await salvagedLines(await makeDamaged(spoilt(kind, id))));
    const linked = nodes.filter(({ node }) => node.ends.length > 0);
    expect(Object.fromEntries(linked.map(({ node }) => [node.id, updatesOf(node)]))).toEqual(kept);
  });

  test("become wishes where no memory can be kept", async () => {
    const store = await SqliteStore.open({ path: await makeDamaged() });
    const records = await Records.open(store, new Codec());
    const { revision, nodes } = await readMoment("ada", records);
    // Vectors of two sizes fit into no graph.
    const [first] = nodes;
    const shortened = {
      ...first!,
      summaryVector: first!.summaryVector.slice(1),
      statementVectors: [],
      questionVectors: [],
    };
    const bytes = memoryContent({
      ...shortened,
      node: { ...first!.node, statements: [], questions: [], hypotheticalQuery: "" },
    });
    const key = { kind: "memory", id: first!.node.id };
    const put = [{ ...key, bytes: new Codec().encode("ada", key, { layout: 1, bytes }) }];
    await store.write("ada", revision, { put });
    const salvaged = await salvageMoment("ada", records);
    await store.close();
    expect([salvaged.nodes, salvaged.edges]).toEqual([[], []]);
    const wishes = salvaged.entries.filter(({ interaction }) => interaction.updates.length > 0);
    expect(wishes.map(({ outcome }) => outcome)).toEqual(["queued", "queued"]);
    expect(Object.fromEntries(wishes.map(({ interaction: { id, updates } }) => [id, updates]))).toEqual(links);
  });
});

describe("an interaction that is damaged", () => {
  const spoil = spoilt("interaction", "i005", "bytes = CAST('[1, 2' AS BLOB)");

  test("is left out on request, and is told in the words of its memory by an export", async () => {
    const path = await makeDamaged(spoil);
    expect(await damageOf(path)).toEqual([{ person: "ada", id: "i005", part: "the interaction is damaged" }]);
    const ada = (await openMemories({ path })).person("ada");
    await expect(ada.history()).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining('"ada", "i005": the interaction is damaged'),
    });
    expect((await ada.history({ skipDamaged: true })).map(({ id }) => id)).toEqual(ids.filter((id) => id !== "i005"));
    const lines = await salvagedLines(path);
    const copy = (await openMemories({ path: scratch.next() })).person("ada");
    expect(await copy.import(lines)).toMatchObject({ mode: "restored", acceptedCount: count });
    const [retold] = await copy.history({ ids: ["i005"] });
    const { turns = [], summary } = interactionAt(5);
    for (const text of [summary ?? "", ...turns.map((turn) => turn.text)]) expect(retold!.summary).toContain(text);
    expect(await copy.check()).toEqual([]);
  });
});

test.each([
  ["the head of a person", "UPDATE person SET sequence = 1, revision = 1 WHERE name = CAST('ada' AS BLOB)"],
  ["a person's memory", spoilt("memory", "i002", "bytes = zeroblob(9)")],
  ["a person's interaction", spoilt("interaction", "i002", "bytes = zeroblob(9)")],
])("damage to %s does not keep anybody from being forgotten", async (_, sql) => {
  const path = await makeDamaged(sql);
  const memories = await openMemories({ path });
  await memories.person("ada").forgetAll();
  expect(await memories.persons()).toEqual(["bea"]);
  expect(databaseBytes(path).includes("i007")).toBe(false);
  await memories.close();
  expect(await damageOf(path)).toEqual([]);
});

test.each(["memory", "links", "interaction"])("%s that is gone without a trace is missed", async (kind) => {
  const path = await makeDamaged(`DROP TRIGGER record_removed; DELETE FROM record WHERE ${isRecord(kind, "i003")}`);
  expect(await damageOf(path)).toContainEqual({ person: "ada", id: null, part: "the list of records is incomplete" });
  const ada = (await openMemories({ path })).person("ada");
  await expect(exportLines(ada)).rejects.toMatchObject({ code: "store_damaged" });
  expect(await ada.check()).toContainEqual(expect.stringMatching(/^"ada", "i003": .* is missing$/u));
});

test("a store whose embedder is damaged does not open; one that lost its lists does", async () => {
  const embedder = "kind = (SELECT key FROM kind WHERE name = CAST('embedder' AS BLOB))";
  const nameless = await makeDamaged(`UPDATE record SET bytes = zeroblob(9) WHERE ${embedder}`);
  await expect(openMemories({ path: nameless })).rejects.toMatchObject({
    code: "store_damaged",
    message: expect.stringContaining("the name of the embedder is damaged") as string,
  });
  const { entries, nodes } = parseLines(await salvagedLines(await makeDamaged("DELETE FROM tally")));
  expect([entries.length, nodes.length]).toEqual([count, count]);
});

describe("a page that lost everything", () => {
  const pageSize = 4_096;
  const words = (items: readonly HistoryItem[]): Map<string, string> =>
    new Map(items.map(({ id, turns, summary }) => [id, JSON.stringify([turns, summary])]));

  test("takes little with it, whichever it is", { timeout: 300_000 }, async () => {
    const original = await makeDamaged();
    const whole = scratch.next();
    copyFileSync(original, whole);
    const before = words(await (await openMemories({ path: whole })).person("ada").history());
    let savedCount = 0;
    let soundCount = 0;
    const pageCount = statSync(original).size / pageSize;
    // Every third: all of them take minutes.
    for (let page = 1; page <= pageCount; page += 3) {
      const [path, saved] = [scratch.next(), scratch.next()];
      const bytes = readFileSync(original);
      writeFileSync(path, bytes.fill(0, (page - 1) * pageSize, page * pageSize));
      const failure: unknown = await moveWhole(path, saved, ["ada", "bea"]).catch((error: unknown) => error);
      if (failure instanceof MnemosyneError) continue;
      expect(failure).toBeUndefined();
      const damage = await damageOf(path).catch((error: unknown) => [error]);
      const store = await SqliteStore.open({ path: saved });
      const entries = await (await Records.open(store, new Codec())).history("ada");
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
