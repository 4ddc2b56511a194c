/** Lists in pages: what a page holds, what a cursor survives, and what is refused. */
import type { Listing, Memory, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { beforeEach, describe, expect, it } from "vitest";
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
});
