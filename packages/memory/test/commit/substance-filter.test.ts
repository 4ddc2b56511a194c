/** Who decides whether an interaction is worth remembering: requests, a wish, the language model, the judge, the examples. */
import { type CommitTrace, type InteractionInput, type Judge, type PersonMemory, profiles } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedJudge } from "../engine/scripted-judge.js";
import { ScriptedModel, answerWell, isAskedFor, judgment } from "../engine/scripted-model.js";

/** A judge that finds everything as telling as this, a model that finds it substantial or not. */
interface Deciders {
  readonly probability?: number;
  readonly model?: boolean;
  readonly parameters?: Record<string, number>;
}

async function open({ probability, model, parameters = {} }: Deciders): Promise<PersonMemory> {
  const judge: Judge | false = probability !== undefined && new ScriptedJudge({ substance: () => probability });
  const languageModel = new ScriptedModel((request) =>
    isAskedFor("keywords", request) ? JSON.stringify({ ...judgment, substantial: Number(model) }) : answerWell(request),
  );
  const memories = await openMemories({
    path: ":memory:",
    judge,
    parameters: {
      substanceThreshold: 0,
      substanceProbabilityMin: 0.05,
      ...parameters,
    },
    ...(model === undefined ? {} : { languageModel }),
  });
  return memories.person("ada");
}

async function decide(deciders: Deciders, input: Partial<InteractionInput> = {}): Promise<object> {
  const person = await open(deciders);
  await person.commit({ id: "a", turns: told, ...input });
  await person.settled();
  return outcomeOf(person);
}

/** Without signs of a fact, which would add to what the judge thinks. */
const told = [{ who: "user", text: "the rash is from the penicillin" }];

async function outcomeOf(person: PersonMemory): Promise<object> {
  const [item] = await person.history();
  const { decidedBy, probability, substantial } = (item!.trace as CommitTrace).substance;
  expect(substantial).toBe(item!.outcome !== "discarded");
  return { outcome: item!.outcome, decidedBy, probability };
}

const committed = (decidedBy: string, probability: number | null): object => ({
  outcome: "committed",
  decidedBy,
  probability,
});
const discarded = (decidedBy: string, probability: number | null): object => ({
  outcome: "discarded",
  decidedBy,
  probability,
});

describe("without a language model", () => {
  it("the judge decides, whatever the examples think", async () => {
    expect(await decide({ probability: 0.049 })).toEqual(discarded("judge", 0.049));
    expect(await decide({ probability: 0.051 })).toEqual(committed("judge", 0.051));
  });

  it.each([
    ["speaks of themselves", "the rash is from my penicillin", 0.045],
    ["gives a number", "the rash is from the 12 penicillin", 0.045],
    ["names somebody", "the rash is from the Bea penicillin", 0.04],
  ])("less is needed where somebody %s", async (_, text, probability) => {
    const turns = [{ who: "user", text }];
    expect(await decide({ probability }, { turns })).toEqual(committed("judge", probability));
    expect(await decide({ probability })).toEqual(discarded("judge", probability));
  });

  it("of another language and of long talks the judge says nothing", async () => {
    const foreign = [{ who: "user", text: "Penicillin verursacht Ausschlag bei Kindern" }];
    expect(await decide({ probability: 0 }, { turns: foreign })).toMatchObject({ decidedBy: "examples" });
    const long = [{ who: "user", text: "the rash is from the penicillin ".repeat(25) }];
    expect(await decide({ probability: 0 }, { turns: long })).toMatchObject({
      decidedBy: "examples",
      probability: null,
    });
  });

  it("what a profile of one's own calls substance is kept, whatever the judge thinks", async () => {
    const judge = new ScriptedJudge({ substance: () => 0 });
    const own = {
      ...profiles.general,
      name: "pharmacy",
      categories: [{ ...profiles.general.categories[0]!, examples: [told[0]!.text] }],
    };
    const person = (
      await openMemories({ path: ":memory:", judge, profile: own, parameters: { substanceThreshold: 0 } })
    ).person("ada");
    await person.commit({ id: "a", turns: told });
    await person.settled();
    expect(await outcomeOf(person)).toEqual(committed("examples", 0));
  });

  it("without a judge the examples decide", async () => {
    expect(await decide({ parameters: { substanceThreshold: -10 } })).toEqual(committed("examples", null));
    expect(await decide({ parameters: { substanceThreshold: 10 } })).toEqual(discarded("examples", null));
  });
});

describe("with a language model", () => {
  it("both must agree that nothing is told", async () => {
    expect(await decide({ model: false, probability: 0.05 })).toEqual(discarded("language model", 0.05));
    expect(await decide({ model: true, probability: 0.05 })).toEqual(committed("language model", 0.05));
    expect(await decide({ model: true, probability: 0.9 })).toEqual(committed("language model", 0.9));
  });

  it("it is overruled by a judge that is clear, and not by one that is not", async () => {
    expect(await decide({ model: false, probability: 0.5 })).toEqual(committed("judge", 0.5));
    expect(await decide({ model: false, probability: 0.49 })).toEqual(discarded("language model", 0.49));
  });

  it("it decides alone where nobody judges", async () => {
    expect(await decide({ model: false })).toEqual(discarded("language model", null));
    expect(await decide({ model: true })).toEqual(committed("language model", null));
  });
});

describe.each([
  ["the judge", { probability: 0 }],
  ["the examples", { parameters: { substanceThreshold: 10 } }],
  ["the language model", { probability: 0, model: false }],
])("whatever %s thinks", (_, deciders: Deciders) => {
  const probability = deciders.probability ?? null;

  it("what is to be kept is kept", async () => {
    expect(await decide(deciders, { keep: true })).toEqual(committed("kept by request", probability));
  });

  it("what is restored stays", async () => {
    const person = await open(deciders);
    await person.commit({ id: "a", turns: told });
    await person.settled();
    expect(await outcomeOf(person)).toMatchObject({ outcome: "discarded" });
    await person.restore("a");
    await person.settled();
    expect(await outcomeOf(person)).toEqual(committed("restored by request", probability));
  });

  it("what somebody asks to have remembered is, but not what an assistant does", async () => {
    const text = "Please remember that penicillin gave me a rash.";
    const said = (who: string): Partial<InteractionInput> => ({ turns: [{ who, text }] });
    expect(await decide(deciders, said("user"))).toEqual(committed("asked to remember", probability));
    expect(await decide(deciders, said("assistant"))).toMatchObject({ outcome: "discarded" });
  });
});
