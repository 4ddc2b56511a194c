/** Interaction summaries made from turns without a language model. */
import { describe, expect, it } from "vitest";
import { finish } from "../../../src/core/steps.js";
import { splitWords } from "../../../src/core/text/words.js";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import {
  type EmbeddedStatement,
  specificity,
  summarizeStatementsSteps,
} from "../../../src/engine/commitment/interaction-summary.js";
import { splitStatementsSteps } from "../../../src/engine/commitment/statements.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";

const embedder = new HashingEmbedder();
const summarizeStatements = (statements: readonly EmbeddedStatement[], wordCountMax: number): string =>
  finish(summarizeStatementsSteps(statements, wordCountMax));
const specificityOf = (text: string): number => specificity(splitWords(text));

async function embed(turns: { who: string; text: string }[]): Promise<EmbeddedStatement[]> {
  const statements = finish(splitStatementsSteps({ turns, summary: null }));
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

  it("keeps a name that comes with a greeting, and quotes nobody with another's question", async () => {
    const statements = await embed([
      { who: "user", text: "Hi, I'm Alex. I have a nut allergy. Can I take amoxicillin?" },
      { who: "assistant", text: "Noted, Alex." },
    ]);
    const summary = summarizeStatements(statements, 60);
    expect(summary).toContain("user: Hi, I'm Alex. I have a nut allergy.");
    expect(summary).toContain("assistant: Noted, Alex. (asked: Can I take amoxicillin?)");
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
  expect(specificityOf("The weather is nice today")).toBe(0);
  expect(specificityOf("Yesterday Anna took 20 tablets")).toBe(1);
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

describe("the choice of sentences by hand", () => {
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((components) => quantizeVector(components)) as [Int8Array, Int8Array, Int8Array];
  const said = (who: string | null, text: string, vector: Int8Array): EmbeddedStatement => ({ who, text, vector });

  it("what stands for the others comes first, then what is least like it", () => {
    // The middle is nearest to x, which two say.
    const statements = [
      said("user", "green apples fell", y),
      said("user", "ripe pears fell", x),
      said("user", "sweet pears fell", x),
      said("user", "dark plums fell", z),
    ];
    expect(summarizeStatements(statements, 3)).toBe("user: ripe pears fell");
    // 0.6 of the centrality of x less half of a repetition is below that of y.
    expect(summarizeStatements(statements, 6)).toBe("user: green apples fell ripe pears fell");
    expect(summarizeStatements(statements, 9)).toBe("user: green apples fell ripe pears fell dark plums fell");
    expect(summarizeStatements(statements, 12)).toContain("sweet pears fell");
  });

  it("a question loses 0.3, what the assistant says 0.15, and a name or number in three words gains 0.4", () => {
    const best = (...statements: EmbeddedStatement[]): string => summarizeStatements(statements, 3);
    expect(best(said("user", "apples fell down?", x), said("user", "pears fell down", x))).toBe(
      "user: pears fell down",
    );
    expect(best(said("assistant", "apples fell down", x), said("user", "pears fell down", x))).toBe(
      "user: pears fell down",
    );
    // 0.4 for the number against 0.3 for the question, and against 0.3 + 0.15.
    expect(best(said("user", "pears fell down", x), said("user", "9 apples fell?", x))).toBe("user: 9 apples fell?");
    expect(best(said("user", "pears fell down", x), said("assistant", "9 apples fell?", x))).toBe(
      "user: pears fell down",
    );
    // 0.15 more is too little against the question's 0.3.
    expect(best(said("user", "apples fell down?", x), said("assistant", "pears fell down", x))).toBe(
      "assistant: pears fell down",
    );
  });

  it("centrality counts 0.6 and specificity 0.4", () => {
    // Three along x and one along y: cosines with the middle are 3 / sqrt(10) = 0.95 and 0.32, so 0.38 apart times 0.6.
    const crowd = [
      said("user", "pears fell down", x),
      said("user", "plums fell down", x),
      said("user", "figs fell", x),
    ];
    expect(summarizeStatements([...crowd, said("user", "apples fell Ada", y)], 3)).toBe("user: apples fell Ada");
    // A share of one in four is three quarters of the way: 0.3 is less than 0.38.
    const four = crowd.map((statement) => ({
      ...statement,
      text: `${statement.text} then again`.split(" ").slice(0, 4).join(" "),
    }));
    expect(summarizeStatements([...four, said("user", "apples fell Ada down", y)], 4)).toBe(
      "user: pears fell down then",
    );
  });

  it("who speaks is named when it changes; a summary's own sentences have nobody", () => {
    const statements = [
      said("user", "pears fell", x),
      said("user", "plums fell", y),
      said("Rosa", "figs fell", z),
      said("user", "apples fell", x),
    ];
    expect(summarizeStatements(statements, 90)).toBe("user: pears fell plums fell Rosa: figs fell user: apples fell");
    expect(summarizeStatements([said(null, "pears fell", x), said(null, "plums fell", y)], 90)).toBe(
      "pears fell plums fell",
    );
  });

  it("sentences of one term come in only where there is nothing else", () => {
    const statements = [said("user", "Pears!", x), said("user", "green plums fell", y)];
    expect(summarizeStatements(statements, 90)).toBe("user: green plums fell");
    expect(summarizeStatements(statements.slice(0, 1), 90)).toBe("user: Pears!");
  });

  it("where none fits, the best one stands alone", () => {
    const statements = [said("user", "pears fell down there", x), said("user", "Ada took 9 figs", x)];
    expect(summarizeStatements(statements, 2)).toBe("user: Ada took 9 figs");
    expect(summarizeStatements(statements.toReversed(), 2)).toBe("user: Ada took 9 figs");
  });
});

it("specificity is three times the share of names and numbers, up to 1", () => {
  expect(specificityOf("apples fell on Ada down there")).toBeCloseTo(0.5, 12);
  expect(specificityOf("apples fell on Ada and Bob down there with nine or 10 or 11 or so more")).toBeCloseTo(
    12 / 17,
    12,
  );
  expect(specificityOf("9 apples")).toBe(1);
  // A capital of a word that carries no meaning makes no name.
  expect(specificityOf("apples The And")).toBe(0);
  expect(specificityOf("")).toBe(0);
});
