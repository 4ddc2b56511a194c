/**
 * What servers still have on their disks of a memory that was forgotten, and for how long: docs/redis.md and
 * docs/postgres.md say it, and these tests hold them to it. With an encryption key, none of it can be read.
 */
import type { MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresServer, hasPostgres } from "../stores/postgres-server.mjs";
import { RedisServer, eventually, hasRedis } from "../stores/redis-server.mjs";
import { encryptionKey } from "./engines.js";
import { interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { filesWith, tracesOf, without } from "./raw-bytes.js";

/** Words that nothing else says. */
const wordsOf = (name: string) => ({ id: `q${name}id`, mark: `q${name}mark`, kept: `q${name}kept` });

async function commitAll(memory: PersonMemory, from: number, to: number): Promise<void> {
  for (let position = from; position < to; position++) await memory.commit(interactionAt(position));
  await memory.settled();
}

/** So many that a server which tidies up by itself has not written over all of them. */
const forgottenCount = 8;
const idsOf = (id: string): string[] => Array.from({ length: forgottenCount }, (_, i) => `${id}${i}`);

/** Some to be forgotten, one to be kept, and others around them. */
async function remember(
  options: MnemosyneOptions,
  { id, mark, kept }: ReturnType<typeof wordsOf>,
): Promise<PersonMemory> {
  const memory = (await openMemories(options)).person("ada");
  await commitAll(memory, 0, 10);
  const summary = `The airship ${kept} flew over the choir of Graz at noon.`;
  await memory.commit({ id: "kept", summary, at: interactionAt(11).at });
  for (const [i, each] of idsOf(id).entries()) {
    await memory.commit({ id: each, summary: `Balloon ${i} of ${mark} rose over plums.`, at: interactionAt(12).at });
    await commitAll(memory, 12 + i, 13 + i);
  }
  return memory;
}

describe.runIf(hasRedis)("a Redis with an append-only file", () => {
  let server: RedisServer;
  let folder: string;
  beforeAll(async () => {
    // Compressed, words could not be found.
    server = await RedisServer.start({ rdbcompression: "no", "auto-aof-rewrite-percentage": "0" });
    folder = ((await server.command("CONFIG", "GET", "dir")) as string[])[1]!;
  });
  afterAll(() => server?.stop());

  const rewrite = async (): Promise<void> => {
    await server.command("BGREWRITEAOF");
    await eventually("rewritten file", async () => {
      const info = String(await server.command("INFO", "persistence"));
      const isDone = /aof_rewrite_in_progress:0/u.test(info) && /aof_rewrite_scheduled:0/u.test(info);
      return isDone && /aof_last_bgrewrite_status:ok/u.test(info);
    });
  };

  test("keeps what was forgotten in it until the file is rewritten", async () => {
    const { id, mark, kept } = wordsOf("plain");
    const memory = await remember({ path: `${server.url}/0?prefix=plain:` }, { id, mark, kept });
    await rewrite();
    expect(filesWith(folder, mark)).not.toEqual({});
    await memory.forget(idsOf(id));
    expect(filesWith(folder, mark)).not.toEqual({});
    await rewrite();
    await eventually("folder without it", async () => Object.keys(filesWith(folder, mark)).length === 0);
    expect(filesWith(folder, id)).toEqual({});
    expect(filesWith(folder, kept)).not.toEqual({});
    expect(await memory.check()).toEqual([]);
  });

  test("keeps of a sealed memory what only the key can read", async () => {
    const open = { path: `${server.url}/0?prefix=sealed:`, encryptionKey };
    const { id, mark, kept } = wordsOf("sealed");
    const memory = await remember(open, { id, mark, kept });
    const before = await tracesOf(open, "ada");
    await memory.forget(idsOf(id));
    const gone = without(before.frames, (await tracesOf(open, "ada")).frames);
    expect(gone.length).toBeGreaterThan(2);
    for (const word of [mark, kept, id]) expect(filesWith(folder, word)).toEqual({});
    expect(gone.filter((trace) => Object.keys(filesWith(folder, trace)).length > 0)).not.toEqual([]);
    await rewrite();
    await eventually("folder without them", async () =>
      gone.every((trace) => Object.keys(filesWith(folder, trace)).length === 0),
    );
  });
});

describe.runIf(hasPostgres)("a PostgreSQL", () => {
  let server: PostgresServer;
  // Whatever is cleaned up here is cleaned up by the store, or by the test.
  beforeAll(async () => {
    server = await PostgresServer.start({ autovacuum: "off" });
  });
  afterAll(() => server?.stop());

  const tablesWith = (text: string): Record<string, number> =>
    Object.fromEntries(Object.entries(filesWith(server.dataFolder, text)).filter(([path]) => path.startsWith("base/")));
  const logWith = (text: string): string[] =>
    Object.keys(filesWith(server.dataFolder, text)).filter((path) => path.startsWith("pg_wal/"));
  const vacuumCount = async (schema: string): Promise<number> => {
    const sql = "SELECT vacuum_count::int AS n FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'records'";
    return (await server.query(sql, [schema]))[0]!["n"] as number;
  };
  /** The server writes the segments of its log again after a checkpoint; until then they keep what was in them. */
  const turnLog = async (): Promise<void> => {
    await server.query("SELECT pg_switch_wal()");
    await server.query("CHECKPOINT");
  };

  test("keeps what was forgotten in its table until that is rewritten, and in its log until that is reused", async () => {
    const { id, mark, kept } = wordsOf("plain");
    const memory = await remember({ path: `${server.url}?schema=plain` }, { id, mark, kept });
    await server.query("CHECKPOINT");
    expect(tablesWith(mark)).not.toEqual({});
    await memory.forget(idsOf(id));
    // No query finds it, but the bytes are there.
    const sql = "SELECT count(*)::int AS n FROM plain.records WHERE strpos(encode(bytes, 'escape'), $1) > 0";
    expect(await server.query(sql, [mark])).toEqual([{ n: 0 }]);
    await eventually("vacuumed table", async () => (await vacuumCount("plain")) > 0);
    await server.query("CHECKPOINT");
    expect(logWith(mark)).not.toEqual([]);
    expect(tablesWith(mark)).not.toEqual({});

    await server.query("VACUUM FULL plain.records");
    await server.query("CHECKPOINT");
    expect(tablesWith(mark)).toEqual({});
    expect(tablesWith(id)).toEqual({});
    expect(tablesWith(kept)).not.toEqual({});
    expect(logWith(mark)).not.toEqual([]);
    for (let turn = 0; turn < 10 && logWith(mark).length > 0; turn++) await turnLog();
    expect(filesWith(server.dataFolder, mark)).toEqual({});
    expect(filesWith(server.dataFolder, id)).toEqual({});
    expect(await memory.check()).toEqual([]);
    await commitAll(memory, 20, 24);
    expect(await memory.history()).toHaveLength(23);
  });

  test("keeps of a sealed memory what only the key can read", async () => {
    const open = { path: `${server.url}?schema=sealed`, encryptionKey };
    const { id, mark, kept } = wordsOf("sealed");
    const memory = await remember(open, { id, mark, kept });
    const before = await tracesOf(open, "ada");
    await memory.forget(idsOf(id));
    const after = await tracesOf(open, "ada");
    const gone = [...without(before.frames, after.frames), ...without(before.ids, after.ids)];
    expect(gone.length).toBeGreaterThan(3);
    await server.query("CHECKPOINT");
    for (const word of [mark, kept, id]) expect(filesWith(server.dataFolder, word)).toEqual({});
    expect(gone.filter((trace) => Object.keys(filesWith(server.dataFolder, trace)).length > 0)).not.toEqual([]);
    await server.query("VACUUM FULL sealed.records");
    await server.query("CHECKPOINT");
    expect(gone.filter((trace) => Object.keys(tablesWith(trace)).length > 0)).toEqual([]);
  });
});
