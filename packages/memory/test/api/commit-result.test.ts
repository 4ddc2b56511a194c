/** What a commit says of its outcome when the caller waits for it. */
import { type Embedder, type InteractionInput, ModelError, type PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { FakeReader, read } from "./fake-reader.js";

const reader = new FakeReader([
  { older: "lives in Leeds", newer: "is at home in Leeds", is: "repeats" },
  { older: "in Leeds", newer: "lives in York", is: "ends" },
]);

async function openPerson(options: Parameters<typeof openMemories>[0] = {}): Promise<PersonMemory> {
  const mnemosyne = await openMemories({ path: ":memory:", reader, parameters: read, ...options });
  return mnemosyne.person("ada");
}

function said(id: string, text: string, more: Partial<InteractionInput> = {}): InteractionInput {
  return { id, turns: [{ who: "user", text }], ...more };
}

const nothing = { probability: 0.97, repeats: null, updates: [], ended: [], forgetAsked: [] };

describe("commit with wait", () => {
  it("says what became of each interaction, and why", async () => {
    const ada = await openPerson();
    const commit = (input: InteractionInput): Promise<object> => ada.commit(input, { wait: true });
    const at = (day: number): Partial<InteractionInput> => ({ at: `2025-03-0${day}` });
    expect(await commit(said("leeds", "Ada lives in Leeds.", at(1)))).toEqual({
      id: "leeds",
      isNew: true,
      outcome: "committed",
      reason: "kept",
      ...nothing,
    });
    expect(await commit(said("again", "Ada is at home in Leeds.", at(2)))).toEqual({
      id: "again",
      isNew: true,
      outcome: "paired",
      reason: "says the same as leeds",
      ...nothing,
      repeats: "leeds",
    });
    expect(await commit(said("york", "Ada lives in York.", at(3)))).toEqual({
      id: "york",
      isNew: true,
      outcome: "committed",
      reason: "kept, updates again and leeds",
      ...nothing,
      updates: ["again", "leeds"],
      ended: ["again#0", "leeds#0"],
    });
    expect(await commit(said("hi", "Hello there!"))).toEqual({
      id: "hi",
      isNew: true,
      outcome: "discarded",
      reason: "not kept: small talk",
      ...nothing,
      probability: 0.02,
    });
    expect(await commit(said("kept", "Hello you!", { keep: true }))).toEqual({
      id: "kept",
      isNew: true,
      outcome: "committed",
      reason: "kept as you asked",
      ...nothing,
      probability: 0.02,
    });
    expect(await commit(said("wish", "Hello, please remember the blue mug."))).toMatchObject({
      reason: "kept: it asks to be remembered",
    });
  });

  it("says the same of what is known already", async () => {
    const ada = await openPerson();
    const first = await ada.commit(said("hi", "Hello there!"), { wait: true });
    expect(first.isNew).toBe(true);
    expect(await ada.commit(said("hi", "Hello there!"), { wait: true })).toEqual({ ...first, isNew: false });
    await ada.restore("hi");
    await ada.settled();
    expect(await ada.commit(said("hi", "Hello there!"), { wait: true })).toMatchObject({
      outcome: "committed",
      reason: "restored as you asked",
    });
  });

  it("rejects with what stopped the processing, and says that the interaction is stored", async () => {
    const embedder = new HashingEmbedder();
    let isDown = true;
    const failing: Embedder = {
      identity: embedder.identity,
      textsPerCall: 1,
      close: () => embedder.close(),
      embed: async (texts) => {
        if (isDown) throw new Error("the embedder is down");
        return embedder.embed(texts);
      },
    };
    const ada = await openPerson({ embedder: failing });
    const error: unknown = await ada.commit(said("a", "Ada rows."), { wait: true }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "embedder_failed" });
    expect((error as Error).message).toMatch(/^"a" is stored, but processing it failed; it is tried again later: /u);
    isDown = false;
    expect(await ada.commit(said("a", "Ada rows."), { wait: true })).toMatchObject({ isNew: false, reason: "kept" });
  });
});

describe("options of commit", () => {
  it.each([
    [{ wiat: true }, /^commit's options have no "wiat"; there are: wait, signal$/u],
    [{ wait: "yes" }, /^wait must be true or false, not a text of 3 characters$/u],
    [null, /^commit's options must be an object, not null$/u],
  ])("%o are refused, and nothing is stored", async (options, message) => {
    const ada = await openPerson();
    await expect(ada.commit(said("a", "Ada rows."), options as never)).rejects.toThrow(message);
    await expect(ada.history()).rejects.toMatchObject({ code: "unknown_person" });
  });
});
