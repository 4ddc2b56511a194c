/** Rows of the Redis store: those without links, facts and pins are what earlier releases wrote; with them they are covered, too. */
import { expect, it } from "vitest";
import { plainCipher } from "../../src/adapters/store/redis/cipher.js";
import type { MemoryNode } from "../../src/core/graph/memory-node.js";
import {
  RedisRows,
  interactionFieldNames,
  memoryFieldNames,
  tokenFieldNames,
} from "../../src/adapters/store/redis/rows.js";

const rows = new RedisRows(plainCipher);
const vector = Int8Array.of(1, -2, 3);
const memory = (updates: readonly string[], parts: Partial<MemoryNode> = {}) => ({
  node: {
    id: "a",
    initMs: 5,
    pairId: "b",
    summaryText: "s",
    state: "at home",
    keywords: ["k"],
    hypotheticalQuery: "q?",
    questions: [],
    statements: ["t"],
    updates,
    facts: null,
    pinnedArea: null,
    metadata: {},
    expiresMs: null,
    ...parts,
  },
  fullText: "f",
  summaryVector: vector,
  hypotheticalVector: vector,
  statementVectors: [vector],
  questionVectors: [],
  topicVector: null,
  tokenBytes: null,
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
    metadata: {},
    expiresMs: null,
    versions: [],
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

it("without links, facts and pins they have the fields and checksums of schema 2", () => {
  const memoryFields = byName(rows.memoryFields("ada", memory([])));
  expect(memoryFields.get("checksum")).toBe("7e53d01724e0e5d4");
  const interactionFields = byName(rows.interactionFields("ada", entry(false, [])));
  expect(interactionFields.get("checksum")).toBe("1557d403cca2e41f");
  for (const fields of [memoryFields, interactionFields]) {
    for (const name of [
      "kept",
      "updates",
      "updates_checksum",
      "facts",
      "pinned_area",
      "metadata",
      "t_expires",
      "notes",
    ]) {
      expect(fields.has(name)).toBe(false);
    }
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

const judged = memory(["x"], {
  summaryText: "Sam sings.",
  facts: [{ text: "The violin", area: "music", probability: 0.25 }],
  pinnedArea: "music",
});

function readMemory(altered: ReadonlyMap<string, string | Uint8Array>): unknown {
  return rows.readMemory("ada", "a", valuesOf(altered, memoryFieldNames)).embedded;
}

it("facts and pins come back, and no others do", () => {
  const fields = byName(rows.memoryFields("ada", judged));
  expect(readMemory(fields)).toEqual(judged);
  const facts = '[{"start":0,"end":3,"area":"music","probability":0.25}]';
  const others = { facts, pinned_area: "health", pinned_area_checksum: "00000000" };
  for (const [name, value] of Object.entries(others)) {
    expect(() => readMemory(new Map(fields).set(name, value)), name).toThrow(/damaged/u);
  }
  for (const name of ["facts", "pinned_area"]) {
    const lost = new Map(fields);
    lost.delete(name);
    expect(() => readMemory(lost), name).toThrow(/damaged/u);
  }
});

it.each([
  "{}",
  "[1]",
  "[null]",
  '[{"start":0,"end":11,"area":"music","probability":0.25}]',
  '[{"start":-1,"end":3,"area":"music","probability":0.25}]',
  '[{"start":3,"end":3,"area":"music","probability":0.25}]',
  '[{"start":0,"end":1.5,"area":"music","probability":0.25}]',
  '[{"start":0,"end":3,"area":null,"probability":0.25}]',
  '[{"start":0,"end":3,"area":"music","probability":null}]',
  '[{"start":0,"end":3,"area":"music","probability":1e999}]',
])("facts that are none are damage, even without a checksum: %s", (facts) => {
  const fields = byName(rows.memoryFields("ada", judged));
  fields.delete("checksum");
  expect(readMemory(fields)).toEqual(judged);
  expect(() => readMemory(fields.set("facts", facts))).toThrow(/the memory is damaged \(facts\)/u);
});

it("core summaries of schema 3 have no facts, those of now have theirs", () => {
  const core = { text: "Sam sings.", updatedMs: 1, sourceIds: ["a"], trace: "{}" };
  const read = (stored: object): unknown => rows.readCoreSummary("ada", [Buffer.from(JSON.stringify(stored)), null]);
  expect(read(core)).toEqual({ ...core, facts: "[]" });
  expect(read({ ...core, facts: '["x"]' })).toEqual({ ...core, facts: '["x"]' });
});

it("questions and topics come back, and no others do", () => {
  const cued = { ...memory([], { questions: ["q?", "r?"] }), questionVectors: [vector, vector], topicVector: vector };
  const fields = byName(rows.memoryFields("ada", cued));
  expect(readMemory(fields)).toEqual(cued);
  for (const name of ["questions", "question_vectors", "topic_vector"]) {
    expect(() => readMemory(new Map(fields).set(name, '["s?"]')), name).toThrow(/damaged/u);
    const lost = new Map(fields);
    lost.delete(name);
    expect(() => readMemory(lost), name).toThrow(/damaged/u);
  }
});

it("tokens come back by themselves, and no others do", () => {
  const tokenBytes = Uint8Array.of(0, 255, 7);
  const fields = byName(rows.memoryFields("ada", { ...memory([]), tokenBytes }));
  expect(readMemory(fields)).toEqual(memory([]));
  const read = (altered: ReadonlyMap<string, string | Uint8Array>): Uint8Array | null =>
    rows.readTokens("ada", "a", valuesOf(altered, tokenFieldNames));
  expect(read(fields)).toEqual(tokenBytes);
  expect(read(new Map())).toBeNull();
  expect(() => read(new Map(fields).set("tokens", "x"))).toThrow(/"a": the token vectors are damaged/u);
  expect(() => rows.readTokens("ada", "b", valuesOf(fields, tokenFieldNames))).toThrow(/damaged/u);
});

const metadata = { agent: "a", tags: ["x"] };

it("metadata and expiry of memories come back, and no others do", () => {
  for (const notes of [{ metadata }, { expiresMs: 7.5 }, { metadata, expiresMs: 0 }]) {
    const fields = byName(rows.memoryFields("ada", memory(["x"], notes)));
    expect(fields.get("checksum")).toBe("7e53d01724e0e5d4");
    expect(readMemory(fields)).toEqual(memory(["x"], notes));
    expect(() => readMemory(new Map(fields).set("notes", "[{},1]"))).toThrow(/damaged/u);
    const lost = new Map(fields);
    lost.delete("notes");
    expect(() => readMemory(lost)).toThrow(/damaged/u);
  }
});

it("metadata, expiry and versions of interactions come back, and no others do", () => {
  const version = { replacedMs: 1, initMs: 2, turns: [], summary: "s", state: null, metadata };
  const plain = entry(false, ["x"]);
  const noted = { ...plain, interaction: { ...plain.interaction, metadata, expiresMs: 9.5, versions: [version] } };
  const fields = byName(rows.interactionFields("ada", noted));
  const read = (altered: ReadonlyMap<string, string | Uint8Array>): unknown =>
    rows.readInteraction("ada", "a", valuesOf(altered, interactionFieldNames));
  expect(read(fields)).toEqual(noted);
  for (const [name, value] of Object.entries({ metadata: "{}", t_expires: "8", versions: "[]" })) {
    expect(() => read(new Map(fields).set(name, value)), name).toThrow(/damaged/u);
    const lost = new Map(fields);
    lost.delete(name);
    expect(() => read(lost), name).toThrow(/damaged/u);
  }
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
