/** Rows of the Redis store: what they hold comes back, and what was altered or lost is damage. */
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

const judged = memory(["x"], {
  summaryText: "Sam sings.",
  facts: [{ text: "The violin", area: "music", probability: 0.25 }],
  pinnedArea: "music",
});

function readMemory(altered: ReadonlyMap<string, string | Uint8Array>): unknown {
  return rows.readMemory("ada", "a", valuesOf(altered, memoryFieldNames));
}

it("links, facts and pins come back, and no others do", () => {
  const fields = byName(rows.memoryFields("ada", judged));
  expect(readMemory(fields)).toEqual(judged);
  const facts = '[{"start":0,"end":3,"area":"music","probability":0.25}]';
  const others = { facts, updates: '["y"]', pinned_area: "health", pinned_area_checksum: "00000000" };
  for (const [name, value] of Object.entries(others)) {
    expect(() => readMemory(new Map(fields).set(name, value)), name).toThrow(/damaged/u);
  }
  for (const name of ["facts", "updates", "pinned_area", "checksum"]) {
    const lost = new Map(fields);
    lost.delete(name);
    expect(() => readMemory(lost), name).toThrow(/damaged/u);
  }
});

it("questions come back, and no others do", () => {
  const cued = { ...memory([], { questions: ["q?", "r?"] }), questionVectors: [vector, vector] };
  const fields = byName(rows.memoryFields("ada", cued));
  expect(readMemory(fields)).toEqual(cued);
  for (const name of ["questions", "question_vectors"]) {
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
