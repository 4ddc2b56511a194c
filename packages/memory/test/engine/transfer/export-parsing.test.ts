/** Reading an export: what is whole is taken as it stands, and every way to be wrong is named with its line. */
import { describe, expect, it } from "vitest";
import { finish } from "../../../src/core/steps.js";
import {
  type ParsedExport,
  parseExportSteps,
  parseInteractionLinesSteps,
} from "../../../src/engine/transfer/export-parsing.js";
import { type NumberedLine, readLines } from "../../../src/engine/transfer/import-lines.js";
import type { InteractionInput } from "../../../src/engine/interaction.js";
import { parseParameters } from "../../../src/parameters.js";

type Fields = Record<string, unknown>;

const parameters = parseParameters();
const base64 = (...components: number[]): string => Buffer.from(Int8Array.from(components).buffer).toString("base64");

const header = {
  type: "mnemosyne-export",
  version: 1,
  person: "ada",
  embedder: { name: "hashing", dimensions: 4 },
};
const interaction = {
  id: "a",
  initMs: 1_000,
  acceptedMs: 2_000,
  turns: [{ who: "user", text: "The knee hurts." }],
  summary: "The knee hurts.",
  state: "at home",
  restored: true,
};
const entry = {
  type: "interaction",
  interaction,
  outcome: "committed",
  trace: '{"outcome":"pruned","pruningScore":1}',
};
const memory = {
  type: "memory",
  id: "a",
  initMs: 1_000,
  pairId: null,
  summaryText: "The knee hurts.",
  state: "at home",
  keywords: ["knee"],
  hypotheticalQuery: "What hurts?",
  statements: ["The knee hurts."],
  fullText: "user: The knee hurts.",
  summaryVector: base64(1, -2, 3, 127),
  hypotheticalVector: base64(5, 6, 7, -127),
  statementVectors: [base64(9, 10, 11, 12)],
};
const otherEntry = { ...entry, interaction: { ...interaction, id: "b", summary: null, state: null, restored: false } };
const otherMemory = { ...memory, id: "b", state: null, statements: [], statementVectors: [] };
const edge = { type: "edge", a: "a", b: "b", weight: 0.5, boostMs: 10, boostedMs: 20 };
const core = {
  type: "core-summary",
  commitsSince: 3,
  text: "- The knee hurts.",
  updatedMs: 1_000,
  sourceIds: ["a"],
  trace: "{}",
};
const whole: readonly Fields[] = [header, entry, otherEntry, memory, otherMemory, edge, core];

const numbered = (texts: readonly string[]): NumberedLine[] => texts.map((text, i) => ({ number: i + 1, text }));
const parseExport = (lines: readonly NumberedLine[], limits: typeof parameters): ParsedExport | null =>
  finish(parseExportSteps(lines, limits));
const parseThirdLine = (line: string): InteractionInput =>
  finish(parseInteractionLinesSteps(numbered(['{"summary":"1"}', '{"summary":"2"}', line]), parameters))[2]!;
const toLines = (lines: readonly Fields[]): NumberedLine[] => numbered(lines.map((line) => JSON.stringify(line)));
const parse = (lines: readonly Fields[]) => parseExport(toLines(lines), parameters);

/** The message with which an export is refused in which one line is another. */
function refusalOf(line: number, fields: Fields): string {
  try {
    parse(whole.with(line - 1, fields));
  } catch (error) {
    expect(error).toMatchObject({ code: "import_invalid" });
    return (error as Error).message;
  }
  return "it is taken";
}

/** What a line need not say. */
const noWishes = { kept: false, updates: [], metadata: {}, expiresMs: null, versions: [] };

describe("a whole export", () => {
  it("is taken as it stands", () => {
    const parsed = parse(whole)!;
    expect(parsed.embedder).toEqual(header.embedder);
    expect(parsed.entries).toEqual([
      { interaction: { ...interaction, ...noWishes }, outcome: "committed", trace: entry.trace },
      { interaction: { ...otherEntry.interaction, ...noWishes }, outcome: "committed", trace: entry.trace },
    ]);
    const { type: _type, fullText, summaryVector: _s, hypotheticalVector: _h, statementVectors: _v, ...node } = memory;
    expect(parsed.nodes[0]).toEqual({
      node: { ...node, questions: [], updates: [], facts: null, pinnedArea: null, metadata: {}, expiresMs: null },
      fullText,
      summaryVector: Int8Array.of(1, -2, 3, 127),
      hypotheticalVector: Int8Array.of(5, 6, 7, -127),
      statementVectors: [Int8Array.of(9, 10, 11, 12)],
      questionVectors: [],
      tokenBytes: null,
    });
    expect(parsed.nodes).toHaveLength(2);
    expect(parsed.edges).toEqual([{ a: "a", b: "b", weight: 0.5, boostMs: 10, boostedMs: 20 }]);
    const { type: _core, commitsSince: _since, ...summary } = core;
    expect(parsed.coreSummary).toEqual({ ...summary, facts: "[]" });
    expect(parsed.commitsSinceCoreSummary).toBe(3);
  });

  it.each([
    ["an edge that was never boosted", 6, { ...edge, boostedMs: null }],
    ["a core summary not yet written", 7, { type: "core-summary", commitsSince: 0 }],
    ["an interaction not yet processed", 2, { ...entry, trace: null }],
    ["an interaction longer than may be submitted here", 2, longEntry(1_000_000)],
    ["an interaction later than this clock", 2, { ...entry, interaction: { ...interaction, initMs: 4e15 } }],
  ])("may have %s", (_, line, fields) => expect(refusalOf(line, fields)).toBe("it is taken"));

  it("may have links between memories, and wishes of interactions", () => {
    const wishes = { kept: true, updates: Array.from({ length: 17 }, (_, i) => `i${i}`) };
    const linked = parse(
      whole
        .with(2, { ...otherEntry, interaction: { ...otherEntry.interaction, ...wishes } })
        .with(4, { ...otherMemory, updates: ["a"] }),
    )!;
    expect(linked.entries[1]!.interaction).toMatchObject(wishes);
    expect(linked.nodes.map(({ node }) => node.updates)).toEqual([[], ["a"]]);
  });

  it("may have facts, a pin, and the facts of its core summary", () => {
    const facts = [{ text: "Ada", area: "health", probability: 0.5 }];
    const parsed = parse(
      whole
        .with(3, { ...memory, facts, pinnedArea: "health" })
        .with(4, { ...otherMemory, facts: [] })
        .with(6, { ...core, facts: '["knee"]' }),
    )!;
    expect(parsed.nodes.map(({ node }) => [node.facts, node.pinnedArea])).toEqual([
      [facts, "health"],
      [[], null],
    ]);
    expect(parsed.coreSummary).toMatchObject({ facts: '["knee"]' });
  });

  it("may have questions and token vectors", () => {
    const cues = { questions: ["Where?"], questionVectors: [base64(1, 2, 3, 4)] };
    const parsed = parse(whole.with(3, { ...memory, ...cues, tokens: base64(9, 10, 11, 12, 13) }))!;
    const [first, second] = parsed.nodes;
    expect(first!.node.questions).toEqual(["Where?"]);
    expect(first!.questionVectors).toEqual([Int8Array.of(1, 2, 3, 4)]);
    expect(first!.tokenBytes).toEqual(Uint8Array.of(9, 10, 11, 12, 13));
    expect([second!.node.questions, second!.tokenBytes]).toEqual([[], null]);
  });

  it.each([
    ["questions or their vectors are missing", { questions: "Where?" }],
    ["questions or their vectors are missing", { questions: [1], questionVectors: [base64(1, 2, 3, 4)] }],
    ["questions or their vectors are missing", { questions: ["Where?"] }],
    ["questions or their vectors are missing", { questionVectors: [base64(1, 2, 3, 4)] }],
    ["a vector has 1 dimensions instead of 4", { questions: ["Where?"], questionVectors: [base64(1)] }],
    ["the token vectors are not in base64", { tokens: "" }],
    ["the token vectors are not in base64", { tokens: "a" }],
    ["the token vectors are not in base64", { tokens: [1] }],
  ])("may not have other cues: %s (%j)", (message, fields) => {
    expect(refusalOf(5, { ...otherMemory, ...fields })).toBe(`line 5: ${message}`);
  });

  it.each([
    ["facts is not a list of lasting facts", { facts: {} }],
    ["facts is not a list of lasting facts", { facts: 1 }],
    ["facts is not a list of lasting facts", { facts: [{ text: "", area: "x", probability: 1 }] }],
    ["facts is not a list of lasting facts", { facts: [{ text: "x", area: "x", probability: 1.5 }] }],
    ["the pinned area is not text", { pinnedArea: 1 }],
  ])("may not have others: %s (%j)", (message, fields) => {
    expect(refusalOf(5, { ...otherMemory, ...fields })).toBe(`line 5: ${message}`);
  });

  it.each([
    [
      3,
      "line 3: updates is not a list of ids",
      { ...otherEntry, interaction: { ...otherEntry.interaction, updates: "a" } },
    ],
    [
      3,
      "line 3: id is a text of 0 characters",
      { ...otherEntry, interaction: { ...otherEntry.interaction, updates: [""] } },
    ],
    [
      3,
      "line 3: updates names the interaction itself",
      { ...otherEntry, interaction: { ...otherEntry.interaction, updates: ["b"] } },
    ],
    [5, "line 5: updates is not a list of ids", { ...otherMemory, updates: [1] }],
    [5, "the graph is not sound: b updates gone, which does not exist", { ...otherMemory, updates: ["gone"] }],
    [5, "the graph is not sound: b updates a, which is newer", { ...otherMemory, initMs: 999, updates: ["a"] }],
    [5, "the graph is not sound: the updates of b are not sorted", { ...otherMemory, updates: ["a", "a"] }],
  ])("may not have other links: line %i, %s", (line, message, fields) => {
    expect(refusalOf(line, fields)).toContain(message);
  });
});

function longEntry(length: number): Fields {
  return { ...entry, interaction: { ...interaction, summary: "x".repeat(length) } };
}

it("lines of something else are no export", () => {
  expect(parse([{ type: "interaction", summary: "Hello." }])).toBeNull();
  expect(parseExport([], parameters)).toBeNull();
});

describe("an export is refused, and the line is named,", () => {
  const without = (fields: Fields, name: string): Fields => {
    const { [name]: _, ...rest } = fields;
    return rest;
  };
  const needsEmbedder = "line 1: the embedder needs a name and dimensions";
  const embedder = (fields: Fields): Fields => ({ ...header, embedder: { ...header.embedder, ...fields } });
  const needsEdge = "line 6: an edge needs a < b, weight, boostMs and boostedMs";
  const needsTime = "it must be milliseconds since 1970, from -8639999913600000 to 8639999913600000";
  const lacksLists = "line 4: keywords, statements or their vectors are missing";
  const notWhole = "line 7: the core summary is incomplete";
  const ofInteraction = (fields: Fields): Fields => ({ ...entry, interaction: { ...interaction, ...fields } });

  it.each<[number, string, Fields]>([
    [1, "line 1: export version 2 is not supported; it must be 1", { ...header, version: 2 }],
    [1, 'line 1: export version "1" is not supported; it must be 1', { ...header, version: "1" }],
    [1, "line 1: the embedder is missing", without(header, "embedder")],
    [1, "line 1: the embedder is missing", { ...header, embedder: ["hashing", 4] }],
    [1, needsEmbedder, embedder({ name: 4 })],
    [1, needsEmbedder, embedder({ dimensions: "4" })],
    [1, needsEmbedder, embedder({ dimensions: 4.5 })],
    [1, needsEmbedder, embedder({ dimensions: 0 })],
    [2, "line 2: the interaction is missing", without(entry, "interaction")],
    [2, "line 2: the interaction is missing", { ...entry, interaction: [] }],
    [2, 'line 2: outcome "gone" is unknown', { ...entry, outcome: "gone" }],
    [2, "line 2: outcome 3 is unknown", { ...entry, outcome: 3 }],
    [2, "line 2: the trace is not a JSON object", { ...entry, trace: "5" }],
    [2, "line 2: the trace is not a JSON object", { ...entry, trace: "null" }],
    [2, "line 2: the trace is not a JSON object", { ...entry, trace: {} }],
    [2, "line 2: the trace does not say why the interaction had its outcome", { ...entry, trace: "{}" }],
    [2, `line 2: initMs is "1000"; ${needsTime}`, ofInteraction({ initMs: "1000" })],
    [2, `line 2: initMs is "2025-01-08"; ${needsTime}`, ofInteraction({ initMs: "2025-01-08" })],
    [2, `line 2: initMs is 8640000000000000; ${needsTime}`, ofInteraction({ initMs: 8.64e15 })],
    [
      2,
      `line 2: initMs is -8640000000000000; ${needsTime}`,
      { ...ofInteraction({ initMs: -8.64e15 }), outcome: "open" },
    ],
    [2, `line 2: acceptedMs is null; ${needsTime}`, ofInteraction({ acceptedMs: null })],
    [2, `line 2: acceptedMs is 9000000000000000; ${needsTime}`, ofInteraction({ acceptedMs: 9e15 })],
    [3, 'line 3: type "surprise" is unknown', { type: "surprise" }],
    [4, `line 4: initMs is "1000"; ${needsTime}`, { ...memory, initMs: "1000" }],
    [4, `line 4: initMs is 8640000000000000; ${needsTime}`, { ...memory, initMs: 8.64e15 }],
    [4, "line 4: a text is missing", { ...memory, summaryText: 5 }],
    [4, "line 4: a text is missing", without(memory, "hypotheticalQuery")],
    [4, "line 4: a text is missing", { ...memory, fullText: null }],
    [4, "line 4: the state is not text", { ...memory, state: 5 }],
    [4, lacksLists, { ...memory, keywords: "knee" }],
    [4, lacksLists, { ...memory, keywords: ["knee", 5] }],
    [4, lacksLists, { ...memory, statements: [5] }],
    [4, lacksLists, { ...memory, statementVectors: [] }],
    [4, lacksLists, { ...memory, statements: ["One.", "Two."] }],
    [4, lacksLists, { ...memory, statementVectors: "none" }],
    [4, "line 4: a vector has 3 dimensions instead of 4", { ...memory, summaryVector: base64(1, 2, 3) }],
    [4, "line 4: a vector has 5 dimensions instead of 4", { ...memory, hypotheticalVector: base64(1, 2, 3, 4, 5) }],
    [4, "line 4: a vector has 1 dimensions instead of 4", { ...memory, statementVectors: [base64(1)] }],
    [4, "line 4: a vector has 0 dimensions instead of 4", { ...memory, summaryVector: 7 }],
    [6, needsEdge, { ...edge, a: 1 }],
    [6, needsEdge, { ...edge, b: null }],
    [6, needsEdge, { ...edge, a: "b", b: "a" }],
    [6, needsEdge, { ...edge, b: "a" }],
    [6, needsEdge, { ...edge, weight: "0.5" }],
    [6, needsEdge, { ...edge, boostMs: null }],
    [6, needsEdge, { ...edge, boostedMs: "20" }],
    [6, needsEdge, without(edge, "boostedMs")],
    [6, `line 6: boostedMs is 8640000000000000; ${needsTime}`, { ...edge, boostedMs: 8.64e15 }],
    [7, "line 7: commitsSince is not an integer", { ...core, commitsSince: 1.5 }],
    [7, "line 7: commitsSince is not an integer", { ...core, commitsSince: -1 }],
    [7, "line 7: commitsSince is not an integer", without(core, "commitsSince")],
    [7, notWhole, { ...core, text: null }],
    [7, notWhole, { ...core, updatedMs: "1000" }],
    [7, `line 7: updatedMs is -8640000000000000; ${needsTime}`, { ...core, updatedMs: -8.64e15 }],
    [7, notWhole, { ...core, sourceIds: "a" }],
    [7, notWhole, { ...core, sourceIds: [1] }],
    [7, notWhole, without(core, "trace")],
    [7, notWhole, { ...core, trace: "[]" }],
    [7, notWhole, { ...core, trace: '"text"' }],
    [7, notWhole, { ...core, facts: [] }],
    [7, notWhole, { ...core, facts: "{}" }],
    [7, notWhole, { ...core, facts: "[" }],
  ])("in line %i: %s (%j)", (line, message, fields) => expect(refusalOf(line, fields)).toBe(message));

  it.each<[string, number, RegExp, Fields]>([
    ["an id that is none", 2, /^line 2: id is 7; /u, ofInteraction({ id: 7 })],
    ["a memory's id that is none", 4, /^line 4: id is a text of 0 characters; /u, { ...memory, id: "" }],
    ["a pair's id that is none", 4, /^line 4: id is 5; /u, { ...memory, pairId: 5 }],
    ["a turn that is none", 2, /^line 2: /u, ofInteraction({ turns: [5] })],
    ["a state over two lines", 2, /^line 2: state is /u, ofInteraction({ state: "a\nb" })],
    ["a summary that is none", 2, /^line 2: summary must be text/u, ofInteraction({ summary: 5 })],
    ["a trace that is not JSON", 2, /^line 2: .*JSON/u, { ...entry, trace: "{" }],
  ])("with %s", (_, line, message, fields) => expect(refusalOf(line, fields)).toMatch(message));

  it("where a line is no JSON or no object", () => {
    const lines = whole.map((line) => JSON.stringify(line));
    expect(() => parseExport(numbered(lines.with(1, "{")), parameters)).toThrow(/^line 2: not JSON/u);
    expect(() => parseExport(numbered(lines.with(2, "{")), parameters)).toThrow(/^line 3: not JSON/u);
    expect(() => parseExport(numbered(lines.with(2, "[]")), parameters)).toThrow("line 3: not a JSON object");
    expect(() => parseExport(numbered(lines.with(2, "null")), parameters)).toThrow("line 3: not a JSON object");
    expect(() => parseExport(numbered(["5"]), parameters)).toThrow("line 1: not a JSON object");
  });
});

describe("what the lines of an export say of each other is checked:", () => {
  it.each<[string, string, readonly Fields[]]>([
    ["an interaction twice", "an interaction appears twice", [...whole.slice(0, -1), entry, core]],
    ["a memory twice", "a memory appears twice", [...whole.slice(0, -1), memory, core]],
    ["a memory of nobody's", 'memory "b" has no interaction', whole.filter((line) => line !== otherEntry)],
    [
      "an edge without its second memory",
      'the edge between "a" and "b" has no memory at one end',
      whole.filter((line) => line !== otherMemory),
    ],
    [
      "an edge without its first memory",
      'the edge between "a" and "b" has no memory at one end',
      whole.filter((line) => line !== memory),
    ],
  ])("%s", (_, message, lines) => expect(() => parse(lines)).toThrow(message));

  it("a pair that only one half knows of", () => {
    const lines = whole.with(3, { ...memory, pairId: "b" });
    expect(() => parse(lines)).toThrow(/^the graph is not sound: /u);
  });
});

describe("a line of a plain file", () => {
  it("is one interaction, with turns or a summary", () => {
    expect(parseThirdLine('{"summary":"Hello."}')).toEqual({ summary: "Hello." });
    expect(parseThirdLine('{"turns":[]}')).toEqual({ turns: [] });
    expect(() => parseThirdLine('{"text":"Hello."}')).toThrow(
      'line 3: neither "turns" nor "messages" nor "summary"; each line is one interaction',
    );
    expect(() => parseThirdLine("Hello.")).toThrow(/^line 3: not JSON/u);
  });

  it("that is longer than any interaction is refused before it is parsed", () => {
    const limits = { ...parameters, interactionCharacterCountMax: 100, interactionTurnCountMax: 1 };
    const line = JSON.stringify({ summary: "x".repeat(200_000) });
    expect(() => finish(parseInteractionLinesSteps(numbered([line]), limits))).toThrow(
      /^line 1: 200014 characters are more than an interaction may have \(parameters interactionCharacterCountMax and/u,
    );
  });
});

describe("an export that lost its end", () => {
  const file = Buffer.from(whole.map((line) => `${JSON.stringify(line)}\n`).join(""));

  async function read(bytes: Buffer): Promise<string> {
    const lines = await readLines(bytes.toString("utf8").split("\n"));
    try {
      return parseExport(lines, parameters) === null ? "not an export" : "taken";
    } catch (error) {
      expect(error).toMatchObject({ code: "import_invalid" });
      return (error as Error).message;
    }
  }

  it("is refused wherever it was cut, and the line is named; only a missing line break is none", async () => {
    expect(await read(file)).toBe("taken");
    expect(await read(file.subarray(0, -1))).toBe("taken");
    for (let length = 1; length < file.length - 1; length++) {
      const lineCount = file.subarray(0, length).toString("latin1").trimEnd().split("\n").length;
      expect(await read(file.subarray(0, length))).toMatch(
        new RegExp(`^line ${lineCount}: (?:not JSON|the export ends)`, "u"),
      );
    }
  });
});
