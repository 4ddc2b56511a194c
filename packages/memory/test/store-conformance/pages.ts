/** Checks of long lists that are read in parts: the history of a person, and the persons. */
import assert from "node:assert/strict";
import type { HistorySelection, Store } from "../../src/engine/records/person-data.js";
import { type ConformanceCheck, check, rejects } from "./check.js";
import { apply, batch, interaction, person } from "./fixtures.js";

export const pageChecks: readonly ConformanceCheck[] = [
  check("a history read in parts is the whole history, selected or not", async (store) => {
    const acceptEntries = Array.from({ length: 450 }, (_, i) => ({
      interaction: interaction(`i${(i * 7) % 450}`),
      outcome: i % 5 === 0 ? ("queued" as const) : i % 2 === 0 ? ("discarded" as const) : ("committed" as const),
      trace: null,
    }));
    await store.apply(person, batch(0, { acceptEntries }));
    await store.accept("bea", interaction("x"), "queued");
    const selections: HistorySelection[] = [
      {},
      { outcomes: ["queued"] },
      { outcomes: ["discarded", "queued"] },
      { outcomes: ["open"] },
      { skipDamaged: true },
      { ids: ["i9", "i2", "i3", "nobody", "i449"] },
    ];
    for (const selection of selections) {
      const whole = await store.history(person, selection);
      for (const limit of [1, 7, 100, 1_000]) {
        const isLong = whole.length > 100 && limit === 1;
        if (!isLong) assert.deepEqual(await inParts(store, { ...selection, limit }), whole);
      }
      const [first, second] = whole;
      if (second === undefined) continue;
      assert.deepEqual(await store.history(person, { ...selection, after: first!.cursor }), whole.slice(1));
    }
    for (const selection of selections) {
      const reversed = (await store.history(person, selection)).toReversed();
      const newest = { ...selection, newestFirst: true };
      assert.deepEqual(await store.history(person, newest), reversed);
      for (const limit of [7, 100, 1_000]) {
        assert.deepEqual(await inParts(store, { ...newest, limit }), reversed);
      }
    }
    assert.deepEqual(await store.history("nobody", { limit: 5, newestFirst: true }), []);
    assert.deepEqual(await store.history(person, { limit: 0 }), []);
    assert.deepEqual(await store.history("nobody", { limit: 5 }), []);
  }),

  check("a cursor stays valid when what it came with is forgotten, edited or queued again", async (store) => {
    const ids = ["m", "z", "a", "k", "b"];
    for (const id of ids) await store.accept(person, interaction(id), "queued");
    const [first, second] = await store.history(person, { limit: 2 });
    await apply(store, { forgetInteractions: ["z"], outcomes: [{ id: "a", outcome: "discarded", trace: null }] });
    await apply(store, { requeueInteractions: ["a"], replaceInteractions: [{ ...interaction("m"), summary: "new" }] });
    await store.accept(person, interaction("z"), "queued");
    const after = async (cursor: string): Promise<string[]> =>
      (await store.history(person, { after: cursor, limit: 9 })).map((entry) => entry.interaction.id);
    assert.deepEqual(await after(second!.cursor), ["a", "k", "b", "z"]);
    assert.deepEqual(await after(first!.cursor), ["a", "k", "b", "z"]);
    assert.equal((await store.history(person, { limit: 1 }))[0]!.cursor, first!.cursor);
    const before = await store.history(person, { after: second!.cursor, limit: 9, newestFirst: true });
    assert.deepEqual(
      before.map((entry) => entry.interaction.id),
      ["m"],
    );
    await rejects(store.history(person, { after: "no cursor" }), "option_invalid");
  }),

  check("persons can be read in parts", async (store) => {
    const names = ["Zoë", "ada", "bea", "漢字", "b'ea", "b"];
    for (const name of names) await store.accept(name, interaction("x"), "queued");
    const whole = await store.persons();
    assert.deepEqual(whole.toSorted(), names.toSorted());
    for (const limit of [1, 2, 4, 10]) {
      const found: string[] = [];
      for (let page = await store.persons({ limit }); page.length > 0;) {
        assert.ok(page.length <= limit);
        found.push(...page);
        page = await store.persons({ after: page.at(-1)!, limit });
      }
      assert.deepEqual(found, whole);
    }
    await store.forgetPerson("bea");
    assert.deepEqual(await store.persons({ after: "bea" }), whole.slice(whole.indexOf("bea") + 1));
  }),
];

async function inParts(store: Store, selection: HistorySelection): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let page = await store.history(person, selection); page.length > 0;) {
    assert.ok(page.length <= selection.limit!);
    found.push(...page);
    page = await store.history(person, { ...selection, after: page.at(-1)!.cursor });
  }
  return found;
}
