/** Differences: what was put after a revision, or everything where a difference would not tell of something that is gone. */
import type { RecordChange, Store } from "../store.js";
import { type Reading, ada, change, check, idsOf, put, read, revisionOf, should, shouldHold, shown } from "./check.js";

const deletion = (...ids: string[]): RecordChange => ({ delete: ids.map((id) => ({ kind: "note", id })) });

/** Each with whether it has a base. */
const steps: readonly (readonly [hasBase: boolean, change: RecordChange])[] = [
  [true, { put: [put("a"), put("b"), put("c")] }],
  [false, { put: [put("d")] }],
  [true, { put: [put("b", "b2"), put("e")] }],
  [false, { put: [put("a", "a2"), put("f", "f", { due: { queue: 1 } })] }],
  [true, deletion("d")],
  [true, { put: [put("d", "d2")] }],
  [true, deletion("unknown")],
  [false, { put: [put("g")], ...deletion("c") }],
  [true, { put: [put("e", "e2")] }],
  [false, deletion("a")],
  [false, { put: [put("h")] }],
  [true, {}],
  [true, { put: [put("a")], ...deletion("e", "g") }],
  [true, deletion("b", "d", "f", "h", "a")],
  [false, { put: [put("a", "of another life")] }],
  [true, { put: [put("b")] }],
];

export const differenceChecks = [
  check("what was read once and the difference since then are what is there now", async (store) => {
    const readings = [await read(store, ada)];
    for (const [i, [hasBase, each]] of steps.entries()) {
      await store.write(ada, hasBase ? await revisionOf(store, ada) : null, each);
      const now = await read(store, ada);
      for (const [n, before] of readings.entries()) {
        const since = await read(store, ada, { since: before.revision });
        const action = `return after change ${i} what has happened since change ${n - 1}`;
        should(`${action}: the revision`, since.revision, now.revision);
        should(`${action}: the records`, applied(before, since), shown(now.records).sort());
      }
      readings.push(now);
    }
  }),

  check("while nothing is deleted, a difference is only what was put after its revision", async (store) => {
    const first = await change(
      store,
      ada,
      ["a", "b", "c", "d"].map((id) => put(id)),
    );
    const nothing = { revision: first, isWhole: false, records: [] };
    should("return nothing if nothing was put", await read(store, ada, { since: first }), nothing);
    const other = put("x", "x", { kind: "other", due: { expiry: 1 } });
    const second = await change(store, ada, [put("c", "again"), other]);
    await store.write(ada, null, { put: [put("e"), put("a", "again")] });
    const all = [put("a", "again"), put("c", "again"), other, put("e")];
    const since = await read(store, ada, { since: first });
    should("return a difference", since.isWhole, false);
    should("return what was put since, by place", shown(since.records), shown(all));
    const appended = await read(store, ada, { since: second });
    should("return appends, which leave the revision", shown(appended.records), shown([all[0]!, all[3]!]));
    should("say that it is a difference", appended.isWhole, false);
    const selections = [
      [{ kinds: ["note"] }, "ace"],
      [{ kinds: ["other"] }, "x"],
      [{ ids: ["b", "c", "x"] }, "cx"],
      [{ due: "expiry" }, "x"],
      [{ newestFirst: true }, "exca"],
      [{ limit: 2 }, "ac"],
      [{ newestFirst: true, limit: 1 }, "e"],
    ] as const;
    for (const [selection, expected] of selections) {
      const part = await read(store, ada, { ...selection, since: first });
      should(`be a difference for ${JSON.stringify(selection)}`, part.isWhole, false);
      should(`select from the difference by ${JSON.stringify(selection)}`, idsOf(part.records).join(""), expected);
    }
    const third = await change(store, ada, []);
    should(
      "return what was put before a change of nothing",
      (await read(store, ada, { since: second })).records.length,
      2,
    );
    should("return nothing after it", (await read(store, ada, { since: third })).records, []);
  }),

  check("a difference since before a deletion is all of the selection", async (store) => {
    for (const append of [false, true]) {
      const puts = ["a", "b", "c"].map((id) => put(id));
      const before = await change(store, ada, [...puts, put("x", "x", { kind: "other" })]);
      await change(store, ada, [put("a", "again")]);
      const deleted = await store.write(ada, append ? null : await revisionOf(store, ada), deletion("b"));
      await checkWhole(store, before, append ? "a change without a base deleted something" : "something was deleted");
      const later = await change(store, ada, [put("c", "again")]);
      await checkWhole(store, before, "something was deleted before the last change");
      if (!append) {
        const since = await read(store, ada, { since: deleted! });
        should("return differences since the deletion", [since.isWhole, idsOf(since.records)], [false, ["c"]]);
      }
      const none = await read(store, ada, { since: later });
      should("return differences after the deletion", [none.isWhole, none.records], [false, []]);
    }
  }),

  check("a difference since a revision that the store does not know is everything", async (store) => {
    const revision = await change(store, ada, [put("a"), put("b")]);
    const future = await read(store, ada, { since: revision + 1_000_000 });
    should("return everything for a revision to come", [future.isWhole, idsOf(future.records)], [true, ["a", "b"]]);
    const nobody = await read(store, "bea", { since: revision });
    should("say that there is nobody", nobody, { revision: 0, isWhole: true, records: [] });
    const since = await read(store, ada, { since: 0 });
    should("return everything since 0", idsOf(since.records), ["a", "b"]);
  }),
];

async function checkWhole(store: Store, since: number, why: string): Promise<void> {
  const all = await read(store, ada, { since });
  shouldHold(`be whole, because ${why}`, all.isWhole);
  should(`return everything, because ${why}`, shown(all.records), shown((await read(store, ada)).records));
  const part = await read(store, ada, { since, kinds: ["other"] });
  should(`return all of the selection, because ${why}`, [part.isWhole, idsOf(part.records)], [true, ["x"]]);
}

function applied(before: Reading, { isWhole, records }: Reading): string[] {
  const known = new Map(isWhole ? [] : before.records.map((record) => [record.id, record]));
  for (const record of records) known.set(record.id, record);
  return shown([...known.values()]).sort();
}
