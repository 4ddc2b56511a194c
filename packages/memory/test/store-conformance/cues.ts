/** Checks of a memory's further cues: its questions, and the token vectors, which are read apart. */
import assert from "node:assert/strict";
import { noChange } from "../../src/core/graph/memory-node.js";
import type { Store } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check } from "./check.js";
import { apply, commitPair, interaction, load, node, person, sortedNodes, vector } from "./fixtures.js";

const questions = ["Which knee hurts?", "\u0000 漢字 \ud83d\ude00 'quoted' \"double\"?"];
const questionVectors = [vector(40), vector(41)];
const tokens = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7) % 256);
const otherTokens = Uint8Array.of(0, 255, 128, 1);

export const cueChecks: readonly ConformanceCheck[] = [
  check("questions and facts come back with their memories, each apart from the others", async (store) => {
    for (const id of ["a", "b", "c", "d"]) await store.accept(person, interaction(id), "queued");
    const putNodes = [
      { ...node("a", { questions, facts: [] }), questionVectors },
      { ...node("b", { questions }), questionVectors },
      node("c"),
      node("d", { facts: [{ text: "full", area: "health", probability: 0.5 }] }),
    ];
    await apply(store, { change: { ...noChange, putNodes } });
    assert.deepEqual(sortedNodes((await load(store)).change), putNodes);
    await apply(store, {
      change: {
        ...noChange,
        putNodes: [node("a"), { ...node("d"), questionVectors, node: { ...node("d").node, questions } }],
      },
    });
    const [a, , , d] = sortedNodes((await load(store)).change);
    assert.deepEqual(a, node("a"));
    assert.deepEqual([d!.node.questions, d!.questionVectors], [questions, questionVectors]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("token vectors are read apart from the graph, only of those that have some", async (store) => {
    if (store.tokens === undefined) return;
    await commitPair(store);
    await apply(store, { change: { ...noChange, putNodes: [{ ...node("b"), tokenBytes: tokens }] } });
    assert.deepEqual(sortedNodes((await load(store)).change)[1], node("b"));
    assert.deepEqual(await tokensOf(store, ["nobody", "a", "b"]), { b: [...tokens] });
    assert.deepEqual(await tokensOf(store, []), {});
    assert.deepEqual([...(await store.tokens("nobody", ["b"]))], []);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("token vectors go with what their memory said, and stay when something else changes", async (store) => {
    if (store.tokens === undefined) return;
    await commitPair(store);
    const putNodes = ["a", "b"].map((id) => ({ ...node(id), tokenBytes: tokens }));
    await apply(store, { change: { ...noChange, putNodes } });
    await apply(store, {
      change: {
        ...noChange,
        setPairs: [{ id: "a", pairId: "b" }],
        setUpdates: [{ id: "b", updates: ["a"] }],
        setPinned: [{ id: "a", area: "health" }],
      },
    });
    assert.deepEqual(await tokensOf(store, ["a", "b"]), { a: [...tokens], b: [...tokens] });
    await apply(store, { change: { ...noChange, putNodes: [node("a"), { ...node("b"), tokenBytes: otherTokens }] } });
    assert.deepEqual(await tokensOf(store, ["a", "b"]), { b: [...otherTokens] });
    await apply(store, { change: { ...noChange, removeNodes: ["b"] } });
    assert.deepEqual(await tokensOf(store, ["a", "b"]), {});
    await apply(store, { change: { ...noChange, putNodes: [node("b")] } });
    assert.deepEqual(await tokensOf(store, ["a", "b"]), {});
  }),
];

async function tokensOf(store: Store, ids: readonly string[]): Promise<Record<string, number[]>> {
  const found = await store.tokens!(person, ids);
  return Object.fromEntries([...found].map(([id, bytes]) => [id, [...bytes]]));
}
