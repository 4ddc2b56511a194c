import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeConformance } from "../../src/stores/conformance.js";
import { PostgresStore } from "../../src/stores/postgres/store.js";
import { PostgresServer, hasPostgres } from "./postgres-server.mjs";

describe.skipIf(!hasPostgres)("the store in PostgreSQL", () => {
  let server: PostgresServer;
  let schemaCount = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  for (const { name, check } of storeConformance) {
    test(name, () => check(() => PostgresStore.open({ url: server.url, schema: `it's "${++schemaCount}"` })));
  }

  test("rows are cleaned up by one statement at a time, however much is erased", async () => {
    const store = await PostgresStore.open({ url: server.url, schema: "erasing" });
    const persons = Array.from({ length: 30 }, (_, i) => `person ${i}`);
    const put = Array.from({ length: 200 }, (_, i) => ({ kind: "note", id: `n${i}`, bytes: new Uint8Array(2_000) }));
    for (const person of persons) await store.write(person, 0, { put });
    const counting = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'VACUUM %'";
    let most = 0;
    let isErased = false;
    const erasing = Promise.all(persons.map((person) => store.erase(person))).then(() => (isErased = true));
    while (!isErased) {
      const [row] = await server.query(counting);
      most = Math.max(most, Number(row!["count"]));
    }
    await erasing;
    expect(most).toBeLessThanOrEqual(1);
    await store.close();
  });

  test.each(["two words", "a-schema.1", 'Quoted "Name"'])("a schema called %s is opened again", async (schema) => {
    for (const persons of [[], ["ada"]]) {
      const store = await PostgresStore.open({ url: server.url, schema });
      expect(await store.persons()).toEqual(persons);
      await store.write("ada", null, { put: [{ kind: "note", id: "one", bytes: new Uint8Array(4) }] });
      await store.close();
    }
  });
});
