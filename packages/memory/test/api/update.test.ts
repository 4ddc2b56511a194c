/** Editing an interaction in place: what is made again, what stays, and what is left of what it said. */
import type { InteractionEdit, Mnemosyne, MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it, vi } from "vitest";
import { exportLines, parseLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { FakeReader, read } from "./fake-reader.js";

const scratch = new ScratchFolder();
const home = (city: string): string => `Ada lives in ${city}.`;
/** Where somebody lives is changed by whatever is said later about it. */
const movesOf = (...cities: string[]): FakeReader =>
  new FakeReader(
    cities.flatMap((older, i) => cities.slice(i + 1).map((newer) => ({ older, newer, is: "ends" as const }))),
  );

const paths = [
  ["memory", () => ":memory:"],
  ["SQLite", () => scratch.next()],
] as const;

function open(options: MnemosyneOptions): Promise<Mnemosyne> {
  return openMemories({ reader: new FakeReader(), parameters: read, ...options });
}

/** All of an export but the versions of interactions. */
async function withoutVersions(person: PersonMemory): Promise<string> {
  const parsed = parseLines(await exportLines(person));
  return JSON.stringify(parsed, (name, value: unknown) => (name === "versions" ? undefined : value));
}

describe.each(paths)("an edit in a store in %s", (_name, path) => {
  const openAda = async (options: MnemosyneOptions = {}): Promise<PersonMemory> =>
    (await open({ path: path(), ...options })).person("ada");

  it("makes the memory again in place, and keeps what it was as a version", async () => {
    const ada = await openAda();
    await ada.commit({ id: "home", at: "2025-03-01T10:00:00Z", text: home("qleeds"), state: "well" });
    await ada.commit({ id: "other", text: "Ada has a parrot." }, { wait: true });
    const result = await ada.update("home", { text: "I keep bees in qyork." });
    expect(result).toEqual({
      id: "home",
      isChanged: true,
      outcome: "committed",
      reason: "kept",
      probability: 0.97,
      repeats: null,
      updates: [],
      ended: [],
      forgetAsked: [],
    });
    const memory = await ada.get("home");
    expect(memory).toMatchObject({
      at: "2025-03-01T10:00:00.000Z",
      state: "well",
      turns: [{ who: "user", text: "I keep bees in qyork." }],
      versions: [
        {
          at: "2025-03-01T10:00:00.000Z",
          summary: null,
          turns: [{ who: "user", text: home("qleeds") }],
          state: "well",
          metadata: {},
        },
      ],
    });
    expect(memory.summary).toContain("qyork");
    expect((await ada.history({ ids: ["home"] }))[0]).toMatchObject({ versions: memory.versions });
    expect(await withoutVersions(ada)).not.toContain("qleeds");
    const { memories } = await ada.recall("Who keeps bees in qyork?", { seed: 1 });
    expect(memories[0]).toMatchObject({ id: "home" });
    expect((await ada.list()).map(({ id }) => id)).toEqual(["home", "other"]);
    expect(await ada.check()).toEqual([]);
  });

  it("is the same for whoever loads the memory again", async () => {
    const at = path();
    if (at === ":memory:") return;
    const first = await open({ path: at });
    await first.person("ada").commit({ id: "home", summary: home("Leeds"), metadata: { a: 1 } }, { wait: true });
    await first.person("ada").commit({ id: "again", summary: home("Leeds") }, { wait: true });
    const second = await open({ path: at });
    await second.person("ada").list();
    await first.person("ada").update("again", { summary: home("York"), metadata: { b: 2 } });
    const third = await open({ path: at });
    const [one, two, three] = await Promise.all([first, second, third].map((each) => each.person("ada").graph()));
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    expect(one!.memories).toMatchObject([
      { id: "again", pairId: null, metadata: { b: 2 } },
      { id: "home", pairId: null, metadata: { a: 1 } },
    ]);
  });

  it("of metadata and expiry alone changes nothing else, and embeds nothing", async () => {
    const embedder = new HashingEmbedder();
    const ada = await openAda({ embedder });
    await ada.commit({ id: "home", summary: home("Leeds"), metadata: { agent: "a" } }, { wait: true });
    const before = await ada.get("home");
    const embed = vi.spyOn(embedder, "embed");
    const expiresAt = "2030-01-01T00:00:00.000Z";
    expect(await ada.update("home", { metadata: { agent: "b", tags: ["x"] }, expiresAt })).toMatchObject({
      isChanged: true,
      outcome: "committed",
    });
    const after = await ada.get("home");
    const { metadata, versions, tag } = after;
    expect(after).toEqual({ ...before, metadata, versions, expiresAt, tag });
    expect(metadata).toEqual({ agent: "b", tags: ["x"] });
    expect(versions).toMatchObject([{ metadata: { agent: "a" }, summary: home("Leeds") }]);
    await ada.update("home", { metadata: null, expiresAt: null });
    expect(await ada.get("home")).toMatchObject({ metadata: {}, expiresAt: null });
    expect((await ada.get("home")).versions).toHaveLength(2);
    // When something is forgotten is no part of what it was.
    await ada.update("home", { expiresAt });
    expect((await ada.get("home")).versions).toHaveLength(2);
    expect(embed).not.toHaveBeenCalled();
  });

  it("that changes nothing is none", async () => {
    const ada = await openAda();
    const given = { at: "2025-03-01T10:00:00Z", summary: home("Leeds"), metadata: { a: 1, b: 2 } };
    await ada.commit({ id: "home", ...given }, { wait: true });
    const revision = (await ada.statistics()).revision;
    const edits: InteractionEdit[] = [{ metadata: { b: 2, a: 1 } }, given, { state: null }, { expiresAt: null }];
    for (const edit of edits) expect(await ada.update("home", edit)).toMatchObject({ isChanged: false });
    expect((await ada.statistics()).revision).toBe(revision);
    expect((await ada.get("home")).versions).toEqual([]);
  });

  it("to other words unpairs what no longer repeats, and pairs what now does", async () => {
    const ada = await openAda();
    for (const [id, city] of [
      ["first", "Leeds"],
      ["second", "Leeds"],
      ["hull", "Hull"],
    ] as const) {
      await ada.commit({ id, summary: home(city) }, { wait: true });
    }
    expect((await ada.get("first")).pairId).toBe("second");
    expect(await ada.update("first", { summary: home("York") })).toMatchObject({ outcome: "committed", repeats: null });
    expect((await ada.list()).map(({ id, pairId }) => [id, pairId])).toEqual([
      ["first", null],
      ["hull", null],
      ["second", null],
    ]);
    expect((await ada.history({ ids: ["second"] }))[0]).toMatchObject({ outcome: "committed", reason: "kept" });
    const paired = await ada.update("first", { summary: home("Hull") });
    expect(paired).toMatchObject({ outcome: "paired", repeats: "hull", reason: "says the same as hull" });
    expect((await ada.get("hull")).pairId).toBe("first");
    expect((await ada.graph()).edges.filter(({ boostMs }) => boostMs > 0)).toMatchObject([{ a: "first", b: "hull" }]);
    expect(await ada.check()).toEqual([]);
  });
});

describe("links", () => {
  const told = async (reader: FakeReader, ...cities: string[]): Promise<PersonMemory> => {
    const ada = (await open({ path: ":memory:", reader })).person("ada");
    for (const [i, city] of cities.entries()) {
      await ada.commit({ id: city, at: `2025-0${i + 1}-01`, text: home(city) }, { wait: true });
    }
    return ada;
  };
  const linksOf = async (ada: PersonMemory): Promise<[string, readonly string[]][]> =>
    (await ada.list()).map(({ id, updates }) => [id, updates]);

  it("that the reader made are made again, from and to the memory", async () => {
    const ada = await told(movesOf("Leeds", "York", "Hull"), "Leeds", "York", "Hull");
    expect(await linksOf(ada)).toEqual([
      ["Leeds", []],
      ["York", ["Leeds"]],
      ["Hull", ["York"]],
    ]);
    // What it made outdated stays so: Hull came after both.
    await ada.update("York", { text: "Ada has a parrot." });
    expect(await linksOf(ada)).toEqual([
      ["Leeds", []],
      ["York", []],
      ["Hull", ["Leeds"]],
    ]);
    await ada.update("York", { text: home("York") });
    // Only what holds is compared.
    expect(await linksOf(ada)).toEqual([
      ["Leeds", []],
      ["York", []],
      ["Hull", ["Leeds", "York"]],
    ]);
    expect(await ada.check()).toEqual([]);
  });
});

describe("an edit", () => {
  it("keeps a memory, whatever it says, and the pins of what it still says", async () => {
    const ada = (await open({ path: ":memory:" })).person("ada");
    await ada.commit({ id: "home", text: `${home("Leeds")} She has a parrot.` }, { wait: true });
    await ada.pin("home#0");
    const pinned = async (): Promise<unknown> => {
      const { pinnedArea, statements } = await ada.get("home");
      return [pinnedArea, statements.filter(({ marks }) => marks.includes("pinned")).map(({ text }) => text)];
    };
    expect(await pinned()).toEqual(["self", [home("Leeds")]]);
    await ada.update("home", { text: `She has a red parrot. ${home("Leeds")}` });
    expect(await pinned()).toEqual(["self", [home("Leeds")]]);
    expect(await ada.update("home", { text: "Hello there!" })).toMatchObject({
      outcome: "committed",
      reason: "kept as you edited it",
    });
    expect(await pinned()).toEqual([null, []]);
  });

  it("of the same interaction by many at once leaves every version, in order", async () => {
    const path = scratch.next();
    const [one, two] = [await open({ path }), await open({ path })];
    await one.person("ada").commit({ id: "n", summary: "Ada counts 0." }, { wait: true });
    const edits = Array.from({ length: 6 }, (_, i) =>
      (i % 2 === 0 ? one : two).person("ada").update("n", { text: `${i}` }),
    );
    expect((await Promise.all(edits)).every(({ isChanged }) => isChanged)).toBe(true);
    const { versions, turns } = await two.person("ada").get("n");
    const said = [...versions.slice(1).map((version) => version.turns), turns].map(([turn]) => turn!.text);
    expect(said.toSorted()).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(versions[0]).toMatchObject({ summary: "Ada counts 0.", turns: [] });
    expect(await one.person("ada").check()).toEqual([]);
  });

  it.each([
    ["nobody", { text: "x" }, "unknown_id"],
    ["", { text: "x" }, "id_invalid"],
    ["home", {}, "option_invalid"],
    ["home", { text: undefined }, "option_invalid"],
    ["home", null, "option_invalid"],
    ["home", { txt: "x" }, "option_invalid"],
    ["home", { text: "x", turns: [] }, "option_invalid"],
    ["home", { text: 7 }, "interaction_invalid"],
    ["home", { text: " " }, "interaction_empty"],
    ["home", { summary: null }, "interaction_empty"],
    ["home", { at: "never" }, "time_invalid"],
    ["home", { at: "2999-01-01" }, "time_in_future"],
    ["home", { expiresAt: "2020-01-01" }, "time_invalid"],
    ["home", { metadata: { $a: 1 } }, "interaction_invalid"],
    ["home", { text: "x".repeat(200_000) }, "text_too_long"],
    ["talk", { text: "x" }, "id_invalid"],
  ])("of %j to %j is refused with %s, and nothing changes", async (id, edit, code) => {
    const ada = (await open({ path: ":memory:" })).person("ada");
    await ada.commit({ id: "home", summary: home("Leeds") }, { wait: true });
    await (await ada.conversation({ id: "talk" })).add({ who: "user", text: "Well." });
    const before = await exportLines(ada);
    await expect(ada.update(id, edit as InteractionEdit)).rejects.toMatchObject({ code });
    expect(await exportLines(ada)).toEqual(before);
  });
});
