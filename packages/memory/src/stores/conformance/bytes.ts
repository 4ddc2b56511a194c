/** Bytes: any, empty, large and many, and shared with nobody. */
import { ada, change, check, idsOf, numbered, put, read, revisionOf, should, shouldHold, shown } from "./check.js";

const megabyte = 2 ** 20;
const unknownCount = 40_000;

export const bytesChecks = [
  check("bytes come back as they were, whatever they are", async (store) => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    const odd = new Uint8Array(Uint8Array.from([9, 9, 9, 1, 2, 3, 9, 9]).buffer, 3, 3);
    const values = [
      every,
      new Uint8Array(),
      odd,
      Buffer.from("{}"),
      new Uint8Array(5),
      Buffer.from([0xff, 0xfe, 0x00]),
    ];
    const puts = [...values, every.subarray(1)].map((bytes, i) => ({ ...put(`v${i}`), bytes }));
    await change(store, ada, puts);
    should("return the same bytes", shown((await read(store, ada)).records), shown(puts));
    const emptied = { ...put("v0"), bytes: new Uint8Array() };
    await change(store, ada, [emptied]);
    should("replace bytes by none", shown((await read(store, ada, { ids: ["v0"] })).records), shown([emptied]));
  }),

  check("bytes that were given or received are not shared", async (store) => {
    const given = [Uint8Array.of(1, 2, 3), Buffer.from("buffer")];
    const puts = given.map((bytes, i) => ({ ...put(`v${i}`), bytes }));
    const expected = shown(puts);
    await change(store, ada, puts);
    for (const bytes of given) bytes.fill(0);
    const { records } = await read(store, ada);
    should("keep its own copy of what it was given", shown(records), expected);
    for (const { bytes } of records) bytes.fill(0);
    should("give copies away", shown((await read(store, ada)).records), expected);
  }),

  check("records of 5 MB come back, among small ones", async (store) => {
    const large = Array.from({ length: 3 }, (_, n) => {
      const bytes = Uint8Array.from({ length: 5 * megabyte + n }, (_, i) => (i * 31 + n + (i >> 8)) & 0xff);
      return { ...put(`large${n}`), bytes };
    });
    const puts = large.flatMap((record, i) => [record, put(`small${i}`)]);
    await change(store, ada, puts);
    should("return large records whole", shown((await read(store, ada)).records), shown(puts));
    const smaller = put("large1", "small now");
    await change(store, ada, [smaller]);
    const { records } = await read(store, ada, { ids: ["large0", "large1"] });
    should("replace a large record by a small one", shown(records), shown([large[0]!, smaller]));
  }),

  check("5,000 records in one change come back in order, and go in one change", async (store) => {
    const puts = numbered(5_000);
    await change(store, ada, puts);
    should("return all of them, by place", shown((await read(store, ada)).records), shown(puts));
    const again = puts.filter((_, i) => i % 2 === 1).map(({ id }) => put(id, `again ${id}`));
    await change(store, ada, again);
    const expected = puts.map((record, i) => again[(i - 1) / 2] ?? record);
    should(
      "return those that were put again at their places",
      shown((await read(store, ada)).records),
      shown(expected),
    );
    const unknown = Array.from({ length: unknownCount }, (_, i) => `unknown ${i}`);
    const ids = [...unknown, "n04999", "n00000"];
    should(`find two ids among ${ids.length}`, idsOf((await read(store, ada, { ids })).records), ["n00000", "n04999"]);
    const gone = puts.slice(1).map(({ kind, id }) => ({ kind, id }));
    await store.write(ada, await revisionOf(store, ada), { delete: gone });
    should("delete all but one", idsOf((await read(store, ada)).records), ["n00000"]);
    shouldHold("be whole afterwards", (await store.damage()).length === 0);
  }),
];
