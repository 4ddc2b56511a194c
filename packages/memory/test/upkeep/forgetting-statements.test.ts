/** Forgetting single statements: their words leave everything, and the rest of what was said stays as it was. */
import type { MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allergy, at, graz, ines, openLife, vienna } from "../core/lives.js";
import { exportLines, parseLines } from "../durability/export-lines.js";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { endOf, markOf } from "../graph/graph-fixtures.js";
import { ScriptedModel, answerWell } from "../engine/scripted-model.js";
import { WordEmbedder } from "../engine/word-embedder.js";

const scratch = new ScratchFolder();

async function say(person: PersonMemory, id: string, day: number, ...texts: string[]): Promise<void> {
  const turns = texts.map((text, i) => ({ who: i % 2 === 0 ? "user" : "assistant", text }));
  await person.commit({ id, turns, at: at(day) }, { wait: true });
}

async function textsOf(person: PersonMemory, id: string): Promise<string[]> {
  return (await person.get(id)).statements.map(({ text }) => text);
}

/** What of a text is ended, by what. */
async function endsOf(person: PersonMemory): Promise<Record<string, readonly string[]>> {
  const statements = (await person.list()).flatMap((memory) => memory.statements);
  return Object.fromEntries(
    statements.filter(({ endedBy }) => endedBy.length > 0).map((each) => [each.text, each.endedBy]),
  );
}

describe("a forgotten statement", () => {
  it("is gone from the interaction, the memory, recall and the core memory; the other half stays", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${graz} ${allergy}`);
    expect(await textsOf(person, "may")).toEqual([graz, allergy]);
    expect(await person.forget("may#0")).toMatchObject({
      forgotten: ["may#0"],
      removed: { interactions: 0, memories: 0 },
      remainingPairs: [],
    });
    expect(await textsOf(person, "may")).toEqual([allergy]);
    expect((await person.get("may")).turns).toEqual([{ who: "user", text: allergy }]);
    const { context } = await person.recall("What do you know of me?", { at: at(9), seed: 1 });
    const core = await person.coreSummary();
    expect(context).toContain("penicillin");
    expect(core.text).toContain("penicillin");
    const all = [context, core, await person.history(), await person.list(), await exportLines(person)];
    expect(JSON.stringify(all)).not.toContain("Graz");
    expect(await person.check()).toEqual([]);
  });

  it.each<[string, MnemosyneOptions]>([
    ["plainly", {}],
    ["with vectors of words", { embedder: new WordEmbedder() }],
    ["with a language model", { languageModel: new ScriptedModel(answerWell) }],
    ["without a reader", { reader: false }],
    ["in preset paper, with statements", { preset: "paper", parameters: { statementCountMax: 48 }, reader: false }],
  ])("leaves no byte of it in a SQLite file, earlier versions included: %s", async (_, options) => {
    const path = scratch.next();
    const person = await openLife({ path, ...options });
    const secret = "The spare key lies below the Qmarkpot.";
    await say(person, "key", 1, `Tea is fine. ${secret}`);
    await person.update("key", { text: `${secret} My sister Ines sings. It is a blue qmarkpot of hers, I think.` });
    await person.update("key", { text: `My sister Ines sings. ${secret} I drink tea every day.` });
    await person.coreSummary({ update: true });
    await person.recall("Where is the key?", { at: at(9), seed: 1 });
    const [, vector] = parseLines(await exportLines(person)).nodes[0]!.statementVectors;
    const bytes = (): Buffer => databaseBytes(path);
    const words = (): string => bytes().toString("latin1").toLowerCase();
    expect(words()).toContain("below the qmarkpot");
    const { statements } = await person.get("key");
    const found = statements.find(({ text }) => text === secret)!;
    expect(bytes().includes(Buffer.from(vector!.buffer, vector!.byteOffset, vector!.byteLength))).toBe(true);
    await person.forget(found.id);
    expect(words()).not.toContain("below the");
    expect(words()).not.toContain("spare");
    expect(bytes().includes(Buffer.from(vector!.buffer, vector!.byteOffset, vector!.byteLength))).toBe(false);
    // What another statement says of it, in other words, stays in the version in which that was said.
    expect(words().replaceAll("blue qmarkpot of hers", "")).not.toContain("qmarkpot");
    const { versions, turns } = await person.get("key");
    expect(turns).toEqual([{ who: "user", text: "My sister Ines sings. I drink tea every day." }]);
    expect(versions.map((version) => version.turns.map(({ text }) => text))).toEqual([
      ["Tea is fine."],
      ["My sister Ines sings. It is a blue qmarkpot of hers, I think."],
    ]);
    expect(await person.check()).toEqual([]);
  });

  it.each<[string, string, string[], string]>([
    [
      "a clause",
      "I live in a flat in Graz, and my sister Ines sings.",
      ["I live in a flat in Graz"],
      "and my sister Ines sings.",
    ],
    [
      "a clause with the short one after it",
      "I live in a flat in Graz, I do. Tea is fine.",
      ["I live in a flat in Graz, I do."],
      "Tea is fine.",
    ],
    ["a sentence over two lines", "I live\n in a flat\n in Graz. Tea is fine.", [], "Tea is fine."],
    ["a sentence between others", `${ines} I live in a flat in Graz. Tea is fine.`, [graz], `${ines} Tea is fine.`],
    ["what is quoted", 'They said: "I live in a flat in Graz, dear". Tea is fine.', [], ""],
  ])("may be %s", async (_, text, expected, rest) => {
    const person = await openLife();
    await say(person, "may", 1, text);
    const { statements } = await person.get("may");
    const meant = statements.filter((each) => /live|flat|Graz/u.test(each.text));
    if (expected.length > 0) expect(meant.map((each) => each.text)).toEqual(expected);
    await person.forget(meant.map(({ id }) => id));
    expect(JSON.stringify([await person.history(), await exportLines(person)])).not.toMatch(/live|flat|Graz/u);
    if (rest !== "") expect((await person.get("may")).turns[0]!.text).toBe(rest);
  });

  it("leaves no word of it in the turns, whatever was said around it, and all others", async () => {
    const said = fc.constantFrom(
      graz,
      "I live in Graz, I do.",
      "My knee hurts, and I sing, but he paints.",
      "My sister is Ines, my brother is Tom, and the cat is Mia.",
      "well, ok",
      "no",
      "i went home. then i slept",
      "我的膝盖昨天很疼。医生说要休息。",
      'Ines wrote: "I shall come to the harbour on Sunday, dear."',
      "translate this: The owl sleeps by day. It hunts at night.",
      "const x = 1;\nconst y = 2;",
      "- plums\n- pears",
      "Dr. A. Jones rang (twice)... really?!",
    );
    const talk = fc.array(
      fc.array(fc.tuple(said, fc.constantFrom(" ", "\n", "  ", "\n\n")), { minLength: 1, maxLength: 4 }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    const bare = (text: string): string => text.replaceAll(/\s/gu, "");
    await fc.assert(
      fc.asyncProperty(talk, fc.nat(), async (turns, pick) => {
        const person = await openLife();
        await say(person, "talk", 1, ...turns.map((parts) => parts.flat().join("")));
        const [memory] = await person.list();
        fc.pre(memory !== undefined && memory.statements.length > 0);
        const { text, id } = memory.statements[pick % memory.statements.length]!;
        await person.forget(id);
        const [left] = await person.history({ ids: ["talk"] }).catch(() => []);
        const words = (left?.turns ?? []).map((turn) => bare(turn.text)).join("\n");
        expect(words).not.toContain(bare(text));
        if (left === undefined) return;
        for (const other of memory.statements.filter((each) => !bare(each.text).includes(bare(text)))) {
          if (!bare(text).includes(bare(other.text))) expect(words).toContain(bare(other.text));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("may be an answer; what was asked, and the turns of others, stay", async () => {
    const person = await openLife();
    const question = "Is there anything that you are allergic to?";
    await say(person, "talk", 1, ines, question, "Penicillin, since I was seven.", "I see.", "I drink tea every day.");
    const answer = (await person.get("talk")).statements.find(({ asked }) => asked !== null)!;
    expect(answer).toMatchObject({ asked: question, text: "Penicillin, since I was seven." });
    await person.forget(answer.id);
    const { turns } = await person.get("talk");
    expect(turns.map(({ text }) => text)).toEqual([ines, question, "I see.", "I drink tea every day."]);
  });

  it("takes the whole interaction with it if nothing else was said by the person", async () => {
    const person = await openLife();
    await say(person, "may", 1, graz, "I see.");
    await say(person, "june", 2, ines);
    expect(await person.forget("may#0")).toMatchObject({
      forgotten: ["may"],
      removed: { interactions: 1, memories: 1 },
    });
    expect((await person.history()).map(({ id }) => id)).toEqual(["june"]);
  });

  it("is forgotten with others, and with whole interactions, at once", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${graz} ${allergy} ${ines}`);
    await say(person, "june", 2, "I drink tea every day.");
    await say(person, "july", 3, `${ines} I drink tea every night.`);
    const { forgotten } = await person.forget(["may#0", "june", "may#2", "july#0"]);
    expect(forgotten).toEqual(["june", "may#0", "may#2", "july#0"]);
    expect((await person.list()).map(({ statements }) => statements.map(({ text }) => text))).toEqual([
      [allergy],
      ["I drink tea every night."],
    ]);
  });

  it("is not there: nothing at all is forgotten", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${graz} ${allergy}`);
    for (const name of ["may#2", "may#", "june#0"]) {
      await expect(person.forget(["may#0", name])).rejects.toMatchObject({ code: "unknown_id" });
    }
    expect(await textsOf(person, "may")).toEqual([graz, allergy]);
  });

  it("is told of as an edit, without its words", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${graz} ${allergy}`);
    const events: unknown[] = [];
    person.on("edited", (event) => void events.push(event));
    await person.forget("may#0");
    expect(events).toEqual([{ person: "ada", id: "may" }]);
  });
});

describe("when a statement is forgotten, what", () => {
  it("it had ended holds again, in the core memory too", async () => {
    const person = await openLife();
    await say(person, "may", 1, graz);
    await say(person, "june", 2, `${vienna} ${allergy}`);
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"] });
    expect((await person.coreSummary()).text).not.toContain("Graz");
    await person.forget("june#0");
    expect(await endsOf(person)).toEqual({});
    expect((await person.get("may")).statements[0]).toMatchObject({ endedAt: null, endedBy: [] });
    expect((await person.coreSummary()).text).toContain("Graz");
    expect(await textsOf(person, "june")).toEqual([allergy]);
  });

  it("it had ended stays so if something newer ended the same", async () => {
    const person = await openLife();
    await say(person, "may", 1, graz);
    await say(person, "june", 2, `${vienna} ${allergy}`);
    await say(person, "july", 3, "I live in a flat in Linz by now.");
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"], [vienna]: ["july#0"] });
    await person.forget("june#0");
    expect(Object.keys(await endsOf(person))).toEqual([graz]);
    expect((await person.get("may")).outdatedBy).toEqual(["july"]);
    expect(await person.check()).toEqual([]);
  });

  it("the other half had ended stays so", async () => {
    const person = await openLife();
    await say(person, "may", 1, graz);
    await say(person, "june", 2, `${vienna} ${allergy}`);
    await person.forget("june#1");
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"] });
    await say(person, "july", 3, ines);
    await say(person, "august", 4, `${allergy} I live in a flat in Linz by now.`);
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"], [vienna]: ["august#1"] });
    await person.forget("august#0");
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"], [vienna]: ["august#0"] });
  });

  it("had ended of the other half stays so, whoever found it", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${allergy} ${graz}`);
    await say(person, "june", 2, vienna);
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"] });
    await person.forget("may#0");
    expect(await endsOf(person)).toEqual({ [graz]: ["june#0"] });
    const other = await openLife();
    await say(other, "may", 1, `${allergy} ${ines} I drink tea every day.`);
    await other.correct("may#2", "I drink water only.", { id: "june", at: at(2) });
    expect(await endsOf(other)).toEqual({ "I drink tea every day.": ["june"] });
    await other.forget("may#0");
    expect(await endsOf(other)).toEqual({ "I drink tea every day.": ["june"] });
    // The wish of the one who corrected it means the same statement from now on.
    await other.update("june", { text: "I drink plain water only, no more." });
    expect(await endsOf(other)).toEqual({ "I drink tea every day.": ["june"] });
    expect(await other.check()).toEqual([]);
  });

  it("had ended it ends nothing else of its memory", async () => {
    const person = await openLife();
    await say(person, "may", 1, `${ines} ${allergy} I drink tea every day.`);
    await person.correct("may#0", "It is a cousin who sings.", { id: "june", at: at(2) });
    await person.forget("may#0");
    expect(await endsOf(person)).toEqual({});
    expect((await person.coreSummary()).text).toContain("penicillin");
    await person.update("june", { text: "It is my cousin who sings, not her." });
    expect(await endsOf(person)).toEqual({});
    expect(await person.check()).toEqual([]);
  });

  it("was marked stays marked, and the pair stays", async () => {
    const person = await openLife({ parameters: { redundancyThreshold: 0.25 } });
    await say(person, "may", 1, `${graz} ${allergy} ${ines}`);
    await person.pin("may#2", "people");
    await person.withdraw("may#0");
    await person.forget("may#1");
    const { nodes } = parseLines(await exportLines(person));
    expect(nodes[0]!.node.marks).toEqual([markOf("removed", 0), markOf("pinned", 1, "people")]);
    expect((await person.coreSummary()).text).toContain("Ines");
    expect((await person.coreSummary()).text).not.toContain("Graz");
  });

  it("an assistant or a model wrote is made again from what is left", async () => {
    const person = await openLife({ languageModel: new ScriptedModel(answerWell) });
    await say(person, "may", 1, "Penicillin gave me a rash when I was seven. I live in a flat in Graz.");
    const { statements } = await person.get("may");
    const { id } = statements.find(({ text }) => text.includes("Graz"))!;
    await person.forget(id);
    expect((await person.get("may")).statements.map(({ kind }) => kind)).toContain("written");
    expect(JSON.stringify(await person.get("may"))).not.toContain("Graz");
    expect((await person.get("may")).trace!.ends).toEqual([]);
  });
});

it("a link that a part of a memory has names what it is from now on", async () => {
  const person = await openLife();
  await say(person, "may", 1, graz);
  await say(person, "june", 2, `${allergy} ${vienna}`);
  await person.forget("june#0");
  const { nodes } = parseLines(await exportLines(person));
  expect(nodes.find(({ node }) => node.id === "june")!.node.ends).toEqual([endOf("may", 0, 0)]);
});
