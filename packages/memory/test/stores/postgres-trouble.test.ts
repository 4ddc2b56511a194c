/** What can go wrong with a PostgreSQL: clear errors, nothing acknowledged lost, nothing done twice, damage noticed. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { open as openFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { toPostgresError } from "../../src/stores/postgres/error.js";
import { isPostgresUrl } from "../../src/stores/postgres/options.js";
import { type PostgresOptions, PostgresStore } from "../../src/stores/postgres/store.js";
import type { ReadSelection, StoreDamage, StoredRecord } from "../../src/stores/store.js";
import { CuttingProxy, PostgresServer, hasPostgres } from "./postgres-server.mjs";

async function open(options: PostgresOptions): Promise<PostgresStore> {
  const store = await PostgresStore.open(options);
  onTestFinished(() => store.close());
  return store;
}

function record(id: string, text = "text") {
  return { kind: "k", id, bytes: Buffer.from(text) };
}

async function readAll(store: PostgresStore, person: string, selection?: ReadSelection) {
  const snapshot = await store.read(person, selection);
  const records: StoredRecord[] = [];
  const damage: StoreDamage[] = [];
  for await (const page of snapshot.pages) {
    records.push(...page.records);
    damage.push(...page.damage);
  }
  return { revision: snapshot.revision, ids: records.map(({ id }) => id), damage };
}

describe("an address", () => {
  test.each([
    ["postgres://localhost:99999", /postgres:\/\//u],
    ["http://localhost", /postgres:\/\//u],
    ["postgres://u:%zz@localhost", /%25/u],
    ["postgres://localhost/db?schemas=x", /"schemas" in the address is unknown.*schema, /u],
    ["postgres://localhost/db?sslmode=prefer", /sslmode/u],
    ["postgres://localhost/db?timeoutMs=soon", /timeoutMs/u],
    ["postgres://localhost/db?schema=pg_x", /schema is "pg_x"/u],
    [`postgres://localhost/db?schema=${"x".repeat(64)}`, /at most 63 bytes/u],
  ])("%s means nothing", async (url, message) => {
    const refused = PostgresStore.open({ url });
    await expect(refused).rejects.toMatchObject({ code: "option_invalid", family: "input" });
    await expect(refused).rejects.toThrow(message);
  });

  test("is known by its beginning", () => {
    expect(["postgres://h", "PostgreSQL://h", "postgres:/h", "redis://h"].map(isPostgresUrl)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("at which nothing answers", async () => {
    const gone = PostgresStore.open({ url: "postgres://user:secret@127.0.0.1:1/db" });
    await expect(gone).rejects.toMatchObject({ code: "store_failed", family: "store" });
    await expect(gone).rejects.toThrow(/open .*127\.0\.0\.1:1.*cannot be reached/u);
    await expect(gone).rejects.not.toThrow(/secret/u);
  });

  test.each(["", "?sslmode=require"])("of something else%s", async (query) => {
    const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    onTestFinished(() => void web.close());
    const url = `postgres://127.0.0.1:${(web.address() as AddressInfo).port}/db${query}`;
    await expect(PostgresStore.open({ url, timeoutMs: 1_000 })).rejects.toMatchObject({ code: "store_failed" });
  });
});

test.each([
  ["53100", "could not extend file", "store_full"],
  ["53300", "too many clients already", "store_busy"],
  ["40P01", "deadlock detected", "store_busy"],
  ["57P03", "the database system is starting up", "store_busy"],
  ["57014", "canceling statement due to statement timeout", "store_busy"],
  ["57P01", "terminating connection due to administrator command", "store_failed"],
  ["58030", "could not read file", "store_failed"],
  ["", "something new", "store_failed"],
])("%s (%s) is %s, without the rows that it quotes", (code, message, ours) => {
  const told = Object.assign(new Error(message), { code, detail: "Failing row contains (secret)." });
  const error = toPostgresError("write", "postgres://host", told);
  expect(error).toMatchObject({ code: ours, cause: { message, code } });
  expect(inspect(error)).not.toContain("secret");
});

describe.skipIf(!hasPostgres)("a PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  test("that refuses", async () => {
    const wrong = PostgresStore.open({ url: server.url, password: "wrong" });
    await expect(wrong).rejects.toMatchObject({ code: "store_failed" });
    await expect(wrong).rejects.toThrow(/rejects the user or the password/u);
    const url = server.url.replace(/postgres$/u, "nothing");
    await expect(PostgresStore.open({ url })).rejects.toThrow(/no such database; create it/u);
    await expect(PostgresStore.open({ url: `${server.url}?sslmode=require` })).rejects.toThrow(/TLS/u);
  });

  test("with tables of another program, or of another format", async () => {
    await server.query("CREATE SCHEMA other; CREATE TABLE other.records (id int)");
    await expect(PostgresStore.open({ url: server.url, schema: "other" })).rejects.toMatchObject({
      code: "store_not_ours",
    });
    await (await PostgresStore.open({ url: server.url, schema: "later" })).close();
    await server.query("UPDATE later.mnemosyne_format SET format = 7");
    const later = PostgresStore.open({ url: server.url, schema: "later" });
    await expect(later).rejects.toMatchObject({ code: "store_format" });
    await expect(later).rejects.toThrow(/format 7.*format 1 only.*release that wrote it/u);
  });

  test("with rights to read only, in an empty schema, and too few", async () => {
    const store = await open({ url: server.url, schema: "reading" });
    await store.write("ada", 0, { put: [record("a")] });
    await server.query("CREATE SCHEMA empty; CREATE USER little PASSWORD 'x'; GRANT ALL ON SCHEMA empty TO little");
    const url = server.url.replace("memory:secret", "little:x");
    await expect(PostgresStore.open({ url, schema: "new" })).rejects.toThrow(/lacks rights/u);
    const small = await open({ url, schema: "empty" });
    expect(await small.write("ada", 0, { put: [record("a")], delete: [record("b")] })).toBeGreaterThan(0);
    await server.query(
      "GRANT USAGE ON SCHEMA reading TO little; GRANT SELECT ON ALL TABLES IN SCHEMA reading TO little",
    );
    const reader = await open({ url, schema: "reading" });
    expect((await readAll(reader, "ada")).ids).toEqual(["a"]);
    await expect(reader.write("ada", null, { put: [record("b")] })).rejects.toMatchObject({ code: "store_read_only" });
    await server.query("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA reading TO little");
    expect(await reader.write("ada", null, { put: [record("b")] })).toBeGreaterThan(0);
    expect(await reader.erase("ada")).toBe(2);
    await server.query("ALTER USER little SET default_transaction_read_only = on");
    const standby = await open({ url, schema: "reading" });
    const refused = standby.write("ada", null, { put: [record("c")] });
    await expect(refused).rejects.toMatchObject({ code: "store_read_only" });
    await expect(refused).rejects.toThrow(/primary/u);
  });

  test("whose tables go while it is open", async () => {
    const store = await open({ url: server.url, schema: "going" });
    await server.query("DROP SCHEMA going CASCADE");
    await expect(store.read("ada")).rejects.toMatchObject({ code: "store_missing" });
    await store.close();
    await expect(store.read("ada")).rejects.toMatchObject({ code: "store_closed" });
  });

  test("that loses the answer to a write does it once", async () => {
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const store = await open({ url: server.url.replace(`${server.port}`, `${proxy.port}`), schema: "once" });
    const base = await store.write("ada", 0, { put: [record("a")] });
    proxy.cutAnswerTo = "FROM change(";
    const next = await store.write("ada", base, { put: [{ ...record("b"), was: 0 }] });
    expect(proxy.cutCount).toBe(1);
    expect(next).toBe(base + 1);
    expect(await readAll(store, "ada")).toEqual({ revision: next, ids: ["a", "b"], damage: [] });
    proxy.cutAnswerTo = "FROM records";
    expect((await readAll(store, "ada")).ids).toEqual(["a", "b"]);
    expect(proxy.cutCount).toBe(2);
  });

  test("that loses a reader between pages", async () => {
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const store = await open({ url: server.url.replace(`${server.port}`, `${proxy.port}`), schema: "pages" });
    const ids = Array.from({ length: 1_800 }, (_, i) => `i${i}`);
    await store.write("ada", 0, { put: ids.map((id) => record(id)) });
    for (const isChanged of [false, true]) {
      const { pages } = await store.read("ada");
      const read: string[] = [];
      const reading = (async () => {
        for await (const { records, damage } of pages) {
          expect(damage).toEqual([]);
          read.push(...records.map(({ id }) => id));
          if (read.length !== 1_000) continue;
          if (isChanged) await store.write("ada", null, { put: [record("more")] });
          proxy.cutAnswerTo = "FROM records";
        }
      })();
      if (isChanged) await expect(reading).rejects.toMatchObject({ code: "store_stale" });
      else await reading;
      if (!isChanged) expect(read).toEqual(ids);
    }
    expect(proxy.cutCount).toBe(2);
    const { pages } = await store.read("ada");
    const counts: number[] = [];
    for await (const { records } of pages) {
      counts.push(records.length);
      await store.write("ada", null, { put: [record(`during ${counts.length}`)], delete: [record("i1799")] });
    }
    // From one moment, in spite of the writes.
    expect(counts).toEqual([500, 500, 500, 301]);
  });

  test("that says nothing any more", async () => {
    const proxy = await CuttingProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const url = server.url.replace(`${server.port}`, `${proxy.port}`);
    const store = await open({ url, schema: "silent", timeoutMs: 500 });
    proxy.isSilent = true;
    await expect(store.write("ada", 0, { put: [record("a")] })).rejects.toMatchObject({ code: "store_busy" });
    await expect(PostgresStore.open({ url, timeoutMs: 500 })).rejects.toMatchObject({ family: "store" });
    proxy.isSilent = false;
    expect(await store.write("ada", 0, { put: [record("a")] })).toBeGreaterThan(0);
  });

  test("whose rows are changed by hand", async () => {
    const store = await open({ url: server.url, schema: "hand" });
    const ids = ["a", "b", "c"];
    await store.write("ada", 0, { put: ids.map((id) => ({ ...record(id), due: { queue: 1 } })) });
    await store.write("bob", 0, { put: [record("a")] });
    expect(await store.damage()).toEqual([]);
    const damaged = { person: "ada", kind: "k", id: "b", part: "the record is damaged" };
    const incomplete = { person: "ada", kind: null, id: null, part: "the list of records is incomplete" };
    const changes: [string, StoreDamage[]][] = [
      ["UPDATE hand.records SET bytes = 'test' WHERE id = 'b'", [damaged]],
      ["UPDATE hand.records SET version = version + 1 WHERE id = 'b'", [damaged]],
      ["UPDATE hand.records SET place = place + 9 WHERE id = 'b'", [damaged]],
      ["UPDATE hand.records SET queue = 2 WHERE id = 'b'", [damaged]],
      ["UPDATE hand.records SET id = 'x' WHERE id = 'b'", [{ ...damaged, id: "x" }]],
      ["DELETE FROM hand.records WHERE id = 'b'", [incomplete]],
      ["DELETE FROM hand.persons WHERE name = 'ada'", [incomplete]],
    ];
    for (const [statement, expected] of changes) {
      await server.query("CREATE TABLE hand.saved AS SELECT * FROM hand.records");
      await server.query("CREATE TABLE hand.saved_persons AS SELECT * FROM hand.persons");
      await server.query(statement);
      const { damage } = await readAll(store, "ada");
      expect([statement, damage]).toEqual([statement, expected]);
      expect(await store.damage()).toEqual(expected);
      await server.query("TRUNCATE hand.records, hand.persons; INSERT INTO hand.records TABLE hand.saved");
      await server.query(
        "INSERT INTO hand.persons TABLE hand.saved_persons; DROP TABLE hand.saved, hand.saved_persons",
      );
      expect(await store.damage()).toEqual([]);
    }
    await server.query("UPDATE hand.records SET bytes = 'test' WHERE person = 'ada'");
    expect(await store.lease("ada", "one", 60_000)).toBe(true);
    expect(await store.erase("ada")).toBe(3);
    expect(await store.lease("ada", "one", 0)).toBe(true);
    expect(await server.query("SELECT * FROM hand.leases")).toEqual([]);
    expect(await store.damage()).toEqual([]);
    expect(await server.query("SELECT count(*)::int AS n FROM hand.records")).toEqual([{ n: 1 }]);
  });

  test("with damaged pages", async () => {
    const other = await PostgresServer.start();
    onTestFinished(() => other.stop());
    const store = await open({ url: other.url });
    await store.write("ada", 0, { put: [record("a")] });
    await other.query("CHECKPOINT");
    const [found] = await other.query("SELECT pg_relation_filepath('mnemosyne.records') AS path");
    await other.kill();
    const file = await openFile(join(other.dataFolder, String(found!["path"])), "r+");
    await file.write(Buffer.alloc(8_192, 7), 0, 8_192, 0);
    await file.close();
    await other.start();
    await expect(store.read("ada")).rejects.toMatchObject({ code: "store_corrupt" });
    const part = expect.stringMatching(/files are damaged/u) as string;
    expect(await store.damage()).toEqual(["ada", null].map((person) => ({ person, kind: null, id: null, part })));
  });

  test("with TLS", async () => {
    const subject =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1";
    await server.query(`COPY (SELECT 1) TO PROGRAM '${subject} -keyout server.key -out server.crt 2>/dev/null'`);
    await server.query("ALTER SYSTEM SET ssl = on");
    await server.restart();
    const [{ ca }] = (await server.query("SELECT pg_read_file('server.crt') AS ca")) as [{ ca: string }];
    const store = await open({ url: server.url, schema: "safe", tls: { ca } });
    expect(await store.write("ada", 0, { put: [record("a")] })).toBeGreaterThan(0);
    const untrusted = PostgresStore.open({ url: `${server.url}?sslmode=require` });
    await expect(untrusted).rejects.toThrow(/TLS does not work/u);
  });

  test("is vacuumed after a deletion, and after the last of many", async () => {
    const store = await open({ url: server.url, schema: "clean" });
    await store.write("ada", 0, { put: ["a", "b", "c", "d"].map((id) => record(id)) });
    for (const id of ["a", "b", "c"]) await store.write("ada", null, { delete: [{ kind: "k", id }] });
    await store.close();
    const statement =
      "SELECT vacuum_count::int AS n FROM pg_stat_user_tables WHERE schemaname = 'clean' AND relname = 'records'";
    await expect.poll(() => server.query(statement), { timeout: 20_000 }).toEqual([{ n: 2 }]);
  });

  test("that an open store leaves alone does not keep the process alive", async () => {
    const built = fileURLToPath(new URL("../../dist/stores/postgres/store.js", import.meta.url));
    const program = `import { PostgresStore } from ${JSON.stringify(built)};
      const store = await PostgresStore.open({ url: ${JSON.stringify(server.url)} });
      await store.write("ada", null, { put: [{ kind: "k", id: "a", bytes: new Uint8Array(9) }], delete: [{ kind: "k", id: "a" }] });`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { timeout: 30_000 });
  });
});

describe.skipIf(!hasPostgres)("several writers", () => {
  test("of one person: each change once, in one order", async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const built = fileURLToPath(new URL("../../dist/stores/postgres/store.js", import.meta.url));
    const writer = (name: string): string => `import { PostgresStore } from ${JSON.stringify(built)};
      const store = await PostgresStore.open({ url: ${JSON.stringify(server.url)} });
      for (let i = 0; i < 100; ) {
        const { revision, pages } = await store.read("ada", { ids: ["counter"] });
        let was = 0, count = 0;
        for await (const { records } of pages) for (const { version, bytes } of records) [was, count] = [version, Number(Buffer.from(bytes).toString())];
        const put = [{ kind: "k", id: "counter", bytes: Buffer.from(String(count + 1)), was }, { kind: "k", id: "${name}" + i, bytes: Buffer.alloc(50) }];
        try { await store.write("ada", revision, { put }); i++; } catch (error) { if (error.code !== "store_stale") throw error; }
        await store.write("ada", null, { put: [{ kind: "append", id: "${name}" + i, bytes: Buffer.alloc(5) }] });
      }
      await store.close();`;
    const run = (name: string) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", writer(name)]);
    await Promise.all([run("x"), run("y")]);
    const store = await open({ url: server.url });
    const { ids, damage } = await readAll(store, "ada");
    expect(damage).toEqual([]);
    expect(new Set(ids).size).toBe(203);
    expect((await readAll(store, "ada", { kinds: ["k"] })).ids.length).toBe(201);
    for await (const { records } of (await store.read("ada", { ids: ["counter"] })).pages)
      expect(Buffer.from(records[0]!.bytes).toString()).toBe("200");
  });

  test("whose server is killed and restarted: everything acknowledged is there, once", async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const store = await open({ url: server.url });
    const acknowledged: string[] = [];
    let isDone = false;
    const write = async (person: string): Promise<void> => {
      for (let i = 0; !isDone; i++) {
        const { revision } = await store.read(person, { limit: 0 });
        await store.write(person, revision, { put: [{ ...record(`${person}${i}`), was: 0 }] });
        acknowledged.push(`${person}${i}`);
      }
    };
    const writers = ["a", "b", "c", "d", "e"].map(write);
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (round === 1) await server.restart();
      else {
        await server.kill();
        await server.start();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    isDone = true;
    await Promise.all(writers);
    const kept: string[] = [];
    for (const person of await store.persons()) kept.push(...(await readAll(store, person)).ids);
    expect(kept.sort()).toEqual(acknowledged.sort());
    expect(kept.length).toBeGreaterThan(100);
    expect(await store.damage()).toEqual([]);
  });
});
