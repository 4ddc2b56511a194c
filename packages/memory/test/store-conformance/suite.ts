/**
 * What every store has to do, as a list of checks that any test runner can run:
 *
 *   for (const { name, check } of storeConformance) test(name, () => check(openStore));
 *
 * `openStore` returns a new, empty store each time it is called. Authors of other stores run the same list.
 */
import assert from "node:assert/strict";
import { type GraphChange, noChange } from "../../src/core/graph/memory-node.js";
import { StaleRevisionError } from "../../src/errors.js";
import { readPages } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check, rejects } from "./check.js";
import {
  apply,
  batch,
  commitPair,
  core,
  dimensions,
  edgeAB,
  interaction,
  load,
  manyNodes,
  merge,
  node,
  person,
  sortedNodes,
} from "./fixtures.js";
import { cueChecks } from "./cues.js";
import { historyChecks } from "./history.js";
import { lastingChecks } from "./lasting.js";
import { linkChecks } from "./links.js";
import { metadataChecks } from "./metadata.js";
import { pageChecks } from "./pages.js";

export type { ConformanceCheck } from "./check.js";

export const storeConformance: readonly ConformanceCheck[] = [
  check("a new store knows nobody", async (store) => {
    assert.deepEqual(await store.persons(), []);
    assert.deepEqual(await store.personsWithQueue(), []);
    assert.deepEqual(await store.history(person), []);
    assert.equal(await store.revision(person), 0);
    assert.equal(await store.embedder(), null);
    const { isWhole, change, coreSummary } = await load(store);
    assert.deepEqual({ isWhole, change, coreSummary }, { isWhole: true, change: noChange, coreSummary: null });
  }),

  check("it remembers whose vectors it holds, and who claimed it first", async (store) => {
    const [one, two] = [{ name: "one", dimensions } as const, { name: "two", dimensions: 16 } as const];
    assert.deepEqual(await store.claimEmbedder(one), one);
    assert.deepEqual(await store.claimEmbedder(two), one);
    assert.deepEqual(await store.embedder(), one);
    await store.setEmbedder(two);
    assert.deepEqual(await store.embedder(), two);
  }),

  check("it keeps cached bytes under their key", async (store) => {
    assert.equal(await store.cached("examples"), null);
    await store.cache("examples", Uint8Array.of(1, 2, 3));
    await store.cache("examples", Uint8Array.of(0, 255, 128, 7));
    assert.deepEqual([...(await store.cached("examples"))!], [0, 255, 128, 7]);
    assert.equal(await store.cached("other"), null);
  }),

  ...historyChecks,
  ...linkChecks,
  ...lastingChecks,
  ...cueChecks,
  ...metadataChecks,
  ...pageChecks,

  check("a batch is applied whole and loaded back", async (store) => {
    await commitPair(store);
    const { change, coreSummary, commitsSinceCoreSummary, isWhole } = await load(store);
    assert.equal(isWhole, true);
    assert.deepEqual(sortedNodes(change), [node("a", { pairId: "b" }), node("b", { pairId: "a" })]);
    assert.deepEqual(change.putEdges, [edgeAB]);
    assert.deepEqual(coreSummary, core);
    assert.equal(commitsSinceCoreSummary, 3);
    const entries = await store.history(person);
    assert.deepEqual(
      entries.map(({ outcome, trace }) => [outcome, trace]),
      [
        ["committed", '{"n":"a"}'],
        ["paired", '{"n":"b"}'],
      ],
    );
  }),

  check("what was written is whole: nothing is damaged, and nothing left out as damaged", async (store) => {
    await commitPair(store);
    await store.accept(person, interaction("c"), "queued");
    const entries = await store.history(person);
    assert.equal(entries.length, 3);
    assert.deepEqual(await store.history(person, { skipDamaged: true }), entries);
    assert.deepEqual((await store.damage?.()) ?? [], []);
  }),

  check("every batch raises the revision, and a stale one changes nothing", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    const base = await store.revision(person);
    const next = await store.apply(person, batch(base, { change: { ...noChange, putNodes: [node("a")] } }));
    assert.ok(next > base);
    assert.equal(await store.revision(person), next);
    const stale = batch(base, {
      outcomes: [{ id: "a", outcome: "discarded", trace: null }],
      change: { ...noChange, removeNodes: ["a"] },
      coreSummary: core,
    });
    await rejects(store.apply(person, stale), "store_stale");
    await assert.rejects(store.apply(person, stale), StaleRevisionError);
    const { change, revision, coreSummary } = await load(store);
    assert.deepEqual({ revision, coreSummary }, { revision: next, coreSummary: null });
    assert.deepEqual(change.putNodes, [node("a")]);
    assert.equal((await store.history(person))[0]!.outcome, "queued");
  }),

  check("what names a memory that does not exist is rejected with its whole batch", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    const base = await store.revision(person);
    const dangling: GraphChange[] = [
      { ...noChange, putNodes: [node("a")], putEdges: [edgeAB] },
      { ...noChange, putNodes: [node("a")], setPairs: [{ id: "b", pairId: "a" }] },
      { ...noChange, putNodes: [node("a")], setUpdates: [{ id: "b", updates: ["a"] }] },
      { ...noChange, putNodes: [node("a")], setPinned: ["a", "b"].map((id) => ({ id, area: "health" })) },
      { ...noChange, putNodes: [node("a")], setMetadata: [{ id: "b", metadata: { agent: "z" }, expiresMs: null }] },
      { ...noChange, removeNodes: ["b"], setPinned: [{ id: "b", area: "health" }] },
    ];
    for (const change of dangling) await rejects(store.apply(person, batch(base, { change })), "store_corrupt");
    assert.equal(await store.revision(person), base);
    assert.deepEqual((await load(store)).change, noChange);
  }),

  check("removing a memory removes its edges", async (store) => {
    await commitPair(store);
    await apply(store, {
      change: { ...noChange, removeNodes: ["b"], setPairs: [{ id: "a", pairId: null }] },
      outcomes: [{ id: "b", outcome: "replaced", trace: null }],
    });
    const { change } = await load(store);
    assert.deepEqual(change.putNodes, [node("a")]);
    assert.deepEqual(change.putEdges, []);
    assert.deepEqual(
      (await store.history(person)).map(({ outcome }) => outcome),
      ["committed", "replaced"],
    );
  }),

  check("applying what changed since a revision to what was known gives the current state", async (store) => {
    await commitPair(store);
    const before = await load(store);
    assert.deepEqual((await load(store, before.revision)).change, noChange);
    await store.accept(person, interaction("c"), "queued");
    const edgeAC = { ...edgeAB, b: "c", weight: 0.5 };
    await apply(store, {
      change: {
        putNodes: [node("c")],
        removeNodes: ["b"],
        putEdges: [edgeAC],
        removeEdges: [["a", "b"]],
        setPairs: [{ id: "a", pairId: null }],
        setUpdates: [{ id: "c", updates: ["a"] }],
        setPinned: [{ id: "a", area: "health" }],
        setMetadata: [{ id: "c", metadata: { agent: "z" }, expiresMs: 9 }],
      },
    });
    const since = await load(store, before.revision);
    const whole = await load(store);
    assert.equal(since.revision, whole.revision);
    assert.deepEqual(merge(before.change, since.change, since.isWhole), merge(noChange, whole.change, true));
  }),

  check("a large number of memories all come back, each with its own vectors, and so do their edges", async (store) => {
    const nodes = manyNodes(450);
    const edges = nodes.slice(1).map((embedded) => ({ ...edgeAB, a: nodes[0]!.node.id, b: embedded.node.id }));
    const acceptEntries = nodes.map(({ node: { id } }) => ({
      interaction: interaction(id),
      outcome: "committed" as const,
      trace: null,
    }));
    await store.apply(person, batch(0, { acceptEntries, change: { ...noChange, putNodes: nodes, putEdges: edges } }));
    const { change } = await load(store);
    assert.deepEqual(sortedNodes(change), nodes);
    assert.deepEqual(merge(noChange, change, true).edges, edges);
  }),

  check("what is loaded is from the moment of the request, even when it is read later", async (store) => {
    await commitPair(store);
    const asked = store.load(person);
    await apply(store, { change: { ...noChange, removeNodes: ["b"], setPairs: [{ id: "a", pairId: null }] } });
    const snapshot = await asked;
    const { change } = await readPages(snapshot);
    assert.ok(snapshot.revision < (await store.revision(person)));
    assert.deepEqual(sortedNodes(change), [node("a", { pairId: "b" }), node("b", { pairId: "a" })]);
    assert.deepEqual(change.putEdges, [edgeAB]);
  }),

  check("a forgotten interaction is gone with its memory and edges, for every reader", async (store) => {
    await commitPair(store);
    const before = await load(store);
    await apply(store, {
      change: { ...noChange, removeNodes: ["a"], setPairs: [{ id: "b", pairId: null }] },
      forgetInteractions: ["a"],
      coreSummary: null,
    });
    assert.deepEqual(
      (await store.history(person)).map((entry) => entry.interaction.id),
      ["b"],
    );
    const since = await load(store, before.revision);
    assert.equal(since.coreSummary, null);
    assert.deepEqual(merge(before.change, since.change, since.isWhole).nodes, [node("b")]);
    assert.equal(await store.accept(person, interaction("a"), "queued"), true);
  }),

  check("a forgotten person is gone, others stay, and revisions never repeat", async (store) => {
    await commitPair(store);
    await store.accept("bea", interaction("x"), "queued");
    const last = await store.revision(person);
    assert.deepEqual(await store.forgetPerson(person), { interactions: 2, memories: 2, edges: 1 });
    assert.deepEqual(await store.forgetPerson(person), { interactions: 0, memories: 0, edges: 0 });
    assert.deepEqual(await store.persons(), ["bea"]);
    assert.deepEqual(await store.history(person), []);
    await store.accept(person, interaction("a"), "queued");
    assert.ok((await store.revision(person)) > last);
    assert.equal((await load(store, last)).isWhole, true);
  }),

  check("a person whose last interaction is forgotten is unknown again", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    const last = await apply(store, { forgetInteractions: ["a"] });
    assert.deepEqual(await store.persons(), []);
    assert.equal(await store.revision(person), 0);
    await store.accept(person, interaction("a"), "queued");
    assert.ok((await store.revision(person)) > last);
  }),

  check("what goes in and out is a copy", async (store) => {
    const mine = { ...interaction("a"), turns: [{ who: "user", text: "before" }] };
    await store.accept(person, mine, "queued");
    mine.turns[0]!.text = "after";
    const [first] = await store.queued(person, 1);
    (first!.turns as { who: string; text: string }[])[0]!.text = "changed";
    assert.equal((await store.queued(person, 1))[0]!.turns[0]!.text, "before");
  }),

  check("parallel batches: exactly one of those on the same revision wins", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    const base = await store.revision(person);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => store.apply(person, batch(base, { commitsSinceCoreSummary: i }))),
    );
    assert.equal(tries.filter(({ status }) => status === "fulfilled").length, 1);
  }),

  check("a closed store says so", async (store) => {
    await store.close();
    await rejects(store.accept(person, interaction("a"), "queued"), "store_closed");
    await rejects(store.revision(person), "store_closed");
  }),
];
