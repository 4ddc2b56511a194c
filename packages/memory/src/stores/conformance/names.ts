/** Names of persons and ids: any text, told apart and ordered by the bytes of UTF-8. */
import { ada, change, check, put, read, should, shown } from "./check.js";

const lengthMax = 500;
/** Three bytes of UTF-8 each, and different enough not to shrink when they are compressed. */
const long = Array.from({ length: lengthMax }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000))).join(
  "",
);

/** Texts that stores have taken for something else, or for each other. */
const texts = [
  "a¦A¦b¦aa¦1¦01¦1.0¦-1¦1e0¦null¦true¦undefined¦NaN¦constructor¦__proto__¦hasOwnProperty¦toString",
  "a:b¦a:b:¦:a¦:¦::¦%¦%25¦%s¦_¦a_b¦a%b¦*¦?¦**¦[a-z]¦[]¦{}¦{a}¦}{¦a{b}c¦{a}b¦{{¦\\¦\\x¦/¦../a¦a/b¦.¦..¦~¦#¦&¦=¦+¦|¦$1¦--¦;",
  "'¦\"¦''¦`¦a'b¦ ¦a ¦ a¦a b¦a  b¦\t¦\n¦a\nb¦a\r\nb¦\r¦\0¦a\0¦a\0b¦\0a",
  "\u0001¦\u001f¦\u007f¦\u0080¦\u0085¦\u00a0¦\u200b¦\u2028¦\u202e¦\ufeff¦\ufffd¦\uffff¦\ue000¦\u{10000}¦\u{10ffff}",
  "ä¦Ä¦ß¦ss¦é¦e\u0301¦ñ¦n\u0303¦\u0301¦ﬁ¦fi¦İ¦i¦ı¦I¦K¦\u212a¦ｋ¦가¦\u1100\u1161",
  "\u{1f600}¦\u{1f600}\u{1f600}¦\u{1f469}\u200d\u{1f469}\u200d\u{1f467}¦\u{1f1e9}\u{1f1ea}¦日本語¦עברית¦العربية¦ไทย",
].flatMap((each) => each.split("¦"));
const longs = [..."xy"].map((end) => "x".repeat(lengthMax - 1) + end);
const names = [...new Set([...texts, ...longs, longs[0]!.slice(1), "\u{1f600}".repeat(lengthMax / 2), long])];
const byBytes = (x: string, y: string): number => Buffer.compare(Buffer.from(x), Buffer.from(y));
const sorted = names.toSorted(byBytes);

export const nameChecks = [
  check("persons have any names, are told apart and listed by the bytes of UTF-8", async (store) => {
    for (const name of names) await store.write(name, null, { put: [put("a", name)] });
    should("list every person once, by the bytes of the name", await store.persons(), sorted);
    for (const name of names) {
      const { records } = await read(store, name);
      should(`keep the records of ${JSON.stringify(name)} apart`, shown(records), shown([put("a", name)]));
    }
    const due = names.map((name, at) => ({ person: name, at, count: 1 }));
    for (const { person, at } of due) await change(store, person, [put("a", "", { due: { queue: at } })]);
    const all = await store.due("queue", { before: names.length, limit: names.length + 1 });
    should("list every person with something due", all, due);
    for (const name of names.filter((_, i) => i % 2 === 0)) {
      should(`erase only ${JSON.stringify(name)}`, await store.erase(name), 1);
    }
    const left = names.filter((_, i) => i % 2 === 1).sort(byBytes);
    should("list those that are left", await store.persons(), left);
  }),

  check("the list of persons goes on after any name, and ends at its limit", async (store) => {
    const known = names.filter((_, i) => i % 2 === 0);
    for (const name of known) await store.write(name, null, { put: [put("a")] });
    const order = known.toSorted(byBytes);
    for (const after of names) {
      const expected = order.filter((name) => byBytes(name, after) > 0);
      const action = `list the persons after ${JSON.stringify(after)}`;
      should(action, await store.persons({ after }), expected);
      should(`${action}, 3 at most`, await store.persons({ after, limit: 3 }), expected.slice(0, 3));
    }
    should("list everybody after an empty name", await store.persons({ after: "" }), order);
    should("list the first", await store.persons({ limit: 1 }), order.slice(0, 1));
    should("list nobody", await store.persons({ limit: 0 }), []);
    should("list everybody", await store.persons({ limit: 1_000_000 }), order);
  }),

  check("ids are any texts and are told apart", async (store) => {
    const puts = ["", ...names].map((id) => put(id, `${id}!`));
    await change(store, long, puts);
    should("keep every id", shown((await read(store, long)).records), shown(puts));
    for (const record of puts) {
      const found = (await read(store, long, { ids: [record.id] })).records;
      should(`find ${JSON.stringify(record.id)} alone`, shown(found), shown([record]));
    }
    const gone = puts.filter((_, i) => i % 2 === 0).map(({ kind, id }) => ({ kind, id }));
    await store.write(long, null, { delete: gone });
    const left = puts.filter((_, i) => i % 2 === 1);
    should("delete those that are named, and no others", shown((await read(store, long)).records), shown(left));
  }),

  check("person, kind and id are not taken for each other", async (store) => {
    for (const mark of [":", "/", "\0", "|", " ", ",", '"', "}", "\n", "."]) {
      const keys = [
        ["a", "b", `c${mark}d`],
        ["a", `b${mark}c`, "d"],
        [`a${mark}b`, "c", "d"],
        [`a${mark}b`, `c${mark}d`, ""],
      ] as const;
      const puts = keys.map(([, kind, id], i) => put(id, `${mark}${i}`, { kind }));
      for (const [i, [person]] of keys.entries()) await store.write(person, null, { put: [puts[i]!] });
      for (const [person, ...each] of [
        ["a", 0, 1],
        [`a${mark}b`, 2, 3],
      ] as const) {
        const expected = shown(each.map((i) => puts[i]!));
        const action = `keep ${JSON.stringify(person)} apart where texts hold ${JSON.stringify(mark)}`;
        should(action, shown((await read(store, person)).records), expected);
        await store.erase(person);
      }
    }
  }),

  check('the person "" has records, but is on no list of persons', async (store) => {
    const everybodys = put("a", "everybody's", { due: { queue: 1 } });
    const first = await store.write("", null, { put: [everybodys] });
    await store.write(ada, null, { put: [put("a")] });
    should("list only persons with a name", await store.persons(), [ada]);
    should("list only persons with a name, from the first on", await store.persons({ after: "", limit: 1 }), [ada]);
    should("have nothing due of the nameless", await store.due("queue", { before: 9, limit: 9 }), []);
    should("return the records", shown((await read(store, "")).records), shown([everybodys]));
    await store.write("", first!, { put: [put("b")] });
    should("erase them", await store.erase(""), 2);
    should("have nothing left", (await read(store, "")).records, []);
    should("leave the others", await store.persons(), [ada]);
  }),
];
