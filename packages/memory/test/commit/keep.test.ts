/** What decides whether an interaction is kept: requests, a wish, the language model, the reader, the examples. */
import { type CommitTrace, type InteractionInput, type PersonMemory, profiles } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedModel, answerWell, isAskedFor, judgment } from "../engine/scripted-model.js";
import { ScriptedReader } from "../engine/scripted-reader.js";

/** A reader that takes everything for a fact as surely as this, a model that finds it substantial or not. */
interface Deciders {
  readonly probability?: number;
  readonly model?: boolean;
  readonly parameters?: Record<string, number>;
}

async function open({ probability, model, parameters = {} }: Deciders): Promise<PersonMemory> {
  const reader = probability !== undefined && new ScriptedReader({ read: () => ({ fact: probability }) });
  const languageModel = new ScriptedModel((request) =>
    isAskedFor("keywords", request) ? JSON.stringify({ ...judgment, substantial: Number(model) }) : answerWell(request),
  );
  const memories = await openMemories({
    path: ":memory:",
    reader,
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
  it("the reader decides, whatever the examples think", async () => {
    expect(await decide({ probability: 0.049 })).toEqual(discarded("reader", 0.049));
    expect(await decide({ probability: 0.051 })).toEqual(committed("reader", 0.051));
  });

  it("the surest fact of all that people said counts, and nothing that an assistant said", async () => {
    const read = (text: string) => ({ fact: text.includes("penicillin") ? 0.9 : 0.01 });
    const person = (
      await openMemories({
        path: ":memory:",
        reader: new ScriptedReader({ read }),
        parameters: { substanceThreshold: 0 },
      })
    ).person("ada");
    const say = async (who: string): Promise<object> => {
      const texts = ["Is it going to rain?", "The rash is from the penicillin.", "It was a long day today."];
      const said = texts.map((text, i) => ({ who: i === 1 ? who : "user", text }));
      await person.commit({ id: who, turns: said });
      await person.settled();
      const [item] = await person.history({ ids: [who] });
      return { outcome: item!.outcome, probability: (item!.trace as CommitTrace).substance.probability };
    };
    expect(await say("user")).toEqual({ outcome: "committed", probability: 0.9 });
    expect(await say("assistant")).toEqual({ outcome: "discarded", probability: 0.01 });
  });

  it("of another language, of long talks, of material and of summaries the reader says nothing", async () => {
    const foreign = [{ who: "user", text: "Penicillin verursacht Ausschlag bei Kindern" }];
    expect(await decide({ probability: 0 }, { turns: foreign })).toMatchObject({ decidedBy: "examples" });
    const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");
    const long = (count: number) => [{ who: "user", text: words(count) }];
    const unread = { decidedBy: "examples", probability: null };
    expect(await decide({ probability: 0 }, { turns: long(121) })).toMatchObject(unread);
    expect(await decide({ probability: 0 }, { turns: long(120) })).toEqual(discarded("reader", 0));
    const material = [{ who: "user", text: "Translate this: the rash is from the penicillin" }];
    expect(await decide({ probability: 0 }, { turns: material })).toMatchObject(unread);
    const ofAssistant = [{ who: "assistant", text: "the rash is from the penicillin" }];
    expect(await decide({ probability: 0 }, { turns: ofAssistant })).toMatchObject(unread);
    expect(await decide({ probability: 0 }, { summary: "The rash is from the penicillin." })).toMatchObject(unread);
  });

  it("what a profile of one's own calls substance is kept, whatever the reader thinks", async () => {
    const reader = new ScriptedReader({ read: () => ({ fact: 0 }) });
    const own = {
      ...profiles.general,
      name: "pharmacy",
      categories: [{ ...profiles.general.categories[0]!, examples: [told[0]!.text] }],
    };
    const person = (
      await openMemories({ path: ":memory:", reader, profile: own, parameters: { substanceThreshold: 0 } })
    ).person("ada");
    await person.commit({ id: "a", turns: told });
    await person.settled();
    expect(await outcomeOf(person)).toEqual(committed("examples", 0));
  });

  it("without a reader the examples decide", async () => {
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

  it("it is overruled by a reader that is clear, and not by one that is not", async () => {
    expect(await decide({ model: false, probability: 0.5 })).toEqual(committed("reader", 0.5));
    expect(await decide({ model: false, probability: 0.49 })).toEqual(discarded("language model", 0.49));
  });

  it("it decides alone where nothing reads", async () => {
    expect(await decide({ model: false })).toEqual(discarded("language model", null));
    expect(await decide({ model: true })).toEqual(committed("language model", null));
  });
});

describe.each([
  ["the reader", { probability: 0 }],
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
