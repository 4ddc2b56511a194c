/** Checks of what lasts: the facts of a memory, the area it is pinned to, and the facts of the core summary. */
import assert from "node:assert/strict";
import { type GraphChange, noChange } from "../../../core/graph/memory-node.js";
import type { Store } from "../../../ports/store.js";
import { type ConformanceCheck, check, rejects } from "./check.js";
import { apply, batch, commitPair, core, interaction, load, merge, node, person, sortedNodes } from "./fixtures.js";

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
    await apply(store, { change: { ...noChange, putNodes: [node("a", { pinnedArea: "health" }), node("b")] } });
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

  check("a batch that puts a memory may pin it", async (store) => {
    await acceptThree(store);
    const change = { ...noChange, putNodes: [node("a", { facts })], setPinned: [{ id: "a", area: "health" }] };
    await apply(store, { change });
    assert.deepEqual((await load(store)).change.putNodes, [node("a", { facts, pinnedArea: "health" })]);
  }),

  check("a reader who knows an earlier revision learns of new facts and pins, and of pins that went", async (store) => {
    await commitPair(store);
    const changes: GraphChange[] = [
      { ...noChange, setPinned: [{ id: "a", area: "health" }] },
      { ...noChange, putNodes: [node("b", { pairId: "a", facts })] },
      { ...noChange, setPinned: [{ id: "a", area: null }] },
    ];
    for (const change of changes) {
      const before = await load(store);
      await apply(store, { change });
      const since = await load(store, before.revision);
      const whole = await load(store);
      assert.notDeepEqual(merge(noChange, whole.change, true), merge(noChange, before.change, true));
      assert.deepEqual(merge(before.change, since.change, since.isWhole), merge(noChange, whole.change, true));
    }
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

  check("a pin of a memory that does not exist is rejected with its whole batch", async (store) => {
    await commitPair(store);
    const base = await store.revision(person);
    const setPinned = ["a", "nobody"].map((id) => ({ id, area: "health" }));
    const gone = { ...noChange, removeNodes: ["b"], setPinned: [{ id: "b", area: "health" }] };
    for (const change of [{ ...noChange, setPinned }, gone]) {
      await rejects(store.apply(person, batch(base, { change })), "store_corrupt");
    }
    assert.equal(await store.revision(person), base);
    const pair = [node("a", { pairId: "b" }), node("b", { pairId: "a" })];
    assert.deepEqual(sortedNodes((await load(store)).change), pair);
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
