/**
 * A store that is not what it should be, in every engine: another key, records of a newer release, cut records, and
 * a server that is not there. Each is an error that says what to do, and nothing is lost.
 */
import Database from "libsql";
import { Mnemosyne, type MnemosyneOptions, type PersonMemory, StoreError, type StoredRecord } from "mnemosyne-edge";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/engine/records/kinds.js";
import { openStore } from "../../src/opening.js";
import { Codec } from "../../src/stores/codec.js";
import { type Engine, encryptionKey, engines } from "./engines.js";
import { exportLines } from "./export-lines.js";
import { interactionAt, laboratory } from "./laboratory.mjs";
import { damageIn, openMemories } from "./opened-memories.js";

type Place = Awaited<ReturnType<Engine["next"]>>;

/** Twelve memories of "ada"; returns her export. */
async function fill(open: MnemosyneOptions): Promise<string[]> {
  const memories = await openMemories({ ...open, parameters: { coreSummaryIntervalCommits: 5 } });
  const ada = memories.person("ada");
  for (let position = 0; position < 12; position++) await ada.commit(interactionAt(position));
  await ada.settled();
  const lines = await exportLines(ada);
  await memories.close();
  return lines;
}

async function errorOf(work: () => Promise<unknown>): Promise<StoreError> {
  const error = await work().then(
    () => "no error",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  return error as StoreError;
}

async function exportOf(open: MnemosyneOptions): Promise<string[]> {
  const memories = await openMemories(open);
  const lines = await exportLines(memories.person("ada"));
  await memories.close();
  return lines;
}

describe.each(engines({ isSealed: false }))("in $name", ({ next }) => {
  test("another key, a key too many and a key too few are refused, and nothing is changed", async () => {
    const [plain, sealed] = [await next(), { ...(await next()), encryptionKey }];
    const [plainLines, sealedLines] = [await fill(plain), await fill(sealed)];
    const wrong: [MnemosyneOptions & Place, RegExp][] = [
      [{ path: sealed.path, encryptionKey: `${encryptionKey}.` }, /the encryption key is not the one/u],
      [{ path: sealed.path }, /it is encrypted; open it with its encryption key/u],
      [{ path: plain.path, encryptionKey }, /it is not encrypted; open it without a key/u],
    ];
    for (const [open, says] of wrong) {
      for (const use of [Mnemosyne.open, Mnemosyne.reembed]) {
        const { code, message } = await errorOf(() => use(laboratory(open)));
        expect(code).toBe("store_not_ours");
        expect(message).toMatch(says);
        expect(message).not.toContain("secret");
      }
    }
    expect(await exportOf(plain)).toEqual(plainLines);
    expect(await exportOf(sealed)).toEqual(sealedLines);
    expect([await damageIn(plain), await damageIn(sealed)]).toEqual([[], []]);
  });
});

/** Another person's record, or the note of the format, as the store has it. */
async function alter(
  { path, encryptionKey: key }: Place,
  [person, kind, id]: readonly [person: string, kind: string, id: string],
  change: (bytes: Uint8Array, codec: Codec) => Uint8Array,
): Promise<() => Promise<void>> {
  const codec = new Codec(key);
  const text = { person: codec.toText(person), id: codec.toText(id, person) };
  const put = async (record: StoredRecord, bytes: Uint8Array): Promise<void> => {
    const store = await openStore(path);
    const { due } = record;
    await store.write(text.person, null, {
      put: [{ kind, id: text.id, bytes, ...(due === undefined ? {} : { due }) }],
    });
    await store.close();
  };
  const store = await openStore(path);
  const found: StoredRecord[] = [];
  const { pages } = await store.read(text.person, { kinds: [kind], ids: [text.id] });
  for await (const { records } of pages) found.push(...records);
  await store.close();
  expect(found).toHaveLength(1);
  const bytes = new Uint8Array(found[0]!.bytes);
  await put(found[0]!, change(bytes, codec));
  return () => put(found[0]!, bytes);
}

const ways: Readonly<Record<string, (memory: PersonMemory) => Promise<unknown>>> = {
  history: (memory) => memory.history(),
  recall: (memory) => memory.recall("What did Marta tell about the garden?", { seed: 1 }),
  export: (memory) => exportLines(memory),
  check: (memory) => memory.check(),
};

describe.each(engines())("a record of a newer release in $name", ({ next }) => {
  const records = [
    [kinds.interaction, "i003", ["history", "export", "check"]],
    [kinds.links, "i003", ["recall", "export", "check"]],
    [kinds.memory, "i003", ["recall", "export", "check"]],
    [kinds.core, "", ["recall", "export", "check"]],
  ] as const;

  test("is refused by everything that reads it, and is still there afterwards", async () => {
    const open = await next();
    const lines = await fill(open);
    for (const [kind, id, refused] of records) {
      const changes = [
        (bytes: Uint8Array, codec: Codec) => {
          const payload = codec.decode("ada", { kind, id }, bytes)!;
          return codec.encode("ada", { kind, id }, { ...payload, layout: 2 });
        },
        (bytes: Uint8Array) => bytes.with(0, 3),
      ];
      for (const change of changes) {
        const putBack = await alter(open, ["ada", kind, id], change);
        const memories = await openMemories(open);
        for (const way of refused) {
          const { code, message } = await errorOf(() => ways[way]!(memories.person("ada")));
          expect([kind, way, code]).toEqual([kind, way, "store_format"]);
          expect(message).toMatch(
            /^"ada".* has (?:layout 2|format 3), .* a newer release wrote it; open the store with/u,
          );
        }
        expect((await errorOf(() => damageIn(open))).code).toBe("store_format");
        await memories.close();
        await putBack();
      }
    }
    expect(await exportOf(open)).toEqual(lines);
    expect(await damageIn(open)).toEqual([]);
  });

  test("does not stop accepting, and what was accepted is processed by the newer one", async () => {
    const open = await next();
    await fill(open);
    const putBack = await alter(open, ["ada", kinds.links, "i003"], (bytes) => bytes.with(0, 3));
    const memories = await openMemories(open);
    const accepted = await memories
      .person("ada")
      .commit(interactionAt(20))
      .then(
        () => true,
        (error: StoreError) => expect(error.code).toBe("store_format"),
      );
    expect((await errorOf(() => memories.settled())).code).toBe("store_format");
    await memories.close();
    await putBack();
    const ada = (await openMemories(open)).person("ada");
    await ada.settled();
    expect(accepted).toBe(true);
    expect((await ada.get("i020")).outcome).toBe("committed");
    expect(await ada.check()).toEqual([]);
  });

  test("with a note of another format is not opened", async () => {
    const open = await next();
    const lines = await fill(open);
    const note = ["", kinds.format, ""] as const;
    const encoded = (layout: number, version: string) => (_: Uint8Array, codec: Codec) =>
      codec.encode("", { kind: kinds.format, id: "" }, { layout, bytes: Buffer.from(version) });
    for (const change of [encoded(1, "3"), encoded(2, "{"), (bytes: Uint8Array) => bytes.with(0, 3)]) {
      const putBack = await alter(open, note, change);
      const { code, message } = await errorOf(() => Mnemosyne.open(laboratory(open)));
      expect(code).toBe("store_format");
      expect(message).toMatch(/ has format (?:3|above 2), but this release reads and writes format 2 only; export it/u);
      await putBack();
    }
    expect(await exportOf(open)).toEqual(lines);
  });
});

/** Takes bytes from the end of a row, in the store's own data; returns how to put them back. */
async function cut(
  { next: _, redis, postgres }: Engine,
  { path, encryptionKey: key }: Place,
  [kind, id]: readonly [kind: string, id: string],
  byteCount: number,
): Promise<() => Promise<void>> {
  const text = new Codec(key).toText(id, "ada");
  if (path.startsWith("redis:")) {
    const server = await redis();
    const cutRow = `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
      if redis.call('TYPE', key).ok == 'hash' and redis.call('HEXISTS', key, ARGV[2]) == 1 then
        local row = redis.call('HGET', key, ARGV[2])
        redis.call('HSET', 'kept', 'key', key, 'row', row)
        redis.call('HSET', key, ARGV[2], string.sub(row, 1, math.max(0, #row - tonumber(ARGV[3]))))
      end
    end`;
    const putBack = "redis.call('HSET', redis.call('HGET', 'kept', 'key'), ARGV[1], redis.call('HGET', 'kept', 'row'))";
    const prefix = new URL(path).searchParams.get("prefix")!;
    await server.command("EVAL", cutRow, "0", `${prefix}*`, `${kind}\0${text}`, String(byteCount));
    return async () => void (await server.command("EVAL", putBack, "0", `${kind}\0${text}`));
  }
  if (path.startsWith("postgres:")) {
    const server = await postgres();
    const table = `${new URL(path).searchParams.get("schema")!}.records`;
    const row = [Buffer.from(kind), Buffer.from(text)];
    const [{ bytes } = {}] = await server.query(`SELECT bytes FROM ${table} WHERE kind = $1 AND id = $2`, row);
    const set = async (to: Buffer): Promise<void> =>
      void (await server.query(`UPDATE ${table} SET bytes = $3 WHERE kind = $1 AND id = $2`, [...row, to]));
    const whole = bytes as Buffer;
    await set(whole.subarray(0, Math.max(0, whole.byteLength - byteCount)));
    return () => set(whole);
  }
  const rowOf = "FROM record WHERE id = ? AND kind = (SELECT key FROM kind WHERE name = ?)";
  const use = <Result>(work: (database: Database.Database) => Result): Result => {
    const database = new Database(path);
    const result = work(database);
    database.close();
    return result;
  };
  const row = [Buffer.from(text), Buffer.from(kind)];
  const whole = use((database) => (database.prepare(`SELECT bytes ${rowOf}`).get(row) as { bytes: Buffer }).bytes);
  const set = (to: Buffer): void =>
    use((database) => {
      const place = database.prepare(`SELECT place ${rowOf}`).get(row) as { place: number };
      database.prepare("UPDATE record SET bytes = ? WHERE place = ?").run([to, place.place]);
    });
  set(Buffer.from(whole.subarray(0, Math.max(0, whole.byteLength - byteCount))));
  return async () => set(Buffer.from(whole));
}

test.each(engines())("a record that was cut in $name is named by everything that reads it", async (engine) => {
  const open = await engine.next();
  const lines = await fill(open);
  for (const [kind, part] of [
    [kinds.interaction, "the interaction is damaged"],
    [kinds.memory, "the memory is damaged"],
  ] as const) {
    for (const byteCount of [1, 30, 1_000_000]) {
      const putBack = await cut(engine, open, [kind, "i003"], byteCount);
      expect(await damageIn(open)).toContainEqual({ person: "ada", id: "i003", part });
      const memories = await openMemories(open);
      const { code, message } = await errorOf(() => exportLines(memories.person("ada")));
      expect(code).toBe("store_damaged");
      expect(message).toMatch(/"ada".*i003/u);
      expect(await memories.person("ada").check()).not.toEqual([]);
      await memories.close();
      await putBack();
    }
  }
  expect(await exportOf(open)).toEqual(lines);
  expect(await damageIn(open)).toEqual([]);
});

test.each([
  ["Redis", "redis://somebody:secret@127.0.0.1:1/0?timeoutMs=400"],
  ["PostgreSQL", "postgres://somebody:secret@127.0.0.1:1/nowhere?timeoutMs=400"],
])("a %s that is not there says so, and not the password", async (_, path) => {
  for (const use of [Mnemosyne.open, Mnemosyne.reembed]) {
    const { code, message, cause } = await errorOf(() => use(laboratory({ path })));
    expect(code).toBe("store_failed");
    expect(message).toMatch(/127\.0\.0\.1:1.*it cannot be reached; (?:is it|check that it is) running/u);
    expect(`${message} ${String(cause)}`).not.toContain("secret");
  }
});

describe.each(engines({ isSealed: false, names: ["Redis", "PostgreSQL"] }))(
  "$name",
  ({ name, next, redis, postgres }) => {
    test("that goes while it is used and comes back: an error, nothing lost, and the same memory goes on", async () => {
      const { path } = await next();
      const server = name === "Redis" ? await redis() : await postgres();
      const memories = await openMemories({ path: `${path}&timeoutMs=800` });
      const ada = memories.person("ada");
      const acknowledged: string[] = [];
      const commit = async (position: number): Promise<void> => {
        acknowledged.push((await ada.commit(interactionAt(position))).id);
      };
      for (let position = 0; position < 8; position++) await commit(position);
      await server.kill();
      const { code, message } = await errorOf(() => commit(8));
      expect(["store_failed", "store_busy"]).toContain(code);
      expect(message).toMatch(/running|try again|check/u);
      await errorOf(() => ada.history());
      await errorOf(() => ada.settled());
      await server.start();
      await commit(8);
      await commit(9);
      await ada.settled();
      expect((await ada.history()).map(({ id }) => id)).toEqual(acknowledged);
      expect(await ada.check()).toEqual([]);
      expect(await damageIn({ path })).toEqual([]);
    });
  },
);
