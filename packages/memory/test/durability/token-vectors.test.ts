/** Token vectors in the file: none are left of what was forgotten, and damaged ones cost nothing but themselves. */
import Database from "libsql";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { noChange } from "../../src/core/graph/memory-node.js";
import { batch, interaction, node, person } from "../store-conformance/fixtures.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const ids = ["a", "b", "c"];

/** So large that they need pages of their own; every stretch of sixteen bytes occurs once. */
function tokensOf(id: string): Buffer {
  const lines = Array.from({ length: 1_200 }, (_, i) => `tokens-of-${id}-${String(i).padStart(4, "0")}`);
  return Buffer.from(lines.join(""));
}

/** How many of the stretches that tokens have are in the file. */
function leftOf(path: string, id: string): number {
  const bytes = databaseBytes(path).toString("latin1");
  return bytes.split(`tokens-of-${id}-`).length - 1;
}

async function fill(path: string): Promise<SqliteStore> {
  const store = await SqliteStore.open({ path });
  for (const id of ids) await store.accept(person, interaction(id), "queued");
  const putNodes = ids.map((id) => ({ ...node(id), tokenBytes: tokensOf(id) }));
  await store.apply(person, batch(await store.revision(person), { change: { ...noChange, putNodes } }));
  return store;
}

describe("of what was forgotten", () => {
  test("no byte is left, whatever had been put in its place before", async () => {
    const path = scratch.next();
    const store = await fill(path);
    expect(ids.map((id) => leftOf(path, id) > 0)).toEqual([true, true, true]);
    const change = { ...noChange, putNodes: [{ ...node("a"), tokenBytes: tokensOf("e") }], removeNodes: ["c"] };
    const forgetInteractions = ["a", "c"];
    await store.apply(person, batch(await store.revision(person), { change: { ...change, removeNodes: ["c"] } }));
    await store.apply(person, batch(await store.revision(person), { forgetInteractions }));
    expect(["a", "c", "e"].map((id) => leftOf(path, id))).toEqual([0, 0, 0]);
    expect([...(await store.tokens(person, ids)).keys()]).toEqual(["b"]);
    await store.forgetPerson(person);
    expect(leftOf(path, "b")).toBe(0);
    await store.close();
  });
});

describe("that are damaged", () => {
  const part = "the token vectors are damaged";

  test.each([
    ["in their bytes", "UPDATE token SET bytes = zeroblob(100) WHERE memory = 2"],
    ["in their mark", "UPDATE token SET mark = mark + 1 WHERE memory = 2"],
    [
      "by being another memory's",
      "UPDATE token SET bytes = (SELECT bytes FROM token WHERE memory = 1) WHERE memory = 2",
    ],
    ["by being text", "UPDATE token SET bytes = 'x' || char(55296) WHERE memory = 2"],
  ])("%s count as missing and are named; the memory can be read", async (_, sql) => {
    const path = scratch.next();
    await (await fill(path)).close();
    const database = new Database(path);
    database.exec(sql);
    database.close();
    const store = await SqliteStore.open({ path });
    expect([...(await store.tokens(person, ids)).keys()]).toEqual(["a", "c"]);
    expect(await store.damage()).toEqual([{ person, id: "b", part }]);
    const { nodes } = await store.salvage(person);
    expect(nodes.map(({ node: { id }, tokenBytes }) => [id, tokenBytes === null])).toEqual([
      ["a", false],
      ["b", true],
      ["c", false],
    ]);
    await store.close();
  });
});
