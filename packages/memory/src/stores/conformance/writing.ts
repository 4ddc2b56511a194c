/** Writes: order, versions, revisions, bases and the versions that a change replaces. */
import type { StaleRevisionError } from "../../errors.js";
import type { RecordPut, Store } from "../store.js";
import {
  ada,
  change,
  check,
  idsOf,
  numbered,
  put,
  read,
  revisionOf,
  should,
  shouldHold,
  shouldRefuse,
  shown,
} from "./check.js";

export const writingChecks = [
  check("a new store knows nobody and is whole", async (store) => {
    should("know no person", await store.persons(), []);
    should("have nothing due", await store.due("queue", { before: Number.MAX_SAFE_INTEGER, limit: 10 }), []);
    should("answer for an unknown person", await read(store, ada), { revision: 0, isWhole: true, records: [] });
    should("find no damage", await store.damage(), []);
    should("erase nothing of an unknown person", await store.erase(ada), 0);
    const { kind, location, byteCount, warnings = [] } = await store.describe();
    should("describe itself by its kind", kind, store.kind);
    shouldHold("describe where it is", typeof location === "string" && location !== "");
    shouldHold("describe its size as a number of bytes", Number.isFinite(byteCount) && byteCount >= 0);
    shouldHold(
      "give warnings as sentences",
      warnings.every((text) => text.length > 0),
    );
  }),

  check("records come back in the order in which they were first put", async (store) => {
    const first = ["c", "a", "b"].map((id) => put(id));
    await change(store, ada, first);
    should("keep the order of one change", shown((await read(store, ada)).records), shown(first));
    const again = put("a", "again", { due: { queue: 7 } });
    await change(store, ada, [put("0"), again]);
    const later = (await read(store, ada)).records;
    should(
      "leave a record that is put again at its place, with its new content",
      shown(later),
      shown([put("c"), again, put("b"), put("0")]),
    );
    await change(store, ada, [put("B")], ["c", "0"]);
    await change(store, ada, [put("c")]);
    const last = (await read(store, ada)).records;
    should("give a record that was deleted a new place when it is put again", idsOf(last), ["a", "b", "B", "c"]);
    const used = new Set([...later, ...last].map(({ place }) => place));
    should("never use a place twice", used.size, 6);
    should("keep a record under its kind and its id", (await read(store, ada, { kinds: ["other"] })).records, []);
  }),

  check("a record with the same id is another one under another kind", async (store) => {
    const both = [put("a", "one", { kind: "one" }), put("a", "two", { kind: "two" })];
    await change(store, ada, both);
    should("keep both", shown((await read(store, ada)).records), shown(both));
    await store.write(ada, await revisionOf(store, ada), { delete: [{ kind: "one", id: "a" }] });
    should("delete only one", shown((await read(store, ada)).records), shown(both.slice(1)));
  }),

  check("every put gives a version that is greater than all before", async (store) => {
    let greatest = 0;
    const ids = ["ab", "a", "cba", "bd"];
    for (const [i, puts] of ids.map((each) => [...each].map((id) => put(id))).entries()) {
      if (i % 2 === 0) await store.write(ada, null, { put: puts });
      else await change(store, ada, puts);
      const { records } = await read(store, ada);
      for (const { id } of puts) {
        const { version } = records.find((record) => record.id === id)!;
        shouldHold("raise the version with every put, in the order of the change", version > greatest);
        shouldHold("give versions as whole numbers that a double holds", Number.isSafeInteger(version));
        greatest = version;
      }
    }
  }),

  check("a change with a base raises the revision, whatever is in it", async (store) => {
    let revision = 0;
    const changes = [
      { put: [put("a"), put("b")] },
      { put: [put("a")], delete: [{ kind: "note", id: "b" }] },
      { put: [put("c")] },
      { delete: [{ kind: "note", id: "c" }] },
      { delete: [{ kind: "note", id: "unknown" }] },
      { put: [] },
      {},
    ];
    for (const each of changes) {
      const next = await store.write(ada, revision, each);
      shouldHold(`raise the revision with ${JSON.stringify(Object.keys(each))}`, next > revision);
      shouldHold("give revisions as whole numbers that a double holds", Number.isSafeInteger(next));
      should("answer a write with the revision that is read after it", await revisionOf(store, ada), next);
      const { records } = await read(store, ada);
      shouldHold(
        "have a revision that is not below the versions of what was written",
        records.every(({ version }) => version <= next),
      );
      revision = next;
    }
    should("have written everything", idsOf((await read(store, ada)).records), ["a"]);
  }),

  check("a change without a base leaves the revision, but that of a new person", async (store) => {
    const first = await store.write(ada, null, { put: [put("a")] });
    shouldHold("give a new person a revision, even without a base", first !== null && first > 0);
    should("answer a first append with the revision that is read after it", await revisionOf(store, ada), first);
    const second = await store.write(ada, null, { put: [put("b"), put("a", "again")] });
    should("answer an append with the revision, which stays", second, first);
    should("leave the revision with an append", await revisionOf(store, ada), first);
    should("have appended", shown((await read(store, ada)).records), shown([put("a", "again"), put("b")]));
    const based = await store.write(ada, first!, { put: [put("c")] });
    const { records } = await read(store, ada);
    shouldHold(
      "raise the revision over the appends before it",
      records.every(({ version }) => version <= based),
    );
    should("change nothing with an empty append", await store.write(ada, null, {}), based);
    should("not make a person known by an empty append", await store.write("bea", null, { put: [] }), 0);
    should("list only the person with records", await store.persons(), [ada]);
  }),

  check("a change on a revision that is not the newest is refused and changes nothing", async (store) => {
    const first = await change(store, ada, [put("a")]);
    const newest = await change(store, ada, [put("b", "b", { due: { queue: 5 } })]);
    const state = await stateOf(store, ada);
    const changes = [{ put: [put("a", "changed"), put("c")] }, { delete: [{ kind: "note", id: "a" }] }, {}];
    for (const base of [0, first, newest - 1, newest + 1]) {
      for (const each of changes) {
        const work = store.write(ada, base, each);
        const error = await shouldRefuse(`refuse a base (${base}) other than ${newest}`, work, "store_stale");
        const { person, expected, actual } = error as StaleRevisionError;
        should("say which revisions do not fit", [person, expected, actual], [ada, base, newest]);
        should("change nothing by a stale change", await stateOf(store, ada), state);
      }
    }
    const unknown = store.write("bea", newest, { put: [put("a")] });
    await shouldRefuse("refuse a base for an unknown person", unknown, "store_stale");
    should("not make a person known by a refused change", await store.persons(), [ada]);
  }),

  check("a record is put only if it replaces the version that the change names", async (store) => {
    await change(store, ada, [put("a"), put("b"), put("gone")]);
    const gone = (await read(store, ada)).records[2]!.version;
    await change(store, ada, [], ["gone"]);
    const versionOf = async (id: string): Promise<number> =>
      (await read(store, ada, { ids: [id] })).records[0]?.version ?? 0;
    const old = await versionOf("a");
    await change(store, ada, [put("a", "newer")]);
    const state = await stateOf(store, ada);
    const wrong: readonly (readonly [why: string, record: RecordPut])[] = [
      ["there is a record where none may be", put("b", "x", { was: 0 })],
      ["the record has a newer version", put("a", "x", { was: old })],
      ["the record has an older version", put("a", "x", { was: (await versionOf("a")) + 1 })],
      ["there is no such record", put("c", "x", { was: await versionOf("b") })],
      ["the record is gone", put("gone", "x", { was: gone })],
      ["the record of that version has another id", put("b", "x", { was: await versionOf("a") })],
      ["the record of that version has another kind", put("b", "x", { kind: "other", was: await versionOf("b") })],
    ];
    for (const [why, record] of wrong) {
      const appended = await store.write(ada, null, { put: [record] }).catch(String);
      should(`answer null without a base, because ${why}`, appended, null);
      const based = store.write(ada, await revisionOf(store, ada), { put: [record] });
      await shouldRefuse(`refuse a change with a base, because ${why}`, based, "store_stale");
      should(`write nothing, because ${why}`, await stateOf(store, ada), state);
    }
    const fits = [put("a", "1", { was: await versionOf("a") }), put("c", "2", { was: 0 }), put("b", "3")];
    shouldHold("append what replaces the version named", (await store.write(ada, null, { put: fits })) !== null);
    const next = [put("a", "4", { was: await versionOf("a") }), put("gone", "5", { was: 0 })];
    await change(store, ada, next);
    const { records } = await read(store, ada);
    should("have put what fits", shown(records), shown([next[0]!, fits[2]!, fits[1]!, next[1]!]));
    should(
      "answer null for an unknown person",
      await store.write("bea", null, { put: [put("a", "x", { was: old })] }),
      null,
    );
    shouldHold(
      "take 0 for a record that an unknown person does not have",
      (await store.write("bea", null, { put: [put("a", "x", { was: 0 })] })) !== null,
    );
  }),

  check("one condition that does not hold keeps all of a large change from being written", async (store) => {
    await change(store, ada, [...numbered(100, "old"), put("taken", "taken", { due: { expiry: 3 } })]);
    const state = await stateOf(store, ada);
    const gone = numbered(50, "old").map(({ kind, id }) => ({ kind, id }));
    for (const position of [0, 150, 300]) {
      const puts = [...numbered(300), ...numbered(50, "old").map((record) => ({ ...record, due: { queue: 1 } }))];
      puts.splice(position, 0, put("taken", "changed", { was: 0 }));
      should("answer null", await store.write(ada, null, { put: puts, delete: gone.slice(25) }), null);
      should("write nothing of an append", await stateOf(store, ada), state);
      const based = store.write(ada, await revisionOf(store, ada), { put: puts, delete: gone.slice(25) });
      await shouldRefuse("refuse the change", based, "store_stale");
      should("write nothing of a change", await stateOf(store, ada), state);
      should(
        "write nothing for a new person",
        await store.write("bea", null, { put: [...puts, put("x", "x", { was: 9 })] }),
        null,
      );
      should("not make a person known by an append that does not hold", await store.persons(), [ada]);
    }
  }),
];

/** Everything that can be read of a person. */
async function stateOf(store: Store, person: string): Promise<unknown> {
  const { revision, records } = await read(store, person);
  const versions = records.map(({ place, version }) => [place, version]);
  const due = (list: "queue" | "expiry") => store.due(list, { before: Number.MAX_SAFE_INTEGER, limit: 10, person });
  return { revision, records: shown(records), versions, queue: await due("queue"), expiry: await due("expiry") };
}
