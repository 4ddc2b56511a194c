/** Many at once. */
import { StaleRevisionError } from "../../errors.js";
import type { Store } from "../store.js";
import { ada, change, check, idsOf, numbered, put, read, readMoving, revisionOf, should, shouldHold } from "./check.js";

const manyCount = 20;
const many = Array.from({ length: manyCount }, (_, i) => i);

export const togetherChecks = [
  check("of 20 appends at once, all are written", async (store) => {
    const answers = await Promise.all(
      many.map((i) => store.write(ada, null, { put: [put(`one ${i}`), put(`two ${i}`)] })),
    );
    const { records, revision } = await read(store, ada);
    should("have every record once", idsOf(records).sort(), many.flatMap((i) => [`one ${i}`, `two ${i}`]).sort());
    should("have versions that differ", new Set(records.map(({ version }) => version)).size, 2 * manyCount);
    should("answer every append with the revision of the first", new Set(answers), new Set([revision]));
    const order = idsOf(records);
    shouldHold(
      "write each append in one piece",
      many.every((i) => order.indexOf(`two ${i}`) === order.indexOf(`one ${i}`) + 1),
    );
  }),

  check("of 20 changes at once on the same revision, one is written", async (store) => {
    const bases = [0, await store.write("bea", 0, { put: [put("a")] })];
    for (const [i, person] of [ada, "bea"].entries()) {
      const before = new Set(idsOf((await read(store, person)).records));
      const tries = await Promise.allSettled(
        many.map((n) => store.write(person, bases[i]!, { put: [put(`x${n}`), put(`y${n}`)] })),
      );
      const written = many.filter((n) => tries[n]!.status === "fulfilled");
      should("write one of them", written.length, 1);
      const refused = tries.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
      shouldHold(
        "refuse the others by a StaleRevisionError",
        refused.every((error) => error instanceof StaleRevisionError),
      );
      const added = idsOf((await read(store, person)).records).filter((id) => !before.has(id));
      should("have the records of the one that was written", added, [`x${written[0]}`, `y${written[0]}`]);
    }
  }),

  check("of 20 appends at once that replace the same version, one is written", async (store) => {
    for (const was of [0, 1]) {
      const version = was === 0 ? 0 : (await read(store, ada, { ids: ["a"] })).records[0]!.version;
      const answers = await Promise.all(
        many.map((n) => store.write(ada, null, { put: [put(`${was} ${n}`), put("a", `${n}`, { was: version })] })),
      );
      const written = many.filter((n) => answers[n] !== null);
      should("write one of them, and answer null to the others", written.length, 1);
      const ids = idsOf((await read(store, ada)).records).filter((id) => id.startsWith(`${was} `));
      should("have nothing of the others", ids, [`${was} ${written[0]}`]);
    }
  }),

  check("a counter that many raise at once, reading again where they are refused, counts them all", async (store) => {
    await Promise.all(Array.from({ length: 6 }, (_, worker) => raise(store, worker, 5)));
    const { records } = await read(store, ada);
    should("have counted everything", Buffer.from(records.find(({ id }) => id === "count")!.bytes).toString(), "30");
    should("have the appends, too", records.length, 31);
    should("be whole", await store.damage(), []);
  }),

  check("persons do not disturb each other", async (store) => {
    const persons = many.map((i) => `person ${i}`);
    await Promise.all(
      persons.map(async (person, i) => {
        for (let revision = 0, n = 0; n < 10; n++) {
          revision = await store.write(person, revision, { put: [put(`${i} ${n}`, "", { due: { queue: i } })] });
        }
        if (i % 4 === 0) await store.erase(person);
      }),
    );
    const left = persons.filter((_, i) => i % 4 !== 0);
    should("list those who are left", await store.persons(), left.toSorted());
    for (const [i, person] of persons.entries()) {
      const expected = i % 4 === 0 ? [] : Array.from({ length: 10 }, (_, n) => `${i} ${n}`);
      should(`have the records of ${person}`, idsOf((await read(store, person)).records), expected);
    }
    const due = await store.due("queue", { before: manyCount, limit: manyCount });
    should(
      "have due what is left",
      due,
      left.map((person) => ({ person, at: persons.indexOf(person), count: 10 })),
    );
  }),

  check("a person who is erased while others write is there whole or not at all", async (store) => {
    await change(store, ada, numbered(50));
    const revision = await revisionOf(store, ada);
    const works = many.map((n) =>
      n % 5 === 4 ? store.erase(ada) : store.write(ada, null, { put: [put(`x${n}`), put(`y${n}`)] }),
    );
    await Promise.all(works);
    const { records, revision: after } = await read(store, ada);
    const of = (letter: string): string[] =>
      idsOf(records)
        .filter((id) => id.startsWith(letter))
        .map((id) => id.slice(1));
    should("have both records of an append, or none", of("x"), of("y"));
    should("have nothing from before", of("n"), []);
    shouldHold("have a greater revision, or nobody", records.length === 0 ? after === 0 : after > revision);
    should("list the person if there are records", await store.persons(), records.length === 0 ? [] : [ada]);
    should("be whole", await store.damage(), []);
  }),
];

async function raise(store: Store, worker: number, times: number): Promise<void> {
  for (let n = 0; n < times;) {
    const { revision, records } = await readMoving(store, { ids: ["count"] });
    const count = Number(Buffer.from(records.get("count")?.bytes ?? []).toString());
    try {
      await store.write(ada, revision, { put: [put("count", String(count + 1))] });
      n += 1;
      await store.write(ada, null, { put: [put(`worker ${worker} ${n}`)] });
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
    }
  }
}
