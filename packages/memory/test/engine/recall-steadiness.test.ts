/** Recall gives the same for the same, and something sensible for whatever it is asked and has been told. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InteractionInput, PersonMemory, Recall } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const dayMs = 86_400_000;
const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * dayMs;
const question = "Is the knee better than six days after the fall, or last week?";

async function remember(
  inputs: readonly InteractionInput[],
  parameters: Record<string, number> = {},
  path = ":memory:",
): Promise<PersonMemory> {
  const memories = await openMemories({ path, parameters: { redundancyThreshold: 10, ...parameters } });
  const person = memories.person("ada");
  for (const input of inputs) await person.commit(input);
  await person.settled();
  return person;
}

const subjects = ["knee", "fall", "garden", "choir", "bread", "stairs"];
const talks: InteractionInput[] = Array.from({ length: 18 }, (_, i) => ({
  id: `m${String(i).padStart(2, "0")}`,
  // Three at a time at the same moment, two of them in the same words.
  at: at(2 * Math.floor(i / 3)),
  turns: [
    { who: "user", text: `The ${subjects[Math.floor(i / 2) % 6]} was on my mind. It bothers me on the stairs.` },
    { who: "assistant", text: "Tell me more about it." },
  ],
}));

/** Keywords, edges and the core summary depend on what was known when a memory came; without them order leaves no trace. */
const plain = { metaWeightBase: 0, metaWeightMax: 0, traversalNodeCountPerStartMax: 0, coreSummaryIntervalCommits: 0 };

describe("the same recall", () => {
  const ask = (person: PersonMemory): Promise<Recall> => person.recall(question, { at: at(14), seed: 5 });

  it("comes twice from the same memory", async () => {
    const person = await remember(talks);
    const first = await ask(person);
    expect(first.trace.timeFoci.length).toBeGreaterThan(1);
    expect(await ask(person)).toEqual(first);
  });

  it("comes from memory, from SQLite, and from SQLite opened again", async () => {
    const path = scratch.next();
    const inMemory = await ask(await remember(talks));
    expect(await ask(await remember(talks, {}, path))).toEqual(inMemory);
    expect(await ask(await remember([], {}, path))).toEqual(inMemory);
  });

  it("comes whatever the order of commits, as far as it rests on what was said and when", async () => {
    const expected = await ask(await remember(talks, plain));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(talks, { minLength: talks.length }), async (shuffled) => {
        const { context, trace } = await ask(await remember(shuffled, plain));
        expect(context).toBe(expected.context);
        expect([trace.starts, trace.timeFoci]).toEqual([expected.trace.starts, expected.trace.timeFoci]);
      }),
      { numRuns: 5 },
    );
  });

  it("does not depend on memories that were forgotten again", async () => {
    const others = talks.map((talk, i) => ({ ...talk, id: `x${i}`, at: at(i / 3) }));
    const person = await remember(
      talks.flatMap((talk, i) => [others[i]!, talk]),
      plain,
    );
    await person.forget(others.map(({ id }) => id));
    const { trace } = await ask(await remember(talks, plain));
    expect((await ask(person)).trace.starts).toEqual(trace.starts);
  });
});

describe("few candidates", () => {
  it("are never fewer than start nodes, and the best by what they say and when they were", async () => {
    const all = await remember(talks, { metaWeightBase: 0, metaWeightMax: 0, statementLexicalWeight: 0 });
    const few = await remember(talks, {
      candidateCountMax: 1,
      metaWeightBase: 0,
      metaWeightMax: 0,
      statementLexicalWeight: 0,
    });
    const [wide, narrow] = [
      await all.recall(question, { at: at(14), seed: 5 }),
      await few.recall(question, { at: at(14), seed: 5 }),
    ];
    expect([wide.trace.candidateCount, narrow.trace.candidateCount]).toEqual([16, 14]);
    expect(narrow.trace.starts).toEqual(wide.trace.starts);
  });
});

describe("any question", () => {
  const odd: Record<string, string> = {
    "only words without meaning": "what was it that they did there",
    "one sign": "?",
    "control characters": "\u0001\u0007\u001b[31m knee \u009f\u0085",
    "right to left": "מה קרה לברך שלי \u202eeenk eht\u202c",
    emoji: "👩‍👩‍👧‍👦😀",
    "more than two thousand characters": `${"the knee and the stairs ".repeat(200)}last week?`,
    "two thousand times yesterday": "yesterday ".repeat(2_000),
    "an anchor with a distance beyond all dates": "99999 years after the fall and 9999999 days before the fall",
    "a date beyond all dates": "since the year 275761 or on 31 February 2025 or 99/99/9999",
    "a pattern": "(a+)+$ [\\w]* .*".repeat(50),
  };

  it.each(Object.keys(odd))("%s is answered", async (kind) => {
    const person = await remember(talks.slice(0, 6));
    const recall = await person.recall(odd[kind]!, { at: at(14), seed: 1 });
    expectSound(recall, 1_000);
  });

  it("is answered within its budget, at any time, about any memory", async () => {
    const person = await remember(talks.slice(0, 6));
    const words = fc.constantFrom(
      ..."knee fall last this since before after six 3 days week on in May 2024 yesterday Friday first the of better".split(
        " ",
      ),
      "?",
      ",",
      "'s",
    );
    const questions = fc.oneof(
      fc.array(words, { minLength: 1, maxLength: 14 }).map((list) => list.join(" ")),
      fc.string({ unit: "grapheme", minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(
        questions.filter((text) => text.trim() !== "" && !text.includes("\0")),
        fc.oneof(fc.integer({ min: -5, max: 400 }), fc.constantFrom(-1e8 + 20_152 + 1, 1e8 - 20_152 - 1)),
        fc.nat({ max: 300 }),
        async (text, day, tokenBudget) => {
          expectSound(await person.recall(text, { at: at(day), seed: 1, tokenBudget }), tokenBudget);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("any memory", () => {
  it.each([
    ["one word", [{ who: "user", text: "Ouch" }]],
    ["one letter", [{ who: "user", text: "a" }]],
    ["signs only", [{ who: "user", text: "!!! ... ???" }]],
    ["emoji", [{ who: "user", text: "😀" }]],
    [
      "turns of nothing beside one of something",
      [
        { who: "user", text: "" },
        { who: "Ada", text: "Yes." },
      ],
    ],
    ["control characters", [{ who: "user", text: "bell \u0007 and escape \u001b[2J are here" }]],
    ["right to left", [{ who: "user", text: "הברך שלי כואבת בלילה מאוד" }]],
  ])("%s is recalled in the words that were said", async (_, turns) => {
    const person = await remember([{ id: "odd", at: at(0), turns }], { startScoreMin: -1 });
    const recall = await person.recall("What was said?", { at: at(1), seed: 1 });
    expectSound(recall, 1_000);
    expect(recall.trace.context.includedIds).toEqual(["odd"]);
    // Without what nobody sees; the memory itself keeps it.
    expect(recall.context).toContain(
      turns
        .at(-1)!
        .text.replaceAll(/\p{Cc}/gu, "")
        .replaceAll(/ +/gu, " "),
    );
    expect((await person.get("odd")).turns).toEqual(turns);
  });

  it("a summary that is the only statement is quoted once", async () => {
    const person = await remember([{ id: "a", at: at(0), summary: "The knee hurts at night." }]);
    expect((await person.get("a")).statements).toEqual(["The knee hurts at night."]);
    const { context } = await person.recall("knee at night", { at: at(1), seed: 1 });
    expect(context.split("The knee hurts at night.")).toHaveLength(2);
  });

  it("of the future only is no memory yet", async () => {
    const person = await remember(talks);
    const recall = await person.recall(question, { at: at(-1), seed: 1 });
    expectSound(recall, 1_000);
    expect([recall.memories, recall.trace.memoryCount, recall.trace.candidateCount]).toEqual([[], 0, 0]);
  });

  it("of ten thousand turns keeps as many statements as it may, and its context quotes them as they were said", async () => {
    const turns = Array.from({ length: 10_000 }, (_, i) => ({ who: "user", text: `Note ${i} of it.` }));
    const person = await remember([{ id: "long", at: at(0), turns }], {
      interactionCharacterCountMax: 1_000_000,
      interactionTurnCountMax: 10_000,
    });
    const { statements } = await person.get("long");
    expect(statements).toHaveLength(48);
    const { context } = await person.recall(statements[30]!, { at: at(1), seed: 1 });
    expect(context).toContain(statements[30]);
    const said = new Set(turns.map(({ text }) => `user: ${text}`));
    const quoted = context.split("\n").filter((line) => line.includes("user: "));
    expect(quoted.length).toBeGreaterThan(5);
    for (const line of quoted) expect(said.has(line.replace(/^.*?(?=user: )/u, ""))).toBe(true);
  });
});

/** Nothing but numbers where numbers are due, best first, and the budget kept. */
function expectSound({ context, memories, trace }: Recall, tokenBudget: number): void {
  for (const score of [...trace.starts, ...trace.passedOver]) {
    const { metaSimilarity, querySimilarity, lexicalCoverage, statementCoverage, timeGain, score: sum } = score;
    const parts = [metaSimilarity, querySimilarity, lexicalCoverage, statementCoverage, timeGain, sum];
    expect(parts.every(Number.isFinite)).toBe(true);
  }
  const scores = trace.starts.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((x, y) => y - x));
  for (const { spans } of trace.timeFoci) {
    for (const { from, until } of spans) {
      expect(from === null || until === null || Date.parse(from) < Date.parse(until)).toBe(true);
    }
  }
  expect(trace.context.tokenCount).toBeLessThanOrEqual(tokenBudget);
  expect(memories.filter(({ inContext }) => inContext).map(({ id }) => id)).toEqual(trace.context.includedIds);
  expect(context.isWellFormed()).toBe(true);
}
