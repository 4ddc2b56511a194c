/**
 * The graph as arrays: memories by number, edges by the numbers of their ends. Everything that is drawn, found or filtered
 * is computed from it, for any moment of the person's life.
 */
import type { GraphView, Memory } from "mnemosyne-edge";
import { isOutdated } from "../../server/outdated-memory.js";

export interface GraphModel {
  readonly memories: readonly Memory[];
  readonly numberOf: ReadonlyMap<string, number>;
  readonly timesMs: Float64Array;
  readonly degrees: Uint16Array;
  /** Strongest first. */
  readonly edges: readonly ModelEdge[];
  /** Since when nothing of a memory holds any more; Infinity while something does. */
  readonly outdatedMs: Float64Array;
  /** A memory and one that ended something in it. */
  readonly replacements: readonly { readonly old: number; readonly by: number }[];
}

export interface ModelEdge {
  readonly a: number;
  readonly b: number;
  readonly weight: number;
  readonly boostMs: number;
  readonly boostedMs: number | null;
  readonly isPair: boolean;
}

export function toModel({ memories, edges }: GraphView): GraphModel {
  const numberOf = new Map(memories.map(({ id }, i) => [id, i]));
  const timesMs = Float64Array.from(memories, ({ at }) => Date.parse(at));
  const degrees = Uint16Array.from(memories, ({ edgeCount }) => edgeCount);
  const found = edges.flatMap(({ a, b, weight, boostMs, boostedMs }): ModelEdge[] => {
    const [from, to] = [numberOf.get(a), numberOf.get(b)];
    if (from === undefined || to === undefined) return [];
    const isPair = memories[from]!.pairId === b || memories[to]!.pairId === a;
    return [{ a: from, b: to, weight, boostMs, boostedMs, isPair }];
  });
  const replacements = memories.flatMap(({ outdatedBy }, old) =>
    outdatedBy.flatMap((id) => {
      const by = numberOf.get(id);
      return by === undefined ? [] : [{ old, by }];
    }),
  );
  const outdatedMs = Float64Array.from(memories, (memory) => {
    if (!isOutdated(memory)) return Infinity;
    const ends = memory.statements.flatMap(({ endedAt }) => (endedAt === null ? [] : [Date.parse(endedAt)]));
    return Math.max(
      ...ends,
      ...memory.outdatedBy.slice(0, 1).map((id) => timesMs[numberOf.get(id) ?? -1] ?? -Infinity),
    );
  });
  return {
    memories,
    numberOf,
    timesMs,
    degrees,
    edges: found.toSorted((x, y) => y.weight - x.weight),
    outdatedMs,
    replacements,
  };
}

function isThere({ timesMs }: GraphModel, i: number, atMs: number): boolean {
  return timesMs[i]! <= atMs;
}

/**
 * The effective age of every memory at a moment: its age, less the largest boost of an edge that had it by then. NaN for
 * those that were not there.
 */
export function effectiveAges(model: GraphModel, atMs: number): Float64Array {
  const { timesMs, edges } = model;
  const boosts = new Float64Array(timesMs.length);
  for (const { a, b, boostMs, boostedMs } of edges) {
    if (boostedMs === null || boostedMs > atMs) continue;
    boosts[a] = Math.max(boosts[a]!, boostMs);
    boosts[b] = Math.max(boosts[b]!, boostMs);
  }
  return timesMs.map((time, i) => (isThere(model, i, atMs) ? Math.max(0, atMs - time - boosts[i]!) : Number.NaN));
}

/** Of which memories nothing held any more at a moment. */
export function outdatedAt(model: GraphModel, atMs: number): Uint8Array {
  return Uint8Array.from(model.outdatedMs, (since, i) => (since <= atMs && isThere(model, i, atMs) ? 1 : 0));
}

export interface Wanted {
  readonly text: string;
  readonly state: string;
  /** "key=value". */
  readonly metadata: string;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  readonly kind: "" | "holds" | "outdated" | "paired" | "boosted" | "pinned";
}

/** 1 for every memory that passes; null if nothing is asked for. */
export function findWanted(model: GraphModel, wanted: Wanted): Uint8Array | null {
  const words = wanted.text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const isAll = words.length === 0 && wanted.state === "" && wanted.metadata === "" && wanted.kind === "";
  if (isAll && wanted.fromMs === null && wanted.untilMs === null) return null;
  const boosted = new Set(model.edges.flatMap(({ a, b, boostMs }) => (boostMs > 0 ? [a, b] : [])));
  return Uint8Array.from(model.memories, (memory, i) => {
    const time = model.timesMs[i]!;
    if (wanted.fromMs !== null && time < wanted.fromMs) return 0;
    if (wanted.untilMs !== null && time >= wanted.untilMs) return 0;
    if (wanted.state !== "" && memory.state !== wanted.state) return 0;
    if (wanted.metadata !== "" && !metadataOf(memory).includes(wanted.metadata)) return 0;
    if (!isOfKind(memory, wanted.kind, boosted.has(i))) return 0;
    const text = `${memory.id} ${memory.summary} ${memory.keywords.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? 1 : 0;
  });
}

function isOfKind(memory: Memory, kind: Wanted["kind"], isBoosted: boolean): boolean {
  if (kind === "holds") return !isOutdated(memory);
  if (kind === "outdated") return isOutdated(memory);
  if (kind === "paired") return memory.pairId !== null;
  if (kind === "pinned") return memory.pinnedArea !== null;
  return kind !== "boosted" || isBoosted;
}

export function metadataOf({ metadata }: Pick<Memory, "metadata">): string[] {
  return Object.entries(metadata).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => `${name}=${String(each)}`),
  );
}
