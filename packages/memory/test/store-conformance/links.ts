/** Checks of update links: which memories a memory made outdated, and what an interaction was said to make outdated. */
import assert from "node:assert/strict";
import { noChange } from "../../src/core/graph/memory-node.js";
import type { Interaction, Store } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check } from "./check.js";
import { apply, batch, interaction, load, node, person, sortedNodes, withoutCursors } from "./fixtures.js";

const awkwardId = "äöü 漢字 'quoted' \"double\" [1,2]";

export const linkChecks: readonly ConformanceCheck[] = [
  check("links come back with their memories, and so do their changes, to all and to none", async (store) => {
    await commitThree(store);
    assert.deepEqual(sortedNodes((await load(store)).change), [
      node("a"),
      node("b"),
      node("c", { updates: ["a", "b"] }),
    ]);
    await apply(store, { change: { ...noChange, setUpdates: [{ id: "c", updates: [awkwardId] }] } });
    assert.deepEqual(sortedNodes((await load(store)).change)[2], node("c", { updates: [awkwardId] }));
    await apply(store, { change: { ...noChange, setUpdates: [{ id: "c", updates: [] }] } });
    assert.deepEqual(sortedNodes((await load(store)).change)[2], node("c"));
    await apply(store, { change: { ...noChange, putNodes: [node("b", { updates: ["a"] })] } });
    await apply(store, { change: { ...noChange, putNodes: [node("b")] } });
    assert.deepEqual(sortedNodes((await load(store)).change), [node("a"), node("b"), node("c")]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("what a caller wished of an interaction comes back, and stays when it is queued again", async (store) => {
    const wished: Interaction[] = [
      { ...interaction("x"), kept: true, updates: [] },
      { ...interaction("y"), kept: false, updates: ["w", awkwardId] },
      { ...interaction("z"), kept: true, updates: ["x"] },
    ];
    for (const each of wished) assert.equal(await store.accept(person, each, "queued"), true);
    assert.deepEqual(await store.queued(person, 9), wished);
    await apply(store, { outcomes: [{ id: "z", outcome: "pruned", trace: "{}" }] });
    await apply(store, { requeueInteractions: ["z"] });
    assert.deepEqual((await store.history(person, { ids: ["z"] }))[0]!.interaction, { ...wished[2], restored: true });
    await store.apply(
      "bea",
      batch(0, { acceptEntries: [{ interaction: wished[1]!, outcome: "discarded", trace: null }] }),
    );
    assert.deepEqual((await store.history("bea"))[0]!.interaction, wished[1]);
  }),

  check("a batch takes a forgotten id out of what interactions were said to make outdated", async (store) => {
    const said = (id: string, updates: readonly string[]): Interaction => ({
      ...interaction(id),
      turns: [{ who: "user", text: `words of ${id}` }],
      kept: true,
      updates,
    });
    const all = [said("a", []), said("b", ["a"]), said("c", ["a", "b"])];
    for (const each of all) await store.accept(person, each, "queued");
    await apply(store, { outcomes: [{ id: "b", outcome: "discarded", trace: '{"n":"b"}' }] });
    await apply(store, {
      forgetInteractions: ["a"],
      setInteractionUpdates: [
        { id: "b", updates: [] },
        { id: "c", updates: ["b"] },
        { id: "nobody", updates: ["b"] },
      ],
    });
    assert.deepEqual(withoutCursors(await store.history(person)), [
      { interaction: said("b", []), outcome: "discarded", trace: '{"n":"b"}' },
      { interaction: said("c", ["b"]), outcome: "queued", trace: null },
    ]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),
];

/** Three memories, the last of which made the others outdated. */
async function commitThree(store: Store): Promise<void> {
  for (const id of ["a", "b", "c"]) await store.accept(person, interaction(id), "queued");
  await apply(store, { change: { ...noChange, putNodes: [node("c", { updates: ["a", "b"] }), node("a"), node("b")] } });
}
