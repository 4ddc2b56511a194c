/**
 * The payload of a memory's links: what changes while its content stays, and its edges. An edge is kept once, with the newer
 * of its two memories: a commit then writes the links of the new memory, and those of the memories that it alters.
 */
import { type Edge, type MemoryNode, compareAge, compareIds, orderedPair, otherEnd } from "../../graph/memory-node.js";
import type { Payload } from "../../stores/codec.js";
import { layout } from "./kinds.js";
import { type NodeLinks, packLinks } from "./memory-content.js";

export interface LinksRecord {
  readonly links: NodeLinks;
  readonly edges: readonly Edge[];
}

/** An edge without boosts ends after its weight. */
type PackedEdge = readonly [otherId: string, weight: number, boostMs?: number, boostedMs?: number | null];

type Packed = readonly [
  pairId: string | null,
  ends: string | null,
  marks: string | null,
  metadata: string | null,
  expiresMs: number | null,
  edges: readonly PackedEdge[],
];

/** `edges`: of which this memory is the newer one. Sorted, so that the same memory has the same bytes in every store. */
export function packLinksRecord(node: MemoryNode, edges: readonly Edge[]): Payload {
  const { id, pairId, ends, marks, metadata, expiresMs } = packLinks(node.id, node);
  const sorted = edges.toSorted((x, y) => compareIds(otherEnd(x, id), otherEnd(y, id)));
  const own = sorted.map(({ weight, boostMs, boostedMs, ...ends }): PackedEdge => {
    const otherId = otherEnd(ends, id);
    return boostMs === 0 && boostedMs === null ? [otherId, weight] : [otherId, weight, boostMs, boostedMs];
  });
  const packed: Packed = [pairId, ends, marks, metadata, expiresMs, own];
  return { layout, bytes: Buffer.from(JSON.stringify(packed)) };
}

export function unpackLinksRecord(id: string, { bytes }: Payload): LinksRecord {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const [pairId, ends, marks, metadata, expiresMs, own] = JSON.parse(json) as Packed;
  const edges = own.map(([otherId, weight, boostMs = 0, boostedMs = null]): Edge => {
    const [a, b] = orderedPair(id, otherId);
    return { a, b, weight, boostMs, boostedMs };
  });
  return { links: { id, pairId, ends, marks, metadata, expiresMs }, edges };
}

/** The memory that keeps the edge between two. */
export function ownerOf<Aged extends Pick<MemoryNode, "id" | "initMs">>(x: Aged, y: Aged): Aged {
  return compareAge(x, y) > 0 ? x : y;
}
