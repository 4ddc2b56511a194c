/** Candidates for start nodes: what S_meta compares the question with, and when it is embedded. */
import { Mnemosyne, type PersonMemory, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { expect, it } from "vitest";
import { noChange } from "../../../src/core/graph/memory-node.js";
import { metaSimilarity } from "../../../src/core/paper/meta-similarity.js";
import { yearlessPhrases } from "../../../src/core/paper/naturalized-time.js";
import { cosine, quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { readPages } from "../../../src/ports/store.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { laboratory } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { NotingEmbedder } from "../noting-embedder.js";

const question = "How was the early recovery?";
const asked = { at: "2025-03-11T09:00:00Z", seed: 1 };

/** Stays open for the next process. */
class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

async function rememberKnee(
  state: string | undefined,
  parameters: Record<string, number> = {},
  store: Store = new MemoryStore(),
) {
  const embedder = new NotingEmbedder();
  const memories = await openMemories({ store, embedder, parameters: { startScoreMin: -1, ...parameters } });
  const person = memories.person("ada");
  const summary = "The knee bends to ninety degrees after exercises.";
  await person.commit({ id: "knee", summary, at: "2025-03-10T09:00:00Z", ...(state === undefined ? {} : { state }) });
  await person.settled();
  return { person, embedder };
}

const inOneText = { metaParts: 0 };

it("S_meta in one text compares the question with naturalized time, state and keywords", async () => {
  const { person, embedder } = await rememberKnee("early recovery", inOneText);
  const { keywords } = await person.get("knee");
  expect(keywords.length).toBeGreaterThan(1);
  const metaText = ["yesterday", "early recovery", ...keywords].join(", ");
  expect(await embedder.during(() => person.recall(question, asked))).toEqual([question, metaText]);

  const [asking, meta] = (await new HashingEmbedder().embed([question, metaText])).map(quantizeVector);
  const { trace } = await person.recall(question, asked);
  expect(trace.starts[0]!.metaSimilarity).toBeCloseTo(cosine(asking!, meta!), 12);
});

it("without a state, S_meta's text goes from the time to the keywords", async () => {
  const { person, embedder } = await rememberKnee(undefined, inOneText);
  const { keywords } = await person.get("knee");
  const texts = await embedder.during(() => person.recall(question, asked));
  expect(texts).toEqual([question, ["yesterday", ...keywords].join(", ")]);
});

it("S_meta from parts compares it with the vector of the time and that of state and keywords", async () => {
  const { person } = await rememberKnee("early recovery");
  const { keywords } = await person.get("knee");
  const texts = [question, "yesterday", ["early recovery", ...keywords].join(", ")];
  const [asking, phrase, topic] = (await new HashingEmbedder().embed(texts)).map(quantizeVector);
  const { trace } = await person.recall(question, asked);
  expect(trace.starts[0]!.metaSimilarity).toBe(metaSimilarity(asking!, phrase!, topic!));
});

it.each(["2025-03-10T10:00:00Z", "2025-03-11T09:00:00Z", "2025-05-11T09:00:00Z", "2031-03-11T09:00:00Z"])(
  "from parts, a recall embeds its question and nothing else, whenever it is asked: %s",
  async (at) => {
    const { person, embedder } = await rememberKnee("early recovery");
    expect(await embedder.during(() => person.recall(question, { at, seed: 1 }))).toEqual([question]);
  },
);

it("the events of a question are embedded along with it", async () => {
  const { person, embedder } = await rememberKnee(undefined);
  const texts = await embedder.during(() => person.recall("How was it two days after the exercises?", asked));
  expect(texts).toEqual(["How was it two days after the exercises?", "the exercises"]);
});

it("the first commit embeds the phrases of time for the whole store, and other processes find them there", async () => {
  const store = new LastingStore();
  const [first, second] = [new NotingEmbedder(), new NotingEmbedder()];
  const summary = "The knee bends to ninety degrees after exercises.";
  const remember = async (embedder: NotingEmbedder, id: string) => {
    const person = (await openMemories({ store, embedder })).person("ada");
    await person.commit({ id, summary, at: "2025-03-10T09:00:00Z" });
    await person.settled();
    return person;
  };
  await remember(first, "a");
  expect(first.texts).toEqual(expect.arrayContaining([...yearlessPhrases]));
  const person = await remember(second, "b");
  for (const phrase of yearlessPhrases) expect(second.texts).not.toContain(phrase);
  expect(await second.during(() => person.recall(question, asked))).toEqual([question]);
});

it("a recall over a store without phrases embeds them once; if they cannot be kept, it answers all the same", async () => {
  class ForgetfulStore extends LastingStore {
    override async cache(): Promise<void> {
      throw new Error("the disk is full");
    }
  }
  const store = new ForgetfulStore();
  await rememberKnee("early recovery", {}, store);
  const embedder = new NotingEmbedder();
  const warnings: string[] = [];
  const log = ({ message }: { message: string }): void => void warnings.push(message);
  const person = (await openMemories({ store, embedder, log })).person("ada");
  const texts = await embedder.during(() => person.recall(question, asked));
  expect(texts.toSorted()).toEqual([question, ...yearlessPhrases].toSorted());
  expect(warnings).toEqual(["vectors of time phrases could not be stored; they will be made again"]);
  expect(await embedder.during(() => person.recall(`And ${question}`, asked))).toEqual([`And ${question}`]);
});

it("a memory of an old file has no topic: its summary takes the place until it is embedded again", async () => {
  const store = new LastingStore();
  const { person } = await rememberKnee("early recovery", {}, store);
  const similarity = async (memory: PersonMemory): Promise<number> =>
    (await memory.recall(question, asked)).trace.starts[0]!.metaSimilarity;
  const withTopic = await similarity(person);
  const { change } = await readPages(await store.load("ada"));
  await store.apply("ada", {
    baseRevision: await store.revision("ada"),
    change: { ...noChange, putNodes: change.putNodes.map((node) => ({ ...node, topicVector: null })) },
    outcomes: [],
    forgetInteractions: [],
  });
  const texts = [question, "yesterday", "The knee bends to ninety degrees after exercises."];
  const [asking, phrase, summary] = (await new HashingEmbedder().embed(texts)).map(quantizeVector);
  expect(await similarity(person)).toBe(metaSimilarity(asking!, phrase!, summary!));
  await Mnemosyne.reembed(laboratory({ store, embedder: new HashingEmbedder() }));
  const again = (await openMemories({ store, parameters: { startScoreMin: -1 } })).person("ada");
  expect(await similarity(again)).toBe(withTopic);
});

it("where S_meta has no weight no times are embedded", async () => {
  const { person, embedder } = await rememberKnee("early recovery", { metaWeightBase: 0, metaWeightMax: 0 });
  expect(embedder.texts).not.toContain("yesterday");
  expect(await embedder.during(() => person.recall(question, asked))).toEqual([question]);
  const { trace } = await person.recall(question, asked);
  expect(trace.starts[0]!.metaSimilarity).toBe(0);
});

it("the whole start score decides what is quoted of start nodes: of two that say the same, the one in the state asked for", async () => {
  const memories = await openMemories({
    path: ":memory:",
    countTokens: (text) => text.split(".").length - 1,
    parameters: { redundancyThreshold: 10, metaWeightBase: 0.9, metaWeightMax: 0.9, startScoreMin: -1 },
  });
  const person = memories.person("ada");
  await person.commit({ id: "plain", summary: "The knee was stiff.", at: "2025-03-09T09:00:00Z" });
  const summary = "The knee was stiff then.";
  await person.commit({ id: "state", summary, state: "early recovery", at: "2025-03-10T09:00:00Z" });
  await person.settled();
  const recall = await person.recall("Was the knee stiff in early recovery?", { ...asked, tokenBudget: 1 });
  expect(recall.trace.context).toMatchObject({ includedIds: ["state"], droppedIds: ["plain"] });
});

it("single statements are looked at only where they have a weight", async () => {
  const asked = { at: "2025-03-11T09:00:00Z", seed: 1 };
  const coverage = async (statementLexicalWeight: number): Promise<number> => {
    const { person } = await rememberKnee(undefined, { statementLexicalWeight });
    return (await person.recall("How far does the knee bend?", asked)).trace.starts[0]!.statementCoverage;
  };
  expect(await coverage(0)).toBe(0);
  expect(await coverage(0.5)).toBeGreaterThan(0);
});

it("the weight of S_meta rises with a memory's age at the time of the question", async () => {
  const { person } = await rememberKnee(undefined, { metaWeightBase: 0.4, metaWeightMax: 0.6, metaWeightRiseDays: 28 });
  const weightAt = async (at: string): Promise<number> =>
    (await person.recall(question, { at, seed: 1 })).trace.starts[0]!.metaWeight;
  expect(await weightAt("2025-03-10T09:00:00Z")).toBeCloseTo(0.4, 12);
  // 28 days later.
  expect(await weightAt("2025-04-07T09:00:00Z")).toBeCloseTo(0.4 + 0.2 * (1 - 1 / Math.E), 12);
});
