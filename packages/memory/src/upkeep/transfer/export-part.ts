/**
 * A part of a person for an export: the interactions that pass a selection and what was made from them, as if the others
 * had been forgotten. Nothing in it names one of those, and the core summary is in it only if all that it comes from is.
 */
import type { MemoryNode } from "../../graph/memory-node.js";
import type { AcceptedEntry } from "../../engine/records/person-data.js";
import { namesAfterRemoval, scrubTrace } from "../forgetting.js";
import type { ParsedSelection } from "../../engine/memory-selection.js";
import { endsAfterRemoval } from "../../graph/passed-links.js";
import type { PersonMoment } from "./person-moment.js";

/** In slices. `commitsToCoreSummary`: after how many commits it is written; where it is left out, it is due. */
export function* partOfMomentSteps(
  moment: PersonMoment,
  { passes }: ParsedSelection,
  commitsToCoreSummary: number,
): Generator<void, PersonMoment> {
  const { entries } = moment;
  const kept = new Set<string>();
  const removed = new Set(moment.nodes.map(({ node }) => node.id));
  for (const { interaction } of entries) {
    (passes(interaction.metadata, interaction.initMs) ? kept : removed).add(interaction.id);
  }
  for (const id of kept) removed.delete(id);
  const nodes = new Map(moment.nodes.map(({ node }) => [node.id, node]));
  const links = { node: (id: string) => nodes.get(id) };
  const updatesOf = new Map(entries.map(({ interaction }) => [interaction.id, interaction.updates]));
  const part: AcceptedEntry[] = [];
  for (const { interaction, outcome, trace } of entries) {
    if (!kept.has(interaction.id)) continue;
    const updates = namesAfterRemoval(interaction.updates, removed, updatesOf, links);
    part.push({ interaction: { ...interaction, updates }, outcome, trace: scrubTrace(trace, removed) });
    yield;
  }
  const withinPart = (node: MemoryNode): MemoryNode => ({
    ...node,
    pairId: node.pairId !== null && kept.has(node.pairId) ? node.pairId : null,
    ends: endsAfterRemoval(node.ends, removed, links),
  });
  const isWhole = moment.coreSummary?.sourceIds.every((id) => kept.has(id)) ?? removed.size === 0;
  return {
    ...moment,
    entries: part,
    nodes: moment.nodes
      .filter(({ node }) => kept.has(node.id))
      .map((embedded) => ({ ...embedded, node: withinPart(embedded.node) })),
    edges: moment.edges.filter(({ a, b }) => kept.has(a) && kept.has(b)),
    ...(isWhole ? {} : { coreSummary: null, commitsSinceCoreSummary: commitsToCoreSummary }),
  };
}
