/** The two lists of what is due. */
import type { DuePerson, RecordPut, Store } from "../store.js";
import { ada, change, check, put, should } from "./check.js";

const dayMs = 86_400_000;
const nowMs = 1_750_000_000_000;
const queued = (id: string, at: number): RecordPut => put(id, id, { due: { queue: at } });
const expiring = (id: string, at: number): RecordPut => put(id, id, { due: { expiry: at } });

export const dueChecks = [
  check("persons with something due are listed by their smallest number, with how many are due", async (store) => {
    await change(store, ada, [queued("a", 30), queued("b", 20), queued("c", 50), put("d")]);
    await change(store, "bea", [queued("a", 10), queued("b", 10), { ...queued("c", 60), kind: "other" }]);
    await change(store, "cy", [queued("a", 40)]);
    await change(store, "dan", [expiring("a", 0)]);
    const lists: readonly (readonly [before: number, expected: readonly DuePerson[]])[] = [
      [9, []],
      [10, [due("bea", 10, 2)]],
      [20, [due("bea", 10, 2), due(ada, 20, 1)]],
      [45, [due("bea", 10, 2), due(ada, 20, 2), due("cy", 40, 1)]],
      [Number.MAX_SAFE_INTEGER, [due("bea", 10, 3), due(ada, 20, 3), due("cy", 40, 1)]],
    ];
    for (const [before, expected] of lists) {
      should(`list what is due up to ${before}`, await queue(store, before), expected);
      for (const limit of [0, 1, 2]) {
        const found = await store.due("queue", { before, limit });
        should(`list at most ${limit} persons`, found, expected.slice(0, limit));
      }
      for (const person of [ada, "bea", "cy", "dan", "unknown"]) {
        const own = expected.filter((each) => each.person === person);
        should(`list only ${person}`, await store.due("queue", { before, limit: 5, person }), own);
      }
    }
    const expiry = await store.due("expiry", { before: 0, limit: 5 });
    should("keep the lists apart, and take 0 for a number", expiry, [due("dan", 0, 1)]);
  }),

  check("records enter and leave the lists by put, delete and erase", async (store) => {
    const both = (id: string): RecordPut => put(id, id, { due: { queue: 0, expiry: nowMs } });
    await store.write(ada, null, { put: [both("a"), queued("b", 5)] });
    should("list an appended record", await queue(store, 9), [due(ada, 0, 2)]);
    await store.write(ada, null, { put: [expiring("a", nowMs + dayMs)] });
    should("take a record off a list that it is no longer put on", await queue(store, 9), [due(ada, 5, 1)]);
    should("list it by its new number", await expiry(store, nowMs + dayMs), [due(ada, nowMs + dayMs, 1)]);
    should("not list it by the old number", await expiry(store, nowMs + dayMs - 1), []);
    await change(store, ada, [queued("b", 3), put("a")]);
    should("list a record by its new number", await queue(store, 9), [due(ada, 3, 1)]);
    should("take a record off its last list", await expiry(store, Number.MAX_SAFE_INTEGER), []);
    await change(store, ada, [queued("c", 4)], ["b"]);
    should("take a deleted record off its list", await queue(store, 9), [due(ada, 4, 1)]);
    await change(store, "bea", [queued("c", 4), queued("d", 2)]);
    await store.erase(ada);
    should("have nothing due of an erased person", await queue(store, 9), [due("bea", 2, 2)]);
    await change(store, "bea", [], ["c", "d"]);
    should("have nothing due of a person who is gone", await queue(store, 9), []);
    await change(store, ada, [put("c")]);
    should("not remember the lists of a former life", await queue(store, 9), []);
  }),

  check("a refused change leaves the lists", async (store) => {
    const first = await change(store, ada, [queued("a", 1)]);
    await change(store, ada, [queued("b", 2)]);
    await store.write(ada, first, { put: [put("a")], delete: [{ kind: "note", id: "b" }] }).catch(() => {});
    await store.write(ada, null, { put: [put("a"), queued("c", 0), put("b", "", { was: 0 })] });
    should("list what was due before", await queue(store, 9), [due(ada, 1, 2)]);
  }),

  check("numbers are whole times of any size, and many persons are due", async (store) => {
    const latestMs = 8_640_000_000_000_000;
    await change(store, ada, [expiring("a", latestMs), expiring("b", nowMs + 0.0), expiring("c", latestMs - 1)]);
    should("compare large times exactly", await expiry(store, latestMs - 2), [due(ada, nowMs, 1)]);
    should("count large times exactly", await expiry(store, latestMs - 1), [due(ada, nowMs, 2)]);
    should("include the time itself", await expiry(store, latestMs), [due(ada, nowMs, 3)]);
    const persons = Array.from({ length: 120 }, (_, i) => due(`person ${i}`, (i * 37) % 120, 1));
    for (const { person, at } of persons) await store.write(person, null, { put: [queued("a", at)] });
    const expected = persons.toSorted((x, y) => x.at - y.at);
    should("list all of them", await queue(store, 1_000), expected);
    should("list the first", await store.due("queue", { before: 1_000, limit: 7 }), expected.slice(0, 7));
  }),
];

function due(person: string, at: number, count: number): DuePerson {
  return { person, at, count };
}

function queue(store: Store, before: number): Promise<DuePerson[]> {
  return store.due("queue", { before, limit: 1_000 });
}

function expiry(store: Store, before: number): Promise<DuePerson[]> {
  return store.due("expiry", { before, limit: 1_000 });
}
