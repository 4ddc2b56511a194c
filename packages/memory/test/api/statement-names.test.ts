/** Callers name statements: what ends, is pinned, taken out, restored or forgotten is the one that was meant, and no other. */
import type { CoreSummaryView, MemoryDetail, PersonMemory, StatementView } from "mnemosyne-edge";
import { beforeEach, describe, expect, it } from "vitest";
import { allergy, at, graz, ines, openLife, tell, vienna } from "../core/lives.js";
import { exportLines } from "../durability/export-lines.js";
import { openMemories } from "../durability/opened-memories.js";

const tea = "I drink green tea.";

let ada: PersonMemory;
beforeEach(async () => {
  ada = await openLife();
  await tell(ada, "told", `${graz} ${ines} ${tea}`, 1);
});

async function statementOf(name: string): Promise<StatementView> {
  const [id] = name.split("#");
  return (await ada.get(id!)).statements.find((statement) => statement.id === name)!;
}

const marksOf = async (name: string): Promise<StatementView["marks"]> => (await statementOf(name)).marks;
const textsOf = ({ areas }: CoreSummaryView): string[] => areas.flatMap(({ facts }) => facts.map(({ text }) => text));
const core = async (): Promise<string[]> => textsOf(await ada.coreSummary());
const recalled = async (query = "Where is my flat, who is my sister, what tea do I drink?"): Promise<string> =>
  (await ada.recall(query, { at: at(20), seed: 1 })).context;

/** When each of a memory's statements ended, null for those that hold. */
async function endsOf(id: string): Promise<(string | null)[]> {
  return (await ada.get(id)).statements.map(({ endedAt }) => endedAt);
}

it("a memory names its statements by their places, as they were said and read", async () => {
  const { statements }: MemoryDetail = await ada.get("told");
  expect(statements).toMatchObject([
    { id: "told#0", text: graz, who: "user", asked: null, turn: 0, kind: "said", reading: { area: "home" } },
    { id: "told#1", text: ines, reading: { area: "people" } },
    { id: "told#2", text: tea, reading: { area: "food" } },
  ]);
  for (const { endedAt, endedBy, marks } of statements) expect([endedAt, endedBy, marks]).toEqual([null, [], []]);
});

describe("a statement that ends another by itself", () => {
  it("is named with it in the result, and nothing else of either memory ends", async () => {
    const { ended, updates } = await ada.commit(
      { id: "moved", turns: [{ who: "user", text: `The day was fine. ${vienna}` }], at: at(5) },
      { wait: true },
    );
    expect([ended, updates]).toEqual([["told#0"], ["told"]]);
    expect(await statementOf("told#0")).toMatchObject({ endedAt: at(5), endedBy: ["moved#1"] });
    expect(await endsOf("told")).toEqual([at(5), null, null]);
    expect((await ada.list({ outdated: false })).map(({ id }) => id)).toEqual(["told", "moved"]);
    expect(await core()).toEqual([ines, `${vienna} (since 5 May 2025, not before)`, tea]);
  });

  it("is none of what the caller named: then nothing else ends", async () => {
    await ada.commit(
      { id: "moved", turns: [{ who: "user", text: vienna }], at: at(5), updates: "told#2" },
      { wait: true },
    );
    expect(await endsOf("told")).toEqual([null, null, at(5)]);
  });
});

describe("correct", () => {
  it("ends the statement that is named, and keeps what the person says now", async () => {
    const result = await ada.correct("told#0", "I live by the sea.", { id: "new", at: at(5) });
    expect(result).toMatchObject({ outcome: "committed", updates: ["told"], ended: ["told#0"], forgetAsked: [] });
    expect(await statementOf("told#0")).toMatchObject({ endedAt: at(5), endedBy: ["new"] });
    expect(await endsOf("told")).toEqual([at(5), null, null]);
    expect(await core()).toEqual([ines, tea]);
    expect(await recalled()).toMatch(/- Thu 1 May 2025: I live in a flat in Graz\. \(until Mon 5 May 2025\)/u);
    expect(await ada.check()).toEqual([]);
  });

  it("of a statement that was said twice ends both", async () => {
    const twin = await openLife({ parameters: { redundancyThreshold: 0 } });
    await tell(twin, "first", graz, 1);
    await tell(twin, "second", graz, 2);
    expect((await twin.get("second")).pairId).toBe("first");
    const { ended } = await twin.correct("second#0", "I live by the sea.", { at: at(5) });
    expect(ended).toEqual(["first#0", "second#0"]);
  });

  it("refuses a statement that is not there, and stores nothing", async () => {
    for (const name of ["nobody#0", "nobody"]) {
      await expect(ada.correct(name, "No.")).rejects.toMatchObject({ code: "unknown_id" });
    }
    expect(await ada.history()).toHaveLength(1);
  });
});

describe("commit with updates", () => {
  it("ends several statements, and keeps the names with the interaction", async () => {
    const updates = ["told#0", "told#2"];
    const input = { id: "new", turns: [{ who: "user", text: "All of that changed." }], at: at(5), keep: true, updates };
    expect(await ada.commit(input, { wait: true })).toMatchObject({ ended: updates, updates: ["told"] });
    expect(await endsOf("told")).toEqual([at(5), null, at(5)]);
    // Submitted again it is the same.
    expect(await ada.commit(input, { wait: true })).toMatchObject({ isNew: false, ended: updates });
    const { outdatedBy } = await ada.get("told");
    expect(outdatedBy).toEqual(["new"]);
  });

  it("ends a memory as a whole by its id, and all of it by all of its statements", async () => {
    await ada.commit({ id: "whole", summary: "No.", at: at(5), keep: true, updates: "told" }, { wait: true });
    expect(await endsOf("told")).toEqual([at(5), at(5), at(5)]);
    await ada.unlink("whole", "told");
    expect(await endsOf("told")).toEqual([null, null, null]);
    const updates = ["told#0", "told#1", "told#2"];
    await ada.commit({ id: "each", summary: "No.", at: at(6), keep: true, updates }, { wait: true });
    expect((await ada.list({ outdated: false })).map(({ id }) => id)).toEqual(["whole", "each"]);
  });

  it("refuses what is not earlier", async () => {
    const late = { summary: "No.", at: at(1), updates: "told#0" };
    await expect(ada.commit(late)).rejects.toMatchObject({ code: "id_invalid" });
  });
});

describe("unlink", () => {
  beforeEach(() => tell(ada, "moved", `The day was fine. ${vienna}`, 5));

  it.each([
    ["moved", "told"],
    ["moved", "told#0"],
    ["moved#1", "told"],
    ["moved#1", "told#0"],
  ])("of %s and %s lets the statement hold again", async (newer, older) => {
    await ada.unlink(newer, older);
    expect(await endsOf("told")).toEqual([null, null, null]);
    expect(await core()).toContain(graz);
  });

  it.each([
    ["moved#0", "told#0"],
    ["moved", "told#1"],
    ["told#0", "moved#1"],
  ])("of %s and %s, which are not linked, is refused", async (newer, older) => {
    await expect(ada.unlink(newer, older)).rejects.toMatchObject({ code: "id_invalid" });
    expect(await endsOf("told")).toEqual([at(5), null, null]);
  });

  it("takes back one of several that a caller named, for good", async () => {
    const updates = ["told#1", "told#2"];
    await ada.commit({ id: "both", summary: "No.", at: at(6), keep: true, updates }, { wait: true });
    await ada.unlink("both", "told#1");
    expect(await endsOf("told")).toEqual([at(5), null, at(6)]);
    // It does not come back when the interaction is made into a memory again.
    await ada.update("both", { summary: "Not at all." });
    expect(await endsOf("told")).toEqual([at(5), null, at(6)]);
  });
});

describe("pin", () => {
  it("fixes the statement that is named in its area, or in one that is named", async () => {
    await ada.pin("told#2");
    expect(await marksOf("told#2")).toEqual(["pinned"]);
    expect(await ada.get("told")).toMatchObject({ pinnedArea: "food" });
    await ada.pin("told#1", "Work");
    const { areas } = await ada.coreSummary();
    const pinned = areas.flatMap(({ title, facts }) =>
      facts.filter((fact) => fact.isPinned).map(({ id }) => [title, id]),
    );
    expect(pinned).toHaveLength(2);
    expect(pinned.map(([, id]) => id).toSorted()).toEqual(["told#1", "told#2"]);
    expect(Object.fromEntries(pinned.map(([title, id]) => [id, title]))["told#1"]).toBe("Work");
    await ada.unpin("told#2");
    expect(await marksOf("told#2")).toEqual([]);
    expect(await marksOf("told#1")).toEqual(["pinned"]);
  });

  it("of a memory fixes what lasts most surely", async () => {
    await ada.pin("told");
    expect(await marksOf("told#0")).toEqual(["pinned"]);
    await ada.unpin("told");
    expect(await marksOf("told#0")).toEqual([]);
  });

  it("of a text commits it first, and takes it back like any other", async () => {
    const id = await ada.pin(allergy);
    expect(await core()).toContain(allergy);
    await ada.unpin(id);
    await expect(ada.unpin(id)).rejects.toMatchObject({ code: "id_invalid" });
  });

  it("is refused for what no longer holds; a pinned one that ends leaves", async () => {
    await ada.pin("told#0");
    await tell(ada, "moved", vienna, 5);
    expect((await core()).some((text) => text.startsWith(graz))).toBe(false);
    await expect(ada.pin("told#0")).rejects.toMatchObject({ code: "id_invalid" });
    await expect(ada.pin("told#9")).rejects.toMatchObject({ code: "unknown_id" });
    await expect(ada.unpin("told#1")).rejects.toMatchObject({ code: "id_invalid" });
  });
});

describe("withdraw", () => {
  it("takes a statement out of the core memory, and recall still finds it", async () => {
    await ada.withdraw("told#1");
    expect(await marksOf("told#1")).toEqual(["removed"]);
    expect(await core()).toEqual([graz, tea]);
    expect(await recalled()).toContain("Ines");
    await ada.restore("told#1");
    expect(await core()).toEqual([ines, graz, tea]);
  });

  it("of what was never so takes it out of recall, too", async () => {
    await ada.withdraw("told#1", "untrue");
    expect(await core()).toEqual([graz, tea]);
    expect(await recalled()).not.toContain("Ines");
    expect(await recalled()).toContain("Graz");
    // What was said is still there for those who ask for it by its id.
    expect((await ada.get("told")).turns[0]!.text).toContain("Ines");
    await ada.restore("told#1");
    expect(await recalled()).toContain("Ines");
  });

  it("of what was never so lets what it had ended hold again", async () => {
    await tell(ada, "moved", vienna, 5);
    await ada.withdraw("moved#0", "untrue");
    expect(await endsOf("told")).toEqual([null, null, null]);
    expect(await core()).toEqual([ines, graz, tea]);
    expect(await recalled()).not.toMatch(/Vienna|until/u);
    await ada.restore("moved#0");
    expect(await endsOf("told")).toEqual([at(5), null, null]);
  });

  it("of a memory takes out all that it says", async () => {
    await ada.withdraw("told", "untrue");
    expect(await core()).toEqual([]);
    expect((await ada.recall("Who is my sister?", { at: at(20) })).memories).toEqual([]);
    await ada.restore("told");
    expect(await core()).toEqual([ines, graz, tea]);
  });

  it("unpins, and takes no part of an unknown memory", async () => {
    await ada.pin("told#1");
    await ada.withdraw("told#1");
    expect(await marksOf("told#1")).toEqual(["removed"]);
    await expect(ada.withdraw("nobody#0")).rejects.toMatchObject({ code: "unknown_id" });
    await expect(ada.withdraw("told#1", "boring" as "untrue")).rejects.toMatchObject({ code: "option_invalid" });
  });
});

describe("restore", () => {
  it("of a statement that ended lets it hold, beside what had ended it", async () => {
    await tell(ada, "moved", vienna, 5);
    await ada.restore("told#0");
    expect(await endsOf("told")).toEqual([null, null, null]);
    expect((await ada.get("moved")).updates).toEqual([]);
    await expect(ada.restore("told#0")).rejects.toMatchObject({ code: "id_invalid" });
    await expect(ada.restore("nobody#0")).rejects.toMatchObject({ code: "unknown_id" });
  });
});

describe("forget", () => {
  it("of a statement removes its words for good, and the rest stays a memory", async () => {
    await ada.update("told", { text: `${graz} ${ines} ${tea} And then it rained.` });
    const receipt = await ada.forget("told#1");
    expect(receipt.forgotten).toEqual(["told#1"]);
    const { turns, statements } = await ada.get("told");
    expect(turns).toEqual([{ who: "user", text: `${graz} ${tea} And then it rained.` }]);
    expect(statements.map(({ text }) => text).join(" ")).toBe(`${graz} ${tea} And then it rained.`);
    expect(await core()).toEqual([graz, tea]);
    // Neither a version nor an export knows it any more.
    expect((await exportLines(ada)).join("\n")).not.toMatch(/Ines/u);
    expect(await ada.check()).toEqual([]);
  });

  it("of a line of its own leaves the others on theirs", async () => {
    await tell(ada, "lines", `${allergy}\nMy brother paints.\nPlums are good.`, 2);
    await ada.forget("lines#1");
    expect((await ada.get("lines")).turns).toEqual([{ who: "user", text: `${allergy}\nPlums are good.` }]);
  });

  it("of several statements, in any order", async () => {
    const { forgotten } = await ada.forget(["told#2", "told#0"]);
    expect([...forgotten].sort()).toEqual(["told#0", "told#2"]);
    expect((await ada.get("told")).turns).toEqual([{ who: "user", text: ines }]);
  });

  it("of all that a memory says forgets the interaction", async () => {
    const { forgotten } = await ada.forget(["told#0", "told#1", "told#2"]);
    expect(forgotten).toEqual(["told"]);
    await expect(ada.history()).rejects.toMatchObject({ code: "unknown_person" });
  });

  it("keeps the marks and links of what is still said, at its new place", async () => {
    await ada.pin("told#2");
    await tell(ada, "other", "Tea is bad for me.", 4);
    await ada.commit({ id: "no", summary: "No.", at: at(5), keep: true, updates: "told#2" }, { wait: true });
    await ada.forget("told#0");
    const { statements } = await ada.get("told");
    expect(statements.map(({ text, marks, endedAt }) => [text, marks, endedAt])).toEqual([
      [ines, [], null],
      [tea, ["pinned"], at(5)],
    ]);
  });

  it("of one that ended another: what it ended holds again", async () => {
    await tell(ada, "moved", `The day was fine. ${vienna}`, 5);
    await ada.forget("moved#1");
    expect(await endsOf("told")).toEqual([null, null, null]);
    expect(await core()).toEqual([ines, graz, tea]);
  });

  it("of a statement writes the text of the core memory again where nobody reads", async () => {
    const parameters = { coreSummaryIntervalCommits: 100 };
    const bea = (await openMemories({ path: ":memory:", reader: false, parameters })).person("bea");
    await tell(bea, "told", `${graz} ${ines}`, 1);
    expect((await bea.coreSummary({ update: true })).text).toContain("Ines");
    expect((await bea.forget("told#1")).coreSummaryRebuilt).toBe(true);
    const { text } = await bea.coreSummary();
    expect(text).toContain("Graz");
    expect(text).not.toContain("Ines");
  });

  it("refuses statements that are not there, and then nothing is forgotten", async () => {
    await expect(ada.forget(["told#0", "told#9"])).rejects.toMatchObject({ code: "unknown_id" });
    expect((await ada.get("told")).statements).toHaveLength(3);
  });
});

describe("a wish to forget", () => {
  it("hides what it means until forget settles it", async () => {
    await tell(ada, "allergy", allergy, 2);
    const wish = {
      id: "wish",
      turns: [{ who: "user", text: "Please forget what I said about penicillin." }],
      at: at(5),
    };
    const result = await ada.commit(wish, { wait: true });
    expect(result).toMatchObject({ outcome: "forgetAsked", forgetAsked: ["allergy#0"], ended: [] });
    expect(await marksOf("allergy#0")).toEqual(["held"]);
    expect(await core()).not.toContain(allergy);
    expect(await recalled("Am I allergic to penicillin?")).not.toContain("penicillin.");
    await ada.forget(result.forgetAsked);
    expect((await exportLines(ada)).join("\n")).not.toContain("allergic");
    // It is known what was asked, and no longer what it meant.
    expect(await ada.commit(wish, { wait: true })).toMatchObject({ outcome: "forgetAsked", forgetAsked: [] });
  });

  it.each(["wish", "allergy#0", "allergy"])("is taken back by restoring %s", async (name) => {
    await tell(ada, "allergy", allergy, 2);
    await tell(ada, "wish", "Please forget what I said about penicillin.", 5);
    expect(await core()).not.toContain(allergy);
    await ada.restore(name);
    expect(await core()).toContain(allergy);
  });
});
