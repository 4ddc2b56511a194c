/** Recall from outside: what is found and in which words, the walk worked out again, and the same again for the same question. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InteractionInput, PersonMemory, Recall } from "mnemosyne-edge";
import { decay } from "../../src/paper/decay.js";
import { createRandom } from "../../src/text/random.js";
import { parseParameters } from "../../src/parameters.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const dayMs = 86_400_000;
const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * dayMs;
/** Everything becomes a start node if there is room. */
const anyStart = { redundancyThreshold: 10, startScoreMin: -1, startCountMax: 10, recallNodeCountMax: 14 };

async function remember(
  inputs: readonly InteractionInput[],
  parameters: Record<string, number> = {},
  path = ":memory:",
): Promise<PersonMemory> {
  const person = (await openMemories({ path, parameters: { ...anyStart, ...parameters } })).person("ada");
  for (const input of inputs) await person.commit(input);
  await person.settled();
  return person;
}

/** Summaries by id, so many days apart. */
function told(texts: Record<string, string>, daysApart = 1): InteractionInput[] {
  return Object.entries(texts).map(([id, summary], i) => ({ id, summary, at: at(i * daysApart) }));
}

const idsOf = ({ memories }: Recall): string[] => memories.map(({ id }) => id);

describe("start nodes", () => {
  const texts = told({
    garden: "The garden roses need pruning before spring.",
    knee: "The knee bends to ninety degrees after exercises.",
    choir: "The choir sings Fauré at the summer concert.",
  });
  const question = "How far does the knee bend after the exercises?";

  it("are the memories that say what was asked, best first; what is passed over says why", async () => {
    const ask = async (parameters: Record<string, number>): Promise<Recall> =>
      (await remember(texts, { ...parameters, traversalNodeCountPerStartMax: 0 })).recall(question, {
        at: at(5),
        seed: 1,
      });
    const one = await ask({ startCountMax: 1 });
    expect(idsOf(one)).toEqual(["knee"]);
    expect(one.memories[0]).toMatchObject({ found: "start", fromId: null, inContext: true });
    expect(one.trace.passedOver.map(({ reason }) => reason)).toEqual(["startCountMax", "startCountMax"]);
    const [best] = one.trace.starts;
    const strict = await ask({ startScoreMin: best!.score + 1e-9 });
    expect(strict.memories).toEqual([]);
    expect(strict.trace.passedOver.map(({ reason }) => reason)).toEqual(Array(3).fill("startScoreMin"));
    expect(strict.context).toContain("No earlier conversation");
    expect(idsOf(await ask({ startScoreMin: best!.score }))).toEqual(["knee"]);
  });

  it("are those from a score on, however they were found, and not more than the limit", async () => {
    const person = await remember(texts);
    const ask = (options: object): Promise<Recall> => person.recall(question, { at: at(5), seed: 1, ...options });
    const { memories } = await ask({});
    expect(memories).toHaveLength(3);
    const scores = memories.map(({ score }) => score!).toSorted((x, y) => y - x);
    for (const minScore of scores) {
      const expected = memories.filter(({ score }) => score! >= minScore).map(({ id }) => id);
      expect(idsOf(await ask({ minScore }))).toEqual(expected);
    }
    expect(idsOf(await ask({ limit: 1 }))).toEqual(["knee"]);
  });

  it("are those of the time of the question: what is later does not exist yet", async () => {
    const person = await remember(told({ a: "The knee hurts.", b: "The knee hurts less.", c: "The knee is fine." }));
    const recall = await person.recall("the knee", { at: at(1), seed: 1 });
    expect(idsOf(recall).toSorted()).toEqual(["a", "b"]);
    expect(recall.trace.memoryCount).toBe(2);
    const before = await person.recall("the knee", { at: at(-1), seed: 1 });
    expect([before.memories, before.trace.memoryCount, before.trace.candidateCount]).toEqual([[], 0, 0]);
  });

  it("of somebody unknown are none, which is no error", async () => {
    const { memories, trace } = await (await remember([])).recall("Anything?", { seed: 1 });
    expect([memories, trace.memoryCount]).toEqual([[], 0]);
  });
});

describe("traversal", () => {
  const alike = {
    a: "The knee wound was red and warm near the clips.",
    b: "The knee wound was red and warm near the stitches.",
    c: "The knee wound was pink and warm near the clips.",
    d: "The knee wound was dry and cool near the clips.",
  };

  it("can be worked out again from the trace, step by step", async () => {
    const person = await remember(told(alike, 9), { startCountMax: 1 });
    const { trace, memories } = await person.recall("red knee wound near the stitches", { at: at(60), seed: 7 });
    const parameters = parseParameters();
    const random = createRandom(7);
    expect(trace.steps.length).toBeGreaterThan(0);
    for (const step of trace.steps) {
      expect(step.decay).toBe(decay(step.effectiveAgeMs, parameters));
      expect(step.probability).toBe(Math.min(1, parameters.explorationFactor * step.weight * step.decay));
      expect(step.draw).toBe(random());
      expect(step.taken).toBe(step.draw < step.probability);
    }
    expect(memories.filter(({ found }) => found === "traversal")).toHaveLength(
      trace.steps.filter(({ taken }) => taken).length,
    );
  });

  it("is the same with the same seed, and another with others", async () => {
    const person = await remember(told(alike, 5), { startCountMax: 1, explorationFactor: 0.8 });
    const ask = (seed: number): Promise<Recall> => person.recall("knee wound red", { at: at(40), seed });
    expect(await ask(3)).toEqual(await ask(3));
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 20; seed++) outcomes.add(idsOf(await ask(seed)).join());
    expect(outcomes.size).toBeGreaterThan(1);
  });
});

describe("the context", () => {
  it("keeps its budget, drops the least relevant first, and says what it dropped", async () => {
    const person = await remember(
      told({
        a: "The knee wound is red and warm and hurts at night.",
        b: "The knee wound is red and warm and hurts in the morning.",
        c: "Choir practice was moved to Thursday evening in the church.",
      }),
    );
    const ask = (tokenBudget: number): Promise<Recall> =>
      person.recall("red knee wound at night", { at: at(10), seed: 1, tokenBudget });
    const { context, memories, trace } = await ask(60);
    expect(trace.context.tokenCount).toBeLessThanOrEqual(60);
    expect(trace.context.droppedIds).toContain("c");
    expect(context).toContain("hurts at night");
    expect(memories.filter(({ inContext }) => inContext).map(({ id }) => id)).toEqual(trace.context.includedIds);
    const nothing = await ask(0);
    expect([nothing.context, nothing.trace.context.tokenCount]).toEqual(["", 0]);
  });

  it("tells in the order of time, each with its date; the same words once, with all their times", async () => {
    const texts = told({ old: "Knee pain was eight.", mid: "Knee pain was five.", fresh: "Knee pain was two." }, 8);
    const person = await remember([...texts, { id: "again", summary: "Knee pain was two.", at: at(17) }]);
    const { context } = await person.recall("knee pain", { at: at(18), seed: 1 });
    const lines = context.split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toEqual([
      "- Mon 3 Mar 2025: Knee pain was eight.",
      "- Tue 11 Mar 2025: Knee pain was five.",
      "- Wed 19 Mar 2025; again Thu 20 Mar 2025: Knee pain was two.",
    ]);
  });
});

const subjects = ["knee", "fall", "garden", "choir", "bread", "stairs"];
/** Three at a time at the same moment, two of them in the same words. */
const talks: InteractionInput[] = Array.from({ length: 18 }, (_, i) => ({
  id: `m${String(i).padStart(2, "0")}`,
  at: at(2 * Math.floor(i / 3)),
  turns: [
    { who: "user", text: `The ${subjects[Math.floor(i / 2) % 6]} was on my mind. It bothers me on the stairs.` },
    { who: "assistant", text: "Tell me more about it." },
  ],
}));

describe("the same recall", () => {
  /** Keywords, edges and the core summary depend on what was known when a memory came; without them order leaves no trace. */
  const plain = {
    metaWeightBase: 0,
    metaWeightMax: 0,
    traversalNodeCountPerStartMax: 0,
    coreSummaryIntervalCommits: 0,
  };
  const ask = (person: PersonMemory): Promise<Recall> =>
    person.recall("Is the knee better since 5 March, or last week?", { at: at(14), seed: 5 });

  it("comes from memory twice, from SQLite, and from SQLite opened again", async () => {
    const path = scratch.next();
    const person = await remember(talks);
    const inMemory = await ask(person);
    expect(inMemory.trace.timeFoci.length).toBeGreaterThan(1);
    expect(await ask(person)).toEqual(inMemory);
    expect(await ask(await remember(talks, {}, path))).toEqual(inMemory);
    expect(await ask(await remember([], {}, path))).toEqual(inMemory);
  });

  it("comes whatever the order of commits, as far as it rests on what was said and when", async () => {
    const expected = await ask(await remember(talks, plain));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(talks, { minLength: talks.length }), async (shuffled) => {
        const { context, trace } = await ask(await remember(shuffled, plain));
        expect([context, trace.starts, trace.timeFoci]).toEqual([
          expected.context,
          expected.trace.starts,
          expected.trace.timeFoci,
        ]);
      }),
      { numRuns: 4 },
    );
  });

  it("does not depend on memories that were forgotten again", async () => {
    const others = talks.map((talk, i) => ({ ...talk, id: `x${i}`, at: at(i / 3) }));
    const mixed = talks.flatMap((talk, i) => [others[i]!, talk]);
    const person = await remember(mixed, plain);
    await person.forget(others.map(({ id }) => id));
    expect((await ask(person)).trace.starts).toEqual((await ask(await remember(talks, plain))).trace.starts);
  });
});

/** Nothing but numbers where numbers are due, best first, and the budget kept. */
function expectSound({ context, memories, trace }: Recall, tokenBudget: number): void {
  for (const { metaSimilarity, querySimilarity, lexicalCoverage, timeGain, score } of [
    ...trace.starts,
    ...trace.passedOver,
  ]) {
    expect([metaSimilarity, querySimilarity, lexicalCoverage, timeGain, score].every(Number.isFinite)).toBe(true);
  }
  const scores = trace.starts.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((x, y) => y - x));
  for (const { from, until } of trace.timeFoci) {
    expect(from === null || until === null || Date.parse(from) < Date.parse(until)).toBe(true);
  }
  expect(trace.context.tokenCount).toBeLessThanOrEqual(tokenBudget);
  expect(memories.filter(({ inContext }) => inContext).map(({ id }) => id)).toEqual(trace.context.includedIds);
  expect(context.isWellFormed()).toBe(true);
}

describe("any question", () => {
  const odd: Record<string, string> = {
    "only words without meaning": "what was it that they did there",
    "one sign": "?",
    "control characters": "\u0001\u0007\u001b[31m knee \u009f\u0085",
    "right to left": "מה קרה לברך שלי \u202eeenk eht\u202c",
    emoji: "👩‍👩‍👧‍👦😀",
    "more than two thousand characters": `${"the knee and the stairs ".repeat(200)}last week?`,
    "two thousand times yesterday": "yesterday ".repeat(2_000),
    "a date beyond all dates": "since the year 275761 or on 31 February 2025 or 99/99/9999",
    "a pattern": "(a+)+$ [\\w]* .*".repeat(50),
  };

  it("is answered, however odd", async () => {
    const person = await remember(talks.slice(0, 6));
    for (const question of Object.values(odd)) {
      expectSound(await person.recall(question, { at: at(14), seed: 1 }), 1_000);
    }
  });

  it("is answered within its budget, at any time", async () => {
    const person = await remember(talks.slice(0, 6));
    const words = fc.constantFrom(
      ..."knee fall last this since before after six 3 days week on in May 2024 yesterday Friday of ? , 's".split(" "),
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
      { numRuns: 50 },
    );
  });
});

describe("any memory", () => {
  it.each([
    ["one letter", "a"],
    ["signs only", "!!! ... ???"],
    ["emoji", "😀"],
    ["control characters", "bell \u0007 and escape \u001b[2J are here"],
    ["right to left", "הברך שלי כואבת בלילה מאוד"],
  ])("%s is recalled in the words that were said", async (_, text) => {
    const turns = [{ who: "user", text }];
    const person = await remember([{ id: "odd", at: at(0), turns }]);
    const recall = await person.recall("What was said?", { at: at(1), seed: 1 });
    expectSound(recall, 1_000);
    expect(recall.trace.context.includedIds).toEqual(["odd"]);
    // Without what nobody sees; the memory itself keeps it.
    expect(recall.context).toContain(text.replaceAll(/\p{Cc}/gu, "").replaceAll(/ +/gu, " "));
    expect((await person.get("odd")).turns).toEqual(turns);
  });

  it("of ten thousand turns keeps as many statements as it may, and its context quotes them as they were said", async () => {
    const turns = Array.from({ length: 10_000 }, (_, i) => ({ who: "user", text: `Note ${i} of it.` }));
    const person = await remember([{ id: "long", at: at(0), turns }], {
      interactionCharacterCountMax: 1_000_000,
      interactionTurnCountMax: 10_000,
      statementCountMax: 48,
      coreSummaryIntervalCommits: 0,
    });
    const { statements } = await person.get("long");
    expect(statements).toHaveLength(48);
    const { context } = await person.recall(statements[30]!.text, { at: at(1), seed: 1 });
    const said = new Set(turns.map(({ text }) => text));
    const quoted = context.split("\n").flatMap((line) => /^(?:- .*?: | {2})(Note .*)$/u.exec(line)?.[1] ?? []);
    expect(quoted).toContain(statements[30]!.text);
    for (const line of quoted) expect(said.has(line)).toBe(true);
  });
});

/** Holds back the texts that a pattern matches until it is opened, and says when one has come. */
class GatedEmbedder extends HashingEmbedder {
  readonly #pattern: RegExp;
  readonly #opened: Promise<void>;
  readonly reached: Promise<void>;
  open: () => void = () => undefined;
  #reach: () => void = () => undefined;

  constructor(pattern: RegExp) {
    super();
    this.#pattern = pattern;
    this.#opened = new Promise((resolve) => (this.open = resolve));
    this.reached = new Promise((resolve) => (this.#reach = resolve));
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.some((text) => this.#pattern.test(text))) {
      this.#reach();
      await this.#opened;
    }
    return super.embed(texts);
  }
}

describe("while a recall waits for the embedder", () => {
  const question = /^What about/u;
  /** The last texts that it waits for. */
  const naturalizedTime = /^three days ago, /u;
  const parameters = {
    ...anyStart,
    edgeThreshold: 0.1,
    explorationFactor: 100,
    metaWeightBase: 0.4,
    metaWeightMax: 0.5,
  };
  const valves = {
    oil: "The zephyr valve leaks oil.",
    noise: "The zephyr valve makes a noise.",
    choir: "The choir sang Fauré.",
  };

  async function open(embedder: HashingEmbedder, path = ":memory:"): Promise<PersonMemory> {
    return (await openMemories({ path, embedder, parameters })).person("ada");
  }

  async function tell(person: PersonMemory, texts: Record<string, string>): Promise<void> {
    for (const [id, summary] of Object.entries(texts)) await person.commit({ id, summary, at: at(0) });
    await person.settled();
  }

  it.each([question, naturalizedTime])("at %s, what is forgotten is in no part of it", async (pattern) => {
    for (const isAll of [false, true]) {
      const embedder = new GatedEmbedder(pattern);
      const person = await open(embedder);
      await tell(person, valves);
      const recalling = person.recall("What about the zephyr valve?", { at: at(3), seed: 1 });
      await embedder.reached;
      await (isAll ? person.forgetAll() : person.forget("oil"));
      embedder.open();
      const { memories, context, trace } = await recalling;
      expect(memories.map(({ id }) => id).toSorted()).toEqual(isAll ? [] : ["choir", "noise"]);
      expect(context).not.toContain("leaks oil");
      expect(JSON.stringify([trace.starts, trace.passedOver, trace.steps])).not.toContain('"oil"');
    }
  });

  it("a memory that comes does not pass for the one whose place it takes", async () => {
    const path = scratch.next();
    const embedder = new GatedEmbedder(naturalizedTime);
    const person = await open(embedder, path);
    await tell(person, valves);
    const elsewhere = await open(new HashingEmbedder(), path);
    const recalling = person.recall("zephyr valve leaks oil", { at: at(3), seed: 1 });
    await embedder.reached;
    await elsewhere.forget("oil");
    await tell(elsewhere, { late: "The choir makes a noise." });
    await person.list();
    embedder.open();
    const { memories } = await recalling;
    expect(memories.map(({ id }) => id).toSorted()).toEqual(["choir", "late", "noise"]);
    expect(memories.find(({ id }) => id === "late")).toMatchObject({ score: null, found: "traversal" });
  });
});
