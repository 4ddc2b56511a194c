/** What happens to a recall when the memory changes while it waits for the embedder. */
import { describe, expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const dayMs = 86_400_000;
const startMs = Date.parse("2025-03-03T09:00:00Z");
const at = (day: number): number => startMs + day * dayMs;

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

/** Texts of a naturalized time; the last thing a recall waits for. */
const timeText = /^(?:two|three|four|five|six) days ago, /u;
const parameters = {
  redundancyThreshold: 10,
  edgeThreshold: 0.1,
  explorationFactor: 100,
  questionTimeWeight: 0.4,
  // So that there are texts of naturalized times.
  metaParts: 0,
};

async function openPerson(path: string, embedder: HashingEmbedder): Promise<PersonMemory> {
  const memories = await openMemories({ path, embedder, parameters });
  return memories.person("ada");
}

async function remember(person: PersonMemory, texts: Record<string, string>): Promise<void> {
  for (const [id, summary] of Object.entries(texts)) await person.commit({ id, summary, at: at(0) });
  await person.settled();
}

const valves = {
  oil: "The zephyr valve leaks oil.",
  noise: "The zephyr valve makes a noise.",
  choir: "The choir sang Fauré.",
};

describe("forgetting while a recall is under way", () => {
  it.each([
    ["the question", /^What about/u],
    ["naturalized times", timeText],
    ["the event", /^the choir$/u],
  ])("waiting for %s: what is forgotten is in no part of the recall", async (_, pattern) => {
    const embedder = new GatedEmbedder(pattern);
    const person = await openPerson(":memory:", embedder);
    await remember(person, valves);
    const recalling = person.recall("What about the zephyr valve six days after the choir?", { at: at(3), seed: 1 });
    await embedder.reached;
    await person.forget("oil");
    embedder.open();
    const { memories, context, trace } = await recalling;
    expect(memories.map(({ id }) => id)).toContain("noise");
    expect(memories.map(({ id }) => id)).not.toContain("oil");
    expect(context).not.toContain("leaks oil");
    expect(JSON.stringify([trace.starts, trace.passedOver, trace.steps])).not.toContain('"oil"');
  });

  it("of everything leaves nothing to recall", async () => {
    const embedder = new GatedEmbedder(timeText);
    const person = await openPerson(":memory:", embedder);
    await remember(person, valves);
    const recalling = person.recall("What about the zephyr valve?", { at: at(3), seed: 1 });
    await embedder.reached;
    await person.forgetAll();
    embedder.open();
    const { memories, context } = await recalling;
    expect(memories).toEqual([]);
    expect(context).not.toContain("zephyr");
  });
});

it("a memory that comes while a recall is under way does not pass for the one whose place it takes", async () => {
  const path = scratch.next();
  const embedder = new GatedEmbedder(timeText);
  const person = await openPerson(path, embedder);
  await remember(person, valves);
  const elsewhere = await openPerson(path, new HashingEmbedder());
  const ask = person.recall("zephyr valve leaks oil", { at: at(3), seed: 1, tokenBudget: 45 });
  await embedder.reached;
  await elsewhere.forget("oil");
  await remember(elsewhere, { late: "The choir makes a noise." });
  await person.list();
  embedder.open();
  const { memories, trace } = await ask;
  expect(memories.map(({ id }) => id).toSorted()).toEqual(["choir", "late", "noise"]);
  expect(memories.find(({ id }) => id === "late")!.score).toBeNull();
  expect(trace.context.includedIds).toEqual(["noise"]);
});
