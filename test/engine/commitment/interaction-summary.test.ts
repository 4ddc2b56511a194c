/** Interaction summaries made from turns without a language model. */
import { describe, expect, it } from "vitest";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import {
  type EmbeddedStatement,
  specificity,
  summarizeStatements,
} from "../../../src/engine/commitment/interaction-summary.js";
import { splitStatements } from "../../../src/engine/commitment/statements.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";

const embedder = new HashingEmbedder();

async function embed(turns: { who: string; text: string }[]): Promise<EmbeddedStatement[]> {
  const statements = splitStatements({ turns, summary: null });
  const vectors = await embedder.embed(statements.map(({ text }) => text));
  return statements.map((statement, i) => ({ ...statement, vector: quantizeVector(vectors[i]!) }));
}

const turns = [
  { who: "user", text: "Good morning. Dr. Patel measured 148/84 on Tuesday. I take 5 mg of amlodipine now." },
  { who: "assistant", text: "Shall I note that? I will remind you on 12 May." },
  { who: "user", text: "Yes please." },
];

describe("a summary", () => {
  it("is made of sentences that were said, with their speakers, in their order", async () => {
    const statements = await embed(turns);
    const summary = summarizeStatements(statements, 25);
    expect(summary).toMatch(/^user: /u);
    const parts = summary.split(/(?:user|assistant): /u).join("");
    for (const { text } of statements.filter(({ text: said }) => summary.includes(said))) expect(parts).toContain(text);
    expect(summary.indexOf("148/84")).toBeLessThan(summary.indexOf("amlodipine"));
  });

  it("keeps names and numbers before pleasantries", async () => {
    const summary = summarizeStatements(await embed(turns), 18);
    expect(summary).toContain("Dr. Patel measured 148/84 on Tuesday.");
    expect(summary).not.toContain("Yes please.");
  });

  it("keeps within its words, but says at least one sentence", async () => {
    const statements = await embed(turns);
    for (const limit of [10, 20, 40]) {
      expect(summarizeStatements(statements, limit).split(/\s+/u).length).toBeLessThanOrEqual(limit + 3);
    }
    expect(summarizeStatements(statements, 1)).not.toBe("");
    expect(summarizeStatements([], 10)).toBe("");
  });

  it("does not say the same twice while something else is left", async () => {
    const repeated = "The knee hurts at night.";
    const statements = await embed([{ who: "user", text: `${repeated} ${repeated} The choir meets on Friday.` }]);
    const summary = summarizeStatements(statements, 10);
    expect(summary).toContain("The choir meets on Friday.");
    expect(summary.split(repeated)).toHaveLength(2);
  });
});

it("specificity counts names and numbers, not the first word's capital", () => {
  expect(specificity("The weather is nice today")).toBe(0);
  expect(specificity("Yesterday Anna took 20 tablets")).toBe(1);
});

describe("a conversation still going on", () => {
  it("has a running summary of all turns so far, and becomes one memory when it ends", async () => {
    const memories = await openMemories({ path: ":memory:" });
    const person = memories.person("ada");
    const conversation = await person.conversation({ id: "talk", at: "2025-05-01T10:00:00Z", state: "at home" });
    await conversation.add({ who: "user", text: "The stitches came out on Monday." });
    expect(await conversation.summary()).toContain("stitches");
    await conversation.add({ who: "user", text: "My knee bends to 95 degrees." });
    expect(await conversation.summary()).toMatch(/stitches[^]*95 degrees/u);
    expect((await person.history())[0]).toMatchObject({ id: "talk", outcome: "open" });
    await conversation.end();
    await person.settled();
    const memory = await person.get("talk");
    expect(memory).toMatchObject({ state: "at home", outcome: "committed" });
    expect(memory.turns).toHaveLength(2);
    await expect(conversation.add({ who: "user", text: "More." })).rejects.toMatchObject({
      code: "conversation_ended",
    });
    await expect(person.conversation({ id: "talk" })).rejects.toMatchObject({ code: "conversation_ended" });
  });
});
