/**
 * Which memories an interaction makes outdated, in a language model's eyes. The model is shown the nearest memories that
 * still hold, each under a handle, and names handles. A claim adds a link and can do nothing else; it is believed only if
 * there are few of them and words or the reader support it.
 */
import { highestSlots } from "../graph/highest-slots.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";
import { isAllSilent, isOutdated } from "../graph/holding.js";
import { splitWords } from "../text/words.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import type { Parameters } from "../parameters.js";
import type { ModelClaim, RelatedStatement } from "../engine/commit-trace.js";
import type { Interaction } from "../engine/records/person-data.js";
import { withoutInstructions } from "../english/instructions.js";
import { scanSimilarities } from "../graph/neighbour-scan.js";
import { quote } from "../text/quotation.js";
import type { Source } from "./grounding.js";

export interface ShownMemory {
  /** "M1", say: short, and it says nothing about the memory. */
  readonly handle: string;
  readonly node: MemoryNode;
}

/** A model that names more was not choosing. */
const claimCountMax = 2;
/** How many are read; a schema allows as many as there are handles. */
const readCountMax = 16;
/** A model reads what is shown, so that it may be shown what a reader would not be asked about. */
const shownCosineMin = 0.4;
const shownWordCountMax = 60;
/** How many are looked at for each that may be shown; some are outdated or long. */
const lookedAtPerShown = 10;
/** From here on the reader, which compared the two, does not contradict the model. */
const judgedEndsMin = 0.1;

/**
 * The nearest memories that the interaction could make outdated, nearest first. Of a memory that holds many facts at once
 * a change ends only one, so long ones are not among them.
 */
export function* nearestHoldingSteps(
  summaryVector: QuantizedVector,
  interaction: Interaction,
  graph: MemoryGraph,
  { shownMemoryCountMax }: Parameters,
): Generator<void, ShownMemory[]> {
  if (shownMemoryCountMax === 0) return [];
  const cosines = yield* scanSimilarities(summaryVector, graph);
  const near = cosines.map((cosine, slot) =>
    Number.isNaN(graph.initMs[slot]) || cosine < shownCosineMin ? -Infinity : cosine,
  );
  const isShown = (node: MemoryNode): boolean =>
    node.id !== interaction.id &&
    compareAge(node, interaction) < 0 &&
    !isOutdated(node, graph, ({ id }) => id !== interaction.id) &&
    !isAllSilent(node) &&
    splitWords(node.summaryText).length <= shownWordCountMax &&
    shownText(node) !== "";
  return highestSlots(near, lookedAtPerShown * shownMemoryCountMax, graph)
    .map((slot) => graph.nodeAt(slot))
    .filter(isShown)
    .slice(0, shownMemoryCountMax)
    .map((node, i) => ({ handle: `M${i + 1}`, node }));
}

/** In one line, and without what talks to the model. */
export function shownText({ summaryText }: MemoryNode): string {
  return quote(withoutInstructions(summaryText));
}

/** `source`: what was said in the interaction. */
export function readClaims(named: unknown, shown: readonly ShownMemory[], source: Source): ModelClaim[] {
  // Replies without the field are as good as ever.
  const handles: readonly unknown[] = Array.isArray(named)
    ? named
    : named === undefined || named === null
      ? []
      : [named];
  const nodes = handles.slice(0, readCountMax).map((handle) => findShown(handle, shown));
  const isTooMany = new Set(nodes.filter((node) => node !== null)).size > claimCountMax;
  return nodes.map((node, i) => {
    if (node === null) return { id: null, refused: "not shown" };
    const refused = nodes.indexOf(node) < i ? "named twice" : isTooMany ? "too many" : null;
    return { id: node.id, refused: refused ?? (hasInCommon(node, source) ? null : "nothing in common") };
  });
}

function findShown(handle: unknown, shown: readonly ShownMemory[]): MemoryNode | null {
  if (typeof handle !== "string") return null;
  return shown.find((memory) => memory.handle === handle.trim().toUpperCase())?.node ?? null;
}

function hasInCommon({ summaryText, statements }: MemoryNode, source: Source): boolean {
  return source.sharesTerm([summaryText, ...statements.map(({ text }) => text)].join("\n"));
}

/**
 * The claims in view of what else is known by now: what the reader saw in the two, and what became of the graph.
 * `repeatedIds` are memories that the interaction was found to repeat; `ownId` is its own id, if it may be a memory already.
 */
export function weighClaims(
  claims: readonly ModelClaim[],
  related: readonly RelatedStatement[],
  repeatedIds: readonly (string | null)[],
  graph: MemoryGraph,
  ownId?: string,
): ModelClaim[] {
  return claims.map(({ id, refused }) => {
    const ends = Math.max(0, ...related.flatMap((each) => (each.memory === id ? each.ends : [])));
    const left = refused === "nothing in common" && ends >= judgedEndsMin ? null : refused;
    if (id === null || left !== null) return { id, refused: left };
    const node = graph.node(id);
    if (node === undefined || isOutdated(node, graph, ({ id: newer }) => newer !== ownId))
      return { id, refused: "no longer holds anyway" };
    return { id, refused: repeatedIds.includes(id) ? "repeated, not changed" : null };
  });
}
