/** The steps of a language model to the letter: what it is sent, and where the limits lie on what it replies. */
import { describe, expect, it } from "vitest";
import type { EngineContext, LogEvent } from "../../src/engine/engine-context.js";
import { type ModelWork, workWithModel, writeCoreSummaryWithModel } from "../../src/model/language-model-steps.js";
import { ModelCalls } from "../../src/model/model-calls.js";
import { parseParameters } from "../../src/parameters.js";
import type { LanguageModelRequest } from "../../src/ports/language-model.js";
import type { Interaction } from "../../src/engine/records/person-data.js";
import { general } from "../../src/profiles/general.js";

interface Setting {
  readonly parameters?: Record<string, number>;
  readonly textTokensMax?: number;
}

/** A model that gives the reply with the field that is asked for, and the last one where none has it. */
function setUp(replies: readonly object[], { parameters, textTokensMax }: Setting = {}) {
  const requests: LanguageModelRequest[] = [];
  const events: LogEvent[] = [];
  const context = {
    profile: general,
    timeZone: "Europe/London",
    countTokens: (text: string) => text.length,
    parameters: parseParameters(parameters),
    log: (event: LogEvent) => events.push(event),
  } as unknown as EngineContext;
  const complete = async (request: LanguageModelRequest): Promise<string> => {
    requests.push(request);
    const asked = Object.keys(request.schema["properties"] as object);
    return JSON.stringify(replies.find((reply) => asked.some((field) => field in reply)) ?? replies.at(-1));
  };
  const model = { name: "scripted", complete, ...(textTokensMax === undefined ? {} : { textTokensMax }) };
  const calls = new ModelCalls(model, { ...context.parameters, modelRestSeconds: 0 });
  return { requests, events, calls, context };
}

const interaction: Interaction = {
  id: "a",
  // Still the evening of the first in London, but summer has begun: it is the second there.
  initMs: Date.parse("2025-08-01T23:30:00Z"),
  acceptedMs: 0,
  turns: [
    { who: "Ada", text: "Penicillin gave me a rash." },
    { who: "nurse", text: "I shall note that." },
  ],
  summary: null,
  state: null,
  restored: false,
  kept: false,
  updates: [],
  metadata: {},
  expiresMs: null,
  versions: [],
};

const judged = {
  substantial: 1,
  category: "health",
  keywords: ["penicillin"],
  statements: ["Penicillin gave Ada a rash."],
  hypotheticalQueries: ["What gave Ada a rash?"],
};

async function work(
  judgment: object,
  {
    summary = "Penicillin gave Ada a rash.",
    of = interaction,
    ...setting
  }: Setting & { summary?: unknown; of?: Interaction } = {},
): Promise<ModelWork> {
  const { calls, context } = setUp([{ summary }, judgment], setting);
  return workWithModel(of, null, calls, context);
}

/** A judgment as the model gives it with some fields changed; null where it was not taken. */
async function judgmentOf(fields: object, setting: Setting = {}): Promise<ModelWork["judgment"]> {
  const handedIn = { ...interaction, summary: "Penicillin gave Ada a rash." };
  const { calls, context } = setUp([{ ...judged, ...fields }], setting);
  return (await workWithModel(handedIn, null, calls, context)).judgment;
}

async function reasonAgainst(fields: object): Promise<string | null> {
  const handedIn = { ...interaction, summary: "Penicillin gave Ada a rash." };
  const { calls, context } = setUp([{ ...judged, ...fields }]);
  return (await workWithModel(handedIn, null, calls, context)).steps[0]!.failure;
}

describe("what a model is sent", () => {
  const said = "Interaction of Saturday, 2 August 2025:\nAda: Penicillin gave me a rash.\nnurse: I shall note that.";
  const textList = { type: "array", items: { type: "string" } };

  it("for an interaction without a summary: one request for that, one for all the rest", async () => {
    const { requests, calls, context } = setUp([{ summary: "Penicillin gave Ada a rash." }, judged]);
    const done = await workWithModel(interaction, "- Ada is careful.", calls, context);
    expect(requests.map(({ signal: _, ...request }) => request)).toEqual([
      {
        instruction: general.prompts.interactionSummary,
        text: `<<<TEXT\n${said}\nTEXT>>>`,
        schema: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] },
      },
      {
        instruction: general.prompts.commitment,
        text: `<<<TEXT\nCore summary:\n- Ada is careful.\n\n${said}\nTEXT>>>`,
        schema: {
          type: "object",
          properties: {
            substantial: { type: "integer", enum: [0, 1] },
            category: { type: "string", enum: [...general.categories.map(({ name }) => name), "none"] },
            keywords: { ...textList, maxItems: 12, minItems: 1 },
            statements: { ...textList, maxItems: 16 },
            hypotheticalQueries: { ...textList, maxItems: 3 },
          },
          required: ["substantial", "category", "keywords", "statements", "hypotheticalQueries"],
        },
      },
    ]);
    expect(done).toEqual({
      name: "scripted",
      steps: [
        { step: "interaction summary", how: "as asked", repairs: [], failure: null },
        { step: "commitment", how: "as asked", repairs: [], failure: null },
      ],
      summary: "Penicillin gave Ada a rash.",
      judgment: {
        substantial: true,
        category: "health",
        keywords: ["penicillin"],
        statements: judged.statements,
        questions: ["What gave Ada a rash?"],
        updates: [],
      },
    });
  });
});

describe("a judgment", () => {
  it.each<[string, object]>([
    ['"substantial" is a text of 1 characters instead of 0 or 1', { substantial: "1" }],
    ['"substantial" is 2 instead of 0 or 1', { substantial: 2 }],
    ['"category" is none of those given', { category: "shoes" }],
    ['"category" is no text', { category: 5 }],
    ['"keywords" is no list', { keywords: "penicillin" }],
    ['"keywords" is no text', { keywords: ["penicillin", 5] }],
    ['"keywords" is no text', { keywords: [" "] }],
    ['"keywords" is no text', { keywords: ["\ud800"] }],
    ['"keywords" has little to do with the text', { keywords: [] }],
    ['"keywords" has little to do with the text', { keywords: ["penicillin", "shoes", "boots", "socks"] }],
    ['"keywords" has little to do with the text', { keywords: [`penicillin ${"x".repeat(70)}`] }],
    ['"statements" is no list', { statements: {} }],
    ['"statements" has little to do with the text', { statements: ["Shoes are sold online."] }],
    ['"hypotheticalQueries" is no list', { hypotheticalQueries: null }],
  ])("is refused: %s (%j)", async (reason, fields) => {
    expect(await reasonAgainst(fields)).toBe(reason);
  });

  it("loses statements that are too long, go in circles, are made up, or share less than a third", async () => {
    const statements = [
      "Penicillin gave Ada a rash.",
      `Penicillin rash${"!".repeat(486)}`,
      "Penicillin rash Ada penicillin rash Ada penicillin rash Ada penicillin rash Ada.",
      "Penicillin gave Ada 7 rashes.",
      "Penicillin makes shoes squeak.",
      "Penicillin makes shoes squeak loudly.",
    ];
    expect((await judgmentOf({ statements }))!.statements).toEqual([statements[0], statements[4]]);
    const exactly = `Penicillin rash${"!".repeat(485)}`;
    expect(exactly).toHaveLength(500);
    expect((await judgmentOf({ statements: [exactly] }))!.statements).toEqual([exactly]);
  });
});

describe("a summary", () => {
  const summaryOf = async (summary: unknown): Promise<readonly [string | null, string | null]> => {
    const done = await work(judged, { summary });
    return [done.summary, done.steps[0]!.failure];
  };

  it("is trimmed, and loses the sentences with inventions", async () => {
    expect(await summaryOf("  Penicillin gave Ada a rash. She took 500 mg.  ")).toEqual([
      "Penicillin gave Ada a rash.",
      null,
    ]);
  });

  it.each([
    ['"summary" is no text', 5],
    ['"summary" is no text', " "],
    ['"summary" tells of 500, which the text does not', "She took 500 mg."],
    [
      '"summary" tells of 11, 12, 13, 14, 15, which the text does not',
      "She took 11 and 12 and 13 and 14 and 15 and 16.",
    ],
    ['"summary" has little to do with the text', "Penicillin makes shoes squeak loudly."],
    ['"summary" goes in circles', "A rash and a rash and a rash and a rash and a rash and a rash and a rash."],
    ['"summary" is longer than 4000 characters', `Penicillin rash${"!".repeat(3_986)}`],
  ])("is refused: %s", async (reason, summary) => {
    expect(await summaryOf(summary)).toEqual([null, reason]);
  });
});

it("a core summary shares a fifth of its terms with the memories and the current one", async () => {
  const write = async (coreSummary: string): Promise<string | null> => {
    const { calls, context } = setUp([{ coreSummary }]);
    const basis = { current: null, memories: ["Penicillin gave Ada a rash."], outdated: [] };
    return (await writeCoreSummaryWithModel(basis, calls, context)).value;
  };
  const fifth = "Penicillin makes shoes squeak loudly everywhere.";
  expect(await write(fifth)).toBe(fifth);
  expect(await write("Penicillin makes shoes squeak loudly everywhere indoors.")).toBeNull();
});
