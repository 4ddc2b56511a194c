/** Records and persons that go, and persons who come back. */
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

export const erasingChecks = [
  check("a deleted record is gone; unknown ones are skipped", async (store) => {
    await change(store, ada, [put("a"), put("b"), put("c", "c", { kind: "other" })]);
    const gone = [
      { kind: "note", id: "unknown" },
      { kind: "note", id: "a" },
      { kind: "note", id: "a" },
      { kind: "note", id: "c" },
    ];
    await store.write(ada, await revisionOf(store, ada), { delete: gone });
    should("delete one record", idsOf((await read(store, ada)).records), ["b", "c"]);
    should("find it no longer by its id", (await read(store, ada, { ids: ["a"] })).records, []);
    await store.write(ada, null, { put: [put("d")], delete: [{ kind: "note", id: "b" }] });
    should("delete by an append, too", idsOf((await read(store, ada)).records), ["c", "d"]);
    const none = store.write("bea", 0, { delete: gone });
    should("answer 0 for an unknown person of whom unknown records are deleted", await none, 0);
    should("not make a person known by a deletion", await store.persons(), [ada]);
  }),

  check("a person of whom a change leaves nothing is unknown again", async (store) => {
    await store.write("bea", null, { put: [put("a")] });
    await change(store, ada, [put("a", "a", { due: { queue: 1, expiry: 2 } }), put("b")]);
    const { records, revision } = await read(store, ada);
    const left = await change(store, ada, [], ["a", "b"]);
    should("answer 0, the revision of an unknown person", left, 0);
    should("have nobody there", await read(store, ada), { revision: 0, isWhole: true, records: [] });
    should("list the person no longer", await store.persons(), ["bea"]);
    should("have nothing due of the person", await store.due("queue", { before: 9, limit: 9 }), []);
    should("find nothing to erase", await store.erase(ada), 0);
    const late = store.write(ada, revision, { put: [put("c")] });
    await shouldRefuse("refuse a change that was computed before", late, "store_stale");
    const next = await store.write(ada, 0, { put: [put("a")] });
    shouldHold("give the person who comes back a greater revision", next > revision);
    const back = (await read(store, ada)).records[0]!;
    shouldHold(
      "give the person who comes back greater places and versions",
      records.every(({ place, version }) => back.place > place && back.version > version),
    );
  }),

  check("an erased person is gone, others stay", async (store) => {
    const due = { queue: 1, expiry: 1 };
    await change(store, ada, [...numbered(30), put("a", "a", { kind: "other", due })]);
    await change(store, "adam", [put("a", "a", { due })]);
    const kept = await read(store, "adam");
    const { revision } = await read(store, ada);
    should("count the records that are erased", await store.erase(ada), 31);
    should("have erased everything", await read(store, ada), { revision: 0, isWhole: true, records: [] });
    should("erase nothing twice", await store.erase(ada), 0);
    should("list the others", await store.persons(), ["adam"]);
    should("leave the others as they were", await read(store, "adam"), kept);
    for (const list of ["queue", "expiry"] as const) {
      should(`have on the list ${list} only the others`, await store.due(list, { before: 9, limit: 9 }), [
        { person: "adam", at: 1, count: 1 },
      ]);
    }
    const late = store.write(ada, revision, { put: [put("c")] });
    await shouldRefuse("refuse a change that was computed before", late, "store_stale");
    should("be whole afterwards", await store.damage(), []);
  }),

  check("revisions never repeat, however often a person is erased and comes back", async (store) => {
    let last = 0;
    const used = { place: 0, version: 0 };
    for (let life = 0; life < 30; life++) {
      const append = life % 2 === 0;
      const first = await store.write(ada, append ? null : 0, { put: numbered(3) });
      shouldHold("begin every life of a person above the revisions of the last one", first! > last);
      const before = await read(store, ada, { since: last });
      should("read all of a person who came back, whatever was known of the old one", before.isWhole, true);
      should("read all records", shown(before.records), shown(numbered(3)));
      shouldHold(
        "give places and versions above those of the last life",
        before.records.every(({ place, version }) => place > used.place && version > used.version),
      );
      last = await change(store, ada, numbered(4, "more"));
      await store.write(ada, null, { put: numbered(5, "appended") });
      Object.assign(used, (await read(store, ada)).records.at(-1));
      if (life % 3 === 0) await change(store, ada, [], idsOf((await read(store, ada)).records));
      else await store.erase(ada);
      const nobody = await read(store, ada, { since: last });
      should("say that nothing is left, whatever was known", nobody, { revision: 0, isWhole: true, records: [] });
    }
  }),
];
