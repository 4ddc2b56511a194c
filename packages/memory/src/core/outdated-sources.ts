/**
 * A core summary never states what no longer holds: which memories a change ends, and a language model's text without the
 * sentences that come from them.
 */
import type { GraphChange, MemoryNode } from "../graph/memory-node.js";
import { compareAge } from "../graph/memory-node.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { splitSentences } from "../text/sentences.js";
import { splitTerms } from "../text/words.js";

/** Memories that a core summary was written from, as far as they still exist. */
export function sourceNodes(sourceIds: readonly string[], graph: MemoryGraph): MemoryNode[] {
  return sourceIds.flatMap((id) => graph.node(id) ?? []);
}

/** The memories that a change makes outdated, and the other halves of their pairs told before it, with what did so. */
export function findEnded({ putNodes, setUpdates }: GraphChange, graph: MemoryGraph): ReadonlyMap<string, string> {
  const newer = [
    ...putNodes.map(({ node }) => node),
    ...setUpdates.flatMap(({ id, updates }) => ({ ...graph.node(id)!, updates })),
  ];
  return new Map(
    newer.flatMap((node) =>
      sourceNodes(node.updates, graph).flatMap(({ id, pairId }) => {
        const pair = pairId === null ? undefined : graph.node(pairId);
        const both = pair !== undefined && compareAge(pair, node) < 0 ? [id, pair.id] : [id];
        return both.map((each): [string, string] => [each, node.id]);
      }),
    ),
  );
}

/** With fewer of its terms in a text, a sentence does not come from there. */
const sharedShareMin = 1 / 2;

/** A text without sentences whose words come from an outdated text rather than from one that holds. */
export function withoutOutdated(text: string, outdated: readonly string[], holding: readonly string[]): string {
  if (outdated.length === 0) return text;
  const ended = outdated.map(termsOf);
  const held = holding.map(termsOf);
  const isKept = (sentence: string): boolean => {
    const terms = [...termsOf(sentence)];
    const shareIn = (others: readonly ReadonlySet<string>[]): number =>
      Math.max(0, ...others.map((other) => terms.filter((term) => other.has(term)).length / terms.length));
    const share = terms.length === 0 ? 0 : shareIn(ended);
    return share < sharedShareMin || share <= shareIn(held);
  };
  return text
    .split("\n")
    .map((line) => splitSentences(line).filter(isKept).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(splitTerms(text));
}
