/** Recall through the public door, statement by statement: what ended, what one memory tells of several things, and times. */
import type { PersonMemory, Recall } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { at, openLife, tell } from "../core/lives.js";

/** No core memory, so that the context has what recall found alone. */
const bare = {
  parameters: { coreSummaryIntervalCommits: 0, startScoreMin: -1, startCountMax: 20, recallNodeCountMax: 20 },
};

const graz = "I live in a flat in Graz.";
const vienna = "I live in a flat in Vienna now.";

async function openMoved(): Promise<PersonMemory> {
  const ada = await openLife(bare);
  await tell(ada, "first", `${graz} My parrot is called Otto.`, 1);
  await tell(ada, "moved", `The choir was fine. ${vienna}`, 5);
  return ada;
}

const ask = (ada: PersonMemory, query: string, more: object = {}): Promise<Recall> =>
  ada.recall(query, { at: at(20), seed: 1, ...more });

function linesOf({ context }: Recall): string[] {
  return context.split("\n").filter((line) => /^(?:- | {2})/u.test(line));
}

describe("of a message that tells several things, one of which ended", () => {
  it("what ended stands beside what replaced it, with the day, and the rest holds", async () => {
    const recall = await ask(await openMoved(), "Where do I live in a flat, and what is the parrot called?");
    expect(linesOf(recall)).toEqual([
      "- Thu 1 May 2025: I live in a flat in Graz. (until Mon 5 May 2025)",
      "  My parrot is called Otto.",
      "- Mon 5 May 2025: The choir was fine. I live in a flat in Vienna now.",
    ]);
    expect(recall.trace.context.quoted).toEqual(["first#0", "first#1", "moved#0", "moved#1"]);
    expect(recall.memories.map(({ outdated }) => outdated)).toEqual([null, null]);
  });

  it("what holds comes first where the budget is short, and nothing that ended without it", async () => {
    const ada = await openMoved();
    for (let tokenBudget = 30; tokenBudget < 120; tokenBudget++) {
      const { trace } = await ask(ada, "Where do I live in a flat?", { tokenBudget });
      if (trace.context.quoted.includes("first#0")) expect(trace.context.quoted).toContain("moved#1");
    }
    const then = await ask(ada, "Where did I live in a flat in Graz at first?", { tokenBudget: 60 });
    expect(then.trace.context.quoted).toContain("first#0");
    expect(then.trace.context.quoted).not.toContain("moved#1");
  });

  it("nothing had ended at a time before it did, nor where what ended it may not be seen", async () => {
    const ada = await openMoved();
    const before = await ask(ada, "Where do I live in a flat?", { at: at(3) });
    expect(before.context).toContain("Graz. My parrot is called Otto.\n");
    expect(before.context).not.toMatch(/until|Vienna/u);
    const filtered = await ask(ada, "Where do I live in a flat?", { to: at(3) });
    expect(filtered.context).not.toMatch(/until|Vienna/u);
  });

  it("a memory of which nothing holds says so; the others do not", async () => {
    const ada = await openMoved();
    await ada.commit({ id: "otto", turns: [{ who: "user", text: "Otto flew away." }], at: at(9), updates: "first#1" });
    await ada.settled();
    const { memories, context } = await ask(ada, "What of my flat and my parrot Otto?");
    const outdated = Object.fromEntries(memories.map((each) => [each.id, each.outdated]));
    expect(outdated).toEqual({ first: { since: at(9), by: ["moved", "otto"] }, moved: null, otto: null });
    expect(context).toContain("My parrot is called Otto. (until Fri 9 May 2025)");
  });
});

describe("what nothing may be said of", () => {
  it("is quoted by no context, and ended nothing", async () => {
    const ada = await openMoved();
    await ada.withdraw("moved#1", "untrue");
    const { context, trace } = await ask(ada, "Where do I live in a flat, and what of the choir?");
    expect(trace.context.quoted).toEqual(["first#0", "first#1", "moved#0"]);
    expect(context).not.toMatch(/Vienna|until/u);
    await ada.restore("moved#1");
    expect((await ask(ada, "Where do I live in a flat?")).context).toContain("Vienna");
  });

  it("makes no memory that recall finds, where it is all that the memory says", async () => {
    const ada = await openMoved();
    await ada.withdraw("moved", "untrue");
    const { memories, trace } = await ask(ada, "Where do I live in a flat, and what of the choir?");
    expect(memories.map(({ id }) => id)).toEqual(["first"]);
    expect(trace.memoryCount).toBe(1);
  });

  it("stays in recall where it was removed from the core memory only", async () => {
    const ada = await openMoved();
    await ada.withdraw("moved#1");
    expect((await ask(ada, "Where do I live in a flat?")).context).toContain("Vienna");
  });
});

describe("a time in the question", () => {
  const days = [3, 4, 5, 6] as const;

  /** One long talk about the garden, and a word on each of some other days, most of them in the week that is asked about. */
  async function openWeek(): Promise<PersonMemory> {
    const ada = await openLife(bare);
    const talk = Array.from({ length: 14 }, (_, i) => `The garden has bed ${i} full of garden roses.`).join(" ");
    await tell(ada, "talk", talk, 2);
    for (const day of days) await tell(ada, `day${day}`, `Somebody called on day ${day}.`, day);
    await tell(ada, "later", "The garden roses of the garden faded.", 18);
    return ada;
  }

  it("shares the budget over all memories of that time", async () => {
    const ada = await openWeek();
    const quotedOf = async (query: string): Promise<readonly string[]> =>
      (await ask(ada, query, { tokenBudget: 220 })).trace.context.includedIds;
    expect(await quotedOf("What of the garden roses?")).not.toEqual(
      expect.arrayContaining(days.map((day) => `day${day}`)),
    );
    const inWeek = await quotedOf("What of the garden roses between 2 May and 6 May?");
    expect(inWeek).toEqual(expect.arrayContaining(["talk", ...days.map((day) => `day${day}`)]));
  });

  it("is in the trace, and a question without one looks nowhere", async () => {
    const ada = await openWeek();
    const { trace } = await ask(ada, "What of the garden roses between 2 May and 6 May?");
    expect(trace.timeFoci).toMatchObject([
      { words: "between 2 May and 6 May", from: "2025-05-01T23:00:00.000Z", until: "2025-05-06T23:00:00.000Z" },
    ]);
    expect((await ask(ada, "What of the garden roses?")).trace.timeFoci).toEqual([]);
  });
});

it("nothing recalled is left out while the budget has room", async () => {
  const ada = await openMoved();
  for (let i = 0; i < 8; i++)
    await tell(ada, `n${i}`, `Number ${i} is what I dreamt of. It was red. It was ${i} tall.`, 6 + i);
  const whole = await ask(ada, "What did I dream of, and where do I live?", { tokenBudget: 5_000 });
  const names = (await ada.list()).flatMap(({ statements }) => statements.map(({ id }) => id));
  expect(whole.trace.context.quoted.toSorted()).toEqual(names.toSorted());
  expect(whole.trace.context.droppedIds).toEqual([]);
  const roomy = await ask(ada, "What did I dream of, and where do I live?", {
    tokenBudget: Math.ceil(whole.trace.context.tokenCount * 1.1),
  });
  expect(roomy.context).toBe(whole.context);
});
