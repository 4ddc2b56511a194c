/** Damaged exports: an error names file, place and what to do, what came before is read, and damage can be left out. */
import { describe, expect, it } from "vitest";
import { type ExportFormat, readExport } from "mnemosyne-edge/import";
import { readAll, sample } from "./chunks.js";

type Conversation = Record<string, unknown>;

const conversations = JSON.parse(sample("chatgpt.json")) as Conversation[];

/** With the second conversation changed. */
function spoil(change: (conversation: Conversation) => void): string {
  const copy = structuredClone(conversations);
  change(copy[1]!);
  return JSON.stringify(copy);
}

function messageOf(conversation: Conversation): Record<string, unknown> {
  const { v } = conversation["mapping"] as { v: { message: Record<string, unknown> } };
  return v.message;
}

describe("a conversation that is damaged", () => {
  it.each([
    ["wrong type", (one: Conversation) => (one["mapping"] = 7), "mapping is a number, not an object"],
    ["missing field", (one: Conversation) => delete one["mapping"], "mapping is missing, not an object"],
    ["invalid time", (one: Conversation) => (one["create_time"] = "yesterday"), "it must be a date such as"],
    ["endless time", (one: Conversation) => (one["create_time"] = 1e300), "it must be a date such as"],
    [
      "time of a message",
      (one: Conversation) => (messageOf(one)["create_time"] = []),
      "create_time of a message is a list",
    ],
    ["author", (one: Conversation) => (messageOf(one)["author"] = null), "author is missing, not an object"],
    [
      "parts",
      (one: Conversation) => (messageOf(one)["content"] = { content_type: "text", parts: "x" }),
      "parts is a text",
    ],
    ["parent", (one: Conversation) => (one["current_node"] = "nowhere"), "mapping lacks a message"],
    ["title", (one: Conversation) => (one["title"] = "\uD83D"), "half of a surrogate pair"],
    [
      "half surrogate",
      (one: Conversation) => (messageOf(one)["content"] = { content_type: "text", parts: ["hi \uDC4D"] }),
      "half of a surrogate pair",
    ],
    ["NUL", (one: Conversation) => (messageOf(one)["content"] = { content_type: "text", parts: ["\0"] }), "NUL"],
  ])("(%s) is refused by its place, after what comes before it", async (_, change, what) => {
    const { interactions, error } = await readAll("chatgpt", spoil(change));
    expect(error).toMatchObject({ name: "InputError", code: "import_invalid" });
    expect(error!.message).toMatch(/^file, conversation 2: /u);
    expect(error!.message).toContain(what);
    expect(error!.message).toMatch(/--skip-damaged.*importing again stores nothing twice$/u);
    expect(interactions).toHaveLength(2);
  });

  it("is left out and counted if that is asked for", async () => {
    const text = spoil((one) => (one["mapping"] = 7));
    const { interactions, counts, error } = await readAll("chatgpt", text, { skipDamaged: true });
    expect(error).toBeNull();
    expect(interactions).toHaveLength(2);
    expect(counts.skipped).toMatchObject({ damaged: 1 });
  });

  it("is described without what somebody said", async () => {
    const { error } = await readAll(
      "chatgpt",
      spoil((one) => (one["create_time"] = "my secret diary")),
    );
    expect(error!.message).not.toContain("secret");
  });
});

describe("JSON", () => {
  it("that stops in the middle gives what was complete, and an error", async () => {
    const text = sample("chatgpt.json");
    const { interactions, error } = await readAll("chatgpt", text.slice(0, text.indexOf("Good luck")));
    expect(interactions).toHaveLength(2);
    expect(error!.message).toMatch(/^file, at its end: the JSON stops in the middle; download or copy it again/u);
  });

  it("that is not valid gives what was complete, and the place", async () => {
    const text = sample("chatgpt.json").replace('"title": "Voice"', '"title": Voice');
    const { interactions, error } = await readAll("chatgpt", text);
    expect(interactions).toHaveLength(2);
    const [, position] = /^file, at byte (\d+): not valid JSON; repair it/u.exec(error!.message)!;
    expect(Math.abs(Number(position) - Buffer.byteLength(text.slice(0, text.indexOf(": Voice") + 2)))).toBeLessThan(3);
  });

  it.each([
    ["", /^file, at its start: an empty file/u],
    ["   \n", /^file, at its start: an empty file/u],
    ["12.05.24, 21:15 - Ana: hi", /^file, at its start: not JSON; check --from/u],
  ])("is asked for where the file is %j", async (text, message) => {
    expect((await readAll("chatgpt", text)).error?.message).toMatch(message);
  });
});

describe("a line", () => {
  it.each([
    ["{", "not valid JSON"],
    ['{"type":"entity","name":3}', "name is a number, not a text"],
    ['{"type":"entity","name":"a","observations":[1]}', "an observation is a number, not a text"],
    ['{"type":"edge"}', 'type is neither "entity" nor "relation"'],
    ["[]", "the line is a list, not an object"],
  ])("%s of server-memory is refused by its number", async (line, what) => {
    const text = `${sample("server-memory.jsonl")}${line}\n`;
    const { interactions, error } = await readAll("server-memory", text);
    expect(interactions).toHaveLength(4);
    expect(error?.message).toMatch(/^file, line 5: /u);
    expect(error?.message).toContain(what);
    expect((await readAll("server-memory", text, { skipDamaged: true })).counts.skipped).toMatchObject({ damaged: 1 });
  });
});

it.each([
  [
    "claude",
    '[{"uuid":"a","chat_messages":[{"uuid":"b","sender":"human","created_at":"32 May"}]}]',
    "conversation 1: ",
  ],
  ["claude", '[{"uuid":"a","chat_messages":{}}]', "conversation 1: chat_messages is an object, not a list"],
  ["mem0", '{"results":[{"id":"a","memory":5}]}', "memory 1: memory is a number, not a text"],
  ["mem0", '[{"id":"a","memory":"x","created_at":"soon"}]', "memory 1: created_at is"],
  ["letta", '{"agents":[{"name":"a","messages":[{"role":5}]}]}', "message 1: role is a number, not a text"],
  ["letta", '{"blocks":[{"label":"human","value":{}}]}', "memory block 1: value is an object, not a text"],
  ["letta", "[1]", "at its start: a list, not an agent file"],
  ["letta", "{}", "in the whole file: neither memory blocks nor messages"],
  ["whatsapp", "Dear diary,\n", "in the whole file: no line begins with a date"],
] as const)("%s refuses %s", async (format, text, message) => {
  const { error } = await readAll(format, text);
  expect(error).toMatchObject({ name: "InputError", code: "import_invalid" });
  expect(error!.message).toContain(`file, ${message}`);
});

async function* bytesOf(...bytes: readonly (string | readonly number[])[]): AsyncGenerator<Uint8Array> {
  for (const each of bytes) yield typeof each === "string" ? Buffer.from(each) : Uint8Array.from(each);
}

describe("a file that is not text", () => {
  it.each<[string, AsyncIterable<Uint8Array>, RegExp]>([
    [
      "ZIP archive",
      bytesOf([0x50, 0x4b, 3, 4, 20, 0]),
      /^file, at its start: a ZIP archive; unzip it .*conversations\.json/u,
    ],
    ["UTF-16 text", bytesOf([0xff, 0xfe, 0x5b, 0]), /^file, at its start: UTF-16 text; save it as UTF-8/u],
    ["gzip archive", bytesOf([0x1f, 0x8b, 8, 0]), /^file, at its start: not a text file/u],
    ["program", bytesOf([0x7f, 0x45, 0, 0]), /^file, at its start: not a text file/u],
    ["bad byte", bytesOf("[{", [0xc3, 0x28]), /^file, after byte 2: not UTF-8 text/u],
    ["cut character", bytesOf("# a\nx", [0xc3]), /^file, after byte 6: not UTF-8 text/u],
  ])("(%s) is refused with what to do", async (_, bytes, message) => {
    expect((await readAll("markdown", bytes)).error?.message).toMatch(message);
  });
});

it("what is not a format or a time zone is refused at once", () => {
  const chunks = bytesOf("");
  expect(() => readExport("slack" as ExportFormat, chunks)).toThrow(/no export format "slack"; known are chatgpt, /u);
  expect(() => readExport("claude", chunks, { timeZone: "Mars/North" })).toThrow(
    /time zone "Mars\/North" is not known/u,
  );
});
