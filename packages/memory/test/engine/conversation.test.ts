/** A conversation still going on: what is stored with each turn, how long it may be, and its running summary. */
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { WatchedStore } from "./records/opened-records.js";
import { ScriptedModel } from "./scripted-model.js";

describe("a turn", () => {
  it("without a word is taken, but a conversation without one is not ended", async () => {
    const person = (await openMemories({ path: ":memory:" })).person("ada");
    const conversation = await person.conversation({ id: "talk" });
    await conversation.add({ who: "user", text: " " });
    expect(conversation.turns).toHaveLength(1);
    await expect(conversation.end()).rejects.toMatchObject({ code: "interaction_empty" });
    await conversation.add({ who: "user", text: "Hello." });
    await conversation.end();
    await person.settled();
    expect((await person.history())[0]!.outcome).toBe("committed");
  });

  it("that makes it longer than an interaction may be is refused, and what was there stays", async () => {
    const parameters = { interactionCharacterCountMax: 100 };
    const person = (await openMemories({ path: ":memory:", parameters })).person("ada");
    const conversation = await person.conversation({ id: "talk" });
    await conversation.add({ who: "user", text: "x".repeat(50) });
    await expect(conversation.add({ who: "user", text: "y".repeat(43) })).rejects.toMatchObject({
      code: "text_too_long",
    });
    await conversation.add({ who: "user", text: "z".repeat(42) });
    expect(conversation.turns.map(({ text }) => text[0])).toEqual(["x", "z"]);
  });
});

describe("whoever else goes on with it", () => {
  it("is heard first, and when they end it nothing more is taken here", async () => {
    const memories = await openMemories({ path: ":memory:" });
    const person = memories.person("ada");
    const [here, there] = [await person.conversation({ id: "talk" }), await person.conversation({ id: "talk" })];
    await here.add({ who: "user", text: "One." });
    await there.add({ who: "user", text: "Two." });
    await here.add({ who: "user", text: "Three." });
    expect(here.turns.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
    await there.end();
    await expect(here.add({ who: "user", text: "Four." })).rejects.toMatchObject({
      code: "conversation_ended",
      message: 'conversation "talk" has ended; start another one',
    });
    await expect(here.end()).rejects.toMatchObject({ code: "conversation_ended" });
    await memories.settled();
    expect((await person.get("talk")).turns).toHaveLength(3);
  });

  it("and comes in between makes it try again on what they said", async () => {
    let meanwhile = async (): Promise<void> => {};
    class OpenStore extends WatchedStore {
      override async beforeWrite(): Promise<void> {
        const others = meanwhile;
        meanwhile = async () => {};
        await others();
      }
    }
    const person = (await openMemories({ store: new OpenStore() })).person("ada");
    const [here, there] = [await person.conversation({ id: "talk" }), await person.conversation({ id: "talk" })];
    await here.add({ who: "user", text: "One." });
    meanwhile = () => there.add({ who: "user", text: "Two." });
    await here.add({ who: "user", text: "Three." });
    expect((await person.history())[0]!.turns.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
  });

  it("forgotten, it does not go on", async () => {
    const person = (await openMemories({ path: ":memory:" })).person("ada");
    await person.commit({ id: "other", summary: "The knee." });
    const conversation = await person.conversation({ id: "talk" });
    await conversation.add({ who: "user", text: "One." });
    await person.forget("talk");
    await expect(conversation.add({ who: "user", text: "Two." })).rejects.toMatchObject({ code: "conversation_ended" });
    expect((await person.history()).map(({ id }) => id)).toEqual(["other"]);
  });
});

describe("a running summary", () => {
  const turns = ["The stitches came out on Monday.", "My knee bends to 95 degrees."];

  it("of a model covers the turns since its last one only, and where it fails sentences do for all of them", async () => {
    let isSilent = false;
    const model = new ScriptedModel(() => (isSilent ? "no idea" : JSON.stringify({ summary: "Stitches came out." })));
    const person = (await openMemories({ path: ":memory:", languageModel: model })).person("ada");
    const conversation = await person.conversation({ id: "talk" });
    await conversation.add({ who: "Ada", text: turns[0]! });
    expect(await conversation.summary()).toBe("Stitches came out.");
    isSilent = true;
    await conversation.add({ who: "Ada", text: turns[1]! });
    expect(await conversation.summary()).toBe(`Ada: ${turns.join(" ")}`);
    // Once it answers, it is shown what it has not seen.
    isSilent = false;
    expect(await conversation.summary()).toBe("Stitches came out.");
    expect(model.requests.at(-1)!.text).toBe(
      `<<<TEXT\nSummary so far:\nStitches came out.\n\nNew turns:\nAda: ${turns[1]}\nTEXT>>>`,
    );
  });
});
