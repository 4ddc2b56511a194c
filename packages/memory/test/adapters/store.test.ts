import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeConformance } from "../store-conformance/suite.js";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { afterAll, describe, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
let fileCount = 0;
const nextPath = (): string => join(folder, `${++fileCount}.db`);

const stores = {
  memory: async () => new MemoryStore(),
  sqlite: () => SqliteStore.open({ path: nextPath() }),
  "sqlite, encrypted": () => SqliteStore.open({ path: nextPath(), encryptionKey: "correct horse" }),
  "sqlite on the calling thread": () => SqliteStore.open({ path: nextPath(), isInline: true }),
};

describe.each(Object.entries(stores))("%s store", (_, openStore) => {
  for (const { name, check } of storeConformance) test(name, () => check(openStore));
});
