/** Facts that a new memory says are over leave the core summary, though the end itself is no lasting fact. */
import { describe, expect, it } from "vitest";
import { readEndedThings } from "../../../src/engine/core-summary/ended-facts.js";
import { openLife, tell } from "./lives.js";

describe("what a sentence says is over", () => {
  it.each([
    ["Hester had also given up melatonin because she dreamt of school.", [["melatonin"]]],
    ["Amlodipine 5 mg was stopped and losartan 50 mg begun.", [["amlodipin"]]],
    ["The iron tablets were stopped.", [["iron"]]],
    ["I finished the prednisolone last Friday, thank god.", [["prednisolon"]]],
    ["No more oxygen at home, they collected the machine.", [["oxygen"]]],
    ["The doctor asked her to stop the naproxen on Monday.", []],
    ["I stopped at the baker's.", []],
  ])("%s", (sentence, things) => expect(readEndedThings(sentence)).toEqual(things));
});

describe("a fact that is over", () => {
  const melatonin = "I take melatonin 2 mg at nine.";
  /** Facts after a later statement, which the judge finds passing. */
  async function saidAfter(fact: string, later: string): Promise<string> {
    const person = await openLife();
    await tell(person, "fact", fact, 1);
    await tell(person, "later", later, 2);
    return (await person.coreSummary()).text;
  }

  it("leaves, and the changes name what ended it", async () => {
    const person = await openLife();
    await tell(person, "sleep", melatonin, 1);
    expect((await person.coreSummary()).text).toContain(melatonin);
    await tell(person, "end", "I have given up melatonin because of the dreams.", 2);
    const { text, changes } = await person.coreSummary();
    expect(text).not.toContain("melatonin");
    expect(changes.at(-1)!.left).toMatchObject([{ text: melatonin, reason: "outdated", byId: "end" }]);
  });

  it.each([
    ["of somebody else", melatonin, "Mum gave up melatonin because of the dreams."],
    ["of somebody named", melatonin, "At last Renee gave up melatonin."],
    ["of another thing", melatonin, "I gave up coffee."],
    ["that is only thought of", melatonin, "I nearly gave up melatonin."],
    ["for a while", melatonin, "I stopped melatonin for two nights."],
    ["and what warns of something", "I am allergic to melatonin.", "Then melatonin was stopped."],
    ["that the fact tells itself", "Melatonin 2 mg was stopped in May.", "So I gave up melatonin."],
  ])("is no end %s", async (_, fact, later) => {
    expect(await saidAfter(fact, later)).toContain(fact);
  });

  it("stays where it is pinned", async () => {
    const person = await openLife();
    await tell(person, "sleep", melatonin, 1);
    await person.pin("sleep");
    await tell(person, "end", "I have given up melatonin.", 2);
    expect((await person.coreSummary()).text).toContain(melatonin);
  });
});
