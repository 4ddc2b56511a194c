/** Parts of a person: by kind, id, list, place and number. */
import type { ReadSelection } from "../store.js";
import { ada, change, check, idsOf, put, read, should } from "./check.js";

/** By place. */
const puts = [
  put("a", "1", { kind: "one" }),
  put("b", "2", { kind: "two", due: { queue: 3 } }),
  put("c", "3", { kind: "one", due: { expiry: 0 } }),
  put("d", "4", { kind: "three", due: { queue: 0, expiry: 5 } }),
  put("a", "5", { kind: "two" }),
  put("e", "6", { kind: "one", due: { queue: 1 } }),
  put("f", "7", { kind: "one" }),
];

const selections: readonly (readonly [selection: ReadSelection, expected: string])[] = [
  [{}, "1234567"],
  [{ kinds: ["one"] }, "1367"],
  [{ kinds: ["three", "two"] }, "245"],
  [{ kinds: ["one", "one", "unknown"] }, "1367"],
  [{ kinds: ["on", "One", "one "] }, ""],
  [{ kinds: [] }, ""],
  [{ ids: ["a"] }, "15"],
  [{ ids: ["f", "a", "f", "unknown"] }, "157"],
  [{ ids: ["A", "a "] }, ""],
  [{ ids: [] }, ""],
  [{ kinds: ["two"], ids: ["a", "c"] }, "5"],
  [{ kinds: [], ids: ["a"] }, ""],
  [{ due: "queue" }, "246"],
  [{ due: "expiry" }, "34"],
  [{ due: "queue", kinds: ["one", "two"] }, "26"],
  [{ due: "queue", ids: ["a", "d"] }, "4"],
  [{ due: "queue", limit: 2 }, "24"],
  [{ due: "queue", newestFirst: true, limit: 2 }, "64"],
  [{ limit: 3 }, "123"],
  [{ limit: 0 }, ""],
  [{ limit: 7 }, "1234567"],
  [{ limit: 100_000 }, "1234567"],
  [{ newestFirst: true }, "7654321"],
  [{ newestFirst: false }, "1234567"],
  [{ newestFirst: true, limit: 3 }, "765"],
  [{ newestFirst: true, kinds: ["one"], limit: 3 }, "763"],
  [{ newestFirst: true, ids: ["a"] }, "51"],
];

/** The position, from 1, of the record after whose place the reading begins. */
const positioned: readonly (readonly [after: number, selection: ReadSelection, expected: string])[] = [
  [3, {}, "4567"],
  [7, {}, ""],
  [3, { newestFirst: true }, "21"],
  [1, { newestFirst: true }, ""],
  [2, { limit: 2 }, "34"],
  [6, { newestFirst: true, limit: 2 }, "54"],
  [1, { kinds: ["one"] }, "367"],
  [2, { kinds: ["one"], limit: 2 }, "36"],
  [6, { kinds: ["one"], newestFirst: true }, "31"],
  [4, { due: "queue" }, "6"],
  [4, { due: "queue", newestFirst: true }, "2"],
  [1, { ids: ["a", "d"] }, "45"],
  [5, { ids: ["a", "d"], newestFirst: true, limit: 1 }, "4"],
];

export const selectionChecks = [
  check("a selection returns the records for which all its conditions hold", async (store) => {
    await change(store, "adam", [put("a", "x", { kind: "one" }), put("z", "y", { kind: "two" })]);
    const revision = await change(store, ada, puts);
    const { records } = await read(store, ada);
    const texts = async (selection: ReadSelection): Promise<string> => {
      const found = await read(store, ada, selection);
      should(`answer ${JSON.stringify(selection)} with the revision`, found.revision, revision);
      should(`be whole for ${JSON.stringify(selection)}`, found.isWhole, true);
      return found.records.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
    };
    for (const [selection, expected] of selections) {
      should(`select by ${JSON.stringify(selection)}`, await texts(selection), expected);
    }
    for (const [position, selection, expected] of positioned) {
      const after = records[position - 1]!.place;
      const action = `select by ${JSON.stringify(selection)} after the place of record ${position}`;
      should(action, await texts({ ...selection, after }), expected);
    }
    should("have nothing after the last place", await texts({ after: records[6]!.place + 1 }), "");
    should("have everything after 0", await texts({ after: 0 }), "1234567");
    const unknown = await read(store, "bea", { kinds: ["one"], limit: 3, newestFirst: true, after: 5 });
    should("select nothing of an unknown person", unknown, { revision: 0, isWhole: true, records: [] });
  }),

  check("page after page, everything is read once, forwards and backwards", async (store) => {
    const many = Array.from({ length: 53 }, (_, i) => put(`n${i}`, "", { kind: i % 3 === 0 ? "other" : "note" }));
    await change(store, ada, many);
    await change(store, ada, [many[7]!, many[11]!], ["n13"]);
    for (const newestFirst of [false, true]) {
      const rest = { kinds: ["note"], newestFirst };
      const expected = idsOf((await read(store, ada, rest)).records);
      const found: string[] = [];
      for (let after: number | undefined; found.length <= many.length;) {
        const { records } = await read(store, ada, { ...rest, limit: 10, ...(after !== undefined && { after }) });
        if (records.length === 0) break;
        found.push(...idsOf(records));
        after = records.at(-1)!.place;
      }
      should("return every record on one page", found, expected);
    }
  }),

  check("a record leaves and enters a selection by what it is put again with", async (store) => {
    await change(store, ada, [put("a", "1", { due: { queue: 1 } }), put("b", "2")]);
    await store.write(ada, null, { put: [put("a", "3"), put("b", "4", { due: { queue: 0 } })] });
    should("list what is on the list now", idsOf((await read(store, ada, { due: "queue" })).records), ["b"]);
    await store.write(ada, null, { put: [put("b", "4", { due: { expiry: 0 } })] });
    should("take it off a list that is not named", idsOf((await read(store, ada, { due: "queue" })).records), []);
    should("put it on the other list", idsOf((await read(store, ada, { due: "expiry" })).records), ["b"]);
    await change(store, ada, [put("a", "5", { due: {} })], ["b"]);
    should("take what is deleted off the list", idsOf((await read(store, ada, { due: "expiry" })).records), []);
    const [record] = (await read(store, ada)).records;
    should("take an empty `due` for none", [record?.due?.queue, record?.due?.expiry], [undefined, undefined]);
  }),
];
