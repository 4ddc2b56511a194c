/**
 * Rows of the Redis store: a hash for each interaction and each memory. What is said and its vectors are cells (cells.ts),
 * one for each part that changes by itself; ids, outcomes and edges stay readable, because scripts look at them.
 */
import type { Edge, EmbeddedNode } from "../../../core/graph/memory-node.js";
import { type AcceptedEntry, type CoreSummary, type Interaction, type Turn, isOutcome } from "../../../ports/store.js";
import { crc32 } from "../../../files/checksum.js";
import { type MemoryLinks, type NodeLinks, memoryContent, packLinks, toEmbeddedNode, unpackLinks } from "../content.js";
import { packInteraction, unpackInteraction } from "../interaction-bytes.js";
import { type CellPlace, damagedCell, openCell, packCell } from "./cells.js";
import type { RedisCipher } from "./cipher.js";
import type { RedisArgument, RedisReply } from "./client.js";
import { DamagedRowError } from "./damage.js";

export type Values = readonly (Buffer | null)[];

/** In the order in which they are read. Tokens are not among them: a graph is loaded without. */
export const memoryFieldNames = ["content", "links"] as const;
export const interactionFieldNames = ["outcome", "result", "body"] as const;
/** Enough for outcome and trace. */
export const resultFieldNames = ["outcome", "result"] as const;

type Result = Pick<AcceptedEntry, "outcome" | "trace">;

export class RedisRows {
  readonly #cipher: RedisCipher;

  constructor(cipher: RedisCipher) {
    this.#cipher = cipher;
  }

  memoryFields(person: string, embedded: EmbeddedNode): RedisArgument[] {
    const { id } = embedded.node;
    const content = packCell(this.#cipher, memoryPlace(person, id, "content"), memoryContent(embedded));
    const links = this.links(person, id, embedded.node);
    const tokens = embedded.tokenBytes === null ? [] : ["tokens", this.tokens(person, id, embedded.tokenBytes)];
    return ["content", content, "links", links, ...tokens];
  }

  links(person: string, id: string, links: MemoryLinks): Buffer {
    return packCell(this.#cipher, memoryPlace(person, id, "links"), JSON.stringify(packLinks(id, links)));
  }

  tokens(person: string, id: string, bytes: Uint8Array): Buffer {
    return packCell(this.#cipher, memoryPlace(person, id, "tokens"), bytes);
  }

  /** Of the fields in `memoryFieldNames`. */
  readMemory(person: string, id: string, [content = null, links = null]: Values): EmbeddedNode {
    const bytes = openCell(this.#cipher, memoryPlace(person, id, "content"), content);
    // A copy, so that its vectors do not keep the whole reply alive.
    return toEmbeddedNode({ ...this.#readPackedLinks(person, id, links), content: new Uint8Array(bytes) });
  }

  readLinks(person: string, id: string, links: Buffer | null): MemoryLinks {
    return unpackLinks(this.#readPackedLinks(person, id, links));
  }

  #readPackedLinks(person: string, id: string, links: Buffer | null): NodeLinks {
    return this.#readJson(memoryPlace(person, id, "links"), links);
  }

  /** A copy, so that it does not keep the whole reply alive. */
  readTokens(person: string, id: string, tokens: Buffer | null): Uint8Array | null {
    return tokens === null ? null : new Uint8Array(openCell(this.#cipher, memoryPlace(person, id, "tokens"), tokens));
  }

  interactionFields(person: string, { interaction, outcome, trace }: AcceptedEntry): RedisArgument[] {
    const { id } = interaction;
    const result = JSON.stringify({ outcome, trace } satisfies Result);
    const resultCell = packCell(this.#cipher, interactionPlace(person, id, "result"), result);
    const body = packCell(this.#cipher, interactionPlace(person, id, "body"), packInteraction(interaction));
    return ["outcome", outcome, "result", resultCell, "body", body];
  }

  /** Of the fields in `interactionFieldNames`. */
  readInteraction(person: string, id: string, [outcome = null, result = null, body = null]: Values): AcceptedEntry {
    return { interaction: this.#readBody(person, id, body), ...this.readResult(person, id, [outcome, result]) };
  }

  readTurns(person: string, id: string, body: Buffer): readonly Turn[] {
    return this.#readBody(person, id, body).turns;
  }

  /** Of the fields in `resultFieldNames`. */
  readResult(person: string, id: string, [outcome = null, cell = null]: Values): Result {
    const result = this.#readJson<Result>(interactionPlace(person, id, "result"), cell);
    if (outcome?.toString() === result.outcome && isOutcome(result.outcome)) return result;
    throw damagedCell(interactionPlace(person, id, "outcome"));
  }

  #readBody(person: string, id: string, body: Buffer | null): Interaction {
    const place = interactionPlace(person, id, "body");
    const bytes = openCell(this.#cipher, place, body);
    try {
      return unpackInteraction(id, bytes);
    } catch {
      // What a key was needed for, and nobody gave it.
      throw damagedCell(place);
    }
  }

  coreSummary(person: string, coreSummary: CoreSummary | null): Buffer {
    return packCell(this.#cipher, headPlace(person), JSON.stringify(coreSummary));
  }

  readCoreSummary(person: string, cell: Buffer | null): CoreSummary | null {
    return cell === null ? null : this.#readJson(headPlace(person), cell);
  }

  #readJson<Value>(place: CellPlace, cell: Buffer | null): Value {
    const text = openCell(this.#cipher, place, cell).toString();
    try {
      return JSON.parse(text) as Value;
    } catch {
      // Without the cause, which would quote the text.
      throw damagedCell(place);
    }
  }
}

function memoryPlace(person: string, id: string, field: string): CellPlace {
  return { person, kind: "memory", id, field };
}

function interactionPlace(person: string, id: string, field: string): CellPlace {
  return { person, kind: "interaction", id, field };
}

function headPlace(person: string): CellPlace {
  return { person, kind: "head", id: "", field: "core_summary" };
}

/** Weight, boost, t_boosted and checksum of an edge, which is stored under both of its ends. */
export function packEdge(person: string, { a, b, weight, boostMs, boostedMs }: Edge): string {
  const values = `${weight} ${boostMs} ${boostedMs ?? "-"}`;
  return `${values} ${edgeSum(person, a, b, values)}`;
}

export function readEdge(person: string, a: string, b: string, packed: string): Edge {
  const [values, sum] = [packed.slice(0, packed.lastIndexOf(" ")), packed.slice(packed.lastIndexOf(" ") + 1)];
  if (sum !== edgeSum(person, a, b, values)) {
    throw new DamagedRowError(person, a, `the edge to ${JSON.stringify(b)} is damaged`);
  }
  const [weight, boostMs, boostedMs] = values.split(" ");
  return {
    a,
    b,
    weight: Number(weight),
    boostMs: Number(boostMs),
    boostedMs: boostedMs === "-" ? null : Number(boostedMs),
  };
}

function edgeSum(person: string, a: string, b: string, values: string): string {
  return crc32(Buffer.from(JSON.stringify([person, a, b, values]))).toString(36);
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

/** Members of a sorted set and their scores. */
export function toScores(reply: RedisReply): Map<string, number> {
  const texts = toTexts(reply);
  return new Map(texts.flatMap((name, i) => (i % 2 === 0 ? [[name, Number(texts[i + 1])] as const] : [])));
}
