/** Token vectors in the file: none are left of what was forgotten, and damaged ones cost nothing but themselves. */
import { copyFileSync } from "node:fs";
import Database from "libsql";
import { type EmbeddedText, type LogEvent, Mnemosyne } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { packTokens } from "../../src/graph/vectors/token-vectors.js";
import { nameOfKind } from "../../src/engine/records/kinds.js";
import { recordsOf } from "../engine/records/opened-records.js";
import { WordEmbedder } from "../engine/word-embedder.js";
import { parseLines } from "./export-lines.js";
import { laboratory } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const embedder = new WordEmbedder();
const summaries = {
  plums: "Plums ripened early behind the old greenhouse.",
  trains: "Trains were late at Graz because of snow.",
  choir: "A choir sang Bach cantatas on Sunday.",
};
const query = "Who sang Bach on Sunday?";

/** A file in which three memories have token vectors. */
async function fill(path: string): Promise<void> {
  const memories = await Mnemosyne.open(laboratory({ path, embedder }));
  const ada = memories.person("ada");
  for (const [id, summary] of Object.entries(summaries)) await ada.commit({ id, summary });
  await memories.settled();
  await memories.close();
}

/** The token vectors of a text, without the head that all texts share. */
async function tokensOf(text: string): Promise<string> {
  const [{ wordVectors }] = (await embedder.embedWords([text])) as [EmbeddedText];
  const bytes = packTokens([wordVectors], embedder.wordDimensions);
  return Buffer.from(bytes.subarray(6)).toString("latin1");
}

async function areIn(path: string, text: string): Promise<boolean> {
  return databaseBytes(path)
    .toString("latin1")
    .includes(await tokensOf(text));
}

/** SQL that selects the row of a memory's token vectors. */
function rowOf(id: string): string {
  return `kind = (SELECT key FROM kind WHERE name = CAST('tokens' AS BLOB)) AND id = CAST('${id}' AS BLOB)`;
}

describe("of what was forgotten", () => {
  test("no byte is left, whatever had been put in its place before", async () => {
    const path = scratch.next();
    await fill(path);
    const ada = (await openMemories({ path, embedder })).person("ada");
    for (const text of Object.values(summaries)) expect(await areIn(path, text)).toBe(true);
    const corrected = "Pears never ripened beside our new cottage.";
    await ada.update("plums", { summary: corrected });
    await ada.settled();
    expect(await areIn(path, corrected)).toBe(true);
    await ada.forget("plums");
    await ada.forget("trains");
    const texts = [corrected, summaries.plums, summaries.trains, summaries.choir];
    const left = await Promise.all(texts.map((text) => areIn(path, text)));
    expect(left).toEqual([false, false, false, true]);
    await ada.forgetAll();
    expect(await areIn(path, summaries.choir)).toBe(false);
  });
});

describe("that are damaged", () => {
  let whole: string;
  /** What a recall says if the memory never had any. */
  let without: string;
  beforeAll(async () => {
    [whole, without] = [scratch.next(), ""];
    await fill(whole);
    const copy = copied();
    const store = await SqliteStore.open({ path: copy });
    const { revision } = await store.read("ada", { limit: 0 });
    await store.write("ada", revision, { delete: [{ kind: "tokens", id: "choir" }] });
    await store.close();
    without = (await recalled(copy)).said;
    expect((await recalled(copied())).said).not.toBe(without);
  });

  /** Another file with the same memories, damaged. */
  function copied(sql = "SELECT 1"): string {
    const path = scratch.next();
    copyFileSync(whole, path);
    const database = new Database(path);
    database.exec(sql);
    database.close();
    return path;
  }

  async function recalled(path: string): Promise<{ said: string; logged: LogEvent[] }> {
    const logged: LogEvent[] = [];
    const memories = await Mnemosyne.open(laboratory({ path, embedder, log: (event) => logged.push(event) }));
    const said = JSON.stringify(await memories.person("ada").recall(query, { seed: 1 }));
    await memories.close();
    return { said, logged };
  }

  const spoilt = (set: string): string => `UPDATE record SET ${set} WHERE ${rowOf("choir")}`;

  test.each([
    ["in their bytes", spoilt("bytes = zeroblob(100)")],
    ["in their mark", spoilt("mark = mark + 1")],
    ["by being another memory's", spoilt(`bytes = (SELECT bytes FROM record WHERE ${rowOf("plums")})`)],
    ["by being text", spoilt("bytes = 'x' || char(55296)")],
    ["by being gone", `DROP TRIGGER record_removed; DELETE FROM record WHERE ${rowOf("choir")}`],
  ])("%s are named, and a recall says so and does without", async (name, sql) => {
    const path = copied(sql);
    const { said, logged } = await recalled(path);
    expect(said).toBe(without);
    const isGone = name === "by being gone";
    const part = isGone ? "the list of records is incomplete" : `${nameOfKind("tokens")} is damaged`;
    const named = { person: "ada", id: isGone ? null : "choir", part };
    expect(logged).toEqual([
      {
        level: "warn",
        message: `${part}; the answer does without`,
        person: "ada",
        ...(isGone ? {} : { id: "choir" }),
      },
    ]);
    const store = await SqliteStore.open({ path });
    expect(await (await recordsOf(store)).damage()).toContainEqual(named);
    await store.close();

    const ada = (await openMemories({ path, embedder })).person("ada");
    expect(await ada.check()).toContainEqual(expect.stringContaining(part));
    expect(await ada.list()).toHaveLength(3);
    const lines: string[] = [];
    for await (const line of ada.export({ skipDamaged: true })) lines.push(line);
    const nodes = parseLines(lines).nodes.map(({ node, tokenBytes }) => [node.id, tokenBytes !== null]);
    expect(Object.fromEntries(nodes)).toEqual({ plums: true, trains: true, choir: false });
  });
});
