/** What a start score is made of: S_meta and S_query by hand, a model's questions, words, and time in the question. */
import type { Embedder, LanguageModelRequest, MnemosyneOptions, PersonMemory, Recall } from "mnemosyne-edge";
import { Mnemosyne } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { describe, expect, it } from "vitest";
import type { StartScore } from "../../src/paper/start-node.js";
import { parseParameters } from "../../src/parameters.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { laboratory } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { NotingEmbedder } from "../engine/noting-embedder.js";
import { recordsOf } from "../engine/records/opened-records.js";
import { ScriptedModel, answerWell, isAskedFor, judgment } from "../engine/scripted-model.js";
import { WordEmbedder } from "../engine/word-embedder.js";

const dayMs = 86_400_000;
/** A Monday. */
const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * dayMs;

async function remember(
  texts: Record<string, readonly [day: number, text: string]>,
  { parameters = {}, ...options }: MnemosyneOptions = {},
): Promise<PersonMemory> {
  const opened = await openMemories({
    path: ":memory:",
    timeZone: "UTC",
    ...options,
    parameters: { redundancyThreshold: 10, startScoreMin: -1, startCountMax: 10, ...parameters },
  });
  const person = opened.person("ada");
  for (const [id, [day, summary]] of Object.entries(texts)) await person.commit({ id, summary, at: at(day) });
  await person.settled();
  return person;
}

function scoreOf({ trace }: Recall, id: string): StartScore {
  return [...trace.starts, ...trace.passedOver].find((score) => score.id === id)!;
}

it("is the sum that the formula says: alpha S_meta + (1 - alpha) S_query + words + time", async () => {
  const embedder = new WordEmbedder();
  const parameters = { metaWeightBase: 0.4, metaWeightMax: 0.5 };
  const texts = { a: [0, "The cat sleeps on the piano."], b: [1, "Marta bakes bread on Sunday."] } as const;
  const person = await remember(texts, { embedder, parameters });
  const { lexicalWeight, tokenWeight } = parseParameters();
  const { trace } = await person.recall("Who bakes bread since 4 March 2025?", { at: at(40), seed: 1 });
  expect(trace.starts).toHaveLength(2);
  for (const { score, ...parts } of trace.starts) {
    const { metaWeight, metaSimilarity, querySimilarity, lexicalCoverage, tokens, timeGain } = parts;
    const words = lexicalWeight * lexicalCoverage + tokenWeight * (tokens!.best + tokens!.whole);
    expect(score).toBeCloseTo(metaWeight * metaSimilarity + (1 - metaWeight) * querySimilarity + words + timeGain, 12);
  }
  expect(trace.starts[0]).toMatchObject({ id: "b" });
  expect(trace.starts[0]!.timeGain).toBeGreaterThan(0);
});

/**
 * In preset `paper`, with an embedder that knows the few texts that the formulas name and gives every other text a vector
 * at right angles to the question: whatever else were compared would score 0.
 */
describe("of the paper", () => {
  const summary = "The brace supports the knee.";
  const hypotheticalQuery = "What supports the knee?";
  const question = "How is my leg held?";
  /** Components of one size survive rounding to bytes, so that cosines are exact. */
  const questionVector = [1, 0, 0, 0, 0, 0, 0, 0];
  const cosineOfRootHalf = [1, 1, 0, 0, 0, 0, 0, 0];
  const cosineOfHalf = [1, 1, 1, 1, 0, 0, 0, 0];
  const rightAngle = [0, 0, 0, 0, 0, 0, 0, 1];

  function knowing(vectors: Readonly<Record<string, readonly number[]>>): Embedder {
    const known: typeof vectors = { [question]: questionVector, ...vectors };
    return {
      identity: { name: "known texts", dimensions: questionVector.length },
      textsPerCall: 16,
      embed: async (texts) => texts.map((text) => Float32Array.from(known[text] ?? rightAngle)),
      close: async () => {},
    };
  }

  const model = new ScriptedModel((request: LanguageModelRequest) =>
    isAskedFor("substantial", request)
      ? JSON.stringify({
          substantial: 1,
          category: "health",
          keywords: ["Brace", "knee"],
          statements: [summary],
          hypotheticalQueries: [hypotheticalQuery],
        })
      : "",
  );

  async function recall(
    vectors: Readonly<Record<string, readonly number[]>>,
    { state, days, hasModel = true }: { state?: string; days: number; hasModel?: boolean },
  ): Promise<StartScore> {
    const memories = await openMemories({
      path: ":memory:",
      preset: "paper",
      clock: { nowMs: () => at(60) },
      embedder: knowing(vectors),
      parameters: { startScoreMin: -1 },
      ...(hasModel ? { languageModel: model } : {}),
    });
    const person = memories.person("ada");
    await person.commit({ id: "brace", at: at(0), summary, ...(state === undefined ? {} : { state }) });
    await person.settled();
    const { trace } = await person.recall(question, { at: at(days), seed: 1 });
    return trace.starts[0]!;
  }

  it("S_meta is the cosine of the question with naturalized time, state and keywords, in this order", async () => {
    const known = {
      "last week, early recovery, brace, knee": cosineOfRootHalf,
      "yesterday, brace, knee": cosineOfRootHalf,
      "last week, brace, knee": cosineOfHalf,
    };
    const { metaSimilarity, querySimilarity } = await recall(known, { state: "early recovery", days: 9 });
    expect(metaSimilarity).toBeCloseTo(Math.SQRT1_2, 6);
    expect(querySimilarity).toBe(0);
    expect((await recall(known, { days: 1 })).metaSimilarity).toBeCloseTo(Math.SQRT1_2, 6);
    expect((await recall(known, { days: 9 })).metaSimilarity).toBeCloseTo(0.5, 6);
    expect((await recall(known, { days: 40 })).metaSimilarity).toBe(0);
  });

  it("S_query is the cosine with the hypothetical query and the summary in one text, or with the summary alone", async () => {
    const both = await recall({ [`${hypotheticalQuery} ${summary}`]: cosineOfHalf }, { days: 9 });
    expect(both.querySimilarity).toBeCloseTo(0.5, 6);
    expect(both.metaSimilarity).toBe(0);
    const alone = await recall({ [summary]: cosineOfRootHalf }, { days: 9, hasModel: false });
    expect(alone.querySimilarity).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it("both together: 0.4 * 0.7071 + 0.6 * 0.5 on the day itself, and alpha rises with age", async () => {
    const known = { "today, brace, knee": cosineOfRootHalf, [`${hypotheticalQuery} ${summary}`]: cosineOfHalf };
    expect((await recall(known, { days: 0 })).score).toBeCloseTo(0.4 * Math.SQRT1_2 + 0.6 * 0.5, 6);
    expect((await recall(known, { days: 28 })).metaWeight).toBeCloseTo(0.4 + 0.1 * (1 - 1 / Math.E), 12);
  });
});

it("where S_meta has no weight a recall embeds its question and nothing else", async () => {
  const embedder = new NotingEmbedder();
  const texts = { knee: [0, "The knee bends to ninety degrees after exercises."] } as const;
  const person = await remember(texts, { embedder, parameters: { metaWeightBase: 0, metaWeightMax: 0 } });
  const question = "How was the recovery two days ago?";
  expect(await embedder.during(() => person.recall(question, { at: at(2), seed: 1 }))).toEqual([question]);
});

it("a single statement is a cue of its own: a detail inside a long talk is found", async () => {
  const filler = "We spoke about rain and clouds. The bus was late again. Soup was on the stove.";
  const texts = {
    talk: [0, `${filler} The zephyr valve leaks oil. ${filler}`],
    other: [0, "The oil price rose again today."],
  } as const;
  const ask = async (statementCountMax: number): Promise<Recall> =>
    (await remember(texts, { parameters: { lexicalWeight: 0, statementCountMax } })).recall("zephyr valve leaks", {
      at: at(5),
      seed: 1,
    });
  const [cued, plain] = [await ask(48), await ask(0)];
  expect(cued.trace.starts[0]!.id).toBe("talk");
  expect(scoreOf(cued, "talk").score).toBeGreaterThan(scoreOf(plain, "talk").score + 0.1);
});

describe("what a language model writes", () => {
  const said = "Penicillin gave me a rash when I was seven.";
  const foreseen = "Which antibiotic gave Ada a rash?";

  async function ask(question: string, changes: Partial<typeof judgment> = {}): Promise<Recall> {
    const languageModel = new ScriptedModel((request) =>
      isAskedFor("keywords", request) ? JSON.stringify({ ...judgment, ...changes }) : answerWell(request),
    );
    const person = await remember({ plums: [0, "The garden is full of plums."] }, { languageModel });
    await person.commit({ id: "a", at: at(0), turns: [{ who: "Ada", text: said }] }, { wait: true });
    return person.recall(question, { at: at(1), seed: 1 });
  }

  it("is found by: the vector of a question raises S_query, a keyword is a word of the memory", async () => {
    // The summary's vector has all questions in it, in either order; only the single ones differ.
    const apart = await ask(foreseen, { hypotheticalQueries: [foreseen, "What gave Ada a rash?"] });
    const joined = await ask(foreseen, { hypotheticalQueries: [`${foreseen} What gave Ada a rash?`] });
    expect(scoreOf(apart, "a").querySimilarity).toBeGreaterThan(scoreOf(joined, "a").querySimilarity);
    expect(scoreOf(await ask("allergy", { keywords: ["penicillin"], statements: [] }), "a").lexicalCoverage).toBe(0);
    expect(scoreOf(await ask("allergy", { statements: [] }), "a").lexicalCoverage).toBeGreaterThan(0);
  });

  it("is quoted as far as it states something, never its questions", async () => {
    const { context } = await ask(foreseen, { hypotheticalQueries: [foreseen] });
    expect(context).toContain(judgment.statements[0]);
    expect(context).toContain(said);
    expect(context).not.toContain(foreseen);
  });
});

describe("words, one by one", () => {
  const said = {
    violin: "Ada plays the violin in the harbour orchestra.",
    plums: "The plums in the garden ripened early.",
    trains: "Trains to Graz were late on Monday.",
  };
  const asked = { at: at(20), seed: 1 };

  class LastingStore extends MemoryStore {
    override async close(): Promise<void> {}
  }

  async function open(
    embedder: HashingEmbedder,
    store = new MemoryStore(),
    texts: Partial<typeof said> = said,
    { parameters, ...options }: MnemosyneOptions = {},
  ): Promise<PersonMemory> {
    const anyStart = { startScoreMin: -1, startCountMax: 10, redundancyThreshold: 10, ...parameters };
    const person = (await openMemories({ store, embedder, ...options, parameters: anyStart })).person("ada");
    for (const [id, text] of Object.entries(texts))
      await person.commit({ id, turns: [{ who: "Ada", text }], at: at(0) });
    await person.settled();
    return person;
  }

  it("of the question look for their best counterpart; those that say when do not count, unless there are no others", async () => {
    const person = await open(new WordEmbedder());
    const ask = (question: string): Promise<Recall> => person.recall(question, asked);
    const recall = await ask("Who plays in the orchestra?");
    expect(recall.memories[0]!.id).toBe("violin");
    expect(scoreOf(recall, "violin").tokens!.best).toBeGreaterThan(0.85);
    expect(scoreOf(recall, "plums").tokens!.best).toBeLessThan(0.5);
    const [timed, plain] = [await ask("What about the orchestra on Monday?"), await ask("What about the orchestra?")];
    expect(scoreOf(timed, "violin").tokens).toEqual(scoreOf(plain, "violin").tokens);
    expect(scoreOf(await ask("Monday?"), "trains").tokens).not.toBeNull();
  });

  it("are not compared where the embedder, the store or one of the memories has none", async () => {
    const none = await open(new HashingEmbedder());
    expect(scoreOf(await none.recall("The orchestra?", asked), "violin").tokens).toBeNull();
    const store = new LastingStore();
    const { violin, ...others } = said;
    await open(new HashingEmbedder(), store, { violin });
    const mixed = await open(new WordEmbedder(), store, others);
    const recall = await mixed.recall("The orchestra?", asked);
    expect(recall.trace.starts.map(({ tokens }) => tokens)).toEqual([null, null, null]);
  });

  it("are not kept by preset paper, nor with tokensKept = 0", async () => {
    for (const options of [{ preset: "paper" }, { parameters: { tokensKept: 0 } }] as const) {
      const store = new MemoryStore();
      await open(new WordEmbedder(), store, { violin: said.violin }, options);
      expect((await (await recordsOf(store)).tokens("ada", ["violin"])).size).toBe(0);
    }
  });

  it.each([{ wordDimensions: 6 }, { wordDimensions: 0 }, { wordDimensions: undefined }, { embedWords: undefined }])(
    "that cannot be packed are refused with their embedder: %j",
    async (wrong) => {
      const embedder = Object.assign(new WordEmbedder(), wrong) as WordEmbedder;
      await expect(Mnemosyne.open(laboratory({ path: ":memory:", embedder }))).rejects.toMatchObject({
        code: "option_invalid",
        message: expect.stringContaining("wordDimensions") as string,
      });
    },
  );
});

describe("time in the question", () => {
  const soup = "We cooked leek soup with barley.";
  const soups = { day2: [2, soup], day6: [6, soup], day12: [12, soup], day20: [20, soup] } as const;
  const questionTimeWeight = 0.4;
  const parameters = { questionTimeWeight };

  it.each([
    ["What did we cook on 9 March?", "day6"],
    ["What did we cook on 15 March 2025?", "day12"],
    ["What did we cook last week?", "day20"],
    ["What did we cook two weeks ago?", "day6"],
    ["What did we cook since 20 March?", "day20"],
    ["What did we cook before 7 March?", "day2"],
  ])("%s finds %s among memories that say the same", async (question, expected) => {
    const person = await remember(soups, { parameters });
    const { trace } = await person.recall(question, { at: at(21), seed: 1 });
    expect(trace.starts[0]!.id).toBe(expected);
    expect(trace.timeFoci).toHaveLength(1);
  });

  it("that is wrong does not bury the memory that says what was asked; one that holds every memory changes nothing", async () => {
    const person = await remember({ ...soups, valve: [0, "The zephyr valve leaked oil again."] }, { parameters });
    const wrong = await person.recall("When did the zephyr valve leak oil on 23 March?", { at: at(25), seed: 1 });
    expect(scoreOf(wrong, "day20").timeGain).toBeGreaterThan(0.2);
    expect(wrong.trace.starts[0]!.id).toBe("valve");
    const all = await person.recall("What did we cook in March 2025?", { at: at(40), seed: 1 });
    expect(all.trace.timeFoci).toHaveLength(1);
    expect(all.trace.starts.map(({ timeGain }) => timeGain)).toEqual([0, 0, 0, 0, 0]);
  });

  it("with two readings looks at both, at the likelier one more", async () => {
    // Asked on Saturday, "last Thursday" may be the one two days ago or that of the week before.
    const person = await remember(soups, { parameters });
    const { trace } = await person.recall("What did we cook last Thursday?", { at: at(19), seed: 1 });
    expect(trace.timeFoci.map(({ words, weight }) => [words, weight])).toEqual([
      ["last Thursday", questionTimeWeight],
      ["last Thursday", 0.7 * questionTimeWeight],
    ]);
    expect(trace.timeFoci.map(({ from }) => from!.slice(0, 10)).toSorted()).toEqual(["2025-03-13", "2025-03-20"]);
  });

  it("is that of the person's zone: two in the morning in London is yesterday in Los Angeles", async () => {
    const nights = { ...soups, night: [24 - 7 / 24, soup] } as const;
    const ask = async (timeZone: string): Promise<Recall> => {
      const person = await remember(nights, { timeZone, parameters });
      return person.recall("What did we cook yesterday?", { at: at(24 + 11 / 24), seed: 1 });
    };
    const [london, angeles] = [await ask("Europe/London"), await ask("America/Los_Angeles")];
    // One of five memories lies inside in Los Angeles, none in London.
    expect(scoreOf(angeles, "night").timeGain).toBeCloseTo(questionTimeWeight * (1 - 1 / 5), 12);
    expect(scoreOf(london, "night").timeGain).toBeLessThan(questionTimeWeight);
    expect(london.trace.timeFoci[0]!.from).toBe("2025-03-26T00:00:00.000Z");
    expect(angeles.trace.timeFoci[0]!.from).toBe("2025-03-26T07:00:00.000Z");
  });

  it("that ends after the end of all dates is shown without an end; with the weight 0 it is not read", async () => {
    const person = await remember(soups, { parameters });
    const late = await person.recall("What did we cook this week?", { at: 8.64e15 - 2 * dayMs, seed: 1 });
    expect(late.trace.timeFoci.map(({ until }) => until)).toContain(null);
    const blind = await remember(soups, { parameters: { questionTimeWeight: 0 } });
    const { trace } = await blind.recall("What did we cook on 9 March?", { at: at(21), seed: 1 });
    expect(trace.timeFoci).toEqual([]);
    expect(trace.starts.every(({ timeGain }) => timeGain === 0)).toBe(true);
  });
});
