/** Checks of what lasts: the facts of a memory, the area it is pinned to, and the facts of the core summary. */
import assert from "node:assert/strict";
import { noChange } from "../../src/core/graph/memory-node.js";
import type { Store } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check } from "./check.js";
import { apply, commitPair, core, interaction, load, node, person, sortedNodes } from "./fixtures.js";

const awkwardArea = "Gesundheit & 漢字 'quoted' \"double\" [1,2]";
const facts = [
  { text: "My knee hurts.", area: "health", probability: 0.123456789012345 },
  { text: "\u0000 \ud83d\ude00 no part of what was said", area: awkwardArea, probability: 1 },
];

export const lastingChecks: readonly ConformanceCheck[] = [
  check("facts come back with their memories, and none is not the same as not judged", async (store) => {
    await acceptThree(store);
    const putNodes = [node("a", { facts }), node("b", { facts: [] }), node("c")];
    await apply(store, { change: { ...noChange, putNodes } });
    assert.deepEqual(sortedNodes((await load(store)).change), putNodes);
    await apply(store, { change: { ...noChange, putNodes: [node("a"), node("c", { facts })] } });
    assert.deepEqual(sortedNodes((await load(store)).change), [
      node("a"),
      node("b", { facts: [] }),
      node("c", { facts }),
    ]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("a memory is put with its pin, pinned to another area, and let go", async (store) => {
    await acceptThree(store);
    await apply(store, {
      change: { ...noChange, putNodes: [node("a"), node("b")], setPinned: [{ id: "a", area: "health" }] },
    });
    assert.deepEqual(sortedNodes((await load(store)).change), [node("a", { pinnedArea: "health" }), node("b")]);
    const pins = [
      { id: "a", area: awkwardArea },
      { id: "b", area: "home" },
    ];
    await apply(store, { change: { ...noChange, setPinned: pins } });
    assert.deepEqual(sortedNodes((await load(store)).change), [
      node("a", { pinnedArea: awkwardArea }),
      node("b", { pinnedArea: "home" }),
    ]);
    await apply(store, { change: { ...noChange, putNodes: [node("b")], setPinned: [{ id: "a", area: null }] } });
    assert.deepEqual(sortedNodes((await load(store)).change), [node("a"), node("b")]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("pins, pairs and links change apart from each other", async (store) => {
    await commitPair(store);
    await apply(store, { change: { ...noChange, setPinned: [{ id: "b", area: "health" }] } });
    await apply(store, { change: { ...noChange, setUpdates: [{ id: "b", updates: ["a"] }] } });
    const pairless = ["a", "b"].map((id) => ({ id, pairId: null }));
    await apply(store, { change: { ...noChange, setPairs: pairless } });
    const linked = node("b", { updates: ["a"], pinnedArea: "health" });
    assert.deepEqual(sortedNodes((await load(store)).change), [node("a"), linked]);
    await apply(store, {
      change: { ...noChange, setUpdates: [{ id: "b", updates: [] }], setPinned: [{ id: "a", area: "home" }] },
    });
    assert.deepEqual(sortedNodes((await load(store)).change), [
      node("a", { pinnedArea: "home" }),
      node("b", { pinnedArea: "health" }),
    ]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("the facts of the core summary come back as they were written", async (store) => {
    await commitPair(store);
    const written = { ...core, facts: JSON.stringify([{ area: awkwardArea, text: "Likes music." }]) };
    await apply(store, { coreSummary: written });
    assert.deepEqual((await load(store)).coreSummary, written);
    await apply(store, { coreSummary: core });
    assert.deepEqual((await load(store)).coreSummary, core);
  }),
];

async function acceptThree(store: Store): Promise<void> {
  for (const id of ["a", "b", "c"]) await store.accept(person, interaction(id), "queued");
}
