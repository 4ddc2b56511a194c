/** Damaged exports: an error names file, place and what to do, what came before is read, and damage can be left out. */
import { describe, expect, it } from "vitest";
import { type ExportFormat, readExport } from "mnemosyne-edge/import";
import { readAll, sample } from "./chunks.js";

type Conversation = Record<string, unknown>;

/** The sample with its second conversation changed. */
function spoil(change: (conversation: Conversation) => void): string {
  const conversations = JSON.parse(sample("chatgpt.json")) as Conversation[];
  change(conversations[1]!);
  return JSON.stringify(conversations);
}

function messageOf(conversation: Conversation): Record<string, unknown> {
  const { v } = conversation["mapping"] as { v: { message: Record<string, unknown> } };
  return v.message;
}

describe("a conversation that is damaged", () => {
  const parts = (value: unknown) => ({ content_type: "text", parts: value });

  it.each<[string, (one: Conversation) => unknown, string]>([
    ["wrong type", (one) => (one["mapping"] = 7), "mapping is a number, not an object"],
    ["missing field", (one) => delete one["mapping"], "mapping is missing, not an object"],
    ["invalid time", (one) => (one["create_time"] = "my secret diary"), "it must be a date such as"],
    ["endless time", (one) => (one["create_time"] = 1e300), "it must be a date such as"],
    ["parts", (one) => (messageOf(one)["content"] = parts("x")), "parts is a text"],
    ["parent", (one) => (one["current_node"] = "nowhere"), "mapping lacks a message"],
    ["half surrogate", (one) => (messageOf(one)["content"] = parts(["hi \uDC4D"])), "half of a surrogate pair"],
    ["NUL", (one) => (messageOf(one)["content"] = parts(["\0"])), "NUL"],
  ])("(%s) is refused by its place without what somebody said, or left out and counted", async (_, change, what) => {
    const { interactions, error } = await readAll("chatgpt", spoil(change));
    expect(error).toMatchObject({ name: "InputError", code: "import_invalid" });
    expect(error!.message).toMatch(/^file, conversation 2: .*--skip-damaged.*importing again stores nothing twice$/u);
    expect(error!.message).toContain(what);
    expect(error!.message).not.toContain("secret");
    expect(interactions).toHaveLength(2);
    const without = await readAll("chatgpt", spoil(change), { skipDamaged: true });
    expect(without).toMatchObject({ error: null, counts: { interactionCount: 2, skipped: { damaged: 1 } } });
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
});

it.each([
  ["chatgpt", "   \n", "at its start: an empty file"],
  ["chatgpt", "12.05.24, 21:15 - Ana: hi", "at its start: not JSON; check --from"],
  [
    "claude",
    '[{"uuid":"a","chat_messages":[{"uuid":"b","sender":"human","created_at":"32 May"}]}]',
    "conversation 1: ",
  ],
  ["claude", '[{"uuid":"a","chat_messages":{}}]', "conversation 1: chat_messages is an object, not a list"],
  ["mem0", '{"results":[{"id":"a","memory":5}]}', "memory 1: memory is a number, not a text"],
  ["mem0", '[{"id":"a","memory":"x","created_at":"soon"}]', "memory 1: created_at is"],
  ["whatsapp", "Dear diary,\n", "in the whole file: no line begins with a date"],
] as const)("%s refuses %s", async (format, text, message) => {
  const { error } = await readAll(format, text);
  expect(error).toMatchObject({ name: "InputError", code: "import_invalid" });
  expect(error!.message).toContain(`file, ${message}`);
});

async function* bytesOf(bytes: readonly number[]): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes);
}

it.each<[string, readonly number[], RegExp]>([
  ["ZIP archive", [0x50, 0x4b, 3, 4, 20, 0], /^file, at its start: a ZIP archive; unzip it .*conversations\.json/u],
  ["UTF-16 text", [0xff, 0xfe, 0x5b, 0], /^file, at its start: UTF-16 text; save it as UTF-8/u],
  ["gzip archive", [0x1f, 0x8b, 8, 0], /^file, at its start: not a text file/u],
  ["bad byte", [0x5b, 0x7b, 0xc3, 0x28], /^file, after byte 0: not UTF-8 text/u],
  ["cut character", [0x23, 0xc3], /^file, after byte 2: not UTF-8 text/u],
])("what is not text (%s) is refused with what to do", async (_, bytes, message) => {
  expect((await readAll("markdown", bytesOf(bytes))).error?.message).toMatch(message);
});

it("what is not a format or a time zone is refused at once", () => {
  const chunks = bytesOf([]);
  expect(() => readExport("slack" as ExportFormat, chunks)).toThrow(/no export format "slack"; known are chatgpt, /u);
  expect(() => readExport("claude", chunks, { timeZone: "Mars/North" })).toThrow(
    /time zone "Mars\/North" is not known/u,
  );
});
