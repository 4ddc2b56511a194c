/**
 * What every store has to do, as a list of checks that any test runner can run:
 *
 *   for (const { name, check } of storeConformance) test(name, () => check(openStore));
 *
 * `openStore` gives a fresh, empty store each time it is called. Outside authors of stores run the same list.
 */
import assert from "node:assert/strict";
import { type GraphChange, noChange } from "../../../core/graph/memory-node.js";
import { MnemosyneError } from "../../../errors.js";
import { type HistoryEntry, type Interaction, type Outcome, type Store, readPages } from "../../../ports/store.js";
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
  vector,
} from "./fixtures.js";

export interface ConformanceCheck {
  readonly name: string;
  readonly check: (openStore: () => Promise<Store>) => Promise<void>;
}

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

  check("an accepted interaction comes back exactly as it was handed in", async (store) => {
    const awkward: Interaction = {
      ...interaction("äöü 漢字 🧠 'quoted' \"double\""),
      initMs: 1_736_327_700_123,
      turns: [
        { who: "user", text: 'line one\nline two\ttab \\ back "slash" 😀' },
        { who: "Dr. Ünal", text: "" },
      ],
      summary: "résumé",
      state: "early recovery",
      restored: true,
    };
    assert.equal(await store.accept("Zoë", awkward, "queued"), true);
    assert.deepEqual(await store.history("Zoë"), [{ interaction: awkward, outcome: "queued", trace: null }]);
    assert.deepEqual(await store.queued("Zoë", 10), [awkward]);
    assert.deepEqual(await store.persons(), ["Zoë"]);
  }),

  check("the same id twice is once, and the first stays", async (store) => {
    assert.equal(await store.accept(person, interaction("x"), "queued"), true);
    assert.equal(await store.accept(person, { ...interaction("x"), summary: "other" }, "queued"), false);
    assert.equal(await store.accept("bea", interaction("x"), "queued"), true);
    const entries = await store.history(person);
    assert.deepEqual(
      entries.map((entry) => entry.interaction.summary),
      ["summary of x"],
    );
  }),

  check("an open interaction is replaced by its continuation until it is queued", async (store) => {
    assert.equal(await store.accept(person, { ...interaction("talk"), summary: "a" }, "open"), true);
    assert.deepEqual(await store.queued(person, 10), []);
    assert.deepEqual(await store.personsWithQueue(), []);
    assert.equal(await store.accept(person, { ...interaction("talk"), summary: "a b" }, "open"), true);
    assert.equal(await store.accept(person, { ...interaction("talk"), summary: "a b c" }, "queued"), true);
    assert.equal(await store.accept(person, { ...interaction("talk"), summary: "late" }, "open"), false);
    assert.deepEqual(
      (await store.queued(person, 10)).map(({ summary }) => summary),
      ["a b c"],
    );
  }),

  check("an open interaction is not overwritten by one that lacks its turns", async (store) => {
    const turn = (text: string): { who: string; text: string } => ({ who: "user", text });
    const talk = { ...interaction("talk"), turns: [turn("one")] };
    assert.equal(await store.accept(person, talk, "open"), true);
    assert.equal(await store.accept(person, { ...talk, turns: [turn("one"), turn("two")] }, "open"), true);
    assert.equal(await store.accept(person, { ...talk, turns: [turn("one"), turn("other")] }, "open"), false);
    assert.equal(await store.accept(person, { ...talk, turns: [turn("one")] }, "queued"), false);
    const [entry] = await store.history(person);
    assert.deepEqual(entry?.interaction.turns, [turn("one"), turn("two")]);
  }),

  check("what must continue an open interaction does not begin one", async (store) => {
    assert.equal(await store.accept(person, interaction("talk"), "open", { mustContinue: true }), false);
    assert.deepEqual(await store.persons(), []);
    assert.equal(await store.accept(person, interaction("talk"), "open"), true);
    assert.equal(await store.accept(person, interaction("talk"), "queued", { mustContinue: true }), true);
  }),

  check(
    "a batch can take over interactions with their outcomes, also of somebody unknown, all or none",
    async (store) => {
      const entry = (id: string, outcome: Outcome): HistoryEntry => ({
        interaction: interaction(id),
        outcome,
        trace: '{"x":1}',
      });
      const acceptEntries = [entry("a", "committed"), entry("b", "discarded"), entry("c", "queued")];
      await rejects(
        store.apply(
          person,
          batch(0, { acceptEntries, change: { ...noChange, putNodes: [node("a")], putEdges: [edgeAB] } }),
        ),
        "store_corrupt",
      );
      assert.deepEqual(await store.persons(), []);
      await store.apply(person, batch(0, { acceptEntries, change: { ...noChange, putNodes: [node("a")] } }));
      assert.deepEqual(await store.history(person), acceptEntries);
      assert.deepEqual((await load(store)).change.putNodes, [node("a")]);
      await rejects(apply(store, { acceptEntries: [entry("d", "queued"), entry("a", "queued")] }), "store_corrupt");
      assert.deepEqual(await store.history(person), acceptEntries);
    },
  ),

  check("the queue keeps the order of acceptance, whatever the times and ids", async (store) => {
    const ids = ["m", "z", "a", "k", "b"];
    for (const [i, id] of ids.entries()) {
      await store.accept(person, { ...interaction(id), initMs: 1000 - i }, "queued");
    }
    assert.deepEqual(
      (await store.queued(person, 3)).map(({ id }) => id),
      ["m", "z", "a"],
    );
    await apply(store, { outcomes: [{ id: "m", outcome: "discarded", trace: '{"why":1}' }] });
    assert.deepEqual(
      (await store.queued(person, 9)).map(({ id }) => id),
      ["z", "a", "k", "b"],
    );
    assert.deepEqual(await store.personsWithQueue(), [person]);
  }),

  check("an interaction can be queued again, marked as restored", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    await apply(store, { outcomes: [{ id: "a", outcome: "discarded", trace: "{}" }] });
    await apply(store, { requeueInteractions: ["a"] });
    const restored = { ...interaction("a"), restored: true };
    assert.deepEqual(await store.history(person), [{ interaction: restored, outcome: "queued", trace: null }]);
    assert.deepEqual(await store.queued(person, 1), [restored]);
  }),

  check("history can be selected by id and by outcome", async (store) => {
    for (const id of ["a", "b", "c"]) await store.accept(person, interaction(id), "queued");
    await apply(store, { outcomes: [{ id: "b", outcome: "discarded", trace: "{}" }] });
    const idsOf = async (selection: object): Promise<string[]> =>
      (await store.history(person, selection)).map((entry) => entry.interaction.id);
    assert.deepEqual(await idsOf({ ids: ["c", "a", "nobody"] }), ["a", "c"]);
    assert.deepEqual(await idsOf({ outcomes: ["discarded"] }), ["b"]);
    assert.deepEqual(await idsOf({ ids: ["a"], outcomes: ["discarded"] }), []);
    assert.deepEqual(await idsOf({ ids: [] }), []);
  }),

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
    const { change, revision, coreSummary } = await load(store);
    assert.deepEqual({ revision, coreSummary }, { revision: next, coreSummary: null });
    assert.deepEqual(change.putNodes, [node("a")]);
    assert.equal((await store.history(person))[0]!.outcome, "queued");
  }),

  check(
    "an edge or a pair to a memory that does not exist is refused, and nothing of the batch stays",
    async (store) => {
      await store.accept(person, interaction("a"), "queued");
      const base = await store.revision(person);
      const dangling: GraphChange[] = [
        { ...noChange, putNodes: [node("a")], putEdges: [edgeAB] },
        { ...noChange, putNodes: [node("a")], setPairs: [{ id: "b", pairId: "a" }] },
      ];
      for (const change of dangling) await rejects(store.apply(person, batch(base, { change })), "store_corrupt");
      assert.equal(await store.revision(person), base);
      assert.deepEqual((await load(store)).change, noChange);
    },
  ),

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

  check("what changed since a revision, applied to what was known, gives what is", async (store) => {
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
      },
    });
    const since = await load(store, before.revision);
    const whole = await load(store);
    assert.equal(since.revision, whole.revision);
    assert.deepEqual(merge(before.change, since.change, since.isWhole), merge(noChange, whole.change, true));
  }),

  check("many memories come back all, each with its own vectors, and so do their edges", async (store) => {
    const nodes = manyNodes(450);
    const edges = nodes.slice(1).map((embedded) => ({ ...edgeAB, a: nodes[0]!.node.id, b: embedded.node.id }));
    const kept = nodes
      .filter((_, i) => i % 7 === 0)
      .map(({ node: { id }, summaryVector }, i) => ({
        id,
        phrase: "once",
        fromMs: i,
        untilMs: 9,
        vector: summaryVector,
      }));
    const acceptEntries = nodes.map(({ node: { id } }) => ({
      interaction: interaction(id),
      outcome: "committed" as const,
      trace: null,
    }));
    await store.apply(person, batch(0, { acceptEntries, change: { ...noChange, putNodes: nodes, putEdges: edges } }));
    await store.keepMetaVectors(person, kept);
    const { change, metaVectors } = await load(store);
    assert.deepEqual(sortedNodes(change), nodes);
    assert.deepEqual(merge(noChange, change, true).edges, edges);
    assert.deepEqual(metaVectors, kept);
  }),

  check("what is loaded is of the moment it was asked for, also when it is read later", async (store) => {
    await commitPair(store);
    const asked = store.load(person);
    await apply(store, { change: { ...noChange, removeNodes: ["b"], setPairs: [{ id: "a", pairId: null }] } });
    const snapshot = await asked;
    const { change } = await readPages(snapshot);
    assert.ok(snapshot.revision < (await store.revision(person)));
    assert.deepEqual(sortedNodes(change), [node("a", { pairId: "b" }), node("b", { pairId: "a" })]);
    assert.deepEqual(change.putEdges, [edgeAB]);
  }),

  check("vectors of naturalized times are kept beside the graph, without a revision", async (store) => {
    await commitPair(store);
    const before = await store.revision(person);
    const kept = { id: "a", phrase: "last week", fromMs: 5, untilMs: Infinity, vector: vector(9) };
    await store.keepMetaVectors(person, [kept, { ...kept, id: "nobody" }]);
    const { metaVectors, revision } = await load(store);
    assert.deepEqual(metaVectors, [kept]);
    assert.equal(revision, before);
    await apply(store, { change: { ...noChange, removeNodes: ["b", "a"] } });
    assert.deepEqual((await load(store)).metaVectors, []);
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

  check("somebody whose last interaction is forgotten is unknown again", async (store) => {
    await store.accept(person, interaction("a"), "queued");
    const last = await apply(store, { forgetInteractions: ["a"] });
    assert.deepEqual(await store.persons(), []);
    assert.equal(await store.revision(person), 0);
    await store.accept(person, interaction("a"), "queued");
    assert.ok((await store.revision(person)) > last);
  }),

  check("what is handed in and out is a copy", async (store) => {
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

function check(name: string, run: (store: Store) => Promise<void>): ConformanceCheck {
  return {
    name,
    check: async (openStore) => {
      const store = await openStore();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    },
  };
}

async function rejects(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error) => error instanceof MnemosyneError && error.code === code);
}
