/** Each format: what becomes what, with times, speakers and ids, and what is left out and why. */
import { describe, expect, it } from "vitest";
import { chunksOf, readAll, said, sample } from "./chunks.js";

describe("chatgpt", () => {
  it("takes the way to the current message, divides it at a pause, and says what it left out", async () => {
    const { interactions, counts, error } = await readAll("chatgpt", sample("chatgpt.json"));
    expect(error).toBeNull();
    expect(interactions.map(said)).toEqual([
      [
        "2025-01-08T08:00:10.000Z",
        "user: My rye starter is called Boris. Why does it smell of vinegar?",
        "assistant: Feed it more often; it is hungry.",
      ],
      [
        "2025-01-10T08:00:00.000Z",
        "user: [image]\nHere is Boris after two days of feeding.",
        "assistant: He looks well.",
      ],
      ["2025-01-14T02:53:30.000Z", "user: I start at the bakery in Szeged on Monday.", "assistant: Good luck!"],
    ]);
    const base = "chatgpt-11111111-aaaa-4bbb-8ccc-00000000000";
    expect(interactions.map(({ id }) => id)).toEqual([`${base}1`, `${base}1-u2`, `${base}2`]);
    expect(interactions[0]!.metadata).toEqual({ source: "chatgpt", title: "Sourdough starter" });
    expect(counts).toEqual({
      sourceCount: 3,
      interactionCount: 3,
      messageCount: 6,
      skipped: {
        "messages of replaced branches": 1,
        "system messages": 1,
        "hidden messages": 1,
        "tool messages": 2,
        reasoning: 1,
        "conversations without words": 1,
      },
      speakers: { user: 3, assistant: 3 },
      firstMs: Date.parse("2025-01-08T08:00:10Z"),
      lastMs: Date.parse("2025-01-14T02:53:30Z"),
    });
  });
});

describe("claude", () => {
  it("takes the text blocks, names attached files, and reads older messages without blocks", async () => {
    const { interactions, counts } = await readAll("claude", sample("claude.json"));
    expect(interactions.map(said)).toEqual([
      [
        "2025-03-02T09:00:05.500Z",
        "user: I got allotment 14 on Weir Lane.\n[attached file: plan.txt]",
        "assistant: Start with the north bed.",
      ],
      ["2024-11-05T19:00:00.000Z", "user: My sister Noor moved to Ghent."],
    ]);
    expect(interactions[1]!.metadata).toEqual({ source: "claude" });
    expect(counts.skipped).toEqual({
      "reasoning and calls of tools": 3,
      "conversations without words": 1,
    });
  });

  it("leaves out what an edit replaced", async () => {
    const message = (uuid: string, parent: string | null): object => ({
      uuid,
      sender: "human",
      text: uuid,
      created_at: "2025-01-01T10:00:00Z",
      parent_message_uuid: parent,
    });
    const chat_messages = [message("one", null), message("two", "one"), message("three", "one")];
    const { interactions, counts } = await readAll("claude", JSON.stringify([{ uuid: "c", name: "n", chat_messages }]));
    expect(interactions.flatMap(({ turns = [] }) => turns.map(({ text }) => text))).toEqual(["one", "three"]);
    expect(counts.skipped).toEqual({ "messages of replaced branches": 1 });
  });
});

describe("mem0", () => {
  it("keeps facts with their times and metadata, and leaves out what has expired", async () => {
    const { interactions, counts } = await readAll("mem0", sample("mem0.json"));
    expect(interactions).toEqual([
      {
        id: "mem0-33333333-aaaa-4bbb-8ccc-000000000001",
        at: Date.parse("2025-02-03T16:15:30.123Z"),
        summary: "Is allergic to walnuts",
        keep: true,
        metadata: {
          source: "mem0",
          source_app: "kitchen",
          tags: ["food", "health"],
          user_id: "talia",
          categories: ["health"],
        },
      },
      {
        id: "mem0-33333333-aaaa-4bbb-8ccc-000000000002",
        at: Date.parse("2025-02-10T10:00:00Z"),
        summary: "Trains for the Tyne half marathon",
        keep: true,
        expiresAt: Date.parse("3000-01-01T00:00:00Z"),
        metadata: { source: "mem0", user_id: "talia", categories: ["sport"] },
      },
    ]);
    expect(counts.skipped).toEqual({
      "metadata fields that are nested or too large": 1,
      "expired memories": 1,
      "empty memories": 1,
    });
  });

  it("takes no more metadata than an interaction may have", async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i]));
    const bad = { $gt: 1, long: "x".repeat(1001), list: Array.from({ length: 65 }, String), "a\nb": 1 };
    const list = [{ id: "a", memory: "Sails", user_id: "u", metadata: { ...bad, ...many } }];
    const { interactions, counts } = await readAll("mem0", JSON.stringify(list));
    expect(Object.keys(interactions[0]!.metadata)).toHaveLength(31);
    expect(counts.skipped).toEqual({ "metadata fields that are nested or too large": 15 });
  });

  it("reads a plain list, and camel case", async () => {
    const list = [{ id: "a", memory: "Sails", userId: "u", createdAt: "2025-01-01T00:00:00Z" }];
    const { interactions } = await readAll("mem0", JSON.stringify(list));
    expect(interactions.map(said)).toEqual([["2025-01-01T00:00:00.000Z", "Sails"]]);
    expect(interactions[0]!.metadata).toEqual({ source: "mem0", user_id: "u" });
  });

  it("does not make one person of two, unless one is named", async () => {
    const list = ["ada", "bo", "ada"].map((user_id, i) => ({ id: String(i), memory: `fact ${i}`, user_id }));
    const { error } = await readAll("mem0", JSON.stringify(list));
    expect(error?.message).toMatch(/^file, memory 2: memories of several user_ids; .*--as-user/u);
    const { interactions, counts } = await readAll("mem0", JSON.stringify(list), { asUser: "ada" });
    expect(interactions.map(({ summary }) => summary)).toEqual(["fact 0", "fact 2"]);
    expect(counts.skipped).toEqual({ "memories of other users": 1 });
  });
});

describe("whatsapp", () => {
  it("reads an Android chat: further lines, captions, media, deleted and system lines, sessions", async () => {
    const { interactions, counts } = await readAll("whatsapp", sample("whatsapp-android.txt"));
    expect(interactions.map(said)).toEqual([
      [
        "2024-05-12T21:15:00.000Z",
        "Bram: Did you get the key for the boat house?",
        "Saoirse: Yes, from Mr Quill.\nIt is the small brass one.",
        "Bram: That one?",
        "Saoirse: Yes!",
      ],
      ["2024-05-13T08:02:00.000Z", "Bram: Regatta is on Saturday: be there at 9."],
    ]);
    expect(counts.skipped).toEqual({ "system lines": 2, media: 1, "deleted messages": 1 });
  });

  it("reads an iPhone chat: hidden marks, a 12-hour clock, the month first", async () => {
    const { interactions, counts } = await readAll("whatsapp", sample("whatsapp-ios.txt"));
    expect(interactions.map(said)).toEqual([
      [
        "2024-03-01T21:16:00.000Z",
        "Petra: The roof leaks above the stove.",
        "Jonah: I call the roofer, @Petra.",
        "Jonah: Location: https://maps.example/?q=1,2",
        "Jonah: He comes on Tuesday.",
      ],
      ["2024-03-13T07:00:00.000Z", "Petra: Dry at last."],
    ]);
    expect(counts.skipped).toEqual({ "system lines": 1, media: 2 });
  });

  it("says who the user is without changing ids, and reads times in the time zone", async () => {
    const options = { asUser: "Saoirse", timeZone: "Europe/Amsterdam" };
    const { interactions, counts } = await readAll("whatsapp", sample("whatsapp-android.txt"), options);
    const { interactions: plain } = await readAll("whatsapp", sample("whatsapp-android.txt"), {
      timeZone: "Europe/Amsterdam",
    });
    expect(counts.speakers).toEqual({ Bram: 3, user: 2 });
    expect(interactions.map(({ id, at }) => [id, at])).toEqual(plain.map(({ id, at }) => [id, at]));
    expect(interactions[0]!.at).toBe(Date.parse("2024-05-12T19:15:00Z"));
  });

  it("keeps what anybody may type", async () => {
    const texts = ["I omitted", "the rest is omitted", "<3", "see (file attached)", "null"];
    const chat = texts.map((text) => `12.05.24, 21:15 - Ana: ${text}\n`).join("");
    const { interactions } = await readAll("whatsapp", chat);
    expect(interactions.flatMap(({ turns }) => turns!.map(({ text }) => text))).toEqual(texts);
  });
});

describe("markdown", () => {
  it("begins an interaction at a dated heading, and tells chats from notes", async () => {
    const { interactions } = await readAll("markdown", sample("notes.md"));
    expect(interactions.map(said)).toEqual([
      ["2024-04-30T00:00:00.000Z", 'user: Bought the narrowboat "Heron".'],
      [
        "2024-05-12T18:30:00.000Z",
        "Marek: The bilge pump is broken.",
        "Ines: I order a new one.\nIt comes on Friday.",
        "Marek: Thanks.",
      ],
      ["2024-05-14T00:00:00.000Z", "user: Sold the old bicycle to Anselm.\n\n```\n# not a heading 2024-01-01\n```"],
      ["2024-05-15T19:05:00.000Z", "Ines: Did the pump arrive?", "Marek: Yes, this morning."],
      ["2024-05-16T00:00:00.000Z", "user: Note: buy grease."],
    ]);
  });

  it("begins one at every heading while no date is known", async () => {
    const { interactions } = await readAll("markdown", "# Tea\nGreen.\n# Rooms\nThe attic.\n");
    expect(interactions.map(said)).toEqual([
      ["-", "user: Green."],
      ["-", "user: The attic."],
    ]);
  });

  it.each([
    ["31 April 2024", "-"],
    ["2024-13-01", "-"],
    ["Sep. 3, 2024 11:59 PM", "2024-09-03T23:59:00.000Z"],
    ["Monday, 3rd March 2025", "2025-03-03T00:00:00.000Z"],
    ["2025-03-03T10:00:00+02:00", "2025-03-03T08:00:00.000Z"],
  ])("reads the date of %j", async (heading, expected) => {
    const { interactions } = await readAll("markdown", `# ${heading}\ntext\n`);
    expect(interactions.map((each) => said(each)[0])).toEqual([expected]);
  });
});

const samples = [
  ["chatgpt", "chatgpt.json"],
  ["claude", "claude.json"],
  ["mem0", "mem0.json"],
  ["whatsapp", "whatsapp-android.txt"],
  ["whatsapp", "whatsapp-ios.txt"],
  ["markdown", "notes.md"],
] as const;

it.each(samples)("%s in chunks of any size, and as bytes, is the same: %s", async (format, name) => {
  const whole = await readAll(format, sample(name));
  expect(whole.error).toBeNull();
  expect(whole.interactions.length).toBeGreaterThan(0);
  for (const length of [1, 7]) expect(await readAll(format, chunksOf(sample(name), length))).toEqual(whole);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const all = new TextEncoder().encode(`\uFEFF${sample(name)}`);
    for (let from = 0; from < all.length; from += 3) yield all.subarray(from, from + 3);
  }
  expect(await readAll(format, bytes())).toEqual(whole);
});
