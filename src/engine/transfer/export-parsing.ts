/**
 * Reading an export. Nothing in it is trusted: every line, and every reference between lines, is checked before the
 * first one is stored. An error names its line.
 */
import { findViolations } from "../../core/graph/graph-violations.js";
import { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, type MemoryNode, noChange } from "../../core/graph/memory-node.js";
import { InputError } from "../../errors.js";
import type { Parameters } from "../../parameters.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { CoreSummary, HistoryEntry, Interaction, Outcome } from "../../ports/store.js";
import { type InteractionInput, isMoment, parseId, parseInteraction, show, timeMsMax } from "../interaction.js";

export const exportVersion = 1;

export interface ParsedExport {
  readonly embedder: EmbedderIdentity;
  readonly entries: readonly HistoryEntry[];
  readonly nodes: readonly EmbeddedNode[];
  readonly edges: readonly Edge[];
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
}

type Line = Record<string, unknown>;

/** A line that is not blank, with its number in the file. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** A byte order mark before the first line is not part of it. */
export async function numberLines(lines: Iterable<string> | AsyncIterable<string>): Promise<NumberedLine[]> {
  const numbered: NumberedLine[] = [];
  let number = 0;
  for await (const line of lines) {
    const text = ++number === 1 ? line.replace(/^\uFEFF/u, "") : line;
    if (text.trim() !== "") numbered.push({ number, text });
  }
  return numbered;
}

const outcomes: ReadonlySet<string> = new Set<Outcome>([
  "open",
  "queued",
  "committed",
  "paired",
  "discarded",
  "replaced",
  "pruned",
]);
const endOfTimeMs = 8.64e15;

/**
 * An export, or null when the lines are plain interactions. An export ends with the line of its core summary, even if
 * there is none: one without that line has lost its end.
 */
export function parseExport(lines: readonly NumberedLine[], parameters: Parameters): ParsedExport | null {
  const [first] = lines;
  const header = first === undefined ? undefined : parseLine(first);
  if (first === undefined || header?.["type"] !== "mnemosyne-export") return null;
  const embedder = atLine(first.number, () => readHeader(header));
  const entries: HistoryEntry[] = [];
  const nodes: EmbeddedNode[] = [];
  const edges: Edge[] = [];
  let core: Pick<ParsedExport, "coreSummary" | "commitsSinceCoreSummary"> | undefined;
  lines.slice(1).forEach((numbered) =>
    atLine(numbered.number, () => {
      const line = parseLine(numbered);
      if (core !== undefined) refuse("the export goes on after its end, the line of its core summary");
      if (line["type"] === "interaction") entries.push(readEntry(line, parameters));
      else if (line["type"] === "memory") nodes.push(readNode(line, embedder.dimensions));
      else if (line["type"] === "edge") edges.push(readEdge(line));
      else if (line["type"] === "core-summary") core = readCoreSummary(line);
      else refuse(`type ${JSON.stringify(line["type"])} is unknown`);
    }),
  );
  const end =
    core ??
    atLine(lines.at(-1)!.number, () =>
      refuse("the export ends here, but its end is missing; part of the file was lost"),
    );
  const parsed = { embedder, entries, nodes, edges, ...end };
  checkReferences(parsed, parameters);
  return parsed;
}

/** One interaction of a plain file; an error names its line. */
export function parseInteractionLine(line: NumberedLine): InteractionInput {
  const object = parseLine(line);
  if (object["turns"] === undefined && object["summary"] === undefined) {
    throw new InputError(
      "import_invalid",
      `line ${line.number}: neither "turns" nor "summary"; each line is one interaction`,
    );
  }
  return object as InteractionInput;
}

function parseLine({ text, number: lineNumber }: NumberedLine): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new InputError("import_invalid", `line ${lineNumber}: not JSON (${(cause as Error).message})`, { cause });
  }
  throw new InputError("import_invalid", `line ${lineNumber}: not a JSON object`);
}

function readHeader({ version, embedder }: Line): EmbedderIdentity {
  if (version !== exportVersion)
    refuse(`export version ${JSON.stringify(version)} is not supported; it must be ${exportVersion}`);
  if (!isObject(embedder)) return refuse("the embedder is missing");
  const { name, dimensions } = embedder;
  if (typeof name !== "string" || !Number.isInteger(dimensions) || (dimensions as number) < 1) {
    return refuse("the embedder needs a name and dimensions");
  }
  return { name, dimensions: dimensions as number };
}

function readEntry({ interaction, outcome, trace }: Line, parameters: Parameters): HistoryEntry {
  if (!isObject(interaction)) return refuse("the interaction is missing");
  if (typeof outcome !== "string" || !outcomes.has(outcome))
    return refuse(`outcome ${JSON.stringify(outcome)} is unknown`);
  if (trace !== null && (typeof trace !== "string" || !isObject(JSON.parse(trace))))
    refuse("the trace is not a JSON object");
  const { id, initMs, acceptedMs, turns, summary, state, restored } = interaction as unknown as Interaction;
  checkTime(initMs, "initMs");
  checkTime(acceptedMs, "acceptedMs");
  const isBegun = outcome !== "open" || turns.length > 0;
  const input = { at: initMs, turns, ...(summary === null ? {} : { summary }), ...(state === null ? {} : { state }) };
  // The export may come from a memory with other limits, and a conversation that just began may have no turns yet.
  const limits = { ...parameters, interactionCharacterCountMax: Number.MAX_SAFE_INTEGER };
  if (isBegun) parseInteraction(input, endOfTimeMs, limits, "UTC");
  return {
    interaction: { id: parseId(id), initMs, acceptedMs, turns, summary, state, restored: restored === true },
    outcome: outcome as Outcome,
    trace: trace as string | null,
  };
}

function readNode(line: Line, dimensions: number): EmbeddedNode {
  const { type: _, fullText, summaryVector, hypotheticalVector, statementVectors, ...rest } = line;
  const node = rest as unknown as MemoryNode;
  const { id, initMs, pairId, summaryText, state, keywords, hypotheticalQuery, statements } = node;
  parseId(id);
  checkTime(initMs, "initMs");
  if (pairId !== null) parseId(pairId);
  if (![summaryText, hypotheticalQuery, fullText].every((text) => typeof text === "string"))
    refuse("a text is missing");
  if (state !== null && typeof state !== "string") refuse("the state is not text");
  const vectors = Array.isArray(statementVectors) ? statementVectors : [];
  if (!isTextList(keywords) || !isTextList(statements) || vectors.length !== statements.length) {
    refuse("keywords, statements or their vectors are missing");
  }
  return {
    node: { id, initMs, pairId, summaryText, state, keywords, hypotheticalQuery, statements },
    fullText: fullText as string,
    summaryVector: readVector(summaryVector, dimensions),
    hypotheticalVector: readVector(hypotheticalVector, dimensions),
    statementVectors: vectors.map((vector) => readVector(vector, dimensions)),
  };
}

function readVector(text: unknown, dimensions: number): Int8Array {
  const bytes = Buffer.from(typeof text === "string" ? text : "", "base64");
  if (bytes.length !== dimensions) refuse(`a vector has ${bytes.length} dimensions instead of ${dimensions}`);
  return Int8Array.from(bytes);
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
  const { commitsSince, text, updatedMs, sourceIds, trace } = line;
  if (!Number.isInteger(commitsSince) || (commitsSince as number) < 0) refuse("commitsSince is not an integer");
  const commitsSinceCoreSummary = commitsSince as number;
  if (text === undefined) return { coreSummary: null, commitsSinceCoreSummary };
  const isWhole =
    typeof text === "string" && Number.isFinite(updatedMs) && isTextList(sourceIds) && typeof trace === "string";
  if (!isWhole || !isObject(JSON.parse(trace))) return refuse("the core summary is incomplete");
  checkTime(updatedMs, "updatedMs");
  return { coreSummary: { text, updatedMs: updatedMs as number, sourceIds, trace }, commitsSinceCoreSummary };
}

/** No duplicate ids, an interaction for every memory, a sound graph. */
function checkReferences({ entries, nodes, edges, embedder }: ParsedExport, parameters: Parameters): void {
  const entryIds = new Set(entries.map(({ interaction }) => interaction.id));
  const nodeIds = new Set(nodes.map(({ node }) => node.id));
  if (entryIds.size < entries.length) refuse("an interaction appears twice");
  if (nodeIds.size < nodes.length) refuse("a memory appears twice");
  const orphan = [...nodeIds].find((id) => !entryIds.has(id));
  if (orphan !== undefined) refuse(`memory "${orphan}" has no interaction`);
  const loose = edges.find(({ a, b }) => !nodeIds.has(a) || !nodeIds.has(b));
  if (loose !== undefined) refuse(`the edge between "${loose.a}" and "${loose.b}" has no memory at one end`);
  const graph = new MemoryGraph(embedder.dimensions, parameters.redundancyBinCount);
  graph.apply({ ...noChange, putNodes: nodes, putEdges: edges });
  // The export may come from a memory that allows more edges.
  const [violation] = findViolations(graph, Infinity);
  if (violation !== undefined) refuse(`the graph is not sound: ${violation}`);
}

function atLine<Result>(lineNumber: number, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    const reason = (cause as Error).message;
    const message = reason.startsWith("line ") ? reason : `line ${lineNumber}: ${reason}`;
    throw new InputError("import_invalid", message, { cause });
  }
}

/** The limits of `commit`; later than now is allowed, because another clock may have been ahead. */
function checkTime(value: unknown, name: string): void {
  if (isMoment(value)) return;
  refuse(`${name} is ${show(value)}; it must be milliseconds since 1970, from -${timeMsMax} to ${timeMsMax}`);
}

function refuse(reason: string): never {
  throw new InputError("import_invalid", reason);
}

function isObject(value: unknown): value is Line {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
