/**
 * A person as JSON Lines: a header, one line for each record with its payload as every store has it, and an end with their
 * number. The order is always the same, so two stores with the same memory give the same bytes. Imported into an empty
 * person, an export restores the same memory. Sealed, its records are encrypted as in the store.
 */
import { type Edge, compareAge, noChange } from "../../graph/memory-node.js";
import { crc32 } from "../../files/checksum.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { Codec } from "../../stores/codec.js";
import type { PackedRecord } from "../../engine/records/changed-graph.js";
import { packEntry } from "../../engine/records/interaction-record.js";
import { kinds, layout } from "../../engine/records/kinds.js";
import { ownerOf, packLinksRecord } from "../../engine/records/links-record.js";
import { memoryContent } from "../../engine/records/memory-content.js";
import { jsonPayload } from "../../engine/records/opened-store.js";
import type { ParsedSelection } from "../../engine/memory-selection.js";
import type { PersonState } from "../../engine/person-state.js";
import { runInSlices } from "../../engine/serial-lock.js";
import { partOfMomentSteps } from "./export-part.js";
import type { ParsedExport } from "./export-parsing.js";
import type { PersonMoment } from "./person-moment.js";

export const exportType = "mnemosyne-export";
export const exportVersion = 3;
export const endType = "end";

/** Whose payload can be read and searched; the others are in base64. */
export const textKinds: ReadonlySet<string> = new Set([kinds.interaction, kinds.links, kinds.core, kinds.commits]);
export const byteKinds: ReadonlySet<string> = new Set([kinds.memory, kinds.tokens]);

/** The lines of all of a person, or of the part that passes. */
export async function* exportMoment(
  moment: PersonMoment,
  selection: ParsedSelection | null,
  sealing: Codec | null,
  { person, context: { embedding, parameters } }: PersonState,
): AsyncGenerator<string> {
  const steps = selection && partOfMomentSteps(moment, selection, parameters.coreSummaryIntervalCommits);
  const part = steps === null ? moment : await runInSlices(steps);
  yield* linesOfMoment(person, part, embedding.identity, sealing);
}

/** `sealing`: encrypts the records, and replaces names and ids. */
export function* linesOfMoment(
  person: string,
  moment: PersonMoment,
  embedder: EmbedderIdentity | null,
  sealing: Codec | null,
): Generator<string> {
  const sealed = sealing === null ? {} : { sealed: true };
  const name = sealing?.toText(person) ?? person;
  yield JSON.stringify({ type: exportType, version: exportVersion, person: name, embedder, ...sealed });
  let records = 0;
  for (const record of recordsOf(moment)) {
    records++;
    yield JSON.stringify(sealing === null ? plainLine(record) : sealedLine(record, person, sealing));
  }
  yield JSON.stringify({ type: endType, records, ...(sealing && { frame: frameOf(endOf(records), person, sealing) }) });
}

function plainLine({ kind, id, payload: { layout: form, bytes } }: PackedRecord): object {
  const payload = textKinds.has(kind) ? { text: bytesOf(bytes).toString() } : { bytes: toBase64(bytes) };
  return { kind, id, layout: form, sum: crc32(bytes), ...payload };
}

function sealedLine(record: PackedRecord, person: string, codec: Codec): object {
  return { kind: record.kind, id: codec.toText(record.id, person), frame: frameOf(record, person, codec) };
}

function frameOf({ kind, id, payload }: PackedRecord, person: string, codec: Codec): string {
  return toBase64(codec.encode(person, { kind, id }, payload));
}

/** As a record, so that the number of a sealed export is sealed like everything else. */
function endOf(records: number): PackedRecord {
  return { kind: endType, id: "", payload: jsonPayload(records) };
}

/** Interactions as they were accepted, memories by age. */
function* recordsOf({ entries, nodes, edges, ...core }: PersonMoment): Generator<PackedRecord> {
  for (const entry of entries) yield { kind: kinds.interaction, id: entry.interaction.id, payload: packEntry(entry) };
  const memories = nodes.toSorted((x, y) => compareAge(x.node, y.node));
  const byId = new Map(memories.map(({ node }) => [node.id, node]));
  const owned = new Map<string, Edge[]>(memories.map(({ node }) => [node.id, []]));
  for (const edge of edges) owned.get(ownerOf(byId.get(edge.a)!, byId.get(edge.b)!).id)!.push(edge);
  for (const { node } of memories) {
    yield { kind: kinds.links, id: node.id, payload: packLinksRecord(node, owned.get(node.id)!) };
  }
  for (const memory of memories) {
    yield { kind: kinds.memory, id: memory.node.id, payload: { layout, bytes: memoryContent(memory) } };
  }
  for (const { node, tokenBytes } of memories) {
    if (tokenBytes !== null) yield { kind: kinds.tokens, id: node.id, payload: { layout, bytes: tokenBytes } };
  }
  const { coreSummary, commitsSinceCoreSummary: commits } = core;
  if (coreSummary !== null) {
    const { text, updatedMs, sourceIds, trace } = coreSummary;
    yield { kind: kinds.core, id: "", payload: jsonPayload({ text, updatedMs, sourceIds, trace }) };
  }
  if (commits > 0) yield { kind: kinds.commits, id: "", payload: jsonPayload(commits) };
}

/** Restores an export into a person who does not exist yet, all or nothing. */
export async function restoreExport(state: PersonState, parsed: ParsedExport): Promise<void> {
  await state.change(async () => ({
    batch: {
      acceptEntries: parsed.entries,
      change: { ...noChange, putNodes: parsed.nodes, putEdges: parsed.edges },
      outcomes: [],
      forgetInteractions: [],
      coreSummary: parsed.coreSummary,
      commitsSinceCoreSummary: parsed.commitsSinceCoreSummary,
    },
    result: undefined,
  }));
}

function toBase64(bytes: Uint8Array): string {
  return bytesOf(bytes).toString("base64");
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
