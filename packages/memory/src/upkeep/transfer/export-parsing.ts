/**
 * Reading an export. Nothing in it is trusted: every record, and every reference between records, is checked before the
 * first one is stored. An error names its line.
 */
import { findViolations } from "../../graph/graph-violations.js";
import { MemoryGraph } from "../../graph/memory-graph.js";
import { type Edge, type EmbeddedNode, noChange } from "../../graph/memory-node.js";
import { InputError } from "../../errors.js";
import { crc32 } from "../../files/checksum.js";
import type { Parameters } from "../../parameters.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { Codec } from "../../stores/codec.js";
import { describeName, describeValue } from "../../engine/given-values.js";
import { parseId } from "../../engine/interaction.js";
import { type OpenedRecord, embeddedOf } from "../../engine/records/graph-loading.js";
import { kinds, layout, nameOfKind } from "../../engine/records/kinds.js";
import { ownerOf } from "../../engine/records/links-record.js";
import { isMemory } from "../../engine/records/person-data.js";
import { type Line, type NumberedLine, isObject, parseLine } from "./import-lines.js";
import { checkContent, readCommits, readCore, readEntry, readLinks, readTokens, refuse } from "./payload-checks.js";
import type { PersonMoment } from "./person-moment.js";
import { byteKinds, endType, exportType, exportVersion, textKinds } from "./transfer.js";

/** A person as the file tells it. */
export interface ParsedExport extends Omit<PersonMoment, "revision"> {
  readonly embedder: EmbedderIdentity;
  /** By id, the line of the interaction. */
  readonly lineNumbers: ReadonlyMap<string, number>;
}

interface Header {
  readonly embedder: EmbedderIdentity;
  /** Whose records they were when they were sealed; null if they are not. */
  readonly sealedFor: string | null;
}

/** The header of an export is short; a longer first line is an interaction. */
const headerLengthMax = 10_000;

/** An export, or null when the lines are plain interactions. `codec`: opens a sealed one. */
export function* parseExportSteps(
  lines: readonly NumberedLine[],
  parameters: Parameters,
  codec: Codec,
): Generator<void, ParsedExport | null> {
  const [first] = lines;
  const given = first === undefined || first.text.length > headerLengthMax ? undefined : parseLine(first);
  if (first === undefined || given?.["type"] !== exportType) return null;
  const header = atLine(first.number, () => readHeader(given, codec));
  const found = new Map<string, Map<string, FoundRecord>>();
  let count = 0;
  let isEnded = false;
  for (const numbered of lines.slice(1)) {
    atLine(numbered.number, () => {
      const line = parseLine(numbered);
      if (isEnded) refuse("the export goes on after its end");
      isEnded = line["type"] === endType;
      if (isEnded) return checkCount(line, count, header, codec);
      const record = readRecord(line, header, codec);
      const known = found.get(record.kind) ?? new Map<string, FoundRecord>();
      if (known.has(record.id)) refuse(`${nameOfKind(record.kind)} appears twice`);
      found.set(record.kind, known.set(record.id, { record, line: numbered.number }));
      count++;
    });
    yield;
  }
  if (!isEnded) {
    const message = "the export ends here, but its end is missing; part of the file was lost";
    throw new InputError("import_invalid", `line ${lines.at(-1)!.number}: ${message}`);
  }
  const parsed = yield* readPayloadsSteps(found, header.embedder, parameters);
  yield* checkGraphSteps(parsed, parameters);
  return parsed;
}

function readHeader({ version, embedder, person, sealed = false }: Line, codec: Codec): Header {
  if (version !== exportVersion) {
    const advice = "import it with the release that wrote it";
    refuse(`export version ${describeValue(version)} is not the ${exportVersion} that this release reads; ${advice}`);
  }
  if (!isObject(embedder)) return refuse("the embedder is missing");
  const { name, dimensions } = embedder;
  if (typeof name !== "string" || !Number.isInteger(dimensions) || (dimensions as number) < 1) {
    return refuse("the embedder needs a name and dimensions");
  }
  const identity = { name, dimensions: dimensions as number };
  if (sealed === false) return { embedder: identity, sealedFor: null };
  const sealedFor = codec.isEncrypting && typeof person === "string" ? codec.toName(person) : null;
  return sealedFor === null
    ? refuse("the export is sealed; import it into a memory with the key of the one that wrote it")
    : { embedder: identity, sealedFor };
}

function checkCount({ records, frame }: Line, count: number, { sealedFor }: Header, codec: Codec): void {
  const key = { kind: endType, id: "" };
  const sealed = sealedFor === null ? null : codec.decode(sealedFor, key, fromBase64(frame, "frame"));
  if (sealedFor !== null && sealed === null) refuse("the end is not what was sealed; the line was altered");
  const given = sealed === null ? records : readCommits({ ...key, ...sealed });
  if (given === count) return;
  refuse(`the export had ${describeValue(given)} records, but ${count} are here; part of the file was lost`);
}

function readRecord({ kind, ...line }: Line, { sealedFor }: Header, codec: Codec): OpenedRecord {
  if (typeof kind !== "string" || (!textKinds.has(kind) && !byteKinds.has(kind))) {
    return refuse(`kind ${describeName(kind)} is unknown`);
  }
  const id = sealedFor === null ? line["id"] : codec.toName(textOf(line["id"]), sealedFor);
  const isSingle = kind === kinds.core || kind === kinds.commits;
  if (isSingle && id !== "") refuse(`${nameOfKind(kind)} has an id`);
  const key = { kind, id: isSingle ? "" : parseId(id as string) };
  const payload =
    sealedFor === null
      ? { layout: line["layout"], bytes: plainPayload(kind, line) }
      : codec.decode(sealedFor, key, fromBase64(line["frame"], "frame"));
  if (payload === null) return refuse(`${nameOfKind(kind)} is not what was sealed; the line was altered`);
  if (payload.layout === layout) return { ...key, layout, bytes: payload.bytes };
  const form = `layout ${describeValue(payload.layout)} of ${nameOfKind(kind)}`;
  return Number(payload.layout) > layout
    ? refuse(`${form} is newer than this release reads (${layout}); import it with a newer one`)
    : refuse(`${form} is unknown`);
}

function plainPayload(kind: string, { text, bytes, sum }: Line): Uint8Array {
  const isText = textKinds.has(kind);
  if (isText && typeof text !== "string") refuse("text is missing");
  const payload = isText ? Buffer.from(text as string) : fromBase64(bytes, "bytes");
  if (crc32(payload) !== sum) refuse(`${nameOfKind(kind)} does not have the sum of the line; the line was altered`);
  return payload;
}

function fromBase64(text: unknown, name: string): Uint8Array {
  const bytes = Buffer.from(textOf(text), "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : refuse(`${name} is not in base64`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** By kind and id. */
type FoundRecords = ReadonlyMap<string, ReadonlyMap<string, FoundRecord>>;

interface FoundRecord {
  readonly record: OpenedRecord;
  readonly line: number;
}

/** All payloads; an interaction and links for every memory, and a memory for everything that belongs to one. */
function* readPayloadsSteps(
  found: FoundRecords,
  embedder: EmbedderIdentity,
  parameters: Parameters,
): Generator<void, ParsedExport> {
  function* each<Result>(kind: string, read: (record: OpenedRecord) => Result): Generator<void, Map<string, Result>> {
    const results = new Map<string, Result>();
    for (const [id, { record, line }] of found.get(kind) ?? []) {
      results.set(
        id,
        atLine(line, () => read(record)),
      );
      yield;
    }
    return results;
  }
  const has = (kind: string, id: string): boolean => found.get(kind)?.has(id) === true;
  const checkMemory = ({ id }: OpenedRecord): void => {
    if (!has(kinds.memory, id)) refuse(`there is no memory "${id}"`);
  };
  const entries = yield* each(kinds.interaction, (record) => {
    const entry = readEntry(record, parameters);
    if (isMemory(entry)) checkMemory(record);
    return entry;
  });
  const links = yield* each(kinds.links, (record) => {
    checkMemory(record);
    return readLinks(record);
  });
  const tokens = yield* each(kinds.tokens, (record) => {
    checkMemory(record);
    return readTokens(record);
  });
  const memories = yield* each(kinds.memory, (record): EmbeddedNode => {
    const { id } = record;
    const own = links.get(id);
    if (own === undefined || !entries.has(id)) return refuse(`memory "${id}" has no interaction, or no links`);
    checkContent(record, embedder.dimensions);
    return { ...embeddedOf(record, own), tokenBytes: tokens.get(id) ?? null };
  });
  const edges = yield* each(kinds.links, ({ id }) => {
    const own = links.get(id)!.edges;
    for (const edge of own) checkEnds(edge, id, memories);
    return own;
  });
  const core = yield* each(kinds.core, readCore);
  const commits = yield* each(kinds.commits, readCommits);
  return {
    embedder,
    entries: [...entries.values()],
    nodes: [...memories.values()],
    edges: [...edges.values()].flat(),
    coreSummary: core.get("") ?? null,
    commitsSinceCoreSummary: commits.get("") ?? 0,
    lineNumbers: new Map([...(found.get(kinds.interaction) ?? [])].map(([id, { line }]) => [id, line])),
  };
}

/** Between two memories, and kept by the newer one. */
function checkEnds({ a, b }: Edge, keeper: string, memories: ReadonlyMap<string, EmbeddedNode>): void {
  const [x, y] = [memories.get(a)?.node, memories.get(b)?.node];
  if (x !== undefined && y !== undefined && x !== y && ownerOf(x, y).id === keeper) return;
  refuse(`the edge between "${a}" and "${b}" does not lead from this memory to an older one`);
}

function* checkGraphSteps({ nodes, edges, embedder }: ParsedExport, parameters: Parameters): Generator<void, void> {
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
