/** Chats as `benchmarks/chats/README.md` describes them; the one here is invented. */
import { InputError } from "../../../../memory/src/index.js";
import { readChats } from "../../../src/data/chats.js";
import { listJsonFiles } from "../../../src/data/json-files.js";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type RawChat, makeChat, readTinyChats, writeChats } from "../tiny-data.js";

const scratch = new ScratchFolder();

async function refusal(...files: string[]): Promise<string> {
  const error: unknown = await readChats(files).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("a chat", () => {
  it("becomes one interaction per session, with what was said and no summary", async () => {
    const dataset = await readTinyChats(scratch.next(".json"));
    expect(dataset).toMatchObject({ name: "chats", kindGroups: {}, evidenceBudgets: [500, 1_000, 2_000] });
    expect(dataset.kinds).toEqual(["single", "multi", "temporal", "inference", "update"]);
    const [group] = dataset.groups;
    expect(group).toMatchObject({ id: "ada-and-ben", timeZone: "UTC", profile: "general" });
    expect(group!.interactions).toEqual([
      {
        id: "D1",
        atMs: Date.UTC(2026, 0, 5, 18),
        turns: [
          { who: "Ada", text: "got the parrot!!" },
          { who: "Ben", text: "the harbour one?" },
          { who: "Ada", text: "yep. hes called Rollo" },
        ],
        summary: null,
        state: null,
        labels: null,
      },
      expect.objectContaining({ id: "D2", atMs: Date.UTC(2026, 0, 9, 18) }),
    ]);
  });

  it("is asked at the time of each question; unanswerable ones are counted, not asked", async () => {
    const [group] = (await readTinyChats(scratch.next(".json"))).groups;
    expect(group!.skippedQuestionCount).toBe(1);
    expect(group!.questions).toEqual([
      {
        id: "q1",
        atMs: Date.UTC(2026, 1, 1, 8),
        text: "What is Ada's parrot called?",
        kind: "single",
        gold: ["D1"],
        answer: "Rollo",
        evidence: ["yep. hes called Rollo"],
      },
      expect.objectContaining({
        id: "q2",
        gold: ["D1", "D2"],
        evidence: ["got the parrot!!", "boat leaks again", "oh no. rollo says ahoy"],
      }),
      expect.objectContaining({ id: "q3", atMs: Date.UTC(2026, 0, 6, 8), gold: ["D1"] }),
    ]);
  });

  it("counts a message that is named twice once", async () => {
    const chat = makeChat();
    chat.questions[0]!.evidence = ["D1:3", "D1:3"];
    const [group] = (await readChats([writeChats(scratch.next(".json"), [chat])])).groups;
    expect(group!.questions[0]!.evidence).toEqual(["yep. hes called Rollo"]);
  });

  it("may be one of several, in several files", async () => {
    const [other, third] = [
      { ...makeChat(), id: "other" },
      { ...makeChat(), id: "third" },
    ];
    const files = [writeChats(scratch.next(".json"), [makeChat(), other]), writeChats(scratch.next(".json"), [third])];
    const { groups } = await readChats(files);
    expect(groups.map(({ id }) => id)).toEqual(["ada-and-ben", "other", "third"]);
  });
});

describe("refused:", () => {
  it("a path that does not exist", async () => expect(await refusal(scratch.next(".json"))).toMatch(/cannot be read/u));

  it("another shape", async () => {
    expect(await refusal(writeChats(scratch.next(".json"), { chats: [] }))).toMatch(/must be a list/u);
    expect(await refusal(writeChats(scratch.next(".json"), []))).toMatch(/at least one chat/u);
    expect(await refusal(writeChats(scratch.next(".json"), [7]))).toMatch(/\[0\] must be an object/u);
  });

  const changes: [string, (chat: RawChat) => void, RegExp][] = [
    ["no name", (c) => (c.id = ""), /\[0\]\.id must be non-empty text/u],
    ["no session", (c) => (c.sessions = []), /\[0\]\.sessions must contain at least one session/u],
    [
      "a session without messages",
      (c) => (c.sessions[1]!.turns = []),
      /sessions\[1\]\.turns must contain at least one/u,
    ],
    ["a session without a time", (c) => (c.sessions[1]!.at = "noon"), /sessions\[1\]\.at must be a moment such as/u],
    ["an empty message", (c) => (c.sessions[0]!.turns[1]!.text = " "), /turns\[1\]\.text must be non-empty text/u],
    ["a stranger", (c) => (c.sessions[0]!.turns[1]!.who = "Eve"), /turns\[1\]\.who must be one of Ada, Ben/u],
    ["no speakers", (c) => (c.speakers = []), /turns\[0\]\.who must be one of/u],
    [
      "two messages with the same id",
      (c) => (c.sessions[1]!.turns[0]!.id = "D1:2"),
      /sessions\[1\]\.turns\[0\]\.id "D1:2" occurs twice/u,
    ],
    ["two questions with the same id", (c) => (c.questions[1]!.id = "q1"), /questions\[1\]\.id "q1" occurs twice/u],
    ["an unknown kind", (c) => (c.questions[0]!.kind = "hard"), /questions\[0\]\.kind must be one of single, multi/u],
    [
      "evidence that is not a message",
      (c) => (c.questions[0]!.evidence = ["D9:1"]),
      /questions\[0\]\.evidence\[0\] names "D9:1", which is not a message of the chat/u,
    ],
    [
      "evidence that is later than the question",
      (c) => (c.questions[2]!.evidence = ["D1:2", "D2:1"]),
      /questions\[2\]\.evidence\[1\] names "D2:1", which is later than the question/u,
    ],
    ["no evidence", (c) => (c.questions[0]!.evidence = []), /questions\[0\]\.evidence must name at least one message/u],
    [
      "evidence for what is unanswerable",
      (c) => (c.questions[3]!.evidence = ["D1:1"]),
      /questions\[3\]\.evidence must be empty, because the question is unanswerable/u,
    ],
    ["no answer", (c) => (c.questions[0]!.answer = ""), /questions\[0\]\.answer must be non-empty text/u],
    [
      "nothing to ask",
      (c) => (c.questions = c.questions.slice(3)),
      /\[0\]\.questions must contain at least one question with evidence/u,
    ],
  ];

  it.each(changes)("%s", async (_, change, message) => {
    const chat = makeChat();
    change(chat);
    const file = writeChats(scratch.next(".json"), [chat]);
    const refused = await refusal(file);
    expect(refused).toMatch(message);
    expect(refused).toContain(file);
  });

  it("a chat with the name of another, also in another file", async () => {
    const files = [writeChats(scratch.next(".json")), writeChats(scratch.next(".json"))];
    expect(await refusal(...files)).toBe(`${files[1]}: [0].id "ada-and-ben" occurs twice`);
  });
});

it("the chats of the repository are as their README says", async () => {
  const folder = fileURLToPath(new URL("../../../benchmarks/chats", import.meta.url));
  const { groups } = await readChats(await listJsonFiles(folder, "chat"));
  const questions = groups.flatMap((group) => group.questions);
  const skippedCount = groups.reduce((sum, { skippedQuestionCount }) => sum + skippedQuestionCount, 0);
  const messages = groups.flatMap(({ interactions }) => interactions.flatMap(({ turns }) => turns));
  expect([groups.length, messages.length, questions.length + skippedCount, skippedCount]).toEqual([15, 2_708, 390, 30]);
  expect(new Set(groups.map(({ interactions }) => interactions.length))).toEqual(new Set([7]));
});
