/**
 * Rows of the Redis store and their meaning: hashes whose fields have the paper's names (Tables C1 and C2) where it has
 * some. A field that would be null or empty is left out. Texts and vectors go through the cipher; ids, times, outcomes
 * and edges stay readable.
 */
import type { Edge, EmbeddedNode } from "../../../core/graph/memory-node.js";
import type { CoreSummary, HistoryEntry, KeptMetaVector, Outcome, Turn } from "../../../ports/store.js";
import { type RedisCipher, asBuffer } from "./cipher.js";
import type { RedisArgument, RedisReply } from "./client.js";

/** In the order `readMemory` expects. */
export const memoryFieldNames = [
  "t_init",
  "is_paired",
  "summary_text",
  "summary_vector",
  "hypothetical_query",
  "hypothetical_vector",
  "keywords",
  "state",
  "statements",
  "statement_vectors",
  "full_text",
  "meta_phrase",
  "meta_from",
  "meta_until",
  "meta_vector",
] as const;

export const interactionFieldNames = [
  "t_init",
  "t_accepted",
  "turns",
  "summary",
  "state",
  "restored",
  "outcome",
  "trace",
] as const;

type Fields = Readonly<Record<string, string | Uint8Array | null>>;
type Values = readonly (Buffer | null)[];

export class RedisRows {
  readonly #cipher: RedisCipher;

  constructor(cipher: RedisCipher) {
    this.#cipher = cipher;
  }

  memoryFields(person: string, embedded: EmbeddedNode): RedisArgument[] {
    const { node, fullText, summaryVector, hypotheticalVector, statementVectors } = embedded;
    const hasQuery = node.hypotheticalQuery !== "";
    const open = { t_init: String(node.initMs), is_paired: node.pairId };
    return this.#pack(person, "memory", node.id, open, {
      summary_text: node.summaryText,
      summary_vector: asBuffer(summaryVector),
      hypothetical_query: hasQuery ? node.hypotheticalQuery : null,
      hypothetical_vector: hasQuery ? asBuffer(hypotheticalVector) : null,
      keywords: JSON.stringify(node.keywords),
      state: node.state,
      statements: node.statements.length === 0 ? null : JSON.stringify(node.statements),
      statement_vectors: node.statements.length === 0 ? null : Buffer.concat(statementVectors.map(asBuffer)),
      full_text: fullText,
    });
  }

  metaFields(person: string, { id, phrase, fromMs, untilMs, vector }: KeptMetaVector): RedisArgument[] {
    const open = { meta_from: String(fromMs), meta_until: String(untilMs) };
    return this.#pack(person, "memory", id, open, { meta_phrase: phrase, meta_vector: asBuffer(vector) });
  }

  readMemory(person: string, id: string, values: Values): { embedded: EmbeddedNode; kept: KeptMetaVector | null } {
    const row = new Row(this.#cipher, `${person}|memory|${id}`, memoryFieldNames, values);
    const summaryVector = row.vector("summary_vector")!;
    const statements = row.json<string[]>("statements") ?? [];
    const embedded: EmbeddedNode = {
      node: {
        id,
        initMs: row.number("t_init"),
        pairId: row.plain("is_paired"),
        summaryText: row.text("summary_text")!,
        state: row.text("state"),
        keywords: row.json<string[]>("keywords")!,
        hypotheticalQuery: row.text("hypothetical_query") ?? "",
        statements,
      },
      fullText: row.text("full_text")!,
      summaryVector,
      hypotheticalVector: row.vector("hypothetical_vector") ?? summaryVector,
      statementVectors: splitVectors(row.vector("statement_vectors"), statements.length),
    };
    const vector = row.vector("meta_vector");
    if (vector === null) return { embedded, kept: null };
    const [fromMs, untilMs] = [row.number("meta_from"), row.number("meta_until")];
    return { embedded, kept: { id, phrase: row.text("meta_phrase")!, fromMs, untilMs, vector } };
  }

  interactionFields(person: string, { interaction, outcome, trace }: HistoryEntry): RedisArgument[] {
    const { id, initMs, acceptedMs, turns, summary, state, restored } = interaction;
    const open = {
      t_init: String(initMs),
      t_accepted: String(acceptedMs),
      restored: restored ? "1" : null,
      outcome,
    };
    return this.#pack(person, "interaction", id, open, { turns: JSON.stringify(turns), summary, state, trace });
  }

  readInteraction(person: string, id: string, values: Values): HistoryEntry {
    const row = new Row(this.#cipher, `${person}|interaction|${id}`, interactionFieldNames, values);
    return {
      interaction: {
        id,
        initMs: row.number("t_init"),
        acceptedMs: row.number("t_accepted"),
        turns: row.json<Turn[]>("turns")!,
        summary: row.text("summary"),
        state: row.text("state"),
        restored: row.plain("restored") === "1",
      },
      outcome: row.plain("outcome") as Outcome,
      trace: row.text("trace"),
    };
  }

  readTurns(person: string, id: string, turns: Buffer): Turn[] {
    return new Row(this.#cipher, `${person}|interaction|${id}`, ["turns"], [turns]).json<Turn[]>("turns")!;
  }

  readTrace(person: string, id: string, trace: Buffer | null): string | null {
    return new Row(this.#cipher, `${person}|interaction|${id}`, ["trace"], [trace]).text("trace");
  }

  sealTrace(person: string, id: string, trace: string): RedisArgument {
    return this.#cipher.seal(trace, `${person}|interaction|${id}|trace`);
  }

  sealCoreSummary(person: string, coreSummary: CoreSummary): RedisArgument {
    return this.#cipher.seal(JSON.stringify(coreSummary), `${person}|head||core_summary`);
  }

  readCoreSummary(person: string, sealed: Buffer | null): CoreSummary | null {
    return new Row(this.#cipher, `${person}|head|`, ["core_summary"], [sealed]).json<CoreSummary>("core_summary");
  }

  #pack(person: string, kind: string, id: string, open: Fields, sealed: Fields): RedisArgument[] {
    const fields: RedisArgument[] = [];
    for (const [name, value] of Object.entries(open)) if (value !== null) fields.push(name, value as string);
    for (const [name, value] of Object.entries(sealed)) {
      if (value !== null) fields.push(name, this.#cipher.seal(value, `${person}|${kind}|${id}|${name}`));
    }
    return fields;
  }
}

/** Values of a row by the names of their fields. */
class Row<Name extends string> {
  readonly #cipher: RedisCipher;
  readonly #place: string;
  readonly #names: readonly Name[];
  readonly #values: Values;

  constructor(cipher: RedisCipher, place: string, names: readonly Name[], values: Values) {
    this.#cipher = cipher;
    this.#place = place;
    this.#names = names;
    this.#values = values;
  }

  plain(name: Name): string | null {
    return this.#values[this.#names.indexOf(name)]?.toString() ?? null;
  }

  number(name: Name): number {
    return Number(this.plain(name));
  }

  text(name: Name): string | null {
    return this.#opened(name)?.toString() ?? null;
  }

  json<Value>(name: Name): Value | null {
    const text = this.text(name);
    return text === null ? null : (JSON.parse(text) as Value);
  }

  /** A copy, so that it does not keep the whole reply alive. */
  vector(name: Name): Int8Array | null {
    const bytes = this.#opened(name);
    return bytes === null ? null : new Int8Array(bytes);
  }

  #opened(name: Name): Buffer | null {
    const value = this.#values[this.#names.indexOf(name)] ?? null;
    return value === null ? null : this.#cipher.open(value, `${this.#place}|${name}`);
  }
}

/** Weight, boost and t_boosted of an edge, which is stored under both of its ends. */
export function packEdge({ weight, boostMs, boostedMs }: Edge): string {
  return `${weight} ${boostMs} ${boostedMs ?? "-"}`;
}

export function readEdge(a: string, b: string, packed: string): Edge {
  const [weight, boostMs, boostedMs] = packed.split(" ");
  return {
    a,
    b,
    weight: Number(weight),
    boostMs: Number(boostMs),
    boostedMs: boostedMs === "-" ? null : Number(boostedMs),
  };
}

/** How removals are recorded: a memory as `["id"]`, an edge as `["a","b"]`. */
export function packRemoval(...ids: readonly string[]): string {
  return JSON.stringify(ids);
}

export function toTexts(reply: RedisReply): string[] {
  return (reply as Buffer[]).map((text) => text.toString());
}

function splitVectors(joined: Int8Array | null, count: number): Int8Array[] {
  if (joined === null) return [];
  const dimensions = joined.length / count;
  return Array.from({ length: count }, (_, i) => joined.slice(i * dimensions, (i + 1) * dimensions));
}
