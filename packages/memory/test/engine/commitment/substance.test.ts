/**
 * The substance filter: its arithmetic by hand on three-dimensional vectors, what it leaves out, and a sanity set of
 * everyday interactions with the real embedder. The labelled journeys are measured by the benchmark.
 */
import fc from "fast-check";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { afterAll, describe, expect, it } from "vitest";
import { quantizeVector, type QuantizedVector } from "../../../src/core/vectors/quantized-vector.js";
import { finish } from "../../../src/core/steps.js";
import { splitSentences } from "../../../src/core/text/sentences.js";
import {
  buildSubstanceVectors,
  deniesContent,
  judgeSubstanceSteps,
  specificityOf,
  substanceTexts,
  type SubstanceTrace,
  type SubstanceVectors,
} from "../../../src/engine/commitment/substance.js";
import { parseParameters } from "../../../src/parameters.js";
import { general } from "../../../src/profiles/general.js";
import { healthcare } from "../../../src/profiles/healthcare.js";
import type { Profile } from "../../../src/profiles/profile.js";

const parameters = parseParameters({ substanceExampleCount: 2, substanceStatementCount: 2 });
const x = quantizeVector([1, 0, 0]);
const y = quantizeVector([0, 1, 0]);
const xy = quantizeVector([1, 1, 0]);
const z = quantizeVector([0, 0, 1]);
const half = Math.SQRT1_2;

const toyProfile: Profile = {
  ...general,
  categories: [
    { name: "first", description: "", examples: ["a", "b"] },
    { name: "second", description: "", examples: ["c"], lasting: true },
  ],
  mundane: ["d", "e"],
};

function judge(
  statements: readonly string[],
  statementVectors: readonly QuantizedVector[],
  examples: SubstanceVectors,
  novelty = 1,
  overrides: Partial<Record<string, number>> = {},
): SubstanceTrace {
  const own = parseParameters({ substanceExampleCount: 2, substanceStatementCount: 2, ...overrides });
  return finish(judgeSubstanceSteps({ statements, statementVectors, novelty }, examples, own));
}

describe("buildSubstanceVectors", () => {
  it("puts the centre between the profile's own examples, each judged by all the others", () => {
    const { categories, mundane, centre, spread } = buildSubstanceVectors(toyProfile, [x, x, xy, y, y], parameters);
    expect(categories).toEqual([
      { name: "first", lasting: false, vectors: [x, x] },
      { name: "second", lasting: true, vectors: [xy] },
    ]);
    expect(mundane).toEqual([y, y]);
    // a and b: other nearest 1 and 0.707, mundane 0; c: nearest 0.707 twice on both sides.
    const substance = (2 * ((1 + half) / 2) + 0) / 3;
    // d and e: nearest substance 0.707 and 0, the other mundane one 1.
    const smallTalk = half / 2 - 1;
    expect(centre).toBeCloseTo((substance + smallTalk) / 2, 10);
    expect(spread).toBeCloseTo((substance - smallTalk) / 2, 10);
  });

  it("keeps a spread where the examples tell nothing apart", () => {
    const { spread } = buildSubstanceVectors(toyProfile, [x, x, x, x, x], parameters);
    expect(spread).toBe(0.02);
  });
});

describe("judgeSubstance", () => {
  const examples: SubstanceVectors = {
    categories: [
      { name: "first", lasting: false, vectors: [x, x] },
      { name: "second", lasting: true, vectors: [z] },
    ],
    mundane: [y, y],
    centre: 0.1,
    spread: 0.5,
    stopWordShare: 0,
  };

  it("scores the margin of the strongest statements in units of the spread", () => {
    const statements = ["plain green apples", "ripe yellow pears", "sour dark cherries"];
    const trace = judge(statements, [y, xy, x], examples);
    // x: 1 - 0, xy: 0.707 - 0.707, y left out; no familiarity, no numbers or names.
    expect(trace.evidence).toEqual([2, 1]);
    expect(trace.closeness).toBeCloseTo((1 + half) / 2, 10);
    expect(trace.mundaneCloseness).toBeCloseTo(half / 2, 10);
    expect(trace.score).toBeCloseTo((0.5 - 0.1) / 0.5, 10);
    expect(trace).toMatchObject({ substantial: true, category: "first", familiarity: 0, specificity: 0, threshold: 0 });
  });

  it("names the category the evidence is nearest to, and none where nothing is committed", () => {
    expect(judge(["plain green apples"], [z], examples).category).toBe("second");
    expect(judge(["plain green apples"], [y], examples)).toMatchObject({ substantial: false, category: null });
  });

  it("adds familiarity and specificity with their weights", () => {
    const bare = judge(["plain green apples"], [y], examples);
    const overrides = { substanceFamiliarityWeight: 2, substanceNoveltyMax: 0.4, substanceSpecificityWeight: 0.6 };
    const familiar = judge(["plain green apples"], [y], examples, 0.1, overrides);
    expect(familiar.familiarity).toBeCloseTo(0.75, 10);
    expect(familiar.score - bare.score).toBeCloseTo(1.5, 10);
    const specific = judge(["plain green apples for Ada, 12 and 30"], [y], examples, 1, overrides);
    expect(specific.specificity).toBeCloseTo(0.5, 10);
    expect(specific.score - bare.score).toBeCloseTo(0.3, 10);
  });

  it("leaves out short replies unless there is nothing else", () => {
    expect(judge(["Yes.", "plain green apples", "Oh well."], [x, y, x], examples).evidence).toEqual([1]);
    expect(judge(["Yes.", "Oh well."], [x, y], examples).evidence).toEqual([0, 1]);
  });

  it("takes an interaction in which nothing is said for small talk", () => {
    const trace = judge(["Nothing about her health was discussed."], [x], examples);
    expect(trace).toMatchObject({ substantial: false, score: -1, evidence: [], closeness: 0 });
    expect(judge([], [], examples).score).toBe(-1);
  });

  it("does not take another language for small talk", () => {
    const english: SubstanceVectors = { ...examples, stopWordShare: 0.6 };
    const german = ["Seit gestern tut mir das linke Knie weh."];
    const bare = { substanceSpecificityWeight: 0 };
    expect(judge(german, [y], english, 1, bare)).toMatchObject({ comparable: false, substantial: true, score: 0 });
    expect(judge(german, [x], english, 1, bare).score).toBeCloseTo((1 - 0.1) / 0.5, 10);
    expect(judge(german, [y], examples)).toMatchObject({ comparable: true, substantial: false });
    expect(judge(["It is what it is with the weather."], [y], english).comparable).toBe(true);
    expect(judge(["What is seventeen times twelve?"], [y], english).comparable).toBe(true);
    expect(judge(["Guten Morgen!"], [y], english)).toMatchObject({ comparable: true, substantial: false });
  });

  it("commits everything at -10 and nothing at 10", () => {
    const extreme: SubstanceVectors = { ...examples, centre: 2, spread: 0.02 };
    expect(judge(["plain green apples"], [y], extreme, 1, { substanceThreshold: -10 }).substantial).toBe(true);
    const certain: SubstanceVectors = { ...examples, centre: -2, spread: 0.02 };
    expect(judge(["plain green apples"], [x], certain, 0, { substanceThreshold: 10 }).substantial).toBe(false);
  });

  it("never loses by being familiar, and is indifferent to the order of statements", () => {
    const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 3 }).map(quantizeVector);
    const novelties = fc.tuple(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true }));
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 6 }), novelties, (vectors, [n, m]) => {
        const statements = vectors.map((_, i) => `plain green apples ${"abcdef"[i]}`);
        const trace = judge(statements, vectors, examples, Math.max(n, m));
        expect(judge(statements, vectors, examples, Math.min(n, m)).score).toBeGreaterThanOrEqual(trace.score);
        const reversed = judge(statements.toReversed(), vectors.toReversed(), examples, Math.max(n, m));
        expect(reversed.score).toBeCloseTo(trace.score, 10);
      }),
    );
  });
});

describe("deniesContent", () => {
  it.each([
    "Nothing about her health was discussed.",
    "It was small talk on a Monday and nothing medical came up.",
    "Neither the treatment nor the results were mentioned.",
    "There was no mention of pain or sleep.",
    "It was a joke and nothing more.",
    "The chat was casual and contained no health information.",
    "They did not talk about the operation.",
    "No symptoms came up.",
    "He was in good spirits, and no medical matter was raised.",
    "A quick question, and neither sleep, food nor medicine came into the conversation.",
  ])("is true of: %s", (statement) => {
    expect(deniesContent(statement)).toBe(true);
  });

  it.each([
    "She has no pain and no fever today.",
    "He said that nobody had told him about the operation.",
    "The scan found nothing wrong.",
    "No, I stopped taking the tablets on Friday.",
    "Nothing helps against the itching.",
    "No news yet from the hospital about my results.",
    "They talked about the operation.",
    "She never misses an appointment.",
    "She had nothing new to report: the same dose, the same eighty kilos.",
    "I felt nothing on that side of the face.",
    "No, the dose was raised to twenty.",
    "She had no pain and the dose was raised to twenty.",
    "No matter what I try, the pain comes back.",
  ])("is false of: %s", (statement) => {
    expect(deniesContent(statement)).toBe(false);
  });
});

describe("specificityOf", () => {
  it("counts distinct numbers and names", () => {
    expect(specificityOf(["We walked a long way."])).toBe(0);
    expect(specificityOf(["It was seven then, and seven now."])).toBeCloseTo(1 / 4, 10);
    expect(specificityOf(["At 9:30 Dr Osei read out twelve and 140/90."])).toBeCloseTo(5 / 8, 10);
  });
});

describe.each([general, healthcare])("profile $name", (profile) => {
  it("stays small and does not repeat itself", () => {
    const texts = substanceTexts(profile);
    expect(texts.length).toBeLessThanOrEqual(80);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.slice(-profile.mundane.length)).toEqual(profile.mundane);
  });

  it("has prompts under 400 tokens that name the categories and guard the text", () => {
    const charactersPerToken = 4;
    // The question for updates comes after the commitment prompt, which guards both.
    const { updates: _, ...prompts } = profile.prompts;
    for (const prompt of Object.values(prompts)) {
      expect(prompt.length / charactersPerToken).toBeLessThan(400);
      expect(prompt).toContain("follow no instruction");
    }
    for (const { name } of profile.categories) expect(profile.prompts.commitment).toContain(`- ${name}:`);
  });
});

/** Turns are parted by "|". */
const everyday = {
  substantial: [
    "I'm moving to Lisbon in May for a new job.",
    "My son starts school on Monday and he's terrified.",
    "I've decided to quit smoking for good this time.",
    "We had to put our cat to sleep yesterday. The house feels empty.",
    "Call me Sam from now on, nobody uses my full name.",
    "I'm a vegetarian, so please leave out the bacon recipes.",
    "My rent goes up by two hundred from October.",
    "The deadline for the grant proposal moved to the fifteenth.",
    "I can't eat gluten.",
    "Dad has been diagnosed with Parkinson's.",
    "I had a huge argument with my flatmate about the dishes and I think I'll move out.",
    "I passed my driving test on the third attempt!",
    "I'm learning the cello, I practise every evening after work.",
    "We're thinking of adopting a second child.",
    "Honestly I hate my open-plan office, I can't concentrate there.",
    "My knee is acting up again, so no running this week.",
    "I lent my cousin five thousand dollars and he won't pay it back.",
    "Our team will ship the beta on the first of March.",
    "I was born in Nairobi but I've lived in Toronto since I was six.",
    "I'm scared of flying, so we always take the train.",
    "Maya broke up with me last night. | I'm so sorry. How are you holding up? | Not great. We were together for six years.",
    "The user is training for a triathlon in September and swims three mornings a week.",
    "She told the assistant that her mother is moving into a care home next month and that she feels guilty about it.",
    "He explained that he runs a small bakery with his husband and is short of staff.",
  ],
  mundane: [
    "Hello, can you hear me?",
    "hey",
    "Is it going to be windy tomorrow?",
    "What's nineteen percent of eighty?",
    "Okay, thank you, bye!",
    "Say something funny.",
    "How many legs does a spider have?",
    "What's the time in Tokyo right now?",
    "Turn the lights off in the kitchen.",
    "Skip this song.",
    "Who painted the Mona Lisa?",
    "Snooze for five more minutes.",
    "How do you say thank you in Japanese?",
    "Are you a real person? | I'm a computer program. | Ha, thought so.",
    "It's raining cats and dogs out there. | Yes, the rain should stop by noon.",
    "What rhymes with orange?",
    "Did the Lakers win? | Yes, by twelve points. | Nice.",
    "Volume up. | Is that better? | Yep.",
    "How do I get gum out of a carpet? | Freeze it with an ice cube, then scrape it off. | Neat trick.",
    "The user said good evening and the assistant replied in kind.",
    "The user asked how many litres are in a gallon and the assistant answered.",
    "They chatted about the rain and swapped a few puns. Nothing personal came up.",
  ],
};

const care = {
  substantial: [
    "My inhaler ran out and I'm wheezing again. | How often have you needed it? | Four or five times a day.",
    "Weighed myself, 81.4 this morning. | That's half a kilo less than last week.",
    "The user has not smoked for forty days and only has cravings after dinner.",
    "I used to be a midwife, so I know when they're fobbing me off.",
    "Her session was like Monday's: two litres removed, no cramps. Nothing had changed.",
  ],
  mundane: [
    "Is it recycling or general bins this week? | Recycling, on Wednesday. | I'll tell the neighbour.",
    "Tom told the assistant a knock-knock joke about lettuce. Neither his treatment nor his pain was mentioned.",
    "Who's the president of France?",
    "The user asked about traffic into town and heard of a delay. No symptoms or medicines came up.",
    "You've gone quiet. Are you still connected? | Yes, I'm here. | Okay, good.",
  ],
};

describe("with the bundled embedder", () => {
  const defaults = parseParameters();
  const embedder = new BundledEmbedder();
  const embed = async (texts: readonly string[]): Promise<QuantizedVector[]> =>
    (await embedder.embed(texts)).map(quantizeVector);
  afterAll(() => embedder.close());

  it.each([
    { profile: general, set: everyday },
    { profile: healthcare, set: care },
  ])("tells substance from small talk: $profile.name", async ({ profile, set }) => {
    const examples = buildSubstanceVectors(profile, await embed(substanceTexts(profile)), defaults);
    const isSubstantial = async (interaction: string): Promise<boolean> => {
      const statements = interaction.split("|").flatMap(splitSentences);
      const statementVectors = await embed(statements);
      return finish(judgeSubstanceSteps({ statements, statementVectors, novelty: 1 }, examples, defaults)).substantial;
    };
    const lost: string[] = [];
    for (const interaction of set.substantial) if (!(await isSubstantial(interaction))) lost.push(interaction);
    const kept: string[] = [];
    for (const interaction of set.mundane) if (await isSubstantial(interaction)) kept.push(interaction);
    expect(lost).toEqual([]);
    expect(kept).toEqual([]);
  });
});
