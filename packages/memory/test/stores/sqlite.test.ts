/** The SQLite store does what every store has to do, on a thread of its own and on the caller's. */
import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
import { describe, test } from "vitest";
import { storeConformance } from "../../src/stores/conformance.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();

describe.each([false, true])("isInline: %s", (isInline) => {
  for (const { name, check } of storeConformance) {
    test(name, () => check(() => SqliteStore.open({ path: scratch.next(), isInline })));
  }
});
