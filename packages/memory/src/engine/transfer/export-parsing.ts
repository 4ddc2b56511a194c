/**
 * Reading an export. Nothing in it is trusted: every line, and every reference between lines, is checked before the
 * first one is stored. An error names its line.
 */
import { findViolations } from "../../core/graph/graph-violations.js";
import { MemoryGraph } from "../../core/graph/memory-graph.js";
import {
  type Edge,
  type EmbeddedNode,
  type LastingFact,
  type MemoryNode,
  areLastingFacts,
  noChange,
} from "../../core/graph/memory-node.js";
import { type Metadata, noMetadata } from "../../core/graph/metadata.js";
import { InputError } from "../../errors.js";
import type { Parameters } from "../../parameters.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import {
  type AcceptedEntry,
  type CoreSummary,
  type Interaction,
  type InteractionVersion,
  isOutcome,
  noFacts,
} from "../records/person-data.js";
import { readTrace } from "../commitment/commit-trace.js";
import { describeName, isList, readFields } from "../given-values.js";
import { parseMetadata } from "../interaction-metadata.js";
import {
  type InteractionInput,
  type InteractionLimits,
  isMoment,
  noLimits,
  parseAddedTurn,
  parseId,
  parseInteraction,
  timeMsMax,
} from "../interaction.js";
import type { NumberedLine } from "./import-lines.js";

export const exportVersion = 1;

export interface ParsedExport {
  readonly embedder: EmbedderIdentity;
  readonly entries: readonly AcceptedEntry[];
  readonly nodes: readonly EmbeddedNode[];
  readonly edges: readonly Edge[];
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
}

type Line = Record<string, unknown>;

const endOfTimeMs = 8.64e15;

/** The header of an export is short; a longer first line is an interaction. */
const headerLengthMax = 10_000;

/**
 * An export, or null when the lines are plain interactions. An export ends with the line of its core summary, even if
 * there is none: one without that line has lost its end.
 */
export function* parseExportSteps(
  lines: readonly NumberedLine[],
  parameters: Parameters,
): Generator<void, ParsedExport | null> {
  const [first] = lines;
  const header = first === undefined || first.text.length > headerLengthMax ? undefined : parseLine(first);
  if (first === undefined || header?.["type"] !== "mnemosyne-export") return null;
  const embedder = atLine(first.number, () => readHeader(header));
  const entries: AcceptedEntry[] = [];
  const nodes: EmbeddedNode[] = [];
  const edges: Edge[] = [];
  let core: Pick<ParsedExport, "coreSummary" | "commitsSinceCoreSummary"> | undefined;
  for (const numbered of lines.slice(1)) {
    atLine(numbered.number, () => {
      const line = parseLine(numbered);
      if (core !== undefined) refuse("the export goes on after its end, the line of its core summary");
      if (line["type"] === "interaction") entries.push(readEntry(line, parameters));
      else if (line["type"] === "memory") nodes.push(readNode(line, embedder.dimensions));
      else if (line["type"] === "edge") edges.push(readEdge(line));
      else if (line["type"] === "core-summary") core = readCoreSummary(line);
      else refuse(`type ${describeName(line["type"])} is unknown`);
    });
    yield;
  }
  const end =
    core ??
    atLine(lines.at(-1)!.number, () =>
      refuse("the export ends here, but its end is missing; part of the file was lost"),
    );
  const parsed = { embedder, entries, nodes, edges, ...end };
  yield* checkReferencesSteps(parsed, parameters);
  return parsed;
}

/** JSON may write a character as six ("\\u00e9"), and a turn has names and punctuation around it. */
const escapeLengthMax = 6;
const turnOverhead = 100;
/** Time, id, and fields of the caller's own. */
const lineOverhead = 100_000;

/** The interactions of a plain file; an error names its line. */
export function* parseInteractionLinesSteps(
  lines: readonly NumberedLine[],
  { interactionCharacterCountMax, interactionTurnCountMax }: InteractionLimits,
): Generator<void, InteractionInput[]> {
  const lengthMax =
    escapeLengthMax * interactionCharacterCountMax + turnOverhead * interactionTurnCountMax + lineOverhead;
  const inputs: InteractionInput[] = [];
  for (const line of lines) {
    if (line.text.length > lengthMax) {
      const message = `line ${line.number}: ${line.text.length} characters are more than an interaction may have (parameters interactionCharacterCountMax and interactionTurnCountMax); split it`;
      throw new InputError("text_too_long", message);
    }
    inputs.push(parseInteractionLine(line));
    yield;
  }
  return inputs;
}

function parseInteractionLine(line: NumberedLine): InteractionInput {
  const object = parseLine(line);
  if (["turns", "messages", "summary"].every((name) => object[name] === undefined)) {
    throw new InputError(
      "import_invalid",
      `line ${line.number}: neither "turns" nor "messages" nor "summary"; each line is one interaction`,
    );
  }
  return object as InteractionInput;
}

function parseLine({ text, number: lineNumber }: NumberedLine): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    // The platform's error quotes the line, so it is not passed on.
    throw new InputError("import_invalid", `line ${lineNumber}: not JSON${positionIn(error as Error)}`);
  }
  throw new InputError("import_invalid", `line ${lineNumber}: not a JSON object`);
}

function positionIn({ message }: Error): string {
  const position = /at position (\d+)/u.exec(message)?.[1];
  return position === undefined ? "" : ` (at character ${Number(position) + 1})`;
}

function readHeader({ version, embedder }: Line): EmbedderIdentity {
  if (version !== exportVersion)
    refuse(`export version ${describeName(version)} is not supported; it must be ${exportVersion}`);
  if (!isObject(embedder)) return refuse("the embedder is missing");
  const { name, dimensions } = embedder;
  if (typeof name !== "string" || !Number.isInteger(dimensions) || (dimensions as number) < 1) {
    return refuse("the embedder needs a name and dimensions");
  }
  return { name, dimensions: dimensions as number };
}

function readEntry({ interaction, outcome, trace }: Line, parameters: Parameters): AcceptedEntry {
  if (!isObject(interaction)) return refuse("the interaction is missing");
  if (!isOutcome(outcome)) return refuse(`outcome ${describeName(outcome)} is unknown`);
  if (trace !== null && !isJson(trace, isObject)) return refuse("the trace is not a JSON object");
  if (trace !== null && readTrace({ trace }) === null)
    refuse("the trace does not say why the interaction had its outcome");
  const { id, initMs, acceptedMs, turns, summary, state, restored, kept } = interaction as unknown as Interaction;
  const updates = readUpdates(interaction["updates"] ?? []);
  const notes = readNotes(interaction);
  checkTime(initMs, "initMs");
  checkTime(acceptedMs, "acceptedMs");
  if (!isList(turns)) refuse("turns is not a list");
  const isBegun = outcome !== "open" || turns.length > 0;
  const input = {
    id,
    at: initMs,
    turns,
    updates,
    ...(summary === null ? {} : { summary }),
    ...(state === null ? {} : { state }),
  };
  // It was accepted once, under whatever limits; and a conversation that just began may have no turns yet.
  if (isBegun) parseInteraction(input, endOfTimeMs, { ...parameters, ...noLimits }, "UTC");
  return {
    interaction: {
      id: parseId(id),
      initMs,
      acceptedMs,
      turns,
      summary,
      state,
      restored: restored === true,
      kept: kept === true,
      updates,
      ...notes,
      versions: readVersions(interaction["versions"] ?? []),
    },
    outcome,
    trace,
  };
}

function readUpdates(updates: unknown): string[] {
  if (!isTextList(updates)) return refuse("updates is not a list of ids");
  return updates.map(parseId);
}

/** Null where nobody judged it. */
function readFacts(facts: unknown): LastingFact[] | null {
  if (facts === null) return null;
  if (!areLastingFacts(facts)) return refuse("facts is not a list of lasting facts");
  return facts.map(({ text, area, probability }) => ({ text, area, probability }));
}

function readNode(line: Line, dimensions: number): EmbeddedNode {
  const {
    type: _,
    updates = [],
    facts = null,
    pinnedArea = null,
    metadata,
    expiresMs,
    fullText,
    summaryVector,
    hypotheticalVector,
    statementVectors,
    questions = [],
    questionVectors = [],
    tokens = null,
    ...rest
  } = line;
  const node = rest as unknown as MemoryNode;
  const { id, initMs, pairId, summaryText, state, keywords, hypotheticalQuery, statements } = node;
  parseId(id);
  checkTime(initMs, "initMs");
  if (pairId !== null) parseId(pairId);
  if (![summaryText, hypotheticalQuery, fullText].every((text) => typeof text === "string"))
    refuse("a text is missing");
  if (state !== null && typeof state !== "string") refuse("the state is not text");
  if (pinnedArea !== null && typeof pinnedArea !== "string") return refuse("the pinned area is not text");
  const vectors = Array.isArray(statementVectors) ? statementVectors : [];
  if (!isTextList(keywords) || !isTextList(statements) || vectors.length !== statements.length) {
    refuse("keywords, statements or their vectors are missing");
  }
  const cues = Array.isArray(questionVectors) ? questionVectors : [];
  if (!isTextList(questions) || cues.length !== questions.length) {
    return refuse("questions or their vectors are missing");
  }
  return {
    node: {
      id,
      initMs,
      pairId,
      summaryText,
      state,
      keywords,
      hypotheticalQuery,
      questions,
      statements,
      updates: readUpdates(updates),
      facts: readFacts(facts),
      pinnedArea,
      ...readNotes({ metadata, expiresMs }),
    },
    fullText: fullText as string,
    summaryVector: readVector(summaryVector, dimensions),
    hypotheticalVector: readVector(hypotheticalVector, dimensions),
    statementVectors: vectors.map((vector) => readVector(vector, dimensions)),
    questionVectors: cues.map((vector) => readVector(vector, dimensions)),
    tokenBytes: tokens === null ? null : readTokens(tokens),
  };
}

function readNotes({
  metadata,
  expiresMs = null,
}: Readonly<Record<string, unknown>>): Pick<Interaction, "metadata" | "expiresMs"> {
  if (expiresMs !== null && !isMoment(expiresMs)) return refuse(`expiresMs is ${describeName(expiresMs)}, not a time`);
  return { metadata: readMetadata(metadata), expiresMs };
}

function readVersions(versions: unknown): InteractionVersion[] {
  return isList(versions) ? versions.map(readVersion) : refuse("versions is not a list");
}

export const versionFields = ["replacedMs", "initMs", "turns", "summary", "state", "metadata"] as const;

function readVersion(version: unknown): InteractionVersion {
  const fields = readFields(version, versionFields, "a version", "import_invalid");
  const { replacedMs, initMs, turns, summary, state, metadata } = fields;
  if (!isMoment(replacedMs) || !isMoment(initMs)) return refuse("a version needs replacedMs and initMs");
  if (!isList(turns)) return refuse("turns of a version is not a list");
  if (!isTextOrNull(summary) || !isTextOrNull(state)) return refuse("summary or state of a version is not text");
  const said = turns.map((turn) => parseAddedTurn(turn as Interaction["turns"][number], noLimits));
  return { replacedMs, initMs, turns: said, summary, state, metadata: readMetadata(metadata) };
}

function readMetadata(metadata: unknown): Metadata {
  return metadata === undefined ? noMetadata : parseMetadata(metadata, () => {});
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.isWellFormed());
}

function readVector(text: unknown, dimensions: number): Int8Array {
  const bytes = Buffer.from(typeof text === "string" ? text : "", "base64");
  if (bytes.length !== dimensions) refuse(`a vector has ${bytes.length} dimensions instead of ${dimensions}`);
  return Int8Array.from(bytes);
}

function readTokens(text: unknown): Uint8Array {
  const bytes = Buffer.from(typeof text === "string" ? text : "", "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== text) refuse("the token vectors are not in base64");
  return new Uint8Array(bytes);
}

function readEdge({ a, b, weight, boostMs, boostedMs }: Line): Edge {
  const isOrdered = typeof a === "string" && typeof b === "string" && a < b;
  const areNumbers =
    Number.isFinite(weight) && Number.isFinite(boostMs) && (boostedMs === null || Number.isFinite(boostedMs));
  if (!isOrdered || !areNumbers) return refuse("an edge needs a < b, weight, boostMs and boostedMs");
  if (boostedMs !== null) checkTime(boostedMs, "boostedMs");
  return { a, b, weight, boostMs, boostedMs } as Edge;
}

function readCoreSummary(line: Line): Pick<ParsedExport, "coreSummary" | "commitsSinceCoreSummary"> {
  const { commitsSince, text, updatedMs, sourceIds, trace, facts = noFacts } = line;
  if (!Number.isInteger(commitsSince) || (commitsSince as number) < 0) refuse("commitsSince is not an integer");
  const commitsSinceCoreSummary = commitsSince as number;
  if (text === undefined) return { coreSummary: null, commitsSinceCoreSummary };
  const isWhole =
    typeof text === "string" && Number.isFinite(updatedMs) && isTextList(sourceIds) && typeof trace === "string";
  if (!isWhole || !isJson(trace, isObject) || !isJson(facts, Array.isArray))
    return refuse("the core summary is incomplete");
  checkTime(updatedMs, "updatedMs");
  return { coreSummary: { text, updatedMs: updatedMs as number, sourceIds, trace, facts }, commitsSinceCoreSummary };
}

/** No duplicate ids, an interaction for every memory, a sound graph. */
function* checkReferencesSteps(
  { entries, nodes, edges, embedder }: ParsedExport,
  parameters: Parameters,
): Generator<void, void> {
  const entryIds = new Set(entries.map(({ interaction }) => interaction.id));
  const nodeIds = new Set(nodes.map(({ node }) => node.id));
  if (entryIds.size < entries.length) refuse("an interaction appears twice");
  if (nodeIds.size < nodes.length) refuse("a memory appears twice");
  const orphan = [...nodeIds].find((id) => !entryIds.has(id));
  if (orphan !== undefined) refuse(`memory "${orphan}" has no interaction`);
  const loose = edges.find(({ a, b }) => !nodeIds.has(a) || !nodeIds.has(b));
  if (loose !== undefined) refuse(`the edge between "${loose.a}" and "${loose.b}" has no memory at one end`);
  const graph = new MemoryGraph(embedder.dimensions, parameters.redundancyBinCount);
  yield* graph.applySteps({ ...noChange, putNodes: nodes, putEdges: edges });
  // The export may come from a memory that allows more edges.
  const [violation] = findViolations(graph, Infinity);
  if (violation !== undefined) refuse(`the graph is not sound: ${violation}`);
}

function atLine<Result>(lineNumber: number, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof InputError)) throw new InputError("import_invalid", `line ${lineNumber} cannot be read`);
    const message = cause.message.startsWith("line ") ? cause.message : `line ${lineNumber}: ${cause.message}`;
    throw new InputError("import_invalid", message, { cause });
  }
}

/** The limits of `commit`; later than now is allowed, because another clock may have been ahead. */
function checkTime(value: unknown, name: string): void {
  if (isMoment(value)) return;
  refuse(`${name} is ${describeName(value)}; it must be milliseconds since 1970, from -${timeMsMax} to ${timeMsMax}`);
}

function refuse(reason: string): never {
  throw new InputError("import_invalid", reason);
}

function isObject(value: unknown): value is Line {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJson(text: unknown, isRight: (value: unknown) => boolean): text is string {
  try {
    return typeof text === "string" && isRight(JSON.parse(text));
  } catch {
    return false;
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
