/** Restoring: what was ended, held back or pruned comes back, each statement by itself, and nothing else changes. */
import { describe, expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { allergy, at, graz, ines, openLife, tell, vienna } from "../core/lives.js";
import { exportLines, parseLines } from "../durability/export-lines.js";
import type { EndLink, Mark } from "../../src/graph/statement.js";
import { endOf, markOf } from "../graph/graph-fixtures.js";

const linz = "I live in a flat in Linz by now.";

async function linksIn(person: PersonMemory): Promise<Record<string, readonly EndLink[]>> {
  const { nodes } = parseLines(await exportLines(person));
  return Object.fromEntries(nodes.map(({ node }) => [node.id, node.ends]));
}

async function marksIn(person: PersonMemory): Promise<Record<string, readonly Mark[]>> {
  const { nodes } = parseLines(await exportLines(person));
  return Object.fromEntries(nodes.map(({ node }) => [node.id, node.marks]));
}

describe("a statement that ended", () => {
  it("holds again whatever had ended it, and what else that had ended stays so", async () => {
    const person = await openLife();
    await tell(person, "may", `${graz} ${ines}`, 1);
    await person.commit({ id: "june", summary: "No.", at: at(2), keep: true, updates: ["may#0", "may#1"] });
    await person.commit({ id: "july", summary: "No, no.", at: at(3), keep: true, updates: ["may#0"] });
    await person.settled();
    expect(await linksIn(person)).toEqual({
      may: [],
      june: [endOf("may", 0), endOf("may", 1)],
      july: [endOf("may", 0)],
    });
    await person.restore("may#0");
    expect(await linksIn(person)).toEqual({ may: [], june: [endOf("may", 1)], july: [] });
    const { text } = await person.coreSummary();
    expect(text).toContain("Graz");
    expect(text).not.toContain("Ines");
    expect(await person.check()).toEqual([]);
  });

  it("and was taken out is back in the core memory at once; a pin that it has stays", async () => {
    const person = await openLife();
    await tell(person, "may", `${graz} ${allergy}`, 1);
    await person.pin("may#1");
    await person.withdraw("may#0", "untrue");
    await tell(person, "june", vienna, 2);
    expect(await linksIn(person)).toEqual({ may: [], june: [] });
    await person.restore("may#0");
    expect(await marksIn(person)).toMatchObject({ may: [markOf("pinned", 1)] });
    expect((await person.coreSummary()).text).toContain("Graz");
  });
});

describe("a wish to forget", () => {
  const said = `${graz} ${allergy} ${ines}`;
  const wish = "Please forget what I said about penicillin.";

  it("is taken back although another statement of the memory was forgotten meanwhile", async () => {
    const person = await openLife();
    await tell(person, "may", said, 1);
    await tell(person, "wish", wish, 2);
    expect(await marksIn(person)).toEqual({ may: [markOf("held", 1)] });
    await person.forget("may#0");
    expect(await marksIn(person)).toEqual({ may: [markOf("held", 0)] });
    expect((await person.history({ ids: ["wish"] }))[0]!.trace).toMatchObject({
      forgetAsked: [{ memory: "may", position: 0 }],
    });
    await person.restore("wish");
    expect(await marksIn(person)).toEqual({ may: [] });
    expect((await person.coreSummary()).text).toContain("penicillin");
  });

  it("is taken back although the memory was edited meanwhile", async () => {
    const person = await openLife();
    await tell(person, "may", said, 1);
    await tell(person, "wish", wish, 2);
    await person.update("may", { text: `I drink tea every day. ${ines} ${graz} ${allergy}` });
    expect(await marksIn(person)).toEqual({ may: [markOf("held", 3)] });
    await person.restore("wish");
    expect(await marksIn(person)).toEqual({ may: [] });
  });

  it("that was settled means nothing any more: what it hides is gone, and nothing else", async () => {
    const person = await openLife();
    await tell(person, "may", said, 1);
    await person.commit({ id: "wish", turns: [{ who: "user", text: wish }], at: at(2) });
    await person.settled();
    await person.forget("may#1");
    expect((await person.get("may")).statements.map(({ text, marks }) => [text, marks])).toEqual([
      [graz, []],
      [ines, []],
    ]);
    expect((await person.history({ ids: ["wish"] }))[0]!.trace).toMatchObject({ forgetAsked: [] });
  });
});

describe("a pruned memory", () => {
  it("ends again what it had ended, and no neighbour of that", async () => {
    const person = await openLife();
    await tell(person, "may", `${allergy} ${graz}`, 1);
    await tell(person, "june", vienna, 2);
    await tell(person, "july", linz, 3);
    expect(await linksIn(person)).toEqual({ may: [], june: [endOf("may", 1, 0)], july: [endOf("june", 0, 0)] });
    // June is outdated, may is not: of it the allergy still holds.
    expect((await person.prune({ memoryCountMax: 2 })).pruned.map(({ id }) => id)).toEqual(["june"]);
    expect(await linksIn(person)).toEqual({ may: [], july: [endOf("may", 1, 0)] });
    expect((await person.history({ ids: ["june"] }))[0]!.trace).toMatchObject({ ends: [endOf("may", 1, 0)] });
    await person.restore("june");
    await person.settled();
    expect((await linksIn(person))["june"]).toEqual([endOf("may", 1)]);
    const { text } = await person.coreSummary();
    expect(text).toContain("penicillin");
    expect(text).not.toContain("Graz");
    expect(await person.check()).toEqual([]);
  });

  it("is none of which a statement is pinned", async () => {
    const person = await openLife();
    for (const [i, text] of [graz, ines, allergy].entries()) await tell(person, `m${i}`, text, i + 1);
    await person.pin("m0#0");
    const { pruned, memoryCount } = await person.prune({ memoryCountMax: 1 });
    expect(pruned.map(({ id }) => id).sort()).toEqual(["m1", "m2"]);
    expect(memoryCount).toBe(1);
    await person.unpin("m0#0");
    await tell(person, "m3", ines, 4);
    expect((await person.prune({ memoryCountMax: 1 })).pruned.map(({ id }) => id)).toEqual(["m0"]);
  });
});
