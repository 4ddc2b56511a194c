/**
 * Rows of the Redis store and their meaning: hashes whose fields have the paper's names (Tables C1 and C2) where it has
 * some. A field that would be null or empty is left out. Texts and vectors go through the cipher; ids, times, outcomes
 * and edges stay readable. A checksum covers the fields and their place; it has a part of its own for each group of
 * fields that changes by itself. What a row makes outdated, where it is pinned and what
 * metadata it has have checksums in fields of their own, because most rows have nothing of it; so have token vectors,
 * which are read by themselves.
 */
import { type EmbeddedNode, type LastingFact, areLastingFacts } from "../../../core/graph/memory-node.js";
import { type Metadata, hasMetadata, isMetadata, noMetadata, packMetadata } from "../../../core/graph/metadata.js";
import {
  type AcceptedEntry,
  type CoreSummary,
  type Interaction,
  type InteractionVersion,
  type Outcome,
  type OutcomeChange,
  type Turn,
  isOutcome,
} from "../../../ports/store.js";
import { type RedisCipher, asBuffer } from "./cipher.js";
import type { RedisArgument, RedisReply } from "./client.js";
import { DamagedRowError, toDamage } from "./damage.js";
import { Row, type RowPlace, checksumOf, sumOf } from "./row.js";

const memoryParts = [
  [
    "t_init",
    "summary_text",
    "summary_vector",
    "hypothetical_query",
    "hypothetical_vector",
    "keywords",
    "state",
    "statements",
    "statement_vectors",
    "full_text",
    "facts",
    "questions",
    "question_vectors",
  ],
  ["is_paired"],
] as const;

const outcomePart = ["outcome", "restored", "trace"] as const;
const interactionParts = [
  ["t_init", "t_accepted", "turns", "summary", "state", "kept", "metadata", "t_expires", "versions"],
  outcomePart,
] as const;
export const updatesFieldNames = ["updates", "updates_checksum"] as const;
export const pinFieldNames = ["pinned_area", "pinned_area_checksum"] as const;
/** Of a memory: its metadata and when it expires. */
export const notesFieldNames = ["notes", "notes_checksum"] as const;
/** What an edit of an interaction replaces. */
export const editedFieldNames = [...interactionParts[0], ...updatesFieldNames] as const;
/** Not among `memoryFieldNames`: a graph is loaded without them. */
export const tokenFieldNames = ["tokens", "tokens_checksum"] as const;

/** In the order that reading a row expects. */
export const memoryFieldNames = [
  ...memoryParts.flat(),
  "checksum",
  ...updatesFieldNames,
  ...pinFieldNames,
  ...notesFieldNames,
] as const;
export const interactionFieldNames = [...interactionParts.flat(), "checksum", ...updatesFieldNames] as const;
/** Enough for the trace. */
export const outcomeFieldNames = [...outcomePart, "checksum"] as const;
export const coreSummaryFieldNames = ["core_summary", "core_summary_checksum"] as const;

type Fields = Readonly<Record<string, string | Uint8Array | null>>;
type Values = readonly (Buffer | null)[];

export class RedisRows {
  readonly #cipher: RedisCipher;

  constructor(cipher: RedisCipher) {
    this.#cipher = cipher;
  }

  memoryFields(person: string, embedded: EmbeddedNode): RedisArgument[] {
    const { node, fullText, summaryVector, hypotheticalVector, statementVectors, questionVectors } = embedded;
    const hasQuery = node.hypotheticalQuery !== "";
    const open = { t_init: String(node.initMs), is_paired: node.pairId };
    const fields = this.#seal(person, "memory", node.id, open, {
      summary_text: node.summaryText,
      summary_vector: asBuffer(summaryVector),
      hypothetical_query: hasQuery ? node.hypotheticalQuery : null,
      hypothetical_vector: hasQuery ? asBuffer(hypotheticalVector) : null,
      keywords: JSON.stringify(node.keywords),
      state: node.state,
      statements: node.statements.length === 0 ? null : JSON.stringify(node.statements),
      statement_vectors: node.statements.length === 0 ? null : Buffer.concat(statementVectors.map(asBuffer)),
      full_text: fullText,
      facts: node.facts === null ? null : JSON.stringify(node.facts),
      questions: node.questions.length === 0 ? null : JSON.stringify(node.questions),
      question_vectors: node.questions.length === 0 ? null : Buffer.concat(questionVectors.map(asBuffer)),
    });
    const checksum = checksumOf(placeOf(person, "memory", node.id), memoryParts, fields);
    const apart = [
      ...this.updatesFields(person, "memory", node),
      ...this.pinFields(person, node.id, node.pinnedArea),
      ...this.notesFields(person, node),
      ...this.tokenFields(person, node.id, embedded.tokenBytes),
    ];
    return [...toList(fields), "checksum", checksum, ...apart];
  }

  /** What a memory made outdated, or what an interaction is said to; no fields if there is nothing. */
  updatesFields(
    person: string,
    kind: "memory" | "interaction",
    { id, updates }: { readonly id: string; readonly updates: readonly string[] },
  ): RedisArgument[] {
    const json = updates.length === 0 ? null : JSON.stringify(updates);
    return this.#apartFields({ person, kind, id }, updatesFieldNames, json);
  }

  /** Where a memory is pinned; no fields if it is not. */
  pinFields(person: string, id: string, area: string | null): RedisArgument[] {
    return this.#apartFields({ person, kind: "memory", id }, pinFieldNames, area);
  }

  /** A memory's metadata and when it expires; no fields if there is nothing. */
  notesFields(person: string, { id, metadata, expiresMs }: MemoryNotes): RedisArgument[] {
    const json = hasMetadata(metadata) || expiresMs !== null ? JSON.stringify([metadata, expiresMs]) : null;
    return this.#apartFields({ person, kind: "memory", id }, notesFieldNames, json);
  }

  /** A memory's token vectors; no fields if it has none. */
  tokenFields(person: string, id: string, bytes: Uint8Array | null): RedisArgument[] {
    return this.#apartFields({ person, kind: "memory", id }, tokenFieldNames, bytes);
  }

  /** Of the fields in `tokenFieldNames`. */
  readTokens(person: string, id: string, values: Values): Uint8Array | null {
    try {
      const bytes = this.#readApart({ person, kind: "memory", id }, "tokens", values).vector("tokens");
      return bytes === null ? null : new Uint8Array(bytes.buffer);
    } catch (error) {
      toDamage(error);
      throw new DamagedRowError(person, id, "the token vectors are damaged");
    }
  }

  /** A field that changes by itself and its checksum; none for null. */
  #apartFields(
    { person, kind, id }: RowPlace,
    [name, sumName]: readonly [string, string],
    value: string | Uint8Array | null,
  ): RedisArgument[] {
    if (value === null) return [];
    const fields = this.#seal(person, kind, id, {}, { [name]: value });
    return [...toList(fields), sumName, sumOf(placeOf(person, kind, id), [name], fields)];
  }

  /** Of the two values that `#apartFields` wrote. */
  #readApart<Name extends string>(place: RowPlace, name: Name, values: Values): Row<Name | "checksum"> {
    const row = new Row<Name | "checksum">(this.#cipher, place, [name, "checksum"], values);
    if (values.some((value) => value !== null)) row.check([name], 1);
    return row;
  }

  /** The part of the checksum that covers a pair. */
  pairSum(person: string, id: string, pairId: string | null): string {
    return sumOf(
      placeOf(person, "memory", id),
      memoryParts[1],
      new Map(pairId === null ? [] : [["is_paired", pairId]]),
    );
  }

  readMemory(person: string, id: string, values: Values): EmbeddedNode {
    const place = { person, kind: "memory", id };
    const row = new Row(this.#cipher, place, memoryFieldNames, values);
    row.check(memoryParts[0], 1);
    row.check(memoryParts[1], 2);
    const summaryVector = row.needed("summary_vector", row.vector("summary_vector"));
    const summaryText = row.needed("summary_text", row.text("summary_text"));
    const statements = row.texts("statements") ?? [];
    const questions = row.texts("questions") ?? [];
    return {
      node: {
        id,
        initMs: row.number("t_init"),
        pairId: row.plain("is_paired"),
        summaryText,
        state: row.text("state"),
        keywords: row.needed("keywords", row.texts("keywords")),
        hypotheticalQuery: row.text("hypothetical_query") ?? "",
        questions,
        statements,
        updates: this.#readApart(place, "updates", values.slice(-6, -4)).texts("updates") ?? [],
        facts: toFacts(row),
        pinnedArea: this.#readApart(place, "pinned_area", values.slice(-4, -2)).text("pinned_area"),
        ...toNotes(this.#readApart(place, "notes", values.slice(-2))),
      },
      fullText: row.needed("full_text", row.text("full_text")),
      summaryVector,
      hypotheticalVector: row.vector("hypothetical_vector") ?? summaryVector,
      statementVectors: row.vectors("statement_vectors", statements.length),
      questionVectors: row.vectors("question_vectors", questions.length),
      tokenBytes: null,
    };
  }

  interactionFields(person: string, { interaction, outcome, trace }: AcceptedEntry): RedisArgument[] {
    const { id, restored } = interaction;
    const circumstances = { restored: restored ? "1" : null, outcome };
    const fields = new Map([
      ...this.#saidFields(person, interaction),
      ...this.#seal(person, "interaction", id, circumstances, { trace }),
    ]);
    const checksum = checksumOf(placeOf(person, "interaction", id), interactionParts, fields);
    return [...toList(fields), "checksum", checksum, ...this.updatesFields(person, "interaction", interaction)];
  }

  /** The part of the checksum, then the fields in place of those in `editedFieldNames`. */
  editedFields(person: string, interaction: Interaction): [string, RedisArgument[]] {
    const fields = this.#saidFields(person, interaction);
    const sum = sumOf(placeOf(person, "interaction", interaction.id), interactionParts[0], fields);
    return [sum, [...toList(fields), ...this.updatesFields(person, "interaction", interaction)]];
  }

  #saidFields(person: string, interaction: Interaction): Map<string, RedisArgument> {
    const { id, initMs, acceptedMs, turns, summary, state, kept, metadata, expiresMs, versions } = interaction;
    const open = {
      t_init: String(initMs),
      t_accepted: String(acceptedMs),
      kept: kept ? "1" : null,
      t_expires: expiresMs === null ? null : String(expiresMs),
    };
    const texts = {
      turns: JSON.stringify(turns),
      summary,
      state,
      metadata: packMetadata(metadata),
      versions: versions.length === 0 ? null : JSON.stringify(versions),
    };
    return this.#seal(person, "interaction", id, open, texts);
  }

  readInteraction(person: string, id: string, values: Values): AcceptedEntry {
    const place = { person, kind: "interaction", id };
    const row = new Row(this.#cipher, place, interactionFieldNames, values);
    row.check(interactionParts[0], 1);
    row.check(outcomePart, 2);
    return {
      interaction: {
        id,
        initMs: row.number("t_init"),
        acceptedMs: row.number("t_accepted"),
        turns: row.needed("turns", row.list<Turn>("turns")),
        summary: row.text("summary"),
        state: row.text("state"),
        restored: row.plain("restored") === "1",
        kept: row.plain("kept") === "1",
        updates: this.#readApart(place, "updates", values.slice(-2)).texts("updates") ?? [],
        metadata: toMetadata(row),
        expiresMs: row.plain("t_expires") === null ? null : row.number("t_expires"),
        versions: row.list<InteractionVersion>("versions") ?? [],
      },
      outcome: toOutcome(row, row.plain("outcome")),
      trace: row.text("trace"),
    };
  }

  readTurns(person: string, id: string, turns: Buffer): Turn[] {
    const row = new Row(this.#cipher, { person, kind: "interaction", id }, ["turns"], [turns]);
    return row.needed("turns", row.list<Turn>("turns"));
  }

  /** Of the fields in `outcomeFieldNames`. */
  readOutcome(person: string, id: string, values: Values): { outcome: Outcome; trace: string | null } {
    const row = new Row(this.#cipher, { person, kind: "interaction", id }, outcomeFieldNames, values);
    row.check(outcomePart, 2);
    return { outcome: toOutcome(row, row.plain("outcome")), trace: row.text("trace") };
  }

  /** The sealed trace, and the part of the checksum that covers it, for an interaction that was not restored or was. */
  sealOutcome(
    person: string,
    { id, outcome, trace }: OutcomeChange,
  ): { sealed: RedisArgument | null; sums: readonly [string, string] } {
    const sealed = trace === null ? null : this.#cipher.seal(trace, `${placeOf(person, "interaction", id)}|trace`);
    const sumWith = (restored: string | null): string => {
      const fields = new Map<string, RedisArgument>([["outcome", outcome]]);
      if (restored !== null) fields.set("restored", restored);
      if (sealed !== null) fields.set("trace", sealed);
      return sumOf(placeOf(person, "interaction", id), outcomePart, fields);
    };
    return { sealed, sums: [sumWith(null), sumWith("1")] };
  }

  coreSummaryFields(person: string, coreSummary: CoreSummary): RedisArgument[] {
    const place = placeOf(person, "head", "");
    const sealed = this.#cipher.seal(JSON.stringify(coreSummary), `${place}|core_summary`);
    const sum = sumOf(place, ["core_summary"], new Map([["core_summary", sealed]]));
    return ["core_summary", sealed, "core_summary_checksum", sum];
  }

  /** Of the fields in `coreSummaryFieldNames`. */
  readCoreSummary(person: string, [sealed = null, checksum = null]: Values): CoreSummary | null {
    if (sealed === null) return null;
    const place = { person, kind: "head", id: "" };
    const row = new Row(this.#cipher, place, ["core_summary", "checksum"], [sealed, checksum]);
    row.check(["core_summary"], 1);
    return row.json<CoreSummary>("core_summary");
  }

  #seal(person: string, kind: string, id: string, open: Fields, sealed: Fields): Map<string, RedisArgument> {
    const fields = new Map<string, RedisArgument>();
    for (const [name, value] of Object.entries(open)) if (value !== null) fields.set(name, value as string);
    for (const [name, value] of Object.entries(sealed)) {
      if (value !== null) fields.set(name, this.#cipher.seal(value, `${placeOf(person, kind, id)}|${name}`));
    }
    return fields;
  }
}

function toOutcome<Name extends string>(row: Row<Name | "outcome">, outcome: string | null): Outcome {
  return row.needed("outcome", isOutcome(outcome) ? outcome : null);
}

function toMetadata<Name extends string>(row: Row<Name | "metadata">): Metadata {
  const metadata = row.json<unknown>("metadata");
  return metadata === null ? noMetadata : row.needed("metadata", isMetadata(metadata) ? metadata : null);
}

type MemoryNotes = Pick<EmbeddedNode["node"], "id" | "metadata" | "expiresMs">;

function toNotes(row: Row<"notes" | "checksum">): Omit<MemoryNotes, "id"> {
  const notes = row.list<unknown>("notes");
  if (notes === null) return { metadata: noMetadata, expiresMs: null };
  const [metadata, expiresMs] = notes;
  const areRight = isMetadata(metadata) && (expiresMs === null || Number.isFinite(expiresMs));
  return row.needed("notes", areRight ? { metadata, expiresMs: expiresMs as number | null } : null);
}

/** Null if nobody judged it. */
function toFacts<Name extends string>(row: Row<Name | "facts">): LastingFact[] | null {
  const facts = row.list<LastingFact>("facts");
  if (facts === null) return null;
  return row.needed("facts", areLastingFacts(facts) ? facts : null);
}

function placeOf(person: string, kind: string, id: string): string {
  return `${person}|${kind}|${id}`;
}

function toList(fields: ReadonlyMap<string, RedisArgument>): RedisArgument[] {
  return [...fields].flat();
}

/** How removals are recorded: a memory as `["id"]`, an edge as `["a","b"]`. */
export function packRemoval(...ids: readonly string[]): string {
  return JSON.stringify(ids);
}

/** Names and ids. What is not text any more was altered, and would name something else. */
export function toTexts(reply: RedisReply): string[] {
  return (reply as Buffer[]).map((bytes) => {
    const text = bytes.toString();
    if (!text.includes("\u{fffd}") || Buffer.from(text).equals(bytes)) return text;
    throw new DamagedRowError(null, null, "a name or an id is damaged");
  });
}
