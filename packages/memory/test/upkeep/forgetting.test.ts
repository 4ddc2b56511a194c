/** Forgetting in this process: what was made of a forgotten text is gone from memory too, not from the store alone. */
import { describe, expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { type LogEvent, NotFoundError, type RecordChange } from "mnemosyne-edge";
import { kinds } from "../../src/engine/records/kinds.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { NotingEmbedder } from "../engine/noting-embedder.js";
import { WatchedStore, textOf } from "../engine/records/opened-records.js";
import { ScriptedModel, answerWell } from "../engine/scripted-model.js";

const secret = "Ada keeps the spare key under the blue flowerpot.";

async function rememberSecret(): Promise<{ person: PersonMemory; embedder: NotingEmbedder }> {
  const embedder = new NotingEmbedder();
  const person = (await openMemories({ path: ":memory:", embedder })).person("ada");
  await person.commit({ id: "key", summary: secret, at: "2025-05-01" });
  await person.commit({ id: "knee", summary: "The knee bends to ninety degrees.", at: "2025-05-02" });
  await person.settled();
  return { person, embedder };
}

/** Whether a vector of the secret is at hand: asked in its own words, it is not embedded again. */
async function holdsItsVector(person: PersonMemory, embedder: NotingEmbedder): Promise<boolean> {
  return !(await embedder.during(() => person.recall(secret, { seed: 1 }))).includes(secret);
}

describe("the vector of a forgotten text", () => {
  it("is at hand while it is a memory, and gone with it", async () => {
    const { person, embedder } = await rememberSecret();
    expect(await holdsItsVector(person, embedder)).toBe(true);
    await person.forget("key");
    expect(await holdsItsVector(person, embedder)).toBe(false);
  });

  it("is gone when everything about the person is forgotten", async () => {
    const { person, embedder } = await rememberSecret();
    await person.forgetAll();
    expect(await holdsItsVector(person, embedder)).toBe(false);
  });
});

const dayMs = 86_400_000;
const startMs = Date.parse("2025-05-01T10:00:00Z");
const violin = "Ada plays the violin in the harbour orchestra every Friday evening with her friends.";

/** Three who say the same, so that the second is replaced, and one of their own. */
async function rememberViolins(parameters: Record<string, number> = {}): Promise<PersonMemory> {
  const memories = await openMemories({
    path: ":memory:",
    parameters: { redundancyFreshTermShareMax: 1, edgeThreshold: 0, ...parameters },
  });
  const person = memories.person("ada");
  for (const [i, id] of ["first", "second", "third"].entries()) {
    await person.commit({ id, summary: violin, at: startMs + i * dayMs });
  }
  await person.commit({ id: "plums", summary: "The plums on the violin tree ripened early.", at: startMs + 3 * dayMs });
  await person.settled();
  return person;
}

interface Trace {
  readonly by?: string;
  readonly redundancy?: { readonly id: string };
  readonly pairing?: { readonly partnerId: string | null; readonly removedId: string | null };
  readonly edges?: { readonly strongest: readonly { readonly id: string }[] };
}

async function traceOf(person: PersonMemory, id: string): Promise<Trace> {
  return (await person.history({ ids: [id] }))[0]!.trace as Trace;
}

describe("the name of a forgotten interaction goes from other traces:", () => {
  it("as the partner of a pair and as a neighbour", async () => {
    const person = await rememberViolins();
    const before = await traceOf(person, "third");
    expect(before.pairing).toMatchObject({ partnerId: "first", removedId: "second" });
    expect((await traceOf(person, "plums")).edges!.strongest.map(({ id }) => id)).toContain("first");
    await person.forget("first");
    const after = await traceOf(person, "third");
    expect(after.pairing).toMatchObject({ partnerId: "(forgotten)", removedId: "second" });
    expect((await traceOf(person, "plums")).edges!.strongest.map(({ id }) => id)).toEqual(["(forgotten)", "third"]);
    expect(JSON.stringify(await person.history())).not.toContain('"first"');
  });

  it("as the one that was repeated and replaced, and as the one that replaced it", async () => {
    const replaced = await rememberViolins();
    expect((await traceOf(replaced, "third")).redundancy!.id).toBe("second");
    await replaced.forget("second");
    expect((await traceOf(replaced, "third")).redundancy!.id).toBe("(forgotten)");
    expect((await traceOf(replaced, "third")).pairing).toMatchObject({ partnerId: "first", removedId: "(forgotten)" });
    const replacing = await rememberViolins();
    expect((await traceOf(replacing, "second")).by).toBe("third");
    await replacing.forget("third");
    expect((await traceOf(replacing, "second")).by).toBe("(forgotten)");
  });
});

describe("a receipt", () => {
  it("counts the vectors of summary, statements, questions and hypothetical query", async () => {
    const languageModel = new ScriptedModel(answerWell);
    const memories = await openMemories({ path: ":memory:", languageModel });
    const person = memories.person("ada");
    const turns = [{ who: "Ada", text: "Penicillin gave me a rash when I was seven." }];
    await person.commit({ id: "asked", turns, at: startMs });
    await person.settled();
    await person.recall("penicillin", { at: startMs + dayMs, seed: 1 });
    const { statements } = await person.get("asked");
    expect(statements).toHaveLength(3);
    const { removed } = await person.forget("asked");
    expect(removed).toEqual({
      interactions: 1,
      queueEntries: 0,
      memories: 1,
      edges: 0,
      vectors: 1 + 3 + 2 + 1,
      lexicalEntries: 1,
    });
  });

  it("of everything counts what the store erased, each edge once, and pairs that went together are no remains", async () => {
    const person = await rememberViolins();
    const { edges } = await person.graph();
    expect(edges).toHaveLength(3);
    const vectors = (await person.list()).reduce((sum, { statements }) => sum + 1 + statements.length, 0);
    expect(await person.forgetAll()).toEqual({
      forgotten: ["first", "second", "third", "plums"],
      removed: { interactions: 4, queueEntries: 0, memories: 3, edges: 3, vectors, lexicalEntries: 3 },
      remainingPairs: [],
      coreSummaryRebuilt: false,
    });
    expect(await person.recall("violin", { seed: 1 })).toMatchObject({ memories: [], trace: { memoryCount: 0 } });
    await expect(person.history()).rejects.toThrow(NotFoundError);
  });

  it("names the other half of a pair, which stays", async () => {
    const person = await rememberViolins();
    expect(await person.forget("third")).toMatchObject({ remainingPairs: ["first"], removed: { edges: 2 } });
    expect((await person.get("first")).pairId).toBeNull();
    const both = await rememberViolins();
    expect(await both.forget(["first", "third"])).toMatchObject({ remainingPairs: [], removed: { edges: 3 } });
  });
});

describe("a core summary that cannot be written again at once", () => {
  class FailingEmbedder extends HashingEmbedder {
    isFailing = false;

    override async embed(texts: readonly string[]): Promise<Float32Array[]> {
      if (this.isFailing) throw new Error("out of order");
      return super.embed(texts);
    }
  }

  it("is gone all the same, the log says so, and the next commitment brings it", async () => {
    const embedder = new FailingEmbedder();
    const events: LogEvent[] = [];
    const memories = await openMemories({ path: ":memory:", embedder, log: (event) => events.push(event) });
    const person = memories.person("ada");
    await person.commit({ id: "secret", summary: "The spare key is under the flowerpot.", at: startMs });
    await person.commit({ id: "plums", summary: "Plums ripened early.", at: startMs + dayMs });
    await person.settled();
    expect((await person.coreSummary({ update: true })).text).toContain("flowerpot");
    embedder.isFailing = true;
    expect((await person.forget("secret")).coreSummaryRebuilt).toBe(true);
    expect((await person.coreSummary()).text).toBe("N/A");
    expect(events).toMatchObject([
      { level: "warn", person: "ada", message: expect.stringMatching(/^the core summary could not be rewritten/u) },
    ]);
    embedder.isFailing = false;
    await person.commit({ id: "trains", summary: "Trains were late at Graz.", at: startMs + 2 * dayMs });
    await person.settled();
    const { text, sourceIds } = await person.coreSummary();
    expect(text).toContain("Plums ripened early.");
    // Due before the next interaction, not after so many more.
    expect(sourceIds).toEqual(["plums"]);
  });

  it("for another reason than a model is told to whoever asked", async () => {
    class FullStore extends WatchedStore {
      isFull = false;

      override async beforeWrite(name: string, { put = [] }: RecordChange): Promise<void> {
        const core = put.find(({ kind }) => kind === kinds.core);
        if (this.isFull && core !== undefined && textOf(name, core) !== "null") throw new Error("no room");
      }
    }
    const store = new FullStore();
    const person = (await openMemories({ store })).person("ada");
    await person.commit({ id: "secret", summary: "The spare key is under the flowerpot.", at: startMs });
    await person.commit({ id: "plums", summary: "Plums ripened early.", at: startMs + dayMs });
    await person.settled();
    await person.coreSummary({ update: true });
    store.isFull = true;
    await expect(person.forget("secret")).rejects.toThrow("no room");
    expect(JSON.stringify(await person.history())).not.toContain("flowerpot");
  });
});

describe("history that expires", () => {
  /** Interactions of several outcomes, each accepted on a day of its own; then something is committed on `day`. */
  async function expireOn(day: number, historyRetentionDays = 30): Promise<string[]> {
    let now = startMs;
    const model = new ScriptedModel((request) =>
      answerWell(request).replace(
        '"substantial":1',
        request.text.includes("small talk") ? '"substantial":0' : '"substantial":1',
      ),
    );
    const memories = await openMemories({
      path: ":memory:",
      clock: { nowMs: () => now },
      languageModel: model,
      parameters: { historyRetentionDays, redundancyThreshold: 10 },
    });
    const person = memories.person("ada");
    const say = async (id: string, acceptedDay: number, text: string): Promise<void> => {
      now = startMs + acceptedDay * dayMs;
      await person.commit({ id, turns: [{ who: "Ada", text }] });
      await person.settled();
    };
    await say("kept", 0, "Penicillin gave me a rash when I was seven.");
    await say("early", 0, "Penicillin and small talk.");
    await say("later", 0.5, "Penicillin and more small talk.");
    await say("last", 3, "Penicillin and still more small talk.");
    const conversation = await person.conversation({ id: "talk" });
    await conversation.add({ who: "Ada", text: "A long talk." });
    await say("now", day, "Penicillin gave me a rash once more.");
    return (await person.history()).map(({ id }) => id);
  }

  it("goes when the oldest is a day over the retention, with all that is over it by then", async () => {
    const all = ["kept", "early", "later", "last", "talk", "now"];
    expect(await expireOn(30.9)).toEqual(all);
    expect(await expireOn(31)).toEqual(all);
    expect(await expireOn(31.01)).toEqual(["kept", "last", "talk", "now"]);
    expect(await expireOn(32.99)).toEqual(["kept", "last", "talk", "now"]);
    expect(await expireOn(33.01)).toEqual(["kept", "talk", "now"]);
  });

  it("stays for ever without a retention", async () => {
    expect(await expireOn(4_000, 0)).toHaveLength(6);
  });
});
