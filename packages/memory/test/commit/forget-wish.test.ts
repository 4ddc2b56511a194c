/** A wish to forget holds back what it means, at once and no more than that, until it is settled. */
import type { CommitResult, InteractionInput, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { holdMarks } from "../../src/commit/forget-wish.js";
import { buildGraph, factOf, markOf } from "../graph/graph-fixtures.js";
import type { ReaderScript } from "../engine/scripted-reader.js";
import { openTold, readAreas, startMs, tell, traceOf } from "./told-facts.js";

const reads: ReaderScript = { read: readAreas };
const ex = "My ex is called Tom.";
const porto = "I live in Porto.";

async function open(
  told: Readonly<Record<string, string>>,
  script: ReaderScript | null = reads,
): Promise<PersonMemory> {
  const { person } = await openTold(script);
  for (const [day, [id, text]] of Object.entries(told).entries()) await tell(person, id, day, text);
  return person;
}

function wish(person: PersonMemory, said: string | Partial<InteractionInput>): Promise<CommitResult> {
  const input = typeof said === "string" ? { turns: [{ who: "user", text: said }] } : said;
  return person.commit({ id: "wish", at: startMs + 20 * 86_400_000, ...input }, { wait: true });
}

/** All that is marked as held back. */
async function heldIn(person: PersonMemory): Promise<string[]> {
  const memories = await person.list();
  return memories.flatMap(({ statements }) =>
    statements.filter(({ marks }) => marks.includes("held")).map(({ id }) => id),
  );
}

async function idsOf(person: PersonMemory): Promise<string[]> {
  return (await person.list()).map(({ id }) => id);
}

describe("a wish that names a topic", () => {
  it("holds back what was said about it, and nothing beside that", async () => {
    const person = await open({ ex, both: `${ex} ${porto}` });
    expect(await wish(person, "Please forget what I said about my ex.")).toMatchObject({
      outcome: "forgetAsked",
      reason: "asks to forget: what it means is held back",
      forgetAsked: ["both#0", "ex#0"],
      ended: [],
      repeats: null,
    });
    // A memory of which nothing is left is not shown.
    expect(await idsOf(person)).toEqual(["both"]);
    expect(await heldIn(person)).toEqual(["both#0"]);
    expect((await person.coreSummary()).text).toBe(`Home\n- ${porto}`);
    const { context } = await person.recall("What is my ex called?", { at: "2025-06-01", seed: 1 });
    expect(context).not.toContain("Tom");
    // It still says what it said, in the history.
    expect((await person.history({ ids: ["ex"] }))[0]!.turns[0]!.text).toBe(ex);
    expect(await person.check()).toEqual([]);
  });

  it("means what comes close, though it has not all of its words", async () => {
    // As the embedder compares them with "our June wedding": 0.63, 0.45 and 0.08. From 0.5 on they are meant.
    const told = { trip: "Our holiday is in June.", baby: "The baby comes in June.", music: "Jazz calms me." };
    const person = await open(told);
    expect((await wish(person, "Forget what I said about our June wedding.")).forgetAsked).toEqual(["trip#0"]);
  });

  it("of which nothing is known holds nothing back, and is no memory all the same", async () => {
    const person = await open({ porto });
    expect(await wish(person, "Forget what I said about unicorns.")).toMatchObject({
      outcome: "forgetAsked",
      forgetAsked: [],
    });
    expect(await idsOf(person)).toEqual(["porto"]);
  });

  it("means what was said of it in the same talk, too, and leaves the rest", async () => {
    const person = await open({ ex });
    const texts = [`${porto} My ex, Tom, called.`, "Please forget what I said about my ex.", "I work as a nurse."];
    const turns = texts.map((text) => ({ who: "user", text }));
    expect(await wish(person, { turns })).toMatchObject({ outcome: "committed", forgetAsked: ["ex#0", "wish#1"] });
    const { statements } = await person.get("wish");
    expect(statements.map(({ text, marks }) => [text, marks.length > 0])).toEqual([
      [porto, false],
      ["My ex, Tom, called.", true],
      [texts[1], true],
      [texts[2], false],
    ]);
    expect((await person.coreSummary()).text).not.toMatch(/Tom|forget/u);
  });
});

describe("a wish that means what stands beside it", () => {
  it("is the person's last words before it", async () => {
    const person = await open({ ex });
    const turns = [
      { who: "user", text: porto },
      { who: "assistant", text: "Nice." },
      { who: "user", text: "I owe Bob money. I owe Ada money." },
      { who: "assistant", text: "Oh." },
      { who: "user", text: "Don't remember this." },
    ];
    expect(await wish(person, { turns })).toMatchObject({ outcome: "committed", forgetAsked: ["wish#2", "wish#3"] });
    expect(
      (await person.get("wish")).statements.filter(({ marks }) => marks.length === 0).map(({ text }) => text),
    ).toEqual([porto, "Nice.", "Oh."]);
    expect(await heldIn(person)).toEqual(["wish#2", "wish#3", "wish#5"]);
  });

  it("leaves no memory where nothing else is said", async () => {
    const person = await open({ ex });
    expect(await wish(person, "I owe Bob money. Don't remember this.")).toMatchObject({
      outcome: "forgetAsked",
      forgetAsked: ["wish"],
    });
    expect(await idsOf(person)).toEqual(["ex"]);
  });

  it("alone is what was told last of all", async () => {
    const person = await open({ ex, both: `${porto} I work as a nurse.` });
    expect((await wish(person, "forget what I just said")).forgetAsked).toEqual(["both#0", "both#1"]);
    expect(await idsOf(person)).toEqual(["ex"]);
    expect(await wish(await open({}), "forget what I just said")).toMatchObject({
      outcome: "forgetAsked",
      forgetAsked: [],
    });
  });
});

describe("it is settled", () => {
  const opened = async (): Promise<PersonMemory> => {
    const person = await open({ ex, porto });
    await wish(person, "Please forget what I said about my ex.");
    expect(await idsOf(person)).toEqual(["porto"]);
    return person;
  };

  it.each(["wish", "ex#0"])("by restoring %s: what was held back holds again", async (name) => {
    const person = await opened();
    await person.restore(name);
    await person.settled();
    expect(await idsOf(person)).toEqual(["ex", "porto"]);
    expect(await heldIn(person)).toEqual([]);
    expect((await person.coreSummary()).text).toContain(ex);
  });

  it("by forgetting what it named: for good", async () => {
    const person = await opened();
    expect((await traceOf(person, "wish")).forgetAsked).toEqual([{ memory: "ex", position: 0 }]);
    await person.forget(["ex#0", "wish"]);
    expect((await person.history()).map(({ id }) => id)).toEqual(["porto"]);
    await expect(person.restore("ex")).rejects.toMatchObject({ code: "unknown_id" });
  });
});

it("what somebody asks to keep is kept, whatever it asks to forget", async () => {
  const person = await open({ porto });
  const turns = [{ who: "user", text: "forget what I just said" }];
  expect(await wish(person, { turns, keep: true })).toMatchObject({ outcome: "committed", forgetAsked: [] });
  expect(await heldIn(person)).toEqual([]);
});

it.each(["Never mind, forget it.", "Don't forget what I said about my ex.", "I always forget my ex's birthday."])(
  "an idiom, a request to remember and talk about forgetting hold nothing back: %s",
  async (text) => {
    const person = await open({ ex });
    expect((await wish(person, text)).forgetAsked).toEqual([]);
    expect(await idsOf(person)).toEqual(["ex", "wish"]);
  },
);

it("an assistant's words and material are no wish", async () => {
  const person = await open({ ex });
  const turns = [
    { who: "assistant", text: "Please forget what I said about my ex." },
    { who: "user", text: "Translate this: Please forget what I said about my ex." },
  ];
  expect((await wish(person, { turns })).forgetAsked).toEqual([]);
});

it("without a reader what is said beside it is kept", async () => {
  const person = await open({ ex, porto }, null);
  expect(await wish(person, `Please forget what I said about my ex. I work as a nurse.`)).toMatchObject({
    outcome: "committed",
    forgetAsked: ["ex#0"],
  });
  expect(await idsOf(person)).toEqual(["porto", "wish"]);
});

it("listeners are told", async () => {
  const person = await open({ ex });
  const events: unknown[] = [];
  for (const name of ["committed", "discarded", "forgetAsked"] as const) {
    person.on(name, ({ id, forgetAsked }) => events.push([name, id, forgetAsked]));
  }
  await wish(person, "Please forget what I said about my ex.");
  expect(events).toEqual([["forgetAsked", "wish", ["ex#0"]]]);
});

it("marks go beside those that are there, and not to what is gone", () => {
  const pinned = markOf("pinned", 1, "home");
  const graph = buildGraph({
    nodes: [{ id: "a", statements: [factOf("x"), factOf("y")], marks: [pinned] }],
    edges: [],
  });
  const places = ["a", "gone", "a"].map((memory, i) => ({ memory, position: i === 2 ? null : 0 }));
  expect(holdMarks({ places, own: [], isAll: true }, graph)).toEqual([
    { id: "a", marks: [markOf("held"), markOf("held", 0), pinned] },
  ]);
});
