/** Conversations in LoCoMo's format; the one here is invented. */
import { InputError } from "../../../../memory/src/index.js";
import { readLocomo } from "../../../src/data/locomo.js";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type RawConversation, makeConversation, readTinyLocomo, writeLocomo } from "../tiny-data.js";

const scratch = new ScratchFolder();

async function refusal(file: string): Promise<string> {
  const error: unknown = await readLocomo(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("a conversation", () => {
  it("becomes one interaction per session, in order, with captions and moments in UTC", async () => {
    const [group] = (await readTinyLocomo(scratch.next(".json"))).groups;
    expect(group).toMatchObject({ id: "conv-1", timeZone: "UTC", profile: "general" });
    expect(group!.interactions).toMatchObject([
      { id: "D1", atMs: Date.UTC(2023, 4, 8, 13, 56), summary: "Ada adopted a parrot and Ben wants to see it." },
      { id: "D2", atMs: Date.UTC(2023, 4, 9, 0, 5), state: null, labels: null },
    ]);
    expect(group!.interactions[0]!.turns).toEqual([
      { who: "Ada", text: "I adopted a parrot from the harbour." },
      { who: "Ben", text: "Show me! [shares a photo: a green parrot]" },
    ]);
  });

  it("is asked a day after its last session; questions without evidence are counted, not asked", async () => {
    const [group] = (await readTinyLocomo(scratch.next(".json"))).groups;
    expect(group!.skippedQuestionCount).toBe(2);
    expect(group!.questions.map(({ atMs }) => atMs)).toEqual([1, 2, 3].map(() => Date.UTC(2023, 4, 10, 0, 5)));
    expect(group!.questions).toMatchObject([
      { id: "conv-1-q1", kind: "single-hop", gold: ["D1"], answer: "a parrot" },
      { id: "conv-1-q2", kind: "multi-hop", gold: ["D1", "D2"], answer: "1" },
      { id: "conv-1-q3", kind: "adversarial", gold: ["D2"], answer: null },
    ]);
    expect(group!.questions[1]!.evidence).toEqual([
      "I adopted a parrot from the harbour.",
      "My boat is called Heron. She leaks.",
    ]);
  });

  it("gets noon and midnight right", async () => {
    const conversation = makeConversation();
    conversation.conversation["session_1_date_time"] = "12:00 pm on 8 May, 2023";
    const [group] = (await readLocomo(writeLocomo(scratch.next(".json"), [conversation]))).groups;
    expect(group!.interactions[0]!.atMs).toBe(Date.UTC(2023, 4, 8, 12));
  });
});

describe("turns only", () => {
  it("leaves out the summaries, and needs none", async () => {
    const conversation = makeConversation();
    conversation.session_summary = {};
    const file = writeLocomo(scratch.next(".json"), [conversation]);
    const { name, groups } = await readLocomo(file, { turnsOnly: true });
    expect(name).toBe("locomo-turns");
    expect(groups[0]!.interactions.map(({ summary }) => summary)).toEqual([null, null]);
    const whole = await readTinyLocomo(scratch.next(".json"));
    expect(whole.name).toBe("locomo");
    expect(groups[0]!.questions).toEqual(whole.groups[0]!.questions);
  });
});

describe("refused:", () => {
  it("a path that does not exist", async () => expect(await refusal(scratch.next(".json"))).toMatch(/cannot be read/u));

  it("another shape", async () => {
    expect(await refusal(writeLocomo(scratch.next(".json"), { conversations: [] }))).toMatch(/must be a list/u);
    expect(await refusal(writeLocomo(scratch.next(".json"), []))).toMatch(/at least one conversation/u);
    expect(await refusal(writeLocomo(scratch.next(".json"), [7]))).toMatch(/\[0\] must be an object/u);
  });

  const changes: [string, (conversation: RawConversation) => void, RegExp][] = [
    [
      "no session",
      (c) => (c.conversation = { speaker_a: "Ada" }),
      /\[0\]\.conversation must contain at least one session/u,
    ],
    [
      "a session without a date",
      (c) => delete c.conversation["session_2_date_time"],
      /session_2_date_time is missing/u,
    ],
    ["a date in another form", (c) => (c.conversation["session_1_date_time"] = "8 May"), /must be a moment such as/u],
    [
      "a session without a summary",
      (c) => delete c.session_summary["session_2_summary"],
      /session_2_summary is missing/u,
    ],
    ["no question", (c) => (c.qa = []), /\[0\]\.qa must contain at least one question with evidence/u],
    [
      "no question with evidence",
      (c) => (c.qa = c.qa.slice(3)),
      /\[0\]\.qa must contain at least one question with evidence/u,
    ],
    ["an unknown category", (c) => (c.qa[1]!["category"] = 6), /\[0\]\.qa\[1\]\.category must be a number from 1/u],
    ["evidence that is not a list", (c) => (c.qa[0]!["evidence"] = "D1:1"), /\[0\]\.qa\[0\]\.evidence must be a list/u],
    ["a question without an answer", (c) => delete c.qa[0]!["answer"], /\[0\]\.qa\[0\]\.answer is missing/u],
  ];

  it.each(changes)("%s", async (_, change, message) => {
    const conversation = makeConversation();
    change(conversation);
    const file = scratch.next(".json");
    const refused = await refusal(writeLocomo(file, [conversation]));
    expect(refused).toMatch(message);
    expect(refused).toContain(file);
  });

  it("two conversations with the same name", async () => {
    const file = writeLocomo(scratch.next(".json"), [makeConversation(), makeConversation()]);
    expect(await refusal(file)).toMatch(/\[1\]\.sample_id "conv-1" occurs twice/u);
  });
});
