/** Processes that write at once and are killed lose nothing that was acknowledged. */
import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";
import { expect, it } from "vitest";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { underFire } from "./store-scenes.js";

const scratch = new ScratchFolder();

it.each([false, true])("SQLite, isInline: %s", async (isInline) => {
  const options = { path: scratch.next(), isInline };
  const crew = { workerCount: 3, personCount: 3, killCount: 8 };
  const report = await underFire({ engine: "sqlite", options, ...crew, seed: `sqlite ${isInline}` }, () =>
    SqliteStore.open(options),
  );
  expect(report.findings).toEqual([]);
  expect(report.acknowledgedCount).toBeGreaterThan(crew.killCount);
  expect(report.cutCount).toBeGreaterThan(0);
});
