/** The core memory in areas of a life, through the public door: what it says, since when, as of when, why, and what is pinned. */
import { describe, expect, it } from "vitest";
import type { MnemosyneError, PersonMemory, RecordChange } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { kinds } from "../../src/engine/records/kinds.js";
import { WatchedStore } from "../engine/records/opened-records.js";
import { injections } from "../engine/injections.js";
import { ScriptedModel, isAskedFor, judgment } from "../engine/scripted-model.js";
import { ScriptedReader, lasting, surely } from "../engine/scripted-reader.js";
import { allergy, areaReader, at, graz, ines, openLife, tell, vienna } from "./lives.js";

class NotingStore extends WatchedStore {
  coreWriteCount = 0;

  override async afterWrite(_person: string, { put = [] }: RecordChange): Promise<void> {
    if (put.some(({ kind }) => kind === kinds.core)) this.coreWriteCount++;
  }

  override async close(): Promise<void> {}
}

async function textsOf(person: PersonMemory, day?: number): Promise<string[]> {
  const { areas } = await person.coreSummary(day === undefined ? {} : { at: at(day) });
  return areas.flatMap(({ facts }) => facts.map(({ text }) => text));
}

async function tellAll(person: PersonMemory): Promise<void> {
  await tell(person, "sister", ines, 1);
  await tell(person, "allergy", allergy, 2);
  await tell(person, "weather", "It rained all day.", 3);
  await tell(person, "graz", graz, 4);
}

/** As a line of the core memory, told on the 5th in place of something else. */
const viennaLine = `${vienna} (since 5 May 2025, not before)`;

describe("what is told", () => {
  it("is in it at once, as text and as data: areas, facts, where they come from and since when", async () => {
    const person = await openLife();
    await tellAll(person);
    const core = await person.coreSummary();
    expect(core.text).toBe(`Allergies and alerts\n- ${allergy}\nPeople and pets\n- ${ines}\nHome\n- ${graz}`);
    expect(core.updatedAt).toBe(at(4));
    expect(core.sourceIds).toEqual(["allergy", "graz", "sister"]);
    expect(core.areas.map(({ title }) => title)).toEqual(["Allergies and alerts", "People and pets", "Home"]);
    expect(core.areas[0]!.facts).toEqual([
      {
        id: "allergy#0",
        text: allergy,
        sourceId: "allergy",
        toldAt: at(2),
        isChange: false,
        isPinned: false,
        isCentral: false,
        probability: expect.closeTo(0.95) as number,
        toldCount: 1,
        value: expect.closeTo(10 + 1 + 0.95, 10) as number,
      },
    ]);
  });

  it("is made of the statements alone: nothing of it is written, and another process says the same", async () => {
    const store = new NotingStore();
    const person = await openLife({ store });
    await tellAll(person);
    expect(store.coreWriteCount).toBe(0);
    const other = await openLife({ store });
    expect(await other.coreSummary()).toEqual(await person.coreSummary());
    await person.coreSummary({ update: true });
    expect(store.coreWriteCount).toBe(1);
    expect(await textsOf(other)).toEqual(await textsOf(person));
  });

  it("in the assistant's words, or as an instruction to a model, is no fact", async () => {
    const reader = new ScriptedReader({ read: () => lasting("home") });
    const person = await openLife({ reader });
    for (const [i, attack] of injections.slice(0, 12).entries()) {
      const turns = [
        { who: "user", text: attack },
        { who: "assistant", text: "You told me that you live in Graz." },
      ];
      await person.commit({ id: `m${i}`, turns, at: at(1 + i) });
    }
    await person.settled();
    expect(reader.statements.length).toBeGreaterThan(0);
    expect((await person.coreSummary()).text).toBe("N/A");
  });

  it("that is hardly said to last is left out", async () => {
    const reader = (probability: number) => new ScriptedReader({ read: () => lasting("plans", probability) });
    for (const [probability, texts] of [
      [0.6, ["I will buy a boat."]],
      [0.59, []],
    ] as const) {
      const parameters = { lastingProbabilityMin: 0.6 };
      const person = await openLife({ reader: reader(probability), parameters });
      await tell(person, "boat", "I will buy a boat.", 1);
      expect(await textsOf(person)).toEqual(texts);
    }
  });

  it("and is of a memory in the central subset says so", async () => {
    const person = await openLife();
    await tellAll(person);
    const { areas } = await person.coreSummary({ update: true });
    expect(areas[0]!.facts).toMatchObject([{ sourceId: "allergy", isCentral: true }]);
  });
});

describe("as it was at a time", () => {
  it("is what it said then", async () => {
    const person = await openLife();
    await tellAll(person);
    const early = await person.coreSummary({ at: at(3) });
    expect(early).toMatchObject({ updatedAt: at(2), sourceIds: ["allergy", "sister"], trace: null });
    expect(early.text).toBe(`Allergies and alerts\n- ${allergy}\nPeople and pets\n- ${ines}`);
    expect(await textsOf(person, 1)).toEqual([ines]);
    expect(await person.coreSummary({ at: "2024-01-01" })).toMatchObject({
      text: "N/A",
      updatedAt: null,
      areas: [],
      changes: [],
    });
    const now = await person.coreSummary();
    expect(await person.coreSummary({ at: at(4) })).toEqual(now);
    expect(await person.coreSummary({ at: "2026-01-01" })).toEqual(now);
  });

  it("changes name what entered and left, and what ended it", async () => {
    const person = await openLife();
    await tellAll(person);
    await tell(person, "vienna", vienna, 5);
    const { changes } = await person.coreSummary();
    expect(changes.map((change) => change.at)).toEqual([1, 2, 4, 5].map(at));
    expect(changes.at(-1)).toEqual({
      at: at(5),
      entered: [{ id: "vienna#0", text: viennaLine, area: "Home", sourceId: "vienna" }],
      left: [{ id: "graz#0", text: graz, area: "Home", sourceId: "graz", byId: "vienna" }],
    });
    expect((await person.coreSummary({ at: at(4) })).changes).toHaveLength(3);
    expect(await textsOf(person, 4)).toContain(graz);
  });
});

describe("what no longer holds", () => {
  it("goes with the statement that ended it, which says so", async () => {
    const person = await openLife();
    await tellAll(person);
    await tell(person, "vienna", vienna, 5);
    expect((await person.coreSummary()).text).toContain(`Home\n- ${viennaLine}`);
    expect(await textsOf(person)).not.toContain(graz);
    expect((await person.get("graz")).outdatedBy).toEqual(["vienna"]);
  });

  it("does not come back for a reader that would not find it changed", async () => {
    const store = new NotingStore();
    const first = await openLife({ store });
    await tellAll(first);
    await tell(first, "vienna", vienna, 5);
    const unchanging = new ScriptedReader({ read: () => lasting("home") });
    const person = await openLife({ store, reader: unchanging });
    await person.coreSummary({ update: true });
    expect(await textsOf(person)).toContain(viennaLine);
    expect(await textsOf(person)).not.toContain(graz);
    expect(await textsOf(person, 4)).toContain(graz);
    // Unless somebody says that it holds.
    await person.restore("graz#0");
    expect(await textsOf(person)).toEqual(expect.arrayContaining([graz, `${vienna} (5 May 2025)`]));
  });

  it("goes at once with a correction, and with it what stood above it", async () => {
    const person = await openLife();
    await tell(person, "graz", graz, 1);
    await tell(person, "allergy", allergy, 2);
    const told: string[] = [];
    person.on("core", ({ text }) => void told.push(text ?? ""));
    await person.correct("graz", "That was a joke.", { at: at(3) });
    expect(told).toEqual([`Allergies and alerts\n- ${allergy}`]);
    expect((await person.coreSummary()).text).toBe(`Allergies and alerts\n- ${allergy}`);
    await person.correct("allergy#0", "That was a joke, too.", { at: at(4) });
    expect(await person.coreSummary()).toMatchObject({ text: "N/A", areas: [] });
  });

  it("comes back when somebody takes back that it ended: both hold", async () => {
    const person = await openLife();
    await tell(person, "graz", graz, 1);
    const { id } = await person.correct("graz", "I live in Vienna at weekends.", { at: at(2) });
    expect((await person.coreSummary()).text).toBe(
      "Home\n- I live in Vienna at weekends. (since 2 May 2025, not before)",
    );
    await person.unlink(id, "graz");
    const { text, areas } = await person.coreSummary();
    expect(text).toBe(`Home\n- I live in Vienna at weekends.\n- ${graz}`);
    expect(areas[0]!.facts.map(({ isChange }) => isChange)).toEqual([false, false]);
    expect(await textsOf(person, 1)).toEqual([graz]);
    await person.coreSummary({ update: true });
    expect(await textsOf(person)).toHaveLength(2);
  });

  it("comes back when what ended it is forgotten", async () => {
    const person = await openLife();
    await tell(person, "graz", graz, 1);
    await tell(person, "vienna", vienna, 5);
    expect(await textsOf(person)).toEqual([viennaLine]);
    await person.forget("vienna");
    expect(await textsOf(person)).toEqual([graz]);
    expect((await person.coreSummary()).changes.flatMap(({ left }) => left)).toEqual([]);
  });
});

describe("what is taken out by hand", () => {
  it.each(["removed", "untrue"] as const)("(%s) is out of it at once, and back when it is restored", async (reason) => {
    const person = await openLife();
    await tellAll(person);
    await person.withdraw("allergy#0", reason);
    expect(await textsOf(person)).toEqual([ines, graz]);
    const { context } = await person.recall("penicillin", { at: at(9), seed: 1 });
    // What was only taken out of the core memory can still be recalled.
    expect(context.includes(allergy)).toBe(reason === "removed");
    await person.restore("allergy#0");
    expect(await textsOf(person)).toContain(allergy);
  });

  it("is no pin any more", async () => {
    const person = await openLife();
    await tell(person, "graz", graz, 1);
    await person.pin("graz#0");
    await person.withdraw("graz#0");
    expect((await person.get("graz")).statements[0]!.marks).toEqual(["removed"]);
    expect(await textsOf(person)).toEqual([]);
  });
});

describe("a pin", () => {
  const small = { coreSummaryWordCountMax: 10 };

  it("by id is never cut, by text is told first, and unpinned it is cut like any other", async () => {
    const person = await openLife({ parameters: small });
    await tell(person, "allergy", allergy, 1);
    await tell(person, "sister", ines, 2);
    expect(await textsOf(person)).toEqual([allergy]);
    expect(await person.pin("sister")).toBe("sister");
    expect(await textsOf(person)).toEqual([ines]);
    expect(await person.get("sister")).toMatchObject({ pinnedArea: "people", statements: [{ marks: ["pinned"] }] });
    const id = await person.pin("The key is under the flowerpot.", "places and codes");
    const { areas, changes } = await person.coreSummary();
    expect(areas.map(({ title, facts }) => [title, facts.map(({ text, isPinned }) => [text, isPinned])])).toEqual([
      ["People and pets", [[ines, true]]],
      ["Places and codes", [["The key is under the flowerpot.", true]]],
    ]);
    expect(changes.at(-1)!.entered).toMatchObject([{ sourceId: id }]);
    await person.unpin(id);
    await person.unpin("sister");
    expect(await textsOf(person)).toEqual([allergy]);
    expect((await person.get("sister")).pinnedArea).toBeNull();
  });

  it("may be of one statement among others", async () => {
    const person = await openLife({ parameters: small });
    await tell(person, "both", `It rained all day. ${graz}`, 1);
    await person.pin("both#0", "Worries");
    expect(await textsOf(person)).toEqual(["It rained all day."]);
    await person.unpin("both#0");
    expect(await textsOf(person)).toEqual([graz]);
    await person.pin("both");
    expect((await person.get("both")).statements.map(({ marks }) => marks)).toEqual([[], ["pinned"]]);
  });

  it("refuses an unknown area, id or value, and to unpin what is not pinned", async () => {
    const person = await openLife();
    await tell(person, "allergy", allergy, 1);
    const refusals: [() => Promise<unknown>, string, RegExp][] = [
      [() => person.pin("allergy", "Machines"), "option_invalid", /no area "?Machines"?; there are: "Allergies and /u],
      [() => person.pin("allergy", 7 as unknown as string), "option_invalid", /no area 7/u],
      [() => person.pin("nobody"), "unknown_id", /no interaction "nobody"/u],
      [() => person.pin("allergy#7"), "unknown_id", /no interaction "allergy#7"/u],
      [() => person.pin(7 as unknown as string), "id_invalid", /needs the id of a memory, or a statement/u],
      [() => person.unpin("allergy"), "id_invalid", /"allergy" is not pinned/u],
      [() => person.unpin("nobody"), "unknown_id", /no memory "nobody"/u],
    ];
    for (const [refuse, code, message] of refusals) {
      const error = (await refuse().catch((failure: unknown) => failure)) as MnemosyneError;
      expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    }
    expect((await person.list()).map(({ pinnedArea }) => pinnedArea)).toEqual([null]);
  });

  it("keeps its memory from being pruned", async () => {
    const person = await openLife();
    await tellAll(person);
    await person.pin("weather", "Worries");
    await person.prune({ memoryCountMax: 1 });
    expect((await person.list()).map(({ id }) => id)).toEqual(["weather"]);
    expect(await textsOf(person)).toContain("It rained all day.");
  });

  it("goes on with what takes its memory's place, and can be taken back there", async () => {
    const person = await openLife({ parameters: { redundancyThreshold: 0.17 } });
    const said = "My sister Ines plays the violin in the harbour orchestra every Friday evening with her friends.";
    await tell(person, "first", said, 1);
    await tell(person, "second", said, 2);
    await person.pin("second");
    await tell(person, "third", said, 3);
    expect((await person.history({ ids: ["second"] }))[0]!.outcome).toBe("replaced");
    expect((await person.get("third")).pinnedArea).toBe("people");
    const { areas } = await person.coreSummary();
    expect(areas[0]!.facts).toMatchObject([{ sourceId: "third", isPinned: true, toldCount: 2 }]);
    await person.unpin("third");
    expect((await person.coreSummary()).areas[0]!.facts).toMatchObject([{ sourceId: "third", isPinned: false }]);
  });

  it("is ended by a correction, and by a statement that ends it, all the same", async () => {
    for (const end of [
      (person: PersonMemory) => person.correct("graz", vienna, { at: at(5) }),
      (person: PersonMemory) => tell(person, "vienna", vienna, 5),
    ]) {
      const person = await openLife();
      await tell(person, "graz", graz, 1);
      await person.pin("graz");
      await end(person);
      expect(await textsOf(person)).toEqual([viennaLine]);
    }
  });

  it("stays where a statement hardly seems to end it", async () => {
    for (const [ends, texts] of [
      [0.0001, [graz, vienna]],
      [0.9, [viennaLine]],
    ] as const) {
      const relate = () => ({ repeats: 0, ends, other: 1 - ends });
      const person = await openLife({ reader: new ScriptedReader({ relate, read: () => lasting("home") }) });
      await tell(person, "graz", graz, 1);
      await person.pin("graz");
      await tell(person, "vienna", vienna, 5);
      expect((await textsOf(person)).map((text) => text.replace(" (5 May 2025)", ""))).toEqual(texts);
    }
  });

  it("of what is outdated is refused", async () => {
    const person = await openLife();
    await tell(person, "graz", graz, 1);
    await person.correct("graz", "I live in a flat in Linz.", { at: at(3) });
    await expect(person.pin("graz")).rejects.toMatchObject({ code: "id_invalid" });
    await expect(person.pin("graz#0")).rejects.toMatchObject({ code: "id_invalid" });
  });
});

describe("in preset paper", () => {
  const options = { preset: "paper", parameters: { redundancyThreshold: 10, substanceThreshold: -10 } } as const;

  it("it is written from the central subset, without facts", async () => {
    const person = (await openMemories({ path: ":memory:", ...options })).person("ada");
    await tellAll(person);
    expect((await person.coreSummary()).text).toBe("N/A");
    const core = await person.coreSummary({ update: true });
    expect(core).toMatchObject({ areas: [], changes: [] });
    for (const text of [ines, allergy, graz]) expect(core.text).toContain(text);
  });

  it("what is pinned comes first, goes at once when corrected, and can be unpinned", async () => {
    const person = (await openMemories({ path: ":memory:", ...options })).person("ada");
    await tellAll(person);
    const written = (await person.coreSummary({ update: true })).text;
    await person.pin("graz", "Home");
    const pinned = await person.coreSummary();
    expect(pinned.text).toBe(`Home\n- user: ${graz}\n${written}`);
    expect(pinned.areas).toMatchObject([{ title: "Home", facts: [{ isPinned: true, sourceId: "graz" }] }]);
    await person.unpin("graz");
    expect((await person.coreSummary()).text).toBe(written);
    await person.pin("graz", "Home");
    await person.correct("graz", vienna, { at: at(5) });
    const corrected = await person.coreSummary();
    expect(corrected.text).not.toContain("Graz");
    expect(corrected.text).toContain(allergy);
    expect(corrected.areas).toEqual([]);
  });
});

it("without the reader that found them, facts that are not pinned are not said beside the sentences", async () => {
  const store = new NotingStore();
  await tellAll(await openLife({ store }));
  const person = await openLife({ store, reader: false });
  const { text } = await person.coreSummary({ update: true });
  expect(text.split("\n").filter((line) => line.includes(allergy))).toHaveLength(1);
  expect(text).not.toContain("Allergies and alerts");
});

describe("the context of a recall", () => {
  it("has what is pinned where the sentences beside it have no room", async () => {
    const person = await openLife({ reader: false });
    await tellAll(person);
    await person.coreSummary({ update: true });
    await person.pin("allergy", "Allergies and alerts");
    const { text } = await person.coreSummary();
    expect(text.split("\n").length).toBeGreaterThan(4);
    const seen = new Set<string>();
    for (let tokenBudget = 200; tokenBudget > 0; tokenBudget -= 5) {
      const { context, trace } = await person.recall("nothing", { at: at(9), seed: 1, tokenBudget });
      if (trace.context.coreSummary === "beyond the budget") continue;
      expect(context).toContain(`Allergies and alerts\n- ${allergy}`);
      seen.add(`${trace.context.coreSummary}: ${context.includes(ines) ? "with" : "without"} the rest`);
    }
    expect([...seen]).toEqual(["included: with the rest", "shortened: with the rest", "shortened: without the rest"]);
  });

  it("has the one of the time asked about", async () => {
    const person = await openLife();
    await tellAll(person);
    await tell(person, "vienna", vienna, 5);
    const contextAt = async (time: string) => {
      const { context, trace } = await person.recall("penicillin", { at: time, seed: 1 });
      return { core: context.split("From earlier conversations")[0]!, state: trace.context.coreSummary };
    };
    const before = await contextAt(at(4));
    expect(before.state).toBe("included");
    expect(before.core).toContain(graz);
    expect(before.core).not.toContain("Vienna");
    const now = await contextAt(at(9));
    expect(now.core).toContain(viennaLine);
    expect(now.core).not.toContain("Graz");
    expect((await contextAt("2025-04-01")).state).toBe("none yet");
  });

  it("is shortened under a small budget, the alert last of all", async () => {
    const person = await openLife();
    await tellAll(person);
    const states: string[] = [];
    const lineCounts: number[] = [];
    for (let tokenBudget = 200; tokenBudget > 0; tokenBudget -= 10) {
      const { context, trace } = await person.recall("penicillin", { at: at(9), seed: 1, tokenBudget });
      const { coreSummary } = trace.context;
      states.push(coreSummary);
      expect(trace.context.tokenCount).toBeLessThanOrEqual(tokenBudget);
      if (coreSummary === "shortened" || coreSummary === "included") {
        expect(context).toContain(`Allergies and alerts\n- ${allergy}`);
        lineCounts.push([allergy, graz, ines].filter((text) => context.includes(text)).length);
      }
    }
    expect([...new Set(lineCounts)]).toEqual([3, 2, 1]);
    expect([...new Set(states)]).toEqual(["included", "shortened", "beyond the budget"]);
  });
});

it("with a language model it is the facts all the same, and what is told while it is written is not lost", async () => {
  const model = new ScriptedModel(() =>
    JSON.stringify({ ...judgment, keywords: ["fact"], statements: [], hypotheticalQueries: [] }),
  );
  const person = await openLife({ languageModel: model });
  await tell(person, "graz", graz, 1);
  const [core] = await Promise.all([person.coreSummary({ update: true }), tell(person, "allergy", allergy, 2)]);
  expect(core.trace!.languageModel).toBeNull();
  expect((await person.coreSummary()).text).toBe(`Allergies and alerts\n- ${allergy}\nHome\n- ${graz}`);
  expect(model.requests.filter((request) => isAskedFor("coreSummary", request))).toEqual([]);
});

it("a model's own words are said where the reader finds that they last", async () => {
  const model = new ScriptedModel((request) =>
    isAskedFor("summary", request)
      ? JSON.stringify({ summary: "Graz has plums." })
      : JSON.stringify({
          ...judgment,
          keywords: ["plums"],
          statements: ["Ada lives in Graz."],
          hypotheticalQueries: [],
        }),
  );
  const person = await openLife({ languageModel: model, reader: areaReader() });
  await person.commit({
    id: "m",
    turns: [{ who: "Ada", text: "Well, Graz, where I have lived for years with two cats, has plums and pears." }],
    at: at(1),
  });
  await person.settled();
  const { areas } = await person.coreSummary();
  expect(areas.find(({ title }) => title === "Home")!.facts).toMatchObject([{ id: "m#1", text: "Ada lives in Graz." }]);
});

it("pairs that the reader finds to say the same are one fact, told twice", async () => {
  const person = await openLife({
    reader: new ScriptedReader({ relate: () => surely("repeats"), read: () => lasting("home") }),
  });
  await tell(person, "first", graz, 1);
  await tell(person, "second", graz, 2);
  expect((await person.get("second")).pairId).toBe("first");
  expect((await person.coreSummary()).areas[0]!.facts).toMatchObject([{ sourceId: "second", toldCount: 2 }]);
});
