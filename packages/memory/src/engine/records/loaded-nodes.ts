/**
 * A page of memories as it arrives from the store's thread: their contents in one piece of bytes. The graph copies what it scans; what the memories say is read when somebody asks.
 */
import type { EmbeddedNode, MemoryNode } from "../../graph/memory-node.js";
import { type Metadata, noMetadata, unpackMetadata } from "../../graph/metadata.js";
import type { NodeTexts, PackedNodes } from "../../graph/packed-nodes.js";
import {
  type ContentPlace,
  type NodeLinks,
  embeddedAt,
  numberByteCount,
  placeContent,
  toNode,
  unpackEnds,
} from "./memory-content.js";

/** In transit. All contents have the terms of now, and their vectors have the same number of dimensions. */
export interface MemoryPage {
  readonly links: readonly NodeLinks[];
  /** Where each content begins, in numbers. */
  readonly starts: Int32Array<ArrayBuffer>;
  readonly contents: Uint8Array<ArrayBuffer>;
}

export class LoadedNodes implements PackedNodes {
  readonly dimensions: number;
  readonly ids: readonly string[];
  readonly ends: PackedNodes["ends"];
  readonly marked: PackedNodes["marked"];
  readonly codes: Int8Array;
  readonly numbers: Int32Array;
  readonly #page: MemoryPage;
  #texts: LoadedTexts | undefined;

  constructor(page: MemoryPage) {
    const { links, starts, contents } = page;
    const { buffer, byteOffset, byteLength } = contents;
    this.#page = page;
    this.codes = new Int8Array(buffer, byteOffset, byteLength);
    this.numbers = new Int32Array(buffer, byteOffset, byteLength / numberByteCount);
    this.dimensions = placeContent(this.numbers, starts[0]!).dimensions;
    this.ids = links.map(({ id }) => id);
    this.ends = links.flatMap(({ ends }, i) => (ends === null ? [] : [[i, unpackEnds(ends)] as const]));
    this.marked = links.flatMap(({ marks }, i) => (marks === null ? [] : [i]));
  }

  get texts(): LoadedTexts {
    return (this.#texts ??= new LoadedTexts(this.#page.links, this.#bytes(), this.numbers, this.#page.starts));
  }

  placeAt(position: number): ContentPlace {
    const place = placeContent(this.numbers, this.#page.starts[position]!);
    const { metadata } = this.#page.links[position]!;
    return metadata === null ? place : { ...place, characterCount: place.characterCount + metadata.length };
  }

  embeddedAt(position: number): EmbeddedNode {
    return embeddedAt(this.#page.links[position]!, this.#bytes(), this.placeAt(position));
  }

  #bytes(): Buffer {
    const { buffer, byteOffset, byteLength } = this.codes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

/** A copy of heads and texts, without the vectors, which are not to be held twice. */
class LoadedTexts implements NodeTexts {
  readonly #links: readonly NodeLinks[];
  readonly #initMs: Float64Array;
  readonly #last: Uint8Array;
  /** By memory, where its head begins, where its text does, and where that ends. */
  readonly #places: Uint32Array;
  readonly #bytes: Buffer;
  /** Of those that have any, as far as somebody asked. */
  readonly #metadata: (Metadata | undefined)[] = [];

  constructor(links: readonly NodeLinks[], contents: Buffer, numbers: Int32Array, starts: Int32Array) {
    const count = links.length;
    this.#links = links;
    this.#initMs = new Float64Array(count);
    this.#last = new Uint8Array(count);
    this.#places = new Uint32Array(3 * count);
    const parts: Buffer[] = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      const { initMs, lasts, headAt, textAt, textEnd } = placeContent(numbers, starts[i]!);
      this.#initMs[i] = initMs;
      this.#last[i] = Number(lasts);
      this.#places[3 * i] = at;
      this.#places[3 * i + 1] = at + textAt - headAt;
      this.#places[3 * i + 2] = at += textEnd - headAt;
      parts.push(contents.subarray(headAt, textEnd));
    }
    this.#bytes = Buffer.concat(parts);
  }

  nodeAt(position: number): MemoryNode {
    const [headAt, textAt, textEnd] = this.#places.subarray(3 * position, 3 * position + 3);
    const head = this.#bytes.subarray(headAt, textAt);
    return toNode(this.#links[position]!, this.#initMs[position]!, head, this.#bytes.subarray(textAt, textEnd));
  }

  metadataAt(position: number): Metadata {
    const { metadata: json } = this.#links[position]!;
    let metadata = json === null ? noMetadata : this.#metadata[position];
    if (metadata === undefined) this.#metadata[position] = metadata = unpackMetadata(json);
    return metadata;
  }

  expiresMsAt(position: number): number | null {
    return this.#links[position]!.expiresMs;
  }

  lasts(position: number): boolean {
    return this.#last[position] === 1;
  }
}
