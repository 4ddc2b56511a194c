/** Recall: which memories are found, in which words, within which limits, and what the trace says of it. */
import { describe, expect, it } from "vitest";
import { decay } from "../../../src/core/paper/decay.js";
import { createRandom } from "../../../src/core/random.js";
import type { Recall } from "../../../src/engine/recall/recall.js";
import { parseParameters } from "../../../src/parameters.js";
import type { Clock } from "../../../src/ports/clock.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";

const dayMs = 86_400_000;
const startMs = Date.parse("2025-03-03T09:00:00Z");
const clock: Clock = { nowMs: () => startMs + 400 * dayMs };
const at = (day: number): number => startMs + day * dayMs;

async function remember(
  texts: Record<string, string>,
  parameters: Record<string, number> = {},
  daysApart = 1,
): ReturnType<typeof openPerson> {
  const person = await openPerson(parameters);
  for (const [i, [id, summary]] of Object.entries(texts).entries()) {
    await person.commit({ id, summary, at: at(i * daysApart) });
  }
  await person.settled();
  return person;
}

/** Counts the texts that reach it. */
class CountingEmbedder extends HashingEmbedder {
  textCount = 0;

  override embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.textCount += texts.length;
    return super.embed(texts);
  }
}

let embedder = new CountingEmbedder();

async function openPerson(parameters: Record<string, number>) {
  embedder = new CountingEmbedder();
  const memories = await openMemories({
    path: ":memory:",
    clock,
    embedder,
    parameters: { substanceThreshold: -10, redundancyThreshold: 10, ...parameters },
  });
  return memories.person("ada");
}

const ids = ({ memories }: Recall): string[] => memories.map(({ id }) => id);

describe("start nodes", () => {
  it("are the memories that say what was asked, best first", async () => {
    const person = await remember({
      garden: "The garden roses need pruning before spring.",
      knee: "The knee bends to ninety degrees after exercises.",
      choir: "The choir sings Fauré at the summer concert.",
    });
    const recall = await person.recall("How far does the knee bend after the exercises?", { at: at(5), seed: 1 });
    expect(ids(recall)[0]).toBe("knee");
    expect(recall.trace.starts[0]).toMatchObject({ id: "knee" });
    expect(recall.trace.starts[0]!.score).toBeGreaterThan(recall.trace.starts[1]?.score ?? 0);
  });

  it("score as the formula says: alpha S_meta + (1 - alpha) S_query + coverages + time", async () => {
    const person = await remember({ a: "The cat sleeps on the piano.", b: "Marta bakes bread on Sunday." });
    const { lexicalWeight, statementLexicalWeight } = parseParameters();
    const { trace } = await person.recall("Who bakes bread since 4 March 2025?", { at: at(40), seed: 1 });
    expect(trace.starts[0]!.timeGain).toBeGreaterThan(0);
    for (const start of trace.starts) {
      const { metaWeight, metaSimilarity, querySimilarity, lexicalCoverage, statementCoverage, timeGain, areaGain } =
        start;
      const expected =
        metaWeight * metaSimilarity +
        (1 - metaWeight) * querySimilarity +
        lexicalWeight * lexicalCoverage +
        statementLexicalWeight * statementCoverage +
        timeGain +
        areaGain;
      expect(start.score).toBeCloseTo(expected, 12);
    }
  });

  it("below the threshold are passed over, and the trace says why", async () => {
    const person = await remember({ a: "The cat sleeps.", b: "Bread rises slowly." }, { startScoreMin: 5 });
    const { memories, trace, context } = await person.recall("Which cat?", { at: at(9), seed: 1 });
    expect(memories).toEqual([]);
    expect(trace.passedOver.map(({ reason }) => reason)).toEqual(["startScoreMin", "startScoreMin"]);
    expect(context).toContain("No earlier conversation");
  });

  it("a single statement is a cue of its own: a detail inside a long talk is found", async () => {
    const filler = "We spoke about rain and clouds. The bus was late again. Soup was on the stove.";
    const texts = { talk: `${filler} The zephyr valve leaks oil. ${filler}`, other: "The oil price rose again today." };
    const question = "zephyr valve leaks";
    const withCues = await remember(texts, { lexicalWeight: 0, metaWeightBase: 0, metaWeightMax: 0 });
    const without = await remember(texts, {
      lexicalWeight: 0,
      metaWeightBase: 0,
      metaWeightMax: 0,
      statementCountMax: 0,
    });
    const [cued] = (await withCues.recall(question, { at: at(5), seed: 1 })).trace.starts;
    const plain = (await without.recall(question, { at: at(5), seed: 1 })).trace;
    const plainScore = [...plain.starts, ...plain.passedOver].find(({ id }) => id === "talk")!.score;
    expect(cued!.id).toBe("talk");
    expect(cued!.score).toBeGreaterThan(plainScore + 0.1);
  });
});

describe("time", () => {
  it("memories later than the question do not exist yet", async () => {
    const person = await remember({ a: "The knee hurts.", b: "The knee hurts less.", c: "The knee is fine." });
    const recall = await person.recall("the knee", { at: at(1), seed: 1 });
    expect(ids(recall).toSorted()).toEqual(["a", "b"]);
    expect(recall.trace.memoryCount).toBe(2);
  });

  it("a naturalized time in one text is embedded once and again only when its wording changes", async () => {
    const person = await remember({ a: "The knee hurts.", b: "The garden blooms." }, { metaParts: 0 });
    const embedded = async (day: number): Promise<number> => {
      const before = embedder.textCount;
      await person.recall("knee", { at: at(day), seed: 1 });
      return embedder.textCount - before;
    };
    await person.recall("knee", { at: at(2), seed: 1 });
    expect(await embedded(3)).toBe(2);
    expect(await embedded(3.2)).toBe(0);
    expect(await embedded(4)).toBe(2);
    // Day 9: "last week" for both, on day 10 and 12 still.
    expect(await embedded(9)).toBe(2);
    expect(await embedded(10)).toBe(0);
    expect(await embedded(12)).toBe(0);
  });

  it("only candidates are embedded, those that say most of what was asked; start nodes are among them", async () => {
    const texts = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`m${i}`, `Topic ${i} of garden work.`]));
    const parameters = { candidateCountMax: 3, startCountMax: 3, metaParts: 0 };
    const person = await remember({ ...texts, knee: "The knee hurts badly." }, parameters);
    const ask = (): Promise<Recall> => person.recall("The knee hurts badly", { at: at(100), seed: 1 });
    const first = await ask();
    expect(first.trace.candidateCount).toBe(3);
    expect(first.trace.starts[0]!.id).toBe("knee");
    const before = embedder.textCount;
    expect(await ask()).toEqual(first);
    expect(embedder.textCount).toBe(before);
  });
});

describe("traversal", () => {
  const alike = {
    a: "The knee wound was red and warm near the clips.",
    b: "The knee wound was red and warm near the stitches.",
    c: "The knee wound was pink and warm near the clips.",
    d: "The knee wound was dry and cool near the clips.",
  };

  it("every step can be worked out again from the trace", async () => {
    const person = await remember(alike, { startCountMax: 1 }, 9);
    const { trace } = await person.recall("red knee wound near the stitches", { at: at(60), seed: 7 });
    const parameters = parseParameters();
    const random = createRandom(7);
    expect(trace.steps.length).toBeGreaterThan(0);
    for (const step of trace.steps) {
      expect(step.decay).toBe(decay(step.effectiveAgeMs, parameters));
      expect(step.probability).toBe(Math.min(1, parameters.explorationFactor * step.weight * step.decay));
      expect(step.draw).toBe(random());
      expect(step.taken).toBe(step.draw < step.probability);
    }
  });

  it("the same seed gives the same recall, another seed may not", async () => {
    const person = await remember(alike, { startCountMax: 1, explorationFactor: 0.8 }, 5);
    const ask = (seed: number): Promise<Recall> => person.recall("knee wound red", { at: at(40), seed });
    expect(await ask(3)).toEqual(await ask(3));
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 20; seed++) outcomes.add(ids(await ask(seed)).join());
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it("lets what it reached into the context by what it says and when it was, as at the scan", async () => {
    const texts = {
      // Of the day that is asked about, and the only candidate, by its words.
      start: [2, "The zephyr valve in the cellar leaks oil."],
      // Of that day, too; says a little less of what is asked than the other one.
      sameDay: [2, "The valve was painted by Oskar."],
      other: [0, "The valve in the cellar was painted by Oskar."],
      filler: [1, "Bread rises slowly."],
    } as const;
    const memories = await openMemories({
      path: ":memory:",
      clock,
      countTokens: (text) => text.split(".").length - 1,
      parameters: {
        redundancyThreshold: 10,
        startCountMax: 1,
        candidateCountMax: 1,
        edgeThreshold: 0,
        explorationFactor: 100,
        questionTimeWeight: 2,
      },
    });
    const person = memories.person("ada");
    for (const [id, [day, summary]] of Object.entries(texts)) await person.commit({ id, summary, at: at(day) });
    await person.settled();
    const question = "Did the zephyr valve in the cellar leak oil on 5 March 2025?";
    const ask = (tokenBudget: number): Promise<Recall> => person.recall(question, { at: at(20), seed: 1, tokenBudget });
    const found = (await ask(4)).memories.map(({ id, found, score }) => [id, found, score === null]);
    expect(found[0]).toEqual(["start", "start", false]);
    expect(found.slice(1).toSorted()).toEqual(["filler", "other", "sameDay"].map((id) => [id, "traversal", true]));
    // A sentence is a token here: one memory more with each.
    const included: string[][] = [];
    for (const budget of [1, 2, 3, 4]) included.push([...(await ask(budget)).trace.context.includedIds].toSorted());
    expect(included).toEqual([
      ["start"],
      ["sameDay", "start"],
      ["other", "sameDay", "start"],
      ["filler", "other", "sameDay", "start"],
    ]);
  });

  it("turned off, only start nodes are recalled", async () => {
    const person = await remember(alike, { startCountMax: 1, traversalNodeCountPerStartMax: 0 });
    const { memories } = await person.recall("knee wound", { at: at(10), seed: 1 });
    expect(memories).toHaveLength(1);
    expect(memories[0]!.found).toBe("start");
  });
});

describe("the context text", () => {
  it("keeps its budget, drops the least relevant first, and says what it dropped", async () => {
    const person = await remember({
      a: "The knee wound is red and warm and hurts at night.",
      b: "The knee wound is red and warm and hurts in the morning.",
      c: "Choir practice was moved to Thursday evening in the church.",
    });
    const { context, memories, trace } = await person.recall("red knee wound at night", {
      at: at(10),
      seed: 1,
      tokenBudget: 55,
    });
    expect(trace.context.tokenCount).toBeLessThanOrEqual(55);
    expect(trace.context.droppedIds.length).toBeGreaterThan(0);
    expect(context).toContain("hurts at night");
    expect(memories.filter(({ inContext }) => inContext).map(({ id }) => id)).toEqual(trace.context.includedIds);
  });

  it("puts memories in the order of time, each with its naturalized time and date", async () => {
    const person = await remember(
      { old: "Knee pain was eight.", mid: "Knee pain was five.", fresh: "Knee pain was two." },
      {},
      8,
    );
    const { context } = await person.recall("knee pain", { at: at(17), seed: 1 });
    const [eight, five, two] = ["eight", "five", "two."].map((word) => context.indexOf(word)) as [
      number,
      number,
      number,
    ];
    expect(eight).toBeGreaterThan(-1);
    expect(five).toBeGreaterThan(eight);
    expect(two).toBeGreaterThan(five);
    expect(context).toContain("two weeks ago, Mon 3 Mar 2025: Knee pain was eight.");
    expect(context).toContain("yesterday, Wed 19 Mar 2025: Knee pain was two.");
  });

  it("says the same words once, with all their times", async () => {
    const person = await remember({ a: "The knee hurts at night.", b: "The knee hurts at night." });
    const { context, memories } = await person.recall("knee at night", { at: at(2), seed: 1 });
    expect(memories).toHaveLength(2);
    expect(context.split("The knee hurts at night.")).toHaveLength(2);
    expect(context).toContain("two days ago, Mon 3 Mar 2025; again yesterday, Tue 4 Mar 2025: The knee");
  });

  it("a budget of nothing gives nothing", async () => {
    const person = await remember({ a: "The knee hurts." });
    const { context, trace } = await person.recall("knee", { at: at(3), seed: 1, tokenBudget: 0 });
    expect(context).toBe("");
    expect(trace.context.tokenCount).toBe(0);
  });
});

it("somebody nobody has spoken of yet has nothing to recall, which is no error", async () => {
  const person = await openPerson({});
  const { memories, trace } = await person.recall("Anything?", { seed: 1 });
  expect(memories).toEqual([]);
  expect(trace.memoryCount).toBe(0);
});

describe("a question that asks for several things", () => {
  const texts = Object.fromEntries(
    ["oak", "ash", "elm", "fir", "yew"].map((tree) => [tree, `The ${tree} in the garden was cut on a cold morning.`]),
  );
  const question = "How many times was something cut in the garden?";

  it("has more start nodes, and the trace says so", async () => {
    const limits = { startCountMax: 2, traversalNodeCountPerStartMax: 0 };
    const person = await remember(texts, { ...limits, severalStartCountMax: 4 });
    const several = await person.recall(question, { at: at(10) });
    expect(several.trace.asksForSeveral).toBe("count");
    expect(ids(several)).toHaveLength(4);
    expect(several.trace.passedOver.map(({ reason }) => reason)).toEqual(["startCountMax"]);
    const one = await person.recall("When was the oak cut in the garden?", { at: at(10) });
    expect(one.trace.asksForSeveral).toBeNull();
    expect(ids(one)).toHaveLength(2);
    const strict = await remember(texts, { ...limits, severalStartCountMax: 4, startScoreMin: 9 });
    expect(ids(await strict.recall(question, { at: at(10) }))).toEqual([]);
  });

  it("is read as any other without spreading", async () => {
    const person = await remember(texts, { severalSpread: 0, startCountMax: 2, traversalNodeCountPerStartMax: 0 });
    const { trace, memories } = await person.recall(question, { at: at(10) });
    expect([trace.asksForSeveral, memories.length]).toEqual([null, 2]);
  });

  it("quotes two memories where it would quote one twice", async () => {
    const quotedIn = async (severalSpread: number): Promise<number> => {
      const person = await openPerson({ severalSpread, coreSummaryIntervalCommits: 0 });
      const said = (...lines: readonly string[]) => lines.map((text) => ({ who: "user", text }));
      const close = said("We cut the oak in the garden.", "We cut the ash in the garden too.");
      await person.commit({ id: "close", at: at(0), turns: close });
      await person.commit({ id: "far", at: at(1), turns: said("We cut the elm behind the old stone house.") });
      await person.settled();
      const { memories } = await person.recall("Which trees did we cut in the garden?", { at: at(5), tokenBudget: 63 });
      return memories.filter(({ inContext }) => inContext).length;
    };
    expect(await quotedIn(0.001)).toBe(1);
    expect(await quotedIn(5)).toBe(2);
  });
});
