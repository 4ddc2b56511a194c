/** What people type first: a text, messages, a conversation of them, no person at all, and `await using`. */
import type { Message, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";

const open = async (): Promise<PersonMemory> => (await openMemories({ path: ":memory:" })).person("ada");

describe("commit", () => {
  it("takes a text, messages, and an interaction with messages", async () => {
    const ada = await open();
    await ada.commit("I moved to Lisbon.");
    await ada.commit([
      { role: "system", content: "Be brief." },
      { role: "user", content: "I row." },
      { role: "assistant", content: "Where?" },
    ]);
    await ada.commit({ id: "x", at: "2025-11-01T00:00:00Z", messages: [{ role: "user", content: "I sing." }] });
    await ada.commit([{ role: "user", content: "I dance.", createdAt: "2025-10-01T00:00:00Z" }]);
    expect(
      (await ada.history()).map(({ turns, at }) => [at, ...turns.map(({ who, text }) => `${who}: ${text}`)]),
    ).toEqual([
      ["2025-12-01T12:00:00.000Z", "user: I moved to Lisbon."],
      ["2025-12-01T12:00:00.000Z", "user: I row.", "assistant: Where?"],
      ["2025-11-01T00:00:00.000Z", "user: I sing."],
      ["2025-10-01T00:00:00.000Z", "user: I dance."],
    ]);
  });

  it("takes a text with a time and what is noted about it, before turns or messages", async () => {
    const ada = await open();
    await ada.commit({ text: "I sing.", at: "2025-11-01T00:00:00Z", metadata: { topic: "music" } });
    const answer = { role: "assistant", content: "Where?" };
    await ada.commitMany([
      { text: "I row.", turns: [answer] },
      { text: "I dance.", messages: [answer] },
      { text: "Ok" },
    ]);
    await ada.commit({ text: "I paint.", messages: [{ role: "system", content: "Be brief." }] });
    expect((await ada.history()).map(({ turns }) => turns.map(({ who, text }) => `${who}: ${text}`))).toEqual([
      ["user: I sing."],
      ["user: I row.", "assistant: Where?"],
      ["user: I dance.", "assistant: Where?"],
      ["user: Ok"],
      ["user: I paint."],
    ]);
    expect((await ada.history())[0]).toMatchObject({ at: "2025-11-01T00:00:00.000Z", metadata: { topic: "music" } });
    await expect(ada.commit({ text: 5 } as never)).rejects.toMatchObject({ code: "interaction_invalid" });
    await expect(ada.commit({ text: " " })).rejects.toMatchObject({ code: "interaction_empty" });
  });
});

describe("recall", () => {
  it.each<[unknown[], RegExp]>([
    [[{ query: "Where?" }], /^recall needs a question as text, not an object; write recall\("…", \{ … \}\)$/u],
    [["Where?", { topK: 3 }], /^recall's options have no "topK"; there are: .*\blimit\b/u],
  ])("%j says what to write", async (given, message) => {
    await expect((await open()).recall(...(given as [string]))).rejects.toThrow(message);
  });
});

it("a conversation takes texts, messages and turns", async () => {
  const ada = await open();
  const conversation = await ada.conversation();
  await conversation.add("What is the weather?");
  const call = { id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const messages: Message[] = [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: "21" },
    { role: "assistant", content: [{ type: "reasoning", text: "Hm." }] },
  ];
  for (const message of messages) await conversation.add(message);
  await conversation.add({ who: "assistant", text: "Warm." });
  expect(conversation.turns.map(({ who, text }) => `${who}: ${text}`)).toEqual([
    "user: What is the weather?",
    "assistant: [called get_weather]",
    "assistant: [get_weather returned 21]",
    "assistant: Warm.",
  ]);
  await expect(conversation.add({ role: "system", content: "Be brief." })).rejects.toThrow(
    /^the turn is a message of the system, which nobody said/u,
  );
  await expect(conversation.add({ speaker: "user", text: "x" } as never)).rejects.toThrow(
    /^the fields of the turn have no "speaker"; there are: who, text$/u,
  );
});

it("without a person there is one, but a name that is missing is not taken for it", async () => {
  const mnemosyne = await openMemories({ path: ":memory:" });
  expect(mnemosyne.person().name).toBe("default");
  expect(() => mnemosyne.person(undefined)).toThrow(/^person is undefined; give a name, such as mnemosyne/u);
});
