/** The payloads of an export's records, checked in every part while they are unpacked. */
import { compareIds } from "../../graph/memory-node.js";
import { type Metadata, noMetadata } from "../../graph/metadata.js";
import { areEnds, areMarks } from "../../graph/statement.js";
import { areTokens } from "../../graph/vectors/token-vectors.js";
import { InputError } from "../../errors.js";
import type { Parameters } from "../../parameters.js";
import { readTrace } from "../../engine/commit-trace.js";
import { describeName, describeValue, isList, readFields } from "../../engine/given-values.js";
import { parseMetadata } from "../../engine/interaction-metadata.js";
import { isMoment, noLimits, parseAddedTurn, parseId, parseInteraction, timeMsMax } from "../../engine/interaction.js";
import { faultOfContent } from "../../engine/records/content-check.js";
import { unpackEntry } from "../../engine/records/interaction-record.js";
import { type LinksRecord, unpackLinksRecord } from "../../engine/records/links-record.js";
import { aligned, numbersIn, placeContent, unpackLinks } from "../../engine/records/memory-content.js";
import {
  type AcceptedEntry,
  type CoreSummary,
  type Interaction,
  type InteractionVersion,
  isOutcome,
} from "../../engine/records/person-data.js";
import type { OpenedRecord } from "../../engine/records/graph-loading.js";

const endOfTimeMs = 8.64e15;

export function readEntry({ id, ...payload }: OpenedRecord, parameters: Parameters): AcceptedEntry {
  const lines = bytesOf(payload.bytes).toString().split("\n");
  const said = parseJson(lines[0]!, "the interaction");
  if (lines.length !== 3 || !isList(said) || said.length !== 11) return refuse("the interaction is not three lines");
  const { interaction, outcome, trace } = unpackEntry(id, payload);
  if (!isOutcome(outcome)) refuse(`outcome ${describeName(outcome)} is unknown`);
  checkTrace(trace);
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, expiresMs, versions } =
    interaction as { readonly [Name in keyof Interaction]: unknown };
  checkTime(initMs, "initMs");
  checkTime(acceptedMs, "acceptedMs");
  checkExpiry(expiresMs);
  if (typeof restored !== "boolean" || typeof kept !== "boolean") refuse("restored or kept is not true or false");
  if (!isList(turns)) return refuse("turns is not a list");
  const input = {
    id: parseId(id),
    at: initMs,
    turns: turns as Interaction["turns"],
    updates: readIds(updates),
    ...(summary === null ? {} : { summary: summary as string }),
    ...(state === null ? {} : { state: state as string }),
  };
  // It was accepted once, under whatever limits; and a conversation that just began may have no turns yet.
  const isBegun = outcome !== "open" || turns.length > 0;
  const parsed = isBegun ? parseInteraction(input, endOfTimeMs, { ...parameters, ...noLimits }, "UTC") : { turns: [] };
  const checked = { turns: parsed.turns, metadata: readMetadata(metadata), versions: readVersions(versions) };
  return { interaction: { ...interaction, ...checked }, outcome, trace };
}

export function readLinks({ id, ...payload }: OpenedRecord): LinksRecord {
  const list = parseJson(bytesOf(payload.bytes).toString(), "links");
  if (!isList(list) || list.length !== 6) return refuse("links is not a list of six");
  const [pairId, ends, marks, metadata, expiresMs, edges] = list;
  if (pairId !== null) parseId(pairId as string);
  for (const [packed, name] of [
    [ends, "ends"],
    [marks, "marks"],
  ] as const) {
    const lists = packed === null ? [] : parseJson(packed, name);
    if (!isList(lists) || !lists.every((each) => isList(each) && (each.length === 3 || each.length === 4)))
      refuse(`${name} is not a list`);
  }
  if (metadata !== null) readMetadata(parseJson(metadata, "metadata"));
  checkExpiry(expiresMs);
  if (!isList(edges)) return refuse("the edges are not a list");
  edges.forEach(checkEdge);
  const others = edges.map((edge) => (edge as [string])[0]);
  if (others.some((other, i) => i > 0 && compareIds(others[i - 1]!, other) >= 0)) refuse("the edges are not in order");
  const record = unpackLinksRecord(id, payload);
  const links = unpackLinks(record.links);
  if (!areEnds(links.ends) || !areMarks(links.marks)) refuse("an end or a mark has another form");
  for (const { memory } of links.ends) parseId(memory);
  return record;
}

function checkEdge(edge: unknown): void {
  const [otherId, weight, boostMs = 0, boostedMs = null] = isList(edge) ? edge : [];
  parseId(otherId as string);
  if (!Number.isFinite(weight) || !Number.isFinite(boostMs)) refuse("an edge needs a weight and a boost");
  if (boostedMs !== null) checkTime(boostedMs, "boostedMs");
}

export function checkContent({ bytes }: OpenedRecord, dimensions: number): void {
  const fault = faultOfContent(bytes, dimensions);
  if (fault !== null) refuse(fault);
  checkTime(placeContent(numbersIn(aligned(bytes)), 0).initMs, "initMs");
}

export function readTokens({ bytes }: OpenedRecord): Uint8Array {
  return areTokens(bytes) ? new Uint8Array(bytes) : refuse("the vectors of the memory's words have another form");
}

export function readCore({ bytes }: OpenedRecord): CoreSummary {
  const core = parseJson(bytesOf(bytes).toString(), "the core summary");
  const names = ["text", "updatedMs", "sourceIds", "trace"] as const;
  const { text, updatedMs, sourceIds, trace } = readFields(core, names, "the core summary", "import_invalid");
  const isWhole = isTextOrNull(text) && typeof trace === "string";
  if (!isWhole) return refuse("the core summary is incomplete");
  checkTime(updatedMs, "updatedMs");
  if (!isObject(parseJson(trace, "the trace of the core summary"))) refuse("its trace is not an object");
  return { text, updatedMs, sourceIds: readIds(sourceIds), trace };
}

export function readCommits({ bytes }: OpenedRecord): number {
  const commits = parseJson(bytesOf(bytes).toString(), "the number of commits");
  if (Number.isSafeInteger(commits) && (commits as number) >= 0) return commits as number;
  return refuse(`the number of commits is ${describeValue(commits)}`);
}

function checkTrace(trace: string | null): void {
  if (trace === null) return;
  if (!isObject(parseJson(trace, "the trace"))) refuse("the trace is not a JSON object");
  if (readTrace({ trace }) === null) refuse("the trace does not say why the interaction had its outcome");
}

function readVersions(versions: unknown): InteractionVersion[] {
  return isList(versions) ? versions.map(readVersion) : refuse("versions is not a list");
}

function readVersion(version: unknown): InteractionVersion {
  const names = ["replacedMs", "initMs", "turns", "summary", "state", "metadata"] as const;
  const { replacedMs, initMs, turns, summary, state, metadata } = readFields(
    version,
    names,
    "a version",
    "import_invalid",
  );
  checkTime(replacedMs, "replacedMs of a version");
  checkTime(initMs, "initMs of a version");
  if (!isList(turns)) return refuse("turns of a version is not a list");
  if (!isTextOrNull(summary) || !isTextOrNull(state)) return refuse("summary or state of a version is not text");
  const said = turns.map((turn) => parseAddedTurn(turn as Interaction["turns"][number], noLimits));
  return { replacedMs, initMs, turns: said, summary, state, metadata: readMetadata(metadata) };
}

function readMetadata(metadata: unknown): Metadata {
  return metadata === undefined ? noMetadata : parseMetadata(metadata, () => {});
}

function readIds(ids: unknown): string[] {
  if (!isList(ids)) return refuse("updates or sources are not a list of ids");
  return ids.map((id) => parseId(id as string));
}

function checkExpiry(value: unknown): void {
  if (value !== null) checkTime(value, "expiresMs");
}

/** The limits of `commit`; later than now is allowed, because another clock may have been ahead. */
function checkTime(value: unknown, name: string): asserts value is number {
  if (isMoment(value)) return;
  refuse(`${name} is ${describeValue(value)}; it must be milliseconds since 1970, from -${timeMsMax} to ${timeMsMax}`);
}

function parseJson(text: unknown, name: string): unknown {
  try {
    if (typeof text === "string") return JSON.parse(text);
  } catch {
    // The platform's error quotes the text, so it is not passed on.
  }
  return refuse(`${name} is not JSON`);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.isWellFormed());
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isList(value);
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function refuse(reason: string): never {
  throw new InputError("import_invalid", reason);
}
