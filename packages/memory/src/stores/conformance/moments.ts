/** A reading is from one moment, however long it takes, and keeps no writer waiting. */
import type { StoredRecord } from "../store.js";
import { ada, change, check, numbered, put, read, readMoving, revisionOf, should, shouldHold, shown } from "./check.js";

const spread = ["n00000", "n00700", "n01500", "n02999", "last"];
const large = "x".repeat(1_000);

export const momentChecks = [
  check("a person is read from one moment, while others write between the pages", async (store) => {
    await change(store, ada, [...numbered(3_000).map(({ id }) => put(id, large)), put("last")]);
    const rounds = new Map<number, string>();
    let round = 0;
    const next = async (): Promise<void> => {
      const text = `round ${++round}`;
      rounds.set(
        await change(
          store,
          ada,
          spread.map((id) => put(id, text)),
          [],
        ),
        text,
      );
    };
    await next();
    for (const count of [1, 4]) {
      let left = count;
      const { revision, records } = await readMoving(store, {}, async () => {
        if (left-- > 0) await next();
      });
      should("return every record", records.size, 3_001);
      const texts = new Set(spread.map((id) => Buffer.from(records.get(id)!.bytes).toString()));
      should("return records of one moment, that of the revision", [...texts], [rounds.get(revision)]);
    }
  }),

  check("what is read is from one moment even if something is deleted or appended meanwhile", async (store) => {
    await change(
      store,
      ada,
      numbered(3_000).map(({ id }) => put(id, large)),
    );
    let round = 0;
    const next = async (): Promise<void> => {
      round += 1;
      await change(store, ada, [put(`new${round}`)], [`new${round - 1}`]);
      await store.write(ada, null, { put: [put(`one${round}`), put(`two${round}`)] });
    };
    await next();
    for (const count of [1, 4]) {
      let left = count;
      const { records } = await readMoving(store, {}, async () => {
        if (left-- > 0) await next();
      });
      const kept = [...records.keys()];
      should("return all that was there the whole time", kept.filter((id) => id.startsWith("n0")).length, 3_000);
      should("return one of the records that replace each other", kept.filter((id) => id.startsWith("new")).length, 1);
      const ends = (word: string): string[] => kept.filter((id) => id.startsWith(word)).map((id) => id.slice(3));
      should("return both records of an append, or none", ends("one").sort(), ends("two").sort());
    }
  }),

  check("what is read later is from one moment, too", async (store) => {
    const before = await change(store, ada, [put("a"), put("b")]);
    const first = (await read(store, ada)).records;
    const asked = store.read(ada);
    const after = await change(store, ada, [put("a", "again"), put("c")]);
    const { revision, records } = await readMoving(store, {}, () => Promise.resolve(), asked);
    const expected = revision === before ? first : (await read(store, ada)).records;
    shouldHold("have the revision of a moment between the request and the reading", [before, after].includes(revision));
    should("return the records of that revision", shown([...records.values()]).sort(), shown(expected).sort());
  }),

  check("readings that are begun and left, or never begun, keep nothing waiting", async (store) => {
    await change(
      store,
      ada,
      numbered(2_000).map(({ id }) => put(id, large)),
    );
    const expected = await read(store, ada);
    const unread = await Promise.all(Array.from({ length: 20 }, () => store.read(ada)));
    for (let i = 0; i < 20; i++) {
      const { pages } = await store.read(ada);
      for await (const { records } of pages) {
        shouldHold("return pages with records", records.length > 0);
        break;
      }
    }
    should("read the same again", await read(store, ada), expected);
    await store.write(ada, null, { put: [put("b")] });
    const written = await change(store, ada, [put("a")], ["n00001"]);
    should("write while readings are open", await revisionOf(store, ada), written);
    should("erase while readings are open", await store.erase(ada), 2_001);
    shouldHold("have opened every reading", unread.length === 20);
  }),

  check("two readings of a person do not disturb each other", async (store) => {
    await change(
      store,
      ada,
      numbered(2_000).map(({ id }) => put(id, large)),
    );
    const [one, two] = await Promise.all([store.read(ada), store.read(ada, { newestFirst: true })]);
    const ends = two.pages[Symbol.asyncIterator]();
    const [found, backwards]: StoredRecord[][] = [[], []];
    for await (const { records } of one.pages) {
      found!.push(...records);
      backwards!.push(...((await ends.next()).value?.records ?? []));
    }
    for (let page = await ends.next(); page.done !== true; page = await ends.next())
      backwards!.push(...page.value.records);
    should("return the same records forwards and backwards", shown(backwards!.reverse()), shown(found!));
    should("return all records", found!.length, 2_000);
  }),
];
