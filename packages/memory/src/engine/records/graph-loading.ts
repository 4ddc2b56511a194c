/**
 * Records become a graph: a whole one, built while its pages come, or a difference to one that is there. What memories say
 * stays packed until somebody asks for it. Links are read before the content that they belong to (changed-graph.ts).
 */
import type { MemoryGraph } from "../../graph/memory-graph.js";
import { type Edge, type EmbeddedNode, type GraphChange, noChange } from "../../graph/memory-node.js";
import { StoreError } from "../../errors.js";
import { runInSlices } from "../serial-lock.js";
import { edgeDifference } from "./changed-graph.js";
import { goneLayout, kinds, nameOfKind } from "./kinds.js";
import { type LinksRecord, unpackLinksRecord } from "./links-record.js";
import { LoadedNodes, type MemoryPage } from "./loaded-nodes.js";
import {
  dimensionsOf,
  isCurrent,
  memoryContent,
  numberByteCount,
  numbersIn,
  toEmbeddedNode,
  unpackLinks,
} from "./memory-content.js";
import type { CoreSummary } from "./person-data.js";

/** A record whose bytes are what was written. */
export interface OpenedRecord {
  readonly kind: string;
  readonly id: string;
  readonly layout: number;
  readonly bytes: Uint8Array;
}

/** What belongs to a person beside the graph; undefined where it was not among the records. */
export interface LoadedCore {
  coreSummary?: CoreSummary | null;
  commitsSinceCoreSummary?: number;
}

/** Builds a graph that is empty so far. */
export class GraphLoading {
  readonly #person: string;
  readonly #graph: MemoryGraph;
  /** The newest of each memory. */
  readonly #links = new Map<string, LinksRecord>();
  readonly #seen = { links: new Set<string>(), contents: new Set<string>() };
  /** What came a second time, because it changed while the pages were read, and what came before its links. */
  readonly #again: OpenedRecord[] = [];
  readonly core: LoadedCore = {};

  constructor(person: string, graph: MemoryGraph) {
    this.#person = person;
    this.#graph = graph;
  }

  async take(records: readonly OpenedRecord[]): Promise<void> {
    const contents: OpenedRecord[] = [];
    for (const record of records) {
      if (takeCore(record, this.core)) continue;
      const seen = record.kind === kinds.links ? this.#seen.links : this.#seen.contents;
      const isAgain = seen.has(record.id);
      if (isAgain) this.#again.push(record);
      else seen.add(record.id);
      if (record.kind === kinds.links) takeLinks(record, this.#links);
      else if (record.layout !== goneLayout && !isAgain) {
        // Links that are missing come again if the memory came back meanwhile; if it was forgotten, the reading is repeated.
        (this.#links.has(record.id) ? contents : this.#again).push(record);
      }
    }
    if (contents.length === 0) return;
    await runInSlices(this.#graph.putPackedSteps(this.#packed(contents)));
  }

  async end(): Promise<void> {
    const graph = this.#graph;
    const again = { ...noChange, ...changeOf(this.#again, this.#links, this.#person) };
    checkDimensions(again.putNodes, graph);
    await runInSlices(graph.applySteps(again));
    const orphan = [...this.#links.keys()].find((id) => !graph.has(id));
    if (orphan !== undefined) throw damagedPart(this.#person, orphan, `${nameOfKind(kinds.memory)} is missing`);
    const putEdges = [...this.#links.values()].flatMap(({ edges }) => edges);
    checkEnds(putEdges, this.#person, graph);
    await runInSlices(graph.applySteps({ ...noChange, putEdges }));
  }

  /** Contents in one piece of bytes, with the terms as this Node.js splits them. */
  #packed(contents: readonly OpenedRecord[]): LoadedNodes {
    const links = contents.map(({ id }) => linksOf(id, this.#links, this.#person));
    let piece = inOnePiece(contents.map(({ bytes }) => bytes));
    const numbers = numbersIn(piece.contents);
    const wrong = piece.starts.findIndex((start) => dimensionsOf(numbers, start) !== this.#graph.dimensions);
    if (wrong >= 0) throw otherDimensions(links[wrong]!.id, dimensionsOf(numbers, piece.starts[wrong]!), this.#graph);
    if (!piece.starts.every((start) => isCurrent(numbers, start))) {
      const repacked = contents.map(({ bytes }, i) => memoryContent(toEmbeddedNode({ ...links[i]!, content: bytes })));
      piece = inOnePiece(repacked);
    }
    return new LoadedNodes({ links, ...piece });
  }
}

/** What a difference changes in a graph. */
export function graphDifference(
  records: readonly OpenedRecord[],
  person: string,
  graph: MemoryGraph,
): { readonly change: GraphChange; readonly core: LoadedCore } {
  const core: LoadedCore = {};
  const ofGraph = records.filter((record) => !takeCore(record, core));
  const links = new Map<string, LinksRecord>();
  for (const record of ofGraph) if (record.kind === kinds.links) takeLinks(record, links);
  const differences = [...links].map(([id, { edges }]) => edgeDifference(id, edges, graph));
  const putEdges = differences.flatMap((difference) => difference.putEdges);
  const removeEdges = differences.flatMap((difference) => difference.removeEdges);
  const change = { ...noChange, ...changeOf(ofGraph, links, person), putEdges, removeEdges };
  checkDimensions(change.putNodes, graph);
  return { change, core };
}

/** A memory as its two records say it. */
export function embeddedOf(content: OpenedRecord, { links }: LinksRecord): EmbeddedNode {
  return toEmbeddedNode({ ...links, content: content.bytes });
}

/** True if the record is not of the graph itself. */
export function takeCore({ kind, bytes }: OpenedRecord, core: LoadedCore): boolean {
  if (kind !== kinds.core && kind !== kinds.commits) return false;
  const value: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (kind === kinds.core) core.coreSummary = value as CoreSummary | null;
  else core.commitsSinceCoreSummary = value as number;
  return true;
}

export function takeLinks(record: OpenedRecord, links: Map<string, LinksRecord>): void {
  if (record.layout === goneLayout) links.delete(record.id);
  else links.set(record.id, unpackLinksRecord(record.id, record));
}

export function damagedPart(person: string, id: string | null, part: string): StoreError {
  const named = [person, id].flatMap((name) => (name === null ? [] : JSON.stringify(name))).join(", ");
  const remedy = "`mnemosyne doctor` lists all damage, `mnemosyne export --skip-damaged` saves what is whole";
  return new StoreError("store_damaged", `${named}: ${part}; ${remedy}`);
}

/** Apart from the edges. */
function changeOf(
  records: readonly OpenedRecord[],
  links: ReadonlyMap<string, LinksRecord>,
  person: string,
): Omit<GraphChange, "putEdges" | "removeEdges"> {
  const contents = new Map(records.filter(({ kind }) => kind === kinds.memory).map((record) => [record.id, record]));
  const isGone = ({ layout }: OpenedRecord): boolean => layout === goneLayout;
  const put = [...contents.values()].filter((record) => !isGone(record));
  const altered = new Set(records.filter(({ kind }) => kind === kinds.links).map(({ id }) => id));
  const set = [...altered].flatMap((id) => (contents.has(id) ? [] : (links.get(id)?.links ?? [])));
  const parts = set.map((each) => ({ id: each.id, ...unpackLinks(each) }));
  return {
    removeNodes: [...contents.values()].filter(isGone).map(({ id }) => id),
    putNodes: put.map(({ id, bytes }) => toEmbeddedNode({ ...linksOf(id, links, person), content: bytes })),
    setPairs: parts.map(({ id, pairId }) => ({ id, pairId })),
    setEnds: parts.map(({ id, ends }) => ({ id, ends })),
    setMarks: parts.map(({ id, marks }) => ({ id, marks })),
    setMetadata: parts.map(({ id, metadata, expiresMs }) => ({ id, metadata, expiresMs })),
  };
}

function linksOf(id: string, links: ReadonlyMap<string, LinksRecord>, person: string): LinksRecord["links"] {
  const known = links.get(id);
  if (known === undefined) throw damagedPart(person, id, `${nameOfKind(kinds.links)} is missing`);
  return known.links;
}

function checkEnds(edges: readonly Edge[], person: string, graph: MemoryGraph): void {
  const loose = edges.find(({ a, b }) => !graph.has(a) || !graph.has(b));
  if (loose === undefined) return;
  const missing = graph.has(loose.a) ? loose.b : loose.a;
  throw damagedPart(person, missing, `${nameOfKind(kinds.memory)} is missing, but others have edges to it`);
}

function checkDimensions(nodes: readonly EmbeddedNode[], graph: MemoryGraph): void {
  const wrong = nodes.find(({ summaryVector }) => summaryVector.length !== graph.dimensions);
  if (wrong !== undefined) throw otherDimensions(wrong.node.id, wrong.summaryVector.length, graph);
}

function otherDimensions(id: string, dimensions: number, graph: MemoryGraph): StoreError {
  const message = `memory "${id}" has a vector of ${dimensions} dimensions, but the embedder returns ${graph.dimensions}; run \`mnemosyne reembed\``;
  return new StoreError("embedder_mismatch", message);
}

/** The bytes where they are, if they are views of one aligned buffer; otherwise a copy of all, one after the other. */
function inOnePiece(
  parts: readonly Uint8Array[],
): Pick<MemoryPage, "contents" | "starts"> & { readonly contents: Buffer<ArrayBuffer> } {
  const { buffer } = parts[0]!;
  const isOne = parts.every((part) => part.buffer === buffer && part.byteOffset % numberByteCount === 0);
  if (isOne && buffer instanceof ArrayBuffer) {
    const contents = Buffer.from(buffer, 0, buffer.byteLength - (buffer.byteLength % numberByteCount));
    return { contents, starts: Int32Array.from(parts, ({ byteOffset }) => byteOffset / numberByteCount) };
  }
  const contents = Buffer.from(new ArrayBuffer(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)));
  const starts = new Int32Array(parts.length);
  let at = 0;
  for (const [i, part] of parts.entries()) {
    contents.set(part, at);
    starts[i] = at / numberByteCount;
    at += part.byteLength;
  }
  return { contents, starts };
}
