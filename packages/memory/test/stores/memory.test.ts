import { storeConformance } from "../../src/stores/conformance.js";
import { MemoryStore } from "../../src/stores/memory/store.js";
import { describe, test } from "vitest";

describe("the store in memory", () => {
  for (const { name, check } of storeConformance) test(name, () => check(async () => new MemoryStore()));
});
