import { afterAll, beforeAll, describe, test } from "vitest";
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
});
