/** What the core memory knew of a forgotten memory is gone: from its text, its data, every version, and the store's bytes. */
import type { MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areaReader, at, tell } from "../core/lives.js";
import { RedisServer, hasRedis } from "../stores/redis-server.mjs";
import { exportLines, linesOfKinds } from "./export-lines.js";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const choir = "My sister Ines sings alto in the harbour choir every Sunday evening";

/** Each has a word of its own, and a role in the core memory by the end. */
const told = [
  ["qidhome", "I live in Graz, by the qmarkhome bridge.", "outdated"],
  ["qidchoir", `${choir} with qmarkchoir.`, "told again"],
  ["qidagain", `${choir} with qmarkagain.`, "what took its place"],
  ["qidmoved", "I live in Vienna, near the qmarkmoved market.", "what made it outdated"],
  ["qidallergy", "I am allergic to qmarkallergy.", "said"],
  ["qidpinned", "Nobody knows qmarkpinned.", "pinned"],
  ["qidtea", "At breakfast I drink tea of qmarktea leaves picked high up, in misty valleys.", "in reserve"],
] as const;

const roles = told.map(([id, , role]) => [role, id] as const);
const markersOf = (id: string): string[] => [id, id.replace("qid", "qmark")];

async function remember(options: MnemosyneOptions): Promise<PersonMemory> {
  const parameters = { redundancyThreshold: 10, coreSummaryIntervalCommits: 1_000, coreSummaryWordCountMax: 56 };
  const person = (await openMemories({ ...options, reader: areaReader(), parameters })).person("ada");
  for (const [i, [id, text]] of told.entries()) await tell(person, id, text, i + 1);
  await person.pin("qidpinned", "Places and codes");
  await person.coreSummary({ update: true });
  return person;
}

/** Everything that the door tells about the core memory, at every time. */
async function shownOf(person: PersonMemory): Promise<string> {
  const versions = await Promise.all(told.map((_, i) => person.coreSummary({ at: at(i + 1) })));
  const { context } = await person.recall("Who sings in the choir?", { at: at(20), seed: 1 });
  const all = [await person.coreSummary(), versions, context, await exportLines(person)];
  return JSON.stringify(all).toLowerCase();
}

const found = (text: string, markers: readonly string[]): string[] => markers.filter((marker) => text.includes(marker));

test("the roles are what they are said to be", async () => {
  const person = await remember({ path: ":memory:" });
  const { areas, changes } = await person.coreSummary();
  const said = areas.flatMap(({ facts }) => facts.map(({ sourceId }) => sourceId));
  expect(said.toSorted()).toEqual(["qidagain", "qidallergy", "qidmoved", "qidpinned"]);
  expect(changes.flatMap(({ left }) => left.map(({ sourceId, byId }) => [sourceId, byId]))).toEqual([
    ["qidhome", "qidmoved"],
  ]);
  expect(changes.flatMap(({ entered }) => entered.map(({ sourceId }) => sourceId))).toContain("qidtea");
  const again = areas.flatMap(({ facts }) => facts.filter(({ sourceId }) => sourceId === "qidagain"));
  expect(again).toMatchObject([{ toldCount: 2 }]);
  // What is kept of it names memories, and says nothing of them.
  const [kept] = linesOfKinds(await exportLines(person), "core");
  expect(kept).toContain("qidtea");
  expect(kept).not.toContain("qmark");
});

async function expectGone(person: PersonMemory, id: string, bytes: () => Promise<string> | string): Promise<void> {
  const others = told.map(([each]) => each).filter((each) => each !== id);
  expect(found(await shownOf(person), markersOf(id))).not.toEqual([]);
  // What is outdated is central to nothing.
  expect((await person.forget(id)).coreSummaryRebuilt).toBe(id !== "qidhome");
  expect(found(await shownOf(person), markersOf(id))).toEqual([]);
  const left = await bytes();
  expect(found(left, markersOf(id))).toEqual([]);
  expect(found(left, others.flatMap(markersOf))).toEqual(others.flatMap(markersOf));
}

test.each(roles)("in SQLite no byte is left of one that was %s", async (_role, id) => {
  const path = scratch.next();
  const person = await remember({ path });
  await expectGone(person, id, () => databaseBytes(path).toString("latin1").toLowerCase());
});

test("what was told again comes back when what took its place is forgotten, and all at once leave nothing", async () => {
  const path = scratch.next();
  const person = await remember({ path });
  await person.forget("qidagain");
  expect((await person.coreSummary()).text).toContain("qmarkchoir");
  await person.forget(told.map(([id]) => id).filter((id) => id !== "qidagain"));
  const bytes = databaseBytes(path).toString("latin1").toLowerCase();
  expect(
    found(
      bytes,
      told.flatMap(([id]) => markersOf(id)),
    ),
  ).toEqual([]);
});

describe.runIf(hasRedis)("in Redis, no value holds one that was", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  const readers: Record<string, (key: string) => string[]> = {
    hash: (key) => ["HGETALL", key],
    string: (key) => ["GET", key],
    zset: (key) => ["ZRANGE", key, "0", "-1"],
    set: (key) => ["SMEMBERS", key],
    list: (key) => ["LRANGE", key, "0", "-1"],
  };

  async function valuesUnder(prefix: string): Promise<string> {
    const keys = (await server.command("KEYS", `${prefix}*`)) as string[];
    const values = keys.map(async (key) => {
      const type = (await server.command("TYPE", key)) as string;
      // A claim on a queue may end while we look.
      return type === "none" ? [] : [key, await server.command(...(readers[type]!(key) as [string]))];
    });
    return JSON.stringify(await Promise.all(values)).toLowerCase();
  }

  test.each(roles.filter(([role]) => role === "outdated" || role === "pinned"))("%s", async (_role, id) => {
    const prefix = `${id}-in-redis:`.replace("qid", "x");
    const person = await remember({ path: `${server.url}/0?prefix=${prefix}` });
    await expectGone(person, id, () => valuesUnder(prefix));
  });
});
