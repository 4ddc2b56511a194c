/** Time in the question, from its words to the memories that gain: dates, readings, zones, events of the person's life. */
import { describe, expect, it } from "vitest";
import type { PersonMemory, Recall } from "mnemosyne-edge";
import { cosine, quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";

const dayMs = 86_400_000;
/** A Monday. */
const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * dayMs;

async function remember(
  memories: Record<string, readonly [day: number, text: string]>,
  { parameters = {}, timeZone = "UTC" }: { parameters?: Record<string, number>; timeZone?: string } = {},
): Promise<PersonMemory> {
  const opened = await openMemories({
    path: ":memory:",
    timeZone,
    parameters: { redundancyThreshold: 10, ...parameters },
  });
  const person = opened.person("ada");
  for (const [id, [day, summary]] of Object.entries(memories)) await person.commit({ id, summary, at: at(day) });
  await person.settled();
  return person;
}

function gainOf({ trace }: Recall, id: string): number {
  return [...trace.starts, ...trace.passedOver].find((score) => score.id === id)!.timeGain;
}

const soups = {
  day2: [2, "We cooked leek soup with barley."],
  day6: [6, "We cooked leek soup with barley."],
  day12: [12, "We cooked leek soup with barley."],
  day20: [20, "We cooked leek soup with barley."],
} as const;

describe("a time of the calendar", () => {
  it.each([
    ["What did we cook on 9 March?", "day6"],
    ["What did we cook on 15 March 2025?", "day12"],
    ["What did we cook last week?", "day20"],
    ["What did we cook two weeks ago?", "day6"],
    ["What did we cook since 20 March?", "day20"],
    ["What did we cook before 7 March?", "day2"],
  ])("%s finds %s among memories that say the same", async (question, expected) => {
    const person = await remember(soups);
    const recall = await person.recall(question, { at: at(21), seed: 1 });
    expect(recall.trace.starts[0]!.id).toBe(expected);
    expect(recall.trace.timeFoci[0]!.spans).toHaveLength(1);
  });

  it("that is wrong does not bury the memory that says what was asked", async () => {
    const person = await remember({ ...soups, valve: [0, "The zephyr valve leaked oil again."] });
    const recall = await person.recall("When did the zephyr valve leak oil on 23 March?", { at: at(25), seed: 1 });
    expect(gainOf(recall, "day20")).toBeGreaterThan(0.2);
    expect(recall.trace.starts[0]!.id).toBe("valve");
  });

  it("that holds every memory changes nothing", async () => {
    const person = await remember(soups);
    const recall = await person.recall("What did we cook in March 2025?", { at: at(40), seed: 1 });
    expect(recall.trace.timeFoci).toHaveLength(1);
    for (const id of Object.keys(soups)) expect(gainOf(recall, id)).toBe(0);
  });

  it("with two readings looks at both, at the likelier one more", async () => {
    // Asked on Saturday, "last Thursday" may be the one two days ago or that of the week before.
    const person = await remember(soups);
    const { trace } = await person.recall("What did we cook last Thursday?", { at: at(19), seed: 1 });
    expect(trace.timeFoci.map(({ words }) => words)).toEqual(["last Thursday", "last Thursday"]);
    const [first, second] = trace.timeFoci.map(({ weight }) => weight);
    expect(second).toBeCloseTo(0.7 * first!, 12);
    const days = trace.timeFoci.map(({ spans }) => spans[0]!.from!.slice(0, 10));
    expect(days.toSorted()).toEqual(["2025-03-13", "2025-03-20"]);
  });

  it("is that of the person's zone: two in the morning in London is yesterday in Los Angeles", async () => {
    const nights = { ...soups, night: [24 - 7 / 24, "We cooked leek soup with barley."] } as const;
    const ask = async (timeZone: string): Promise<Recall> => {
      const person = await remember(nights, { timeZone });
      return person.recall("What did we cook yesterday?", { at: at(24 + 11 / 24), seed: 1 });
    };
    const [london, angeles] = [await ask("Europe/London"), await ask("America/Los_Angeles")];
    // One of five memories lies inside in Los Angeles, none in London.
    expect(gainOf(angeles, "night")).toBeCloseTo(0.4 * (1 - 1 / 5), 12);
    expect(gainOf(london, "night")).toBeLessThan(0.4);
    expect(london.trace.timeFoci[0]!.spans[0]!.from).toBe("2025-03-26T00:00:00.000Z");
    expect(angeles.trace.timeFoci[0]!.spans[0]!.from).toBe("2025-03-26T07:00:00.000Z");
  });

  it("that ends after the end of all dates is shown without an end", async () => {
    const person = await remember(soups);
    const { trace } = await person.recall("What did we cook this week?", { at: 8.64e15 - 2 * dayMs, seed: 1 });
    expect(trace.timeFoci.flatMap(({ spans }) => spans.map(({ until }) => until))).toContain(null);
  });

  it("with the weight 0 is not read at all", async () => {
    const person = await remember(soups, { parameters: { questionTimeWeight: 0 } });
    const { trace } = await person.recall("Is it better than six days after the fall, on 9 March?", {
      at: at(21),
      seed: 1,
    });
    expect([trace.timeFoci, trace.asksForChange]).toEqual([[], false]);
    expect(trace.starts.every(({ timeGain }) => timeGain === 0)).toBe(true);
  });
});

describe("a time told by an event of the person's life", () => {
  const life = {
    ...soups,
    fall: [0, "The fall happened: a bad fall down the stairs."],
    choir: [9, "The choir sang Fauré."],
  } as const;

  it("six days after the fall is the sixth day after the memory that tells of it", async () => {
    const person = await remember(life);
    const recall = await person.recall("What did we cook six days after the fall?", { at: at(30), seed: 1 });
    const [focus] = recall.trace.timeFoci;
    expect(focus!.words).toBe("six days after the fall");
    expect(focus!.spans[0]).toMatchObject({ eventId: "fall", from: "2025-03-09T00:00:00.000Z" });
    expect(focus!.spans.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(recall.trace.starts[0]!.id).toBe("day6");
    expect(gainOf(recall, "day6")).toBeGreaterThan(gainOf(recall, "day12"));
  });

  it("the Friday after the concert is the first Friday after the memory that tells of it", async () => {
    // The concert was on Wednesday 12 March, the other soups on Wednesday, Sunday and Sunday.
    const person = await remember({
      ...soups,
      friday: [11, "We cooked leek soup with barley."],
      concert: [9, "The choir's concert went well."],
    });
    const recall = await person.recall("What did we cook on the Friday after the concert?", { at: at(30), seed: 1 });
    expect(recall.trace.timeFoci).toHaveLength(1);
    expect(recall.trace.timeFoci[0]).toMatchObject({
      words: "on the Friday after the concert",
      spans: [{ eventId: "concert", from: "2025-03-14T00:00:00.000Z", until: "2025-03-15T00:00:00.000Z" }, {}, {}],
    });
    for (const id of Object.keys(soups)) expect(gainOf(recall, "friday")).toBeGreaterThan(gainOf(recall, id));
  });

  it("is not looked up among memories later than the question", async () => {
    const person = await remember({ ...life, later: [28, "The fall."] });
    const events = async (day: number): Promise<(string | null)[]> => {
      const { trace } = await person.recall("What did we cook six days after the fall?", { at: at(day), seed: 1 });
      return trace.timeFoci[0]!.spans.map(({ eventId }) => eventId);
    };
    expect((await events(30))[0]).toBe("later");
    expect(await events(20)).not.toContain("later");
    expect((await events(20))[0]).toBe("fall");
  });

  it("is nowhere where there is no memory yet", async () => {
    const person = await remember(life);
    const { trace, memories } = await person.recall("What was six days after the fall?", { at: at(-1), seed: 1 });
    expect(trace.timeFoci.map(({ spans }) => spans)).toEqual([[]]);
    expect(memories).toEqual([]);
  });

  it("of several that tell of it in the same words the first are taken, in whichever order they came", async () => {
    const falls = Object.entries({
      a: [1, "The fall."],
      b: [2, "The fall."],
      c: [2, "The fall."],
      d: [4, "The fall."],
    } as const);
    const ask = async (entries: typeof falls): Promise<Recall> => {
      const person = await remember({ ...Object.fromEntries(entries), ...soups });
      return person.recall("What did we cook four days after the fall?", { at: at(30), seed: 1 });
    };
    const [forward, backward] = [await ask(falls), await ask(falls.toReversed())];
    expect(forward.trace.timeFoci[0]!.spans.map(({ eventId }) => eventId)).toEqual(["a", "b", "c"]);
    expect(backward.trace.timeFoci).toEqual(forward.trace.timeFoci);
  });

  it("with the weight 0 is not looked up", async () => {
    const person = await remember(life, { parameters: { lifeAnchorWeight: 0 } });
    const { trace } = await person.recall("What did we cook six days after the fall?", { at: at(30), seed: 1 });
    expect(trace.timeFoci).toEqual([]);
  });
});

describe("the memories that may tell of an event", () => {
  /** S_query is the cosine with the summary alone. */
  const plain = { statementWeight: 0, lexicalWeight: 0 };
  const question = "What did we cook six days after the fall?";

  async function cosineWith(text: string): Promise<number> {
    const [event, summary] = (await new HashingEmbedder().embed(["the fall", text])).map(quantizeVector);
    return cosine(event!, summary!);
  }

  it("are three at most, each with a share that falls by a factor of e with 0.05 of likeness", async () => {
    const texts = { a: "the fall", b: "the fall hurt", c: "the bad fall hurt", d: "the bad fall hurt badly then" };
    const person = await remember(
      Object.fromEntries(Object.entries(texts).map(([id, text], i) => [id, [i, text] as const])),
      { parameters: plain },
    );
    const { trace } = await person.recall(question, { at: at(30), seed: 1 });
    const { spans, weight } = trace.timeFoci[0]!;
    expect(weight).toBe(0.35);
    const cosines = await Promise.all(Object.values(texts).map(cosineWith));
    const nearest = Object.keys(texts)
      .map((id, i) => ({ id, value: cosines[i]! }))
      .toSorted((x, y) => y.value - x.value)
      .slice(0, 3);
    const likelihoods = nearest.map(({ value }) => Math.exp((value - nearest[0]!.value) / 0.05));
    const sum = likelihoods.reduce((total, likelihood) => total + likelihood, 0);
    expect(spans.map(({ eventId }) => eventId)).toEqual(nearest.map(({ id }) => id));
    spans.forEach(({ share }, i) => expect(share).toBeCloseTo(likelihoods[i]! / sum, 12));
    expect(spans.map(({ share }) => share)).toEqual(spans.map(({ share }) => share).toSorted((x, y) => y - x));
  });

  it("lend the day that many days later, in the person's zone, or all days from then on", async () => {
    const fall = { fall: [0, "the fall"] } as const;
    const spanOf = async (asked: string, timeZone: string) => {
      const person = await remember(fall, { parameters: plain, timeZone });
      return (await person.recall(asked, { at: at(30), seed: 1 })).trace.timeFoci.map(({ spans }) => spans);
    };
    const whole = { share: 1, eventId: "fall" };
    // 3 March in both zones; summer time begins in Los Angeles on 9 March.
    expect(await spanOf(question, "UTC")).toEqual([
      [{ ...whole, from: "2025-03-09T00:00:00.000Z", until: "2025-03-10T00:00:00.000Z" }],
    ]);
    expect(await spanOf(question, "America/Los_Angeles")).toEqual([
      [{ ...whole, from: "2025-03-09T08:00:00.000Z", until: "2025-03-10T07:00:00.000Z" }],
    ]);
    expect(await spanOf("What did we cook after the fall?", "UTC")).toMatchObject([[{ ...whole, until: null }]]);
    expect(await spanOf("What did we cook the weekend after the fall?", "America/Los_Angeles")).toEqual([
      [{ ...whole, from: "2025-03-08T08:00:00.000Z", until: "2025-03-10T07:00:00.000Z" }],
    ]);
    expect(await spanOf("What did we cook on the Monday before the fall?", "UTC")).toEqual([
      [{ ...whole, from: "2025-02-24T00:00:00.000Z", until: "2025-02-25T00:00:00.000Z" }],
    ]);
    // It was still Sunday in Honolulu.
    expect(await spanOf("What did we cook on the Sunday before the fall?", "Pacific/Honolulu")).toEqual([
      [{ ...whole, from: "2025-02-23T10:00:00.000Z", until: "2025-02-24T10:00:00.000Z" }],
    ]);
  });

  it("of more than two events in one question are looked up for the first two", async () => {
    const person = await remember({ fall: [0, "the fall"] }, { parameters: plain });
    const asked = "Was it six days after the fall, two days after the choir, and three days after the harvest?";
    const { trace } = await person.recall(asked, { at: at(30), seed: 1 });
    expect(trace.timeFoci.map(({ words }) => words)).toEqual(["six days after the fall", "two days after the choir"]);
  });

  it("are not looked up where the event leaves all open, or only says what is asked about", async () => {
    const person = await remember({ fall: [0, "the fall"] }, { parameters: plain });
    for (const asked of ["What did we cook before the fall?", "What did we cook when I had the fall?"]) {
      expect((await person.recall(asked, { at: at(30), seed: 1 })).trace.timeFoci).toEqual([]);
    }
  });
});

describe("a question about change", () => {
  it("lets recent memories gain, by their age at the time of the question", async () => {
    const person = await remember(soups);
    const recall = await person.recall("Is the leek soup better now?", { at: at(20), seed: 1 });
    expect(recall.trace.asksForChange).toBe(true);
    expect(gainOf(recall, "day20")).toBeCloseTo(0.2, 12);
    expect(gainOf(recall, "day12")).toBeCloseTo(0.2 * Math.exp(-8 / 5), 12);
    expect(recall.trace.starts[0]!.id).toBe("day20");
    const earlier = await person.recall("Is the leek soup better now?", { at: at(12), seed: 1 });
    expect(earlier.trace.starts[0]!.id).toBe("day12");
  });
});
