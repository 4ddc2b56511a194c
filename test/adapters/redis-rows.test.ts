/** Rows of the Redis store: those without links are what earlier releases wrote, those with links are covered, too. */
import { expect, it } from "vitest";
import { plainCipher } from "../../src/adapters/store/redis/cipher.js";
import { RedisRows, interactionFieldNames, memoryFieldNames } from "../../src/adapters/store/redis/rows.js";

const rows = new RedisRows(plainCipher);
const vector = Int8Array.of(1, -2, 3);
const memory = (updates: readonly string[]) => ({
  node: {
    id: "a",
    initMs: 5,
    pairId: "b",
    summaryText: "s",
    state: "at home",
    keywords: ["k"],
    hypotheticalQuery: "q?",
    statements: ["t"],
    updates,
  },
  fullText: "f",
  summaryVector: vector,
  hypotheticalVector: vector,
  statementVectors: [vector],
});
const entry = (kept: boolean, updates: readonly string[]) => ({
  interaction: {
    id: "a",
    initMs: 5,
    acceptedMs: 6,
    turns: [],
    summary: "s",
    state: "at home",
    restored: true,
    kept,
    updates,
  },
  outcome: "committed" as const,
  trace: "{}",
});

/** Fields by their names. */
function byName(list: readonly unknown[]): Map<string, string | Uint8Array> {
  return new Map(
    list.flatMap((name, i) => (i % 2 === 0 ? [[name as string, list[i + 1] as string | Uint8Array] as const] : [])),
  );
}

function valuesOf(fields: ReadonlyMap<string, string | Uint8Array>, names: readonly string[]): (Buffer | null)[] {
  return names.map((name) => {
    const value = fields.get(name);
    return value === undefined ? null : Buffer.from(value as string);
  });
}

it("without links they have the fields and checksums of schema 2", () => {
  const memoryFields = byName(rows.memoryFields("ada", memory([])));
  expect(memoryFields.get("checksum")).toBe("7e53d01724e0e5d4");
  const interactionFields = byName(rows.interactionFields("ada", entry(false, [])));
  expect(interactionFields.get("checksum")).toBe("1557d403cca2e41f");
  for (const fields of [memoryFields, interactionFields]) {
    for (const name of ["kept", "updates", "updates_checksum"]) expect(fields.has(name)).toBe(false);
  }
});

it("with links they come back, and no other links do", () => {
  const fields = byName(rows.memoryFields("ada", memory(["x", "y"])));
  expect(fields.get("checksum")).toBe("7e53d01724e0e5d4");
  const read = (altered: ReadonlyMap<string, string | Uint8Array>): unknown =>
    rows.readMemory("ada", "a", valuesOf(altered, memoryFieldNames)).embedded;
  expect(read(fields)).toEqual(memory(["x", "y"]));
  expect(() => read(new Map(fields).set("updates", '["x"]'))).toThrow(/damaged/u);
  const lost = new Map(fields);
  lost.delete("updates");
  expect(() => read(lost)).toThrow(/damaged/u);
});

it("wishes of interactions come back, and no others do", () => {
  const fields = byName(rows.interactionFields("ada", entry(true, ["x", "y"])));
  const read = (altered: ReadonlyMap<string, string | Uint8Array>): unknown =>
    rows.readInteraction("ada", "a", valuesOf(altered, interactionFieldNames));
  expect(read(fields)).toEqual(entry(true, ["x", "y"]));
  expect(() => read(new Map(fields).set("updates", '["x"]'))).toThrow(/damaged/u);
  for (const name of ["kept", "updates"]) {
    const lost = new Map(fields);
    lost.delete(name);
    expect(() => read(lost)).toThrow(/damaged/u);
  }
});
