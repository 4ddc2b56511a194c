/** Edges as the Redis store keeps them. */
import type { Edge } from "../../../core/graph/memory-node.js";
import { DamagedRowError } from "./damage.js";

/** Weight, boost, t_boosted and checksum of an edge, which is stored under both of its ends. */
export function packEdge(person: string, { a, b, weight, boostMs, boostedMs }: Edge): string {
  const values = `${weight} ${boostMs} ${boostedMs ?? "-"}`;
  return `${values} ${edgeSum(person, a, b, values)}`;
}

export function readEdge(person: string, a: string, b: string, packed: string): Edge {
  const [weight, boostMs, boostedMs, sum] = packed.split(" ");
  const edge = {
    a,
    b,
    weight: Number(weight),
    boostMs: Number(boostMs),
    boostedMs: boostedMs === "-" ? null : Number(boostedMs),
  };
  const isWhole = sum !== undefined && sum === edgeSum(person, a, b, packed, packed.length - sum.length - 1);
  if (isWhole && Number.isFinite(edge.weight + edge.boostMs + (edge.boostedMs ?? 0))) return edge;
  throw new DamagedRowError(person, a, `the edge to ${JSON.stringify(b)} is damaged`);
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Four digits of base 64 (FNV-1a, 24 bits): there are many edges, too many to make bytes of each for a CRC. */
function edgeSum(person: string, a: string, b: string, values: string, length = values.length): string {
  const hash = fold(fold(fold(fold(0x811c_9dc5, person), a), b), values, length);
  const mixed = hash ^ (hash >>> 16);
  return (
    digits[(mixed >>> 18) & 63]! + digits[(mixed >>> 12) & 63]! + digits[(mixed >>> 6) & 63]! + digits[mixed & 63]!
  );
}

function fold(start: number, text: string, length = text.length): number {
  let hash = Math.imul(start ^ length, 0x0100_0193);
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash;
}
