/** Checks of the queue and the history: interactions as they were accepted, with their outcomes. */
import assert from "node:assert/strict";
import { noChange } from "../../src/core/graph/memory-node.js";
import type { AcceptedEntry, Interaction, Outcome } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check, rejects } from "./check.js";
import { apply, batch, edgeAB, interaction, load, node, person, withoutCursors } from "./fixtures.js";

export const historyChecks: readonly ConformanceCheck[] = [
  check("an accepted interaction comes back exactly as it was submitted", async (store) => {
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
    assert.deepEqual(withoutCursors(await store.history("Zoë")), [
      { interaction: awkward, outcome: "queued", trace: null },
    ]);
    assert.deepEqual(await store.queued("Zoë", 10), [awkward]);
    assert.deepEqual(await store.persons(), ["Zoë"]);
  }),

  check("accepting the same id twice stores it once, and the first stays", async (store) => {
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

  check("with mustContinue, an interaction that continues nothing is not stored", async (store) => {
    assert.equal(await store.accept(person, interaction("talk"), "open", { mustContinue: true }), false);
    assert.deepEqual(await store.persons(), []);
    assert.equal(await store.accept(person, interaction("talk"), "open"), true);
    assert.equal(await store.accept(person, interaction("talk"), "queued", { mustContinue: true }), true);
  }),

  check(
    "a batch can take over interactions with their outcomes, even for an unknown person, all or none",
    async (store) => {
      const entry = (id: string, outcome: Outcome): AcceptedEntry => ({
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
      assert.deepEqual(withoutCursors(await store.history(person)), acceptEntries);
      assert.deepEqual((await load(store)).change.putNodes, [node("a")]);
      await rejects(apply(store, { acceptEntries: [entry("d", "queued"), entry("a", "queued")] }), "store_corrupt");
      assert.deepEqual(withoutCursors(await store.history(person)), acceptEntries);
    },
  ),

  check("the queue keeps the order of acceptance, regardless of times and ids", async (store) => {
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
    assert.deepEqual(withoutCursors(await store.history(person)), [
      { interaction: restored, outcome: "queued", trace: null },
    ]);
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

  check("interactions are counted by outcome, and so are those in the queue", async (store) => {
    assert.deepEqual(await store.outcomeCounts(person), {});
    assert.equal(await store.queuedCount(person), 0);
    for (const id of ["a", "b", "c", "d"]) await store.accept(person, interaction(id), "queued");
    await store.accept(person, interaction("talk"), "open");
    await store.accept("bea", interaction("x"), "queued");
    await apply(store, { outcomes: [{ id: "b", outcome: "discarded", trace: null }] });
    assert.deepEqual(await store.outcomeCounts(person), { queued: 3, discarded: 1, open: 1 });
    assert.equal(await store.queuedCount(person), 3);
    await apply(store, { forgetInteractions: ["a"] });
    assert.deepEqual(await store.outcomeCounts(person), { queued: 2, discarded: 1, open: 1 });
    assert.equal(await store.queuedCount(person), 2);
  }),

  check("traces can be read without the interactions", async (store) => {
    for (const id of ["a", "b", "c"]) await store.accept(person, interaction(id), "queued");
    const outcomes = [
      { id: "c", outcome: "committed" as const, trace: '{"n":"c"}' },
      { id: "a", outcome: "paired" as const, trace: '{"n":"ä"}' },
    ];
    await apply(store, { outcomes });
    assert.deepEqual(await store.traces(person, ["committed", "paired"]), [
      { id: "a", trace: '{"n":"ä"}' },
      { id: "c", trace: '{"n":"c"}' },
    ]);
    assert.deepEqual(await store.traces(person, ["queued"]), [{ id: "b", trace: null }]);
    assert.deepEqual(await store.traces("nobody", ["queued"]), []);
  }),
];
