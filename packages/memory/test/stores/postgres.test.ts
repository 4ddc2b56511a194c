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

  test.each(["two words", "a-schema.1", 'Quoted "Name"'])("a schema called %s is opened again", async (schema) => {
    for (const persons of [[], ["ada"]]) {
      const store = await PostgresStore.open({ url: server.url, schema });
      expect(await store.persons()).toEqual(persons);
      await store.write("ada", null, { put: [{ kind: "note", id: "one", bytes: new Uint8Array(4) }] });
      await store.close();
    }
  });
});
