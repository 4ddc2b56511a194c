/** Lists in pages: what a page holds, what a cursor survives, and what is refused. */
import fc from "fast-check";
import type { HistorySelection, Listing, Memory, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const days = [5, 3, 3, 9, 1, 7, 3];
/** By age, then by id. */
const byAge = ["i4", "i1", "i2", "i6", "i0", "i5", "i3"];
const byArrival = days.map((_, i) => `i${i}`);

const ids = (page: readonly { readonly id: string }[]): string[] => page.map(({ id }) => id);

async function collect<T>(listing: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of listing) all.push(each);
  return all;
}

describe.each([
  ["memory", () => ":memory:"],
  ["SQLite", () => scratch.next()],
])("in a store in %s", (_name, path) => {
  let memories: Mnemosyne;
  let ada: PersonMemory;
  beforeEach(async () => {
    memories = await openMemories({ path: path(), parameters: { redundancyThreshold: 10 } });
    ada = memories.person("ada");
    for (const [i, day] of days.entries()) {
      await ada.commit({ id: `i${i}`, at: `2025-03-0${day}`, summary: `Ada plants tree number ${i}.` });
    }
    await ada.settled();
  });

  it("pages follow each other in order, whatever their size", async () => {
    for (const limit of [1, 2, 3, 6, 7, 8, 1_000]) {
      const pages: string[][] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Awaited<Listing<Memory>> = await ada.list({ limit, ...(cursor === undefined ? {} : { cursor }) });
        pages.push(ids(page));
        cursor = page.nextCursor;
      }
      expect(pages.flat()).toEqual(byAge);
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      expect(pages.at(-1)!.length).toBeGreaterThan(0);
      expect(ids(await collect(ada.list({ limit })))).toEqual(byAge);
      expect(ids(await collect(ada.history({ limit })))).toEqual(byArrival);
      expect(ids(await collect(ada.history({ limit, newestFirst: true })))).toEqual(byArrival.toReversed());
    }
    expect(ids(await collect(ada.list()))).toEqual(byAge);
    expect(ids(await collect(ada.history()))).toEqual(byArrival);
  });

  it("without a limit a page is everything, as an array like any other", async () => {
    const page = await ada.list();
    expect(ids(page)).toEqual(byAge);
    expect(page.nextCursor).toBeNull();
    expect(Array.isArray(page)).toBe(true);
    expect(Object.keys(page)).toEqual(Object.keys(byAge));
    expect(ids(await ada.history())).toEqual(byArrival);
    expect((await ada.history({ limit: 7 })).nextCursor).toBeNull();
    const all = await Promise.all([ada.list().then(ids), ada.list().finally(() => {}), ada.history().catch(() => [])]);
    expect(all.map(({ length }) => length)).toEqual([7, 7, 7]);
  });

  it("a cursor stays valid when what it points at is forgotten, and new entries are seen", async () => {
    const [list, history] = [await ada.list({ limit: 3 }), await ada.history({ limit: 3 })];
    expect([ids(list), ids(history)]).toEqual([byAge.slice(0, 3), byArrival.slice(0, 3)]);
    await ada.forget(["i2", "i6"]);
    await ada.commit({ id: "new", at: "2025-03-04", summary: "Ada rows." }, { wait: true });
    expect(ids(await ada.list({ cursor: list.nextCursor! }))).toEqual(["new", "i0", "i5", "i3"]);
    expect(ids(await ada.history({ cursor: history.nextCursor! }))).toEqual(["i3", "i4", "i5", "new"]);
  });

  it("a selection holds for all pages", async () => {
    await ada.commit({ id: "corrects", summary: "No tree.", updates: ["i1", "i5"] }, { wait: true });
    const held = await collect(ada.list({ outdated: false, limit: 2 }));
    expect(ids(held)).toEqual(["i4", "i2", "i6", "i0", "i3", "corrects"]);
    const selection = { ids: ["i6", "i1", "i3"], limit: 2 };
    expect(ids(await collect(ada.history(selection)))).toEqual(["i1", "i3", "i6"]);
    expect(ids(await collect(ada.history({ ...selection, newestFirst: true })))).toEqual(["i6", "i3", "i1"]);
    expect(await ada.history({ outcomes: ["discarded"], limit: 2 })).toHaveLength(0);
    const refused = ada.history({ newestFirst: "yes" as unknown as boolean });
    await expect(refused).rejects.toMatchObject({ code: "option_invalid" });
  });

  it("persons come in pages, too", async () => {
    for (const name of ["Zoë", "bea", "ada b", "B"]) await memories.person(name).commit({ summary: "It rains." });
    const all = ["B", "Zoë", "ada", "ada b", "bea"];
    expect(await memories.persons()).toEqual(all);
    expect(await collect(memories.persons({ limit: 2 }))).toEqual(all);
    const page = await memories.persons({ limit: 2 });
    expect([...page]).toEqual(all.slice(0, 2));
    await memories.person("Zoë").forgetAll();
    expect(await memories.persons({ cursor: page.nextCursor! })).toEqual(all.slice(2));
  });

  it("what is no cursor of this list is refused", async () => {
    const bea = memories.person("bea");
    for (const id of ["a", "b"]) await bea.commit({ id, summary: `Bea rows ${id}.` }, { wait: true });
    const [of, ofBea] = [(await ada.list({ limit: 1 })).nextCursor!, (await bea.list({ limit: 1 })).nextCursor!];
    const ofHistory = (await ada.history({ limit: 1 })).nextCursor!;
    const ofPersons = (await memories.persons({ limit: 1 })).nextCursor!;
    const [name, owner] = JSON.parse(Buffer.from(of, "base64url").toString()) as string[];
    const forged = ["", "x", "[]", "null", "[1,2]", '["a","b"]', '[1e999,"a"]', '[1,"a', `[1,"a"b"]`].map((place) =>
      Buffer.from(JSON.stringify([name, owner, place])).toString("base64url"),
    );
    const garbage = ["", "x", "null", "W10", "%%%", "a".repeat(5_000), 7, null, {}, `${of.slice(0, -4)}AAAA`];
    for (const cursor of [ofBea, ofHistory, ofPersons, ...forged, ...garbage]) {
      const refused = ada.list({ cursor: cursor as string });
      await expect(refused, String(cursor)).rejects.toMatchObject({ code: "option_invalid" });
      await expect(collect(ada.list({ cursor: cursor as string }))).rejects.toMatchObject({ code: "option_invalid" });
    }
    for (const cursor of [of, ofPersons]) {
      await expect(ada.history({ cursor })).rejects.toMatchObject({ code: "option_invalid" });
    }
    await expect(memories.persons({ cursor: of })).rejects.toMatchObject({ code: "option_invalid" });
    expect(of).not.toContain(Buffer.from("ada").toString("base64url"));
  });

  it("what is no limit is refused", async () => {
    for (const limit of [0, -1, 1.5, 1_001, "7", null, NaN]) {
      const options = { limit: limit as number };
      for (const listing of [ada.list(options), ada.history(options), memories.persons(options)]) {
        await expect(listing).rejects.toMatchObject({ code: "option_invalid" });
      }
    }
  });
});

describe("a listing", () => {
  it("reads nothing before it is awaited, and then once", async () => {
    const store = new MemoryStore();
    const ada = (await openMemories({ store })).person("ada");
    await ada.commit({ id: "a", summary: "Ada rows." });
    await ada.settled();
    const history = vi.spyOn(store, "history");
    const listing = ada.history();
    await ada.statistics();
    expect(history).not.toHaveBeenCalled();
    expect(await listing).toBe(await listing);
    expect(history).toHaveBeenCalledTimes(1);
  });

  it("of the history reads no more than its page from the store", async () => {
    const store = new MemoryStore();
    const ada = (await openMemories({ store })).person("ada");
    for (let i = 0; i < 9; i++) await ada.commit({ id: `i${i}`, summary: `Ada plants tree ${i}.` });
    await ada.settled();
    const limits: unknown[] = [];
    const history = store.history.bind(store);
    store.history = (person: string, selection?: HistorySelection) => {
      limits.push(selection?.limit);
      return history(person, selection);
    };
    expect(await collect(ada.history({ limit: 4 }))).toHaveLength(9);
    expect(limits).toEqual([5, 5, 5]);
  });

  it("of somebody unknown is refused when it is awaited", async () => {
    const nobody = (await openMemories({ path: ":memory:" })).person("nobody");
    const listing = nobody.list();
    await expect(listing).rejects.toMatchObject({ code: "unknown_person" });
    await expect(collect(nobody.history())).rejects.toMatchObject({ code: "unknown_person" });
  });

  it("gives what a sorted array gives, whatever is forgotten in between", async () => {
    const step = fc.record({ limit: fc.integer({ min: 1, max: 4 }), forgotten: fc.integer({ min: 0, max: 11 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.array(step, { minLength: 1, maxLength: 6 }),
        async (times, steps) => {
          const memories = await openMemories({ path: ":memory:", parameters: { redundancyThreshold: 10 } });
          const ada = memories.person("ada");
          for (const [i, day] of times.entries()) {
            await ada.commit({ id: `i${i}`, at: Date.UTC(2025, 0, day), summary: `Ada plants tree ${i}.` });
          }
          await ada.settled();
          let naive = times
            .map((day, i) => ({ day, id: `i${i}` }))
            .sort((x, y) => x.day - y.day || (x.id < y.id ? -1 : 1));
          let cursor: string | null = null;
          let last: { day: number; id: string } | null = null;
          for (const { limit, forgotten } of steps) {
            const from = last;
            const left: typeof naive = naive.filter(
              ({ day, id }) => from === null || day > from.day || (day === from.day && id > from.id),
            );
            const page: Awaited<Listing<Memory>> = await ada.list({ limit, ...(cursor === null ? {} : { cursor }) });
            expect(ids(page)).toEqual(ids(left.slice(0, limit)));
            expect(page.nextCursor === null).toBe(left.length <= limit);
            if (page.nextCursor === null) break;
            [cursor, last] = [page.nextCursor, left[limit - 1]!];
            if (naive.length > 1 && naive.some(({ id }) => id === `i${forgotten}`)) {
              await ada.forget(`i${forgotten}`);
              naive = naive.filter(({ id }) => id !== `i${forgotten}`);
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});
