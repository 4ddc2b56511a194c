/**
 * What is left of a damaged store, made sound: a memory that was lost is made again from its interaction when it is
 * imported, and an interaction that was lost is told in the words that its memory has kept.
 */
import { findViolations } from "../../graph/graph-violations.js";
import { MemoryGraph } from "../../graph/memory-graph.js";
import { type EmbeddedNode, type GraphChange, noChange, uniteIds } from "../../graph/memory-node.js";
import { type AcceptedEntry, isMemory } from "../../engine/records/person-data.js";
import type { Records } from "../../engine/records/records.js";
import { isSure, nameOf } from "../../graph/statement.js";
import { type PersonMoment, readMoment } from "./person-moment.js";

/** Like readMoment, but without what is damaged. */
export async function salvageMoment(person: string, records: Records): Promise<PersonMoment> {
  const moment = await readMoment(person, records, () => {});
  return { ...moment, ...makeSound(moment) };
}

function makeSound({ entries, nodes, edges }: PersonMoment): Pick<PersonMoment, "entries" | "nodes" | "edges"> {
  const ids = new Set(nodes.map(({ node }) => node.id));
  const pairs = new Map(nodes.map(({ node }) => [node.id, node.pairId]));
  const putNodes = nodes.map((embedded) => {
    const { id, pairId, ends } = embedded.node;
    const isPaired = pairId !== null && pairs.get(pairId) === id;
    const kept = { pairId: isPaired ? pairId : null, ends: ends.filter(({ memory }) => ids.has(memory)) };
    return { ...embedded, node: { ...embedded.node, ...kept } };
  });
  const putEdges = edges.filter(({ a, b }) => ids.has(a) && ids.has(b));
  const change = { ...noChange, putNodes, putEdges };
  const known = new Set(entries.map(({ interaction }) => interaction.id));
  const retold = nodes.filter(({ node }) => !known.has(node.id)).map(retell);
  const kept = isSound(change) ? change : noChange;
  const keptIds = new Set(kept.putNodes.map(({ node }) => node.id));
  const links = new Map(putNodes.map(({ node }) => [node.id, node.ends.filter(isSure).map(nameOf)]));
  return { entries: requeue([...entries, ...retold], keptIds, links), nodes: kept.putNodes, edges: kept.putEdges };
}

/**
 * Interactions that had a memory which is not among `ids` are queued, to become one again whatever the filters say, with
 * the links that it had.
 */
function requeue(
  entries: readonly AcceptedEntry[],
  ids: ReadonlySet<string>,
  links: ReadonlyMap<string, readonly string[]>,
): AcceptedEntry[] {
  return entries.map((entry) => {
    const { interaction } = entry;
    if (!isMemory(entry) || ids.has(interaction.id)) return entry;
    const updates = uniteIds(interaction.updates, links.get(interaction.id) ?? []);
    return { interaction: { ...interaction, restored: true, updates }, outcome: "queued", trace: null };
  });
}

function retell({ node, fullText }: EmbeddedNode): AcceptedEntry {
  const { id, initMs, state, metadata, expiresMs } = node;
  const summary = fullText.trim() === "" ? node.summaryText : fullText;
  const told = { id, initMs, acceptedMs: initMs, turns: [], summary, state, metadata, expiresMs };
  const interaction = { ...told, restored: true, kept: false, updates: [], versions: [] };
  return { interaction, outcome: "committed", trace: null };
}

function isSound(change: GraphChange): boolean {
  const [first] = change.putNodes;
  if (first === undefined) return change.putEdges.length === 0;
  const dimensions = first.summaryVector.length;
  if (change.putNodes.some(({ summaryVector }) => summaryVector.length !== dimensions)) return false;
  const graph = new MemoryGraph(dimensions, binCountOfNoImportance);
  graph.apply(change);
  return findViolations(graph, Infinity).length === 0;
}

/** The graph is only looked at, not asked for redundancy. */
const binCountOfNoImportance = 2;
