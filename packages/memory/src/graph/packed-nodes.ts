/**
 * Memories as a store may load them: packed into a few large pieces of bytes, from which a graph copies what it scans, and
 * what a memory says is read when somebody asks. A graph that was built from these is the same as one built from the
 * memories.
 */
import type { EmbeddedNode, MemoryNode } from "./memory-node.js";
import type { Metadata } from "./metadata.js";
import type { EndLink } from "./statement.js";

export interface PackedNodes {
  readonly dimensions: number;
  /** Of the memories, by position. */
  readonly ids: readonly string[];
  /** Those that ended anything, by their position. */
  readonly ends: readonly (readonly [position: number, ends: readonly EndLink[]])[];
  /** Positions of those of which something is marked. */
  readonly marked: readonly number[];
  /** Vectors, and the whole numbers that belong to them; `placeAt` says which are whose. */
  readonly codes: Int8Array;
  readonly numbers: Int32Array;
  readonly texts: NodeTexts;

  placeAt(position: number): PackedPlace;
  embeddedAt(position: number): EmbeddedNode;
}

/** Where the parts of a memory are: of vectors in `codes`, of everything else in `numbers`. */
export interface PackedPlace {
  readonly initMs: number;
  /** Of summary, statements, questions and metadata. */
  readonly characterCount: number;
  /** Vectors follow each other: summary, hypothetical query if there is one, statements, questions. */
  readonly vectorsAt: number;
  readonly hasHypothetical: boolean;
  /** Whether a language model wrote any of the statements. */
  readonly hasWritten: boolean;
  readonly statementCount: number;
  readonly questionCount: number;
  /** Squared lengths of the vectors, in the same order. */
  readonly squaresAt: number;
  /** Dot product of each statement with the hypothetical vector, or with the summary's in place of it. */
  readonly productsAt: number;
  /** Packed terms (term-hash.ts) of summary and full text, then of the keywords. */
  readonly termsAt: number;
  readonly keywordsAt: number;
  readonly keywordsEnd: number;
}

/** What memories say; a graph keeps it until the last of them was read. */
export interface NodeTexts {
  nodeAt(position: number): MemoryNode;
  /** Whether anything of a memory lasts, without reading what it says. */
  lasts(position: number): boolean;
  /** Without reading what the memory says. */
  metadataAt(position: number): Metadata;
  expiresMsAt(position: number): number | null;
}
