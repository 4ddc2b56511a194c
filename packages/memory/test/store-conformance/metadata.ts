/** Checks of what a caller notes about an interaction: metadata, expiry, and earlier versions after an edit. */
import assert from "node:assert/strict";
import { noChange } from "../../src/core/graph/memory-node.js";
import type { Interaction, Metadata, Store } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check } from "./check.js";
import { apply, interaction, load, node, person, sortedNodes, withoutCursors } from "./fixtures.js";

const metadata: Metadata = {
  agent: "support",
  "tag with 'quotes', \"double\" and 漢字": "naïve \u{1f9e0}\n\u007f",
  tags: ["billing", "", "ü"],
  none: [],
  count: 0.1234567890123,
  large: -8.64e15,
  done: false,
  7: "a name that is a number",
};

const noted: Interaction = {
  ...interaction("noted"),
  turns: [{ who: "user", text: "now" }],
  metadata,
  expiresMs: 5_000.5,
  versions: [
    { replacedMs: 3, initMs: 1, turns: [], summary: "first", state: null, metadata: {} },
    {
      replacedMs: 4.5,
      initMs: 2,
      turns: [{ who: "Dr. Ünal", text: 'line\n"two" \u{1f600}' }],
      summary: null,
      state: "tired",
      metadata,
    },
  ],
};

export const metadataChecks: readonly ConformanceCheck[] = [
  check("metadata, expiry and earlier versions of an interaction come back as they were", async (store) => {
    await store.accept(person, noted, "queued");
    await store.accept(person, interaction("plain"), "queued");
    assert.deepEqual(await store.queued(person, 9), [noted, interaction("plain")]);
    const entry = { interaction: { ...noted, id: "taken over" }, outcome: "discarded" as const, trace: null };
    await apply(store, { acceptEntries: [entry] });
    assert.deepEqual(withoutCursors(await store.history(person, { ids: ["taken over"] })), [entry]);
    await apply(store, { outcomes: [{ id: "noted", outcome: "discarded", trace: "{}" }] });
    await apply(store, { requeueInteractions: ["noted"], setInteractionUpdates: [{ id: "noted", updates: ["x"] }] });
    const [, again] = await store.queued(person, 9);
    assert.deepEqual(
      (await store.queued(person, 9)).find(({ id }) => id === "noted"),
      { ...noted, restored: true, updates: ["x"] },
    );
    assert.notEqual(again, undefined);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("metadata and expiry come back with their memories, and can be changed by themselves", async (store) => {
    for (const id of ["a", "b", "c"]) await store.accept(person, interaction(id), "queued");
    const putNodes = [node("a", { metadata, expiresMs: 1.5 }), node("b", { metadata }), node("c", { expiresMs: 0 })];
    await apply(store, { change: { ...noChange, putNodes } });
    assert.deepEqual(sortedNodes((await load(store)).change), putNodes);
    const setMetadata = [
      { id: "a", metadata: {}, expiresMs: null },
      { id: "c", metadata: { other: true }, expiresMs: 1_736_327_700_123 },
    ];
    const pinned = [{ id: "b", area: "home" }];
    await apply(store, { change: { ...noChange, setMetadata, setPinned: pinned } });
    assert.deepEqual(sortedNodes((await load(store)).change), [
      node("a"),
      node("b", { metadata, pinnedArea: "home" }),
      node("c", { metadata: { other: true }, expiresMs: 1_736_327_700_123 }),
    ]);
    await apply(store, { change: { ...noChange, putNodes: [node("c")] } });
    assert.deepEqual(sortedNodes((await load(store)).change)[2], node("c"));
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("an edited interaction keeps its outcome, its trace and its place", async (store) => {
    for (const id of ["x", "noted", "z"]) await store.accept(person, interaction(id), "queued");
    await apply(store, { outcomes: [{ id: "noted", outcome: "discarded", trace: '{"n":1}' }] });
    await apply(store, { requeueInteractions: ["x"] });
    const before = await store.history(person);
    const next = { ...interaction("x"), summary: "edited", updates: ["y"], kept: true };
    await apply(store, { replaceInteractions: [noted, next, { ...noted, id: "nobody" }] });
    assert.deepEqual(await store.history(person), [
      { ...before[0], interaction: { ...next, restored: true } },
      { ...before[1], interaction: noted },
      before[2],
    ]);
    assert.deepEqual(
      (await store.queued(person, 9)).map(({ id }) => id),
      ["x", "z"],
    );
    await apply(store, {
      replaceInteractions: [interaction("noted")],
      outcomes: [{ id: "noted", outcome: "queued", trace: null }],
    });
    assert.deepEqual((await store.queued(person, 9))[1], interaction("noted"));
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("what has expired is found, whatever became of it, the first to expire first", async (store) => {
    assert.equal(await store.nextExpiryMs(), null);
    assert.deepEqual(await store.expired(Infinity, 10), []);
    await store.accept(person, expiring("late", 300), "queued");
    await store.accept(person, expiring("early", 100), "queued");
    await store.accept("bea", expiring("early", 200), "open");
    await store.accept("bea", interaction("never"), "queued");
    const entry = { interaction: expiring("taken", 150), outcome: "committed" as const, trace: null };
    await apply(store, { acceptEntries: [entry], outcomes: [{ id: "early", outcome: "discarded", trace: null }] });
    const all = [
      { person, id: "early" },
      { person, id: "taken" },
      { person: "bea", id: "early" },
      { person, id: "late" },
    ];
    assert.equal(await store.nextExpiryMs(), 100);
    assert.deepEqual(await store.expired(99, 10), []);
    assert.deepEqual(await store.expired(100, 10), all.slice(0, 1));
    assert.deepEqual(await store.expired(200, 10), all.slice(0, 3));
    assert.deepEqual(await store.expired(Infinity, 2), all.slice(0, 2));
    assert.deepEqual(await store.expired(Infinity, 10), all);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("what is forgotten or expires later is no longer reported as expired", async (store) => {
    for (const id of ["a", "b", "c", "d"]) await store.accept(person, expiring(id, 100), "queued");
    await store.accept("bea", expiring("a", 50), "queued");
    await apply(store, { forgetInteractions: ["a"] });
    assert.deepEqual(await expiredIds(store, 1_000), ["a", "b", "c", "d"]);
    await apply(store, { replaceInteractions: [expiring("b", 500), interaction("c")] });
    assert.deepEqual(await expiredIds(store, 499), ["a", "d"]);
    assert.deepEqual(await expiredIds(store, 500), ["a", "d", "b"]);
    await apply(store, { replaceInteractions: [expiring("c", 60)] });
    assert.deepEqual(await expiredIds(store, 100), ["a", "c", "d"]);
    await store.forgetPerson("bea");
    assert.deepEqual(await store.expired(Infinity, 1), [{ person, id: "c" }]);
    assert.ok((await store.nextExpiryMs())! <= 60);
    await apply(store, { forgetInteractions: ["b", "c", "d"] });
    assert.deepEqual(await store.expired(Infinity, 10), []);
    assert.equal(await store.nextExpiryMs(), null);
    assert.equal(await store.accept(person, expiring("a", 10), "queued"), true);
    assert.equal(await store.accept(person, expiring("a", 5), "queued"), false);
    assert.deepEqual(await store.expired(5, 10), []);
    assert.deepEqual(await expiredIds(store, 10), ["a"]);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("an open interaction that goes on expires once", async (store) => {
    const turn = { who: "user", text: "on" };
    for (let count = 1; count <= 3; count++) {
      const talk = { ...expiring("talk", 100), turns: Array.from({ length: count }, () => turn) };
      assert.equal(await store.accept(person, talk, count === 3 ? "queued" : "open"), true);
    }
    assert.deepEqual(await store.expired(100, 10), [{ person, id: "talk" }]);
    await apply(store, { forgetInteractions: ["talk"] });
    assert.deepEqual(await store.expired(100, 10), []);
    assert.equal(await store.nextExpiryMs(), null);
  }),
];

function expiring(id: string, expiresMs: number): Interaction {
  return { ...interaction(id), expiresMs };
}

async function expiredIds(store: Store, nowMs: number): Promise<string[]> {
  return (await store.expired(nowMs, 100)).map(({ id }) => id);
}
