/** Reading an export: what is whole is taken as it stands, and every way to be wrong is named with its line. */
import { describe, expect, it } from "vitest";
import type { EmbeddedNode } from "../../../src/graph/memory-node.js";
import { finish } from "../../../src/text/steps.js";
import { packTokens } from "../../../src/graph/vectors/token-vectors.js";
import { type ParsedExport, parseExportSteps } from "../../../src/upkeep/transfer/export-parsing.js";
import { type NumberedLine, parseInteractionLinesSteps, readLines } from "../../../src/upkeep/transfer/import-lines.js";
import type { InteractionInput } from "../../../src/engine/interaction.js";
import type { PersonMoment } from "../../../src/upkeep/transfer/person-moment.js";
import { linesOfMoment } from "../../../src/upkeep/transfer/transfer.js";
import { crc32 } from "../../../src/files/checksum.js";
import { parseParameters } from "../../../src/parameters.js";
import { Codec } from "../../../src/stores/codec.js";
import { rewriteText } from "../../durability/export-lines.js";
import { endOf, factOf, markOf, statementOf } from "../../graph/graph-fixtures.js";
import { seededRandom } from "../../durability/hashing-embedder.mjs";

type Fields = Record<string, unknown>;

const parameters = parseParameters();
const plain = new Codec();
const embedder = { name: "hashing", dimensions: 4 };
const wishes = { kept: true, updates: Array.from({ length: 17 }, (_, i) => `i${10 + i}`) };
const version = { replacedMs: 7, initMs: 5, turns: [{ who: "Ada", text: "Then." }], summary: null, state: "x" };
const interaction = {
  id: "a",
  initMs: 1_000,
  acceptedMs: 2_000,
  turns: [{ who: "user", text: "The knee hurts." }],
  summary: "The knee hurts.",
  state: "at home",
  restored: true,
  kept: false,
  updates: [],
  metadata: { tags: ["x"] },
  expiresMs: null,
  versions: [{ ...version, metadata: { a: 1 } }],
};
const trace = '{"outcome":"pruned","pruningScore":1}';
const other = { ...interaction, ...wishes, id: "b", initMs: 2_000, summary: null, state: null, expiresMs: 9e9 };
const memory: EmbeddedNode = {
  node: {
    id: "a",
    initMs: 1_000,
    pairId: null,
    summaryText: "The knee hurts.",
    state: "at home",
    keywords: ["knee"],
    hypotheticalQuery: "What hurts?",
    questions: ["Where?"],
    statements: [factOf("The knee hurts.", { area: "health" }), statementOf("It hurts more.", { turn: 1 })],
    ends: [],
    marks: [markOf("pinned", 0, "health"), markOf("held", 1)],
    metadata: { tags: ["x"] },
    expiresMs: null,
  },
  fullText: "user: The knee hurts.",
  summaryVector: Int8Array.of(1, -2, 3, 127),
  hypotheticalVector: Int8Array.of(5, 6, 7, -127),
  statementVectors: [Int8Array.of(9, 10, 11, 12), Int8Array.of(1, 1, 1, 1)],
  questionVectors: [Int8Array.of(1, 2, 3, 4)],
  tokenBytes: packTokens([Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 0, 0, 0)], 4),
};
const otherMemory: EmbeddedNode = {
  ...memory,
  node: { ...memory.node, id: "b", initMs: 2_000, statements: [], marks: [], ends: [endOf("a", 0)] },
  statementVectors: [],
  tokenBytes: null,
};
const moment: PersonMoment = {
  revision: 0,
  entries: [
    { interaction, outcome: "committed", trace },
    { interaction: other, outcome: "paired", trace: null },
  ],
  nodes: [otherMemory, memory],
  edges: [{ a: "a", b: "b", weight: 0.5, boostMs: 10, boostedMs: 20 }],
  coreSummary: { text: "- The knee hurts.", updatedMs: 1_000, sourceIds: ["a"], trace: "{}" },
  commitsSinceCoreSummary: 3,
};
const linesOf = (changes: Partial<PersonMoment> = {}, codec: Codec | null = null): string[] => [
  ...linesOfMoment("ada", { ...moment, ...changes }, embedder, codec),
];
const whole = linesOf();
const order = ["interaction", "interaction", "links", "links", "memory", "memory", "tokens", "core", "commits"];

const numbered = (texts: readonly string[]): NumberedLine[] => texts.map((text, i) => ({ number: i + 1, text }));
const parse = (lines: readonly string[], codec = plain): ParsedExport | null =>
  finish(parseExportSteps(numbered(lines), parameters, codec));
const parseThirdLine = (line: string): InteractionInput =>
  finish(parseInteractionLinesSteps(numbered(['{"summary":"1"}', '{"summary":"2"}', line]), parameters))[2]!;

/** The message with which lines are refused. */
function refusalOf(lines: readonly string[], codec = plain): string {
  try {
    parse(lines, codec);
  } catch (error) {
    expect(error).toMatchObject({ code: "import_invalid" });
    return (error as Error).message;
  }
  return "it is taken";
}

/** An export in which one line has other fields. */
function withFields(line: number, fields: Fields): string[] {
  return whole.with(line - 1, JSON.stringify({ ...(JSON.parse(whole[line - 1]!) as Fields), ...fields }));
}

/** One in which part of the payload of a line is another; the sum is right. */
function withText(line: number, part: number, value: unknown): string[] {
  const change = (text: string): string => {
    const [json, ...rest] = text.split("\n");
    return [JSON.stringify((JSON.parse(json!) as unknown[]).with(part, value)), ...rest].join("\n");
  };
  return whole.with(
    line - 1,
    rewriteText(whole[line - 1]!, (text) => change(text)),
  );
}

describe("a whole export", () => {
  it("has a header, one line for each record in one order, and an end with their number", () => {
    const fields = whole.map((line) => JSON.parse(line) as Fields);
    expect(fields[0]).toEqual({ type: "mnemosyne-export", version: 3, person: "ada", embedder });
    expect(fields.slice(1, -1).map(({ kind }) => kind)).toEqual(order);
    expect(fields.slice(1, -3).map(({ id }) => id)).toEqual(["a", "b", "a", "b", "a", "b", "a"]);
    expect(fields.at(-1)).toEqual({ type: "end", records: 9 });
    expect(linesOf({ nodes: moment.nodes.toReversed() })).toEqual(whole);
  });

  it("is taken as it stands", () => {
    const { entries, nodes, edges, lineNumbers, ...rest } = parse(whole)!;
    expect(entries).toEqual(moment.entries);
    expect(nodes).toEqual(moment.nodes.toReversed());
    expect(edges).toEqual(moment.edges);
    expect(rest).toEqual({
      embedder,
      coreSummary: moment.coreSummary,
      commitsSinceCoreSummary: moment.commitsSinceCoreSummary,
    });
    expect([...lineNumbers]).toEqual([
      ["a", 2],
      ["b", 3],
    ]);
  });

  it("says nothing of a core summary that was never written", () => {
    const lines = linesOf({ coreSummary: null, commitsSinceCoreSummary: 0 });
    expect(lines).toHaveLength(whole.length - 2);
    expect(parse(lines)).toMatchObject({ coreSummary: null, commitsSinceCoreSummary: 0 });
  });

  it.each<[string, string[]]>([
    ["an edge that was never boosted", linesOf({ edges: [{ ...moment.edges[0]!, boostMs: 0, boostedMs: null }] })],
    ["an interaction longer than may be submitted here", withText(2, 3, "x".repeat(1_000_000))],
    ["an interaction later than this clock", withText(2, 0, 4e15)],
    ["a conversation without turns", linesOf({ entries: [...moment.entries, openEntry()] })],
  ])("may have %s", (_, lines) => expect(refusalOf(lines)).toBe("it is taken"));
});

function openEntry(): PersonMoment["entries"][number] {
  return { interaction: { ...interaction, id: "c", turns: [], summary: null }, outcome: "open", trace: null };
}

it("lines of something else are no export", () => {
  expect(parse(['{"type":"interaction","summary":"Hello."}'])).toBeNull();
  expect(parse([])).toBeNull();
});

describe("an export is refused, and the line is named,", () => {
  const needsEmbedder = "line 1: the embedder needs a name and dimensions";
  const needsTime = "it must be milliseconds since 1970, from -8639999913600000 to 8639999913600000";

  it.each<[string, number, Fields]>([
    ["line 1: the embedder is missing", 1, { embedder: undefined }],
    ["line 1: the embedder is missing", 1, { embedder: ["hashing", 4] }],
    [needsEmbedder, 1, { embedder: { ...embedder, name: 4 } }],
    [needsEmbedder, 1, { embedder: { ...embedder, dimensions: "4" } }],
    [needsEmbedder, 1, { embedder: { ...embedder, dimensions: 4.5 } }],
    [needsEmbedder, 1, { embedder: { ...embedder, dimensions: 0 } }],
    ["line 6: the memory has vectors of 4 dimensions instead of 5", 1, { embedder: { ...embedder, dimensions: 5 } }],
    ['line 3: kind "surprise" is unknown', 3, { kind: "surprise" }],
    ['line 3: kind "format" is unknown', 3, { kind: "format" }],
    ["line 3: kind 7 is unknown", 3, { kind: 7 }],
    [
      "line 2: layout 2 of the interaction is newer than this release reads (1); import it with a newer one",
      2,
      { layout: 2 },
    ],
    ["line 6: layout 0 of the memory is unknown", 6, { layout: 0 }],
    ["line 6: layout a text of 1 characters of the memory is unknown", 6, { layout: "1" }],
    ["line 2: the interaction does not have the sum of the line; the line was altered", 2, { sum: 1 }],
    ["line 2: the interaction does not have the sum of the line; the line was altered", 2, { text: "x" }],
    ["line 2: text is missing", 2, { text: undefined, bytes: "AAAA" }],
    ["line 6: bytes is not in base64", 6, { bytes: undefined, text: "AAAA" }],
    ["line 6: bytes is not in base64", 6, { bytes: "A" }],
    ["line 6: bytes is not in base64", 6, { bytes: "" }],
    ["line 9: the core summary has an id", 9, { id: "a" }],
    ["line 10: the number of commits since the core summary has an id", 10, { id: null }],
    ["line 3: the interaction appears twice", 3, JSON.parse(whole[1]!) as Fields],
    ["line 11: the export had 8 records, but 9 are here; part of the file was lost", 11, { records: 8 }],
    [
      "line 11: the export had undefined records, but 9 are here; part of the file was lost",
      11,
      { records: undefined },
    ],
  ])("%s", (message, line, fields) => expect(refusalOf(withFields(line, fields))).toBe(message));

  it.each<[number, string, number, unknown]>([
    [2, `initMs is a text of 4 characters; ${needsTime}`, 0, "1000"],
    [2, `initMs is 8640000000000000; ${needsTime}`, 0, 8.64e15],
    [2, `acceptedMs is null; ${needsTime}`, 1, null],
    [2, "turns is not a list", 2, "none"],
    [2, "turn 1 must be an object", 2, [5]],
    [2, "summary must be text", 3, 5],
    [2, "state is a text of 3 characters", 4, "a\nb"],
    [2, "restored or kept is not true or false", 5, 1],
    [2, "restored or kept is not true or false", 6, null],
    [2, "updates or sources are not a list of ids", 7, "b"],
    [2, "id is a text of 0 characters", 7, [""]],
    [2, "updates names the interaction itself", 7, ["a"]],
    [2, "choose another name", 8, { $agent: 1 }],
    [2, `expiresMs is a text of 4 characters; ${needsTime}`, 9, "soon"],
    [2, "versions is not a list", 10, {}],
    [2, `replacedMs of a version is null; ${needsTime}`, 10, [{ ...version, replacedMs: null }]],
    [2, "summary or state of a version is not text", 10, [{ ...version, state: 5 }]],
    [2, "turns of a version is not a list", 10, [{ ...version, turns: 5 }]],
    [2, "who of the turn", 10, [{ ...version, turns: [{ who: "", text: "" }] }]],
    [4, "id is 5", 0, 5],
    [4, "ends is not JSON", 1, []],
    [4, "ends is not a list", 1, "{}"],
    [4, "ends is not a list", 1, '["a"]'],
    [4, "ends is not a list", 1, '[["b",null]]'],
    [4, "an end or a mark has another form", 1, '[["b",-1,null]]'],
    [4, "an end or a mark has another form", 1, "[[5,null,null]]"],
    [4, "id is a text of 0 characters", 1, '[["",null,null]]'],
    [4, "marks is not JSON", 2, 5],
    [4, "marks is not a list", 2, "null"],
    [4, "an end or a mark has another form", 2, '[[0,"kept",null]]'],
    [4, "an end or a mark has another form", 2, '[[0,"pinned",5]]'],
    [4, "an end or a mark has another form", 2, '[[0.5,"pinned",null]]'],
    [4, "metadata is not JSON", 3, "{"],
    [4, "metadata must be an object", 3, "[]"],
    [4, `expiresMs is a text of 4 characters; ${needsTime}`, 4, "soon"],
    [4, "the edges are not a list", 5, {}],
    [5, "id is undefined", 5, [5]],
    [5, "an edge needs a weight and a boost", 5, [["a", "0.5"]]],
    [5, "an edge needs a weight and a boost", 5, [["a", 0.5, null, null]]],
    [5, `boostedMs is 8640000000000000; ${needsTime}`, 5, [["a", 0.5, 1, 8.64e15]]],
    [
      5,
      "the edges are not in order",
      5,
      [
        ["a", 0.5],
        ["a", 0.5],
      ],
    ],
    [5, 'the edge between "b" and "c" does not lead from this memory to an older one', 5, [["c", 0.5]]],
    [5, 'the edge between "b" and "b" does not lead from this memory to an older one', 5, [["b", 0.5]]],
    [4, 'the edge between "a" and "b" does not lead from this memory to an older one', 5, [["b", 0.5]]],
  ])("line %i: %s (%j)", (line, message, part, value) => {
    expect(refusalOf(withText(line, part, value))).toMatch(new RegExp(`^line ${line}: .*`, "u"));
    expect(refusalOf(withText(line, part, value))).toContain(message);
  });

  const twoLists = JSON.stringify([[], []]);

  it.each<[number, string, (text: string) => string]>([
    [2, 'outcome "gone" is unknown', (text) => text.replace("\ncommitted\n", "\ngone\n")],
    [2, "the interaction is not three lines", (text) => text.replace("\ncommitted\n", "\n")],
    [2, "the interaction is not three lines", (text) => text.replace("[", "[0,")],
    [2, "the interaction is not JSON", (text) => text.slice(1)],
    [2, "the trace is not JSON", (text) => `${text}}`],
    [2, "the trace is not a JSON object", (text) => text.replace(trace, "5")],
    [2, "the trace is not a JSON object", (text) => text.replace(trace, "null")],
    [2, "the trace does not say why", (text) => text.replace(trace, "{}")],
    [2, "the trace does not say why", (text) => text.replace(trace, '{"outcome":"pruned","ends":[null]}')],
    [4, "links is not a list of six", () => twoLists],
    [4, "links is not JSON", () => "["],
    [9, "the core summary is incomplete", (text) => text.replace('"text"', '"words"')],
    [9, "the core summary is incomplete", (text) => text.replace('"trace":"{}"', '"trace":{}')],
    [9, "its trace is not an object", (text) => text.replace('"trace":"{}"', '"trace":"[]"')],
    [9, "updatedMs is -8640000000000000", (text) => text.replace(":1000", ":-8640000000000000")],
    [9, "updates or sources are not a list of ids", (text) => text.replace('["a"]', '"a"')],
    [9, "the core summary must be an object", () => "null"],
    [10, "the number of commits is 1.5", () => "1.5"],
    [10, "the number of commits is -1", () => "-1"],
    [10, "the number of commits is null", () => "null"],
  ])("line %i: %s", (line, message, rewrite) => {
    const lines = whole.with(line - 1, rewriteText(whole[line - 1]!, rewrite));
    expect(lines).not.toEqual(whole);
    expect(refusalOf(lines)).toMatch(new RegExp(`^line ${line}: `, "u"));
    expect(refusalOf(lines)).toContain(message);
  });

  it("where vectors of words are none", () => {
    const bytes = Buffer.alloc(12);
    const lines = withFields(8, { bytes: bytes.toString("base64"), sum: crc32(bytes) });
    expect(refusalOf(lines)).toBe("line 8: the vectors of the memory's words have another form");
  });

  it.each([-8.64e15, NaN])("where a memory is of no time: %s", (initMs) => {
    const [newer, older] = moment.nodes as [EmbeddedNode, EmbeddedNode];
    const nodes = [
      { ...newer, node: { ...newer.node, ends: [] } },
      { ...older, node: { ...older.node, initMs } },
    ];
    expect(refusalOf(linesOf({ nodes, edges: [] }))).toMatch(new RegExp(`^line 6: initMs is ${initMs}; `, "u"));
  });

  it("where it is of version 1, or of one to come", () => {
    for (const version_ of [2, 4]) {
      expect(refusalOf(withFields(1, { version: version_ }))).toBe(
        `line 1: export version ${version_} is not the 3 that this release reads; import it with the release that wrote it`,
      );
    }
  });

  it("where a line is no JSON or no object, or comes after the end", () => {
    expect(refusalOf(whole.with(1, "{"))).toMatch(/^line 2: not JSON/u);
    expect(refusalOf(whole.with(2, "[]"))).toBe("line 3: not a JSON object");
    expect(refusalOf(whole.with(2, "null"))).toBe("line 3: not a JSON object");
    expect(refusalOf(["5"])).toBe("line 1: not a JSON object");
    expect(refusalOf([...whole, whole[1]!])).toBe("line 12: the export goes on after its end");
  });
});

describe("what the records of an export say of each other is checked:", () => {
  /** Without some lines; the end has the right number. */
  const without = (...lines: number[]): string[] => {
    const rest = whole.slice(0, -1).filter((_, i) => !lines.includes(i + 1));
    return [...rest, JSON.stringify({ type: "end", records: rest.length - 1 })];
  };
  const [a, b] = moment.nodes.toReversed() as [EmbeddedNode, EmbeddedNode];
  const nodes = (changes: Partial<EmbeddedNode["node"]>): string[] =>
    linesOf({ nodes: [a, { ...b, node: { ...b.node, ...changes } }] });

  it.each<[string, string, string[]]>([
    ["a memory of nobody's", 'line 6: memory "b" has no interaction, or no links', without(3)],
    ["a memory without links", 'line 6: memory "b" has no interaction, or no links', without(5)],
    ["links of nothing", 'line 3: there is no memory "b"', without(7)],
    ["vectors of words of nothing", 'line 2: there is no memory "a"', without(4, 6)],
    [
      "a link to nothing",
      "not sound: b ends something in gone, which does not exist",
      nodes({ ends: [endOf("gone")] }),
    ],
    ["a link to itself", "not sound: b ends something in itself", nodes({ ends: [endOf("b")] })],
    ["a link to no statement", "not sound: b ends what is not there", nodes({ ends: [endOf("a", 2)] })],
    [
      "a link by no statement",
      "not sound: b ends something by what it does not say",
      nodes({ ends: [endOf("a", 0, 0)] }),
    ],
    [
      "a link twice",
      "not sound: the links of b are not sorted, or name one",
      nodes({ ends: [endOf("a"), endOf("a")] }),
    ],
    ["a mark of no statement", "not sound: a mark of b has no statement", nodes({ marks: [markOf("held", 0)] })],
    ["a pair that only one half knows of", "the graph is not sound: b is paired on one side", nodes({ pairId: "a" })],
  ])("%s", (_, message, lines) => expect(refusalOf(lines)).toContain(message));
});

describe("a sealed export", () => {
  const [codec, otherKey] = [new Codec("a key"), new Codec("another key")];
  const sealed = linesOf({}, codec);

  it("shows neither names nor words, and is opened by its key alone", () => {
    const file = sealed.join("\n");
    expect(file).not.toMatch(/ada|knee|"a"|"b"/u);
    const { lineNumbers: _, ...parsed } = parse(sealed, codec)!;
    const { revision: __, ...expected } = moment;
    expect(parsed).toEqual({ ...expected, embedder, nodes: moment.nodes.toReversed() });
    const message = "line 1: the export is sealed; import it into a memory with the key of the one that wrote it";
    expect(refusalOf(sealed)).toBe(message);
    expect(refusalOf(sealed, otherKey)).toBe(message);
  });

  it.each([2, 4, 6, 8, 9])("that was altered in line %i is refused, and the line is named", (line) => {
    const record = JSON.parse(sealed[line - 1]!) as { frame: string };
    const frame = Buffer.from(record.frame, "base64");
    frame[frame.byteLength - 1]! ^= 1;
    const altered = sealed.with(line - 1, JSON.stringify({ ...record, frame: frame.toString("base64") }));
    expect(refusalOf(altered, codec)).toMatch(new RegExp(`^line ${line}: .* is not what was sealed`, "u"));
  });

  it("that lost a record is refused, whatever its end says", () => {
    const lost = sealed.filter((_, i) => i !== 7);
    expect(refusalOf(lost, codec)).toMatch(/^line 10: the export had 9 records, but 8 are here/u);
    const altered = lost.with(9, lost[9]!.replace('"records":9', '"records":8'));
    expect(refusalOf(altered, codec)).toMatch(/^line 10: the export had 9 records, but 8 are here/u);
    expect(refusalOf(sealed.with(10, '{"type":"end","records":9}'), codec)).toBe("line 11: frame is not in base64");
    const { frame } = JSON.parse(sealed[9]!) as { frame: string };
    expect(refusalOf(sealed.with(10, JSON.stringify({ type: "end", frame })), codec)).toMatch(/not what was sealed/u);
  });

  it("in which records changed places, or have another id, is refused", () => {
    const [first, second] = [sealed[1]!, sealed[2]!].map((line) => JSON.parse(line) as { id: string; frame: string });
    const swapped = sealed.with(1, JSON.stringify({ ...first!, frame: second!.frame }));
    expect(refusalOf(swapped, codec)).toMatch(/^line 2: .* is not what was sealed/u);
    expect(refusalOf(sealed.with(1, JSON.stringify({ ...first!, id: "a" })), codec)).toMatch(/^line 2: id is null/u);
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
  const file = Buffer.from(whole.map((line) => `${line}\n`).join(""));

  async function read(bytes: Buffer): Promise<string> {
    const lines = await readLines(bytes.toString("utf8").split("\n"));
    return refusalOf(lines.map(({ text }) => text));
  }

  it("is refused wherever it was cut, and the line is named; only a missing line break is none", async () => {
    expect(await read(file)).toBe("it is taken");
    expect(await read(file.subarray(0, -1))).toBe("it is taken");
    for (let length = 1; length < file.length - 1; length++) {
      const lineCount = file.subarray(0, length).toString("latin1").trimEnd().split("\n").length;
      expect(await read(file.subarray(0, length))).toMatch(
        new RegExp(`^line ${lineCount}: (?:not JSON|the export ends)`, "u"),
      );
    }
  });
});

it("whatever a payload says, it is refused with an error of ours, or can be exported again", () => {
  const random = seededRandom("payloads");
  const below = (count: number): number => Math.floor(random() * count);
  const values = ["null", "[]", "{}", "-1", "1e400", '""', '"a"', "true", "[[]]", "0.5", '"\\ud800"', ",", "\n"];
  let takenCount = 0;
  for (let i = 0; i < 4_000; i++) {
    const line = 1 + below(whole.length - 2);
    const altered = rewriteText(whole[line]!, (text) => {
      const parts = text.split(/(?<=[[\]{},:\n])|(?=[[\]{},:\n])/u);
      for (let j = 0; j <= below(2); j++) parts[below(parts.length)] = values[below(values.length)]!;
      return parts.join("");
    });
    const lines = whole.with(line, altered);
    if (refusalOf(lines) !== "it is taken") continue;
    takenCount++;
    const parsed = parse(lines)!;
    const again = linesOf(parsed);
    expect(linesOf(parse(again)!)).toEqual(again);
  }
  expect(takenCount).toBeGreaterThan(50);
});
