/**
 * Facts brought up to date with the graph: with the central memories, every so many commits, or with all memories on
 * request. Memories from before there was a judge are judged now.
 */
import type { MemoryNode } from "../../core/graph/memory-node.js";
import { compareAge } from "../../core/graph/memory-node.js";
import { isOutdated } from "../../core/graph/outdated.js";
import type { PersonState } from "../person-state.js";
import { type FactStep, carryFacts, rankFacts } from "./carried-facts.js";
import { type ChangedFact, changersIn, findChanged } from "./changed-facts.js";
import { type CoreFact, factsOf, isHolding, keyOf, readCoreFacts } from "./core-fact.js";
import { usesFacts } from "./core-summary-step.js";
import { factRules } from "./fact-lines.js";
import { judgeFacts } from "./lasting-facts.js";

/** What a central subset and the newest memory are needed for. */
export interface CentralIds {
  readonly newestMs: number;
  readonly memories: readonly MemoryNode[];
  readonly central: readonly { readonly id: string }[];
}

/** Memories judged late: of those that are central all, of the others the newest. */
const judgedLateCountMax = 256;
/** The most vital; others have no place in a summary. */
const addedCountMax = 120;

export async function updateFacts(
  state: PersonState,
  found: CentralIds,
  memories: "all" | "central",
): Promise<CoreFact[]> {
  const { graph, context, coreSummary } = state;
  const before = readCoreFacts(coreSummary);
  const centralIds = new Set([...found.central, ...found.memories].map(({ id }) => id));
  const isChosen = ({ id, pinnedArea }: MemoryNode): boolean =>
    memories === "all" || centralIds.has(id) || (pinnedArea !== null && !usesFacts(context));
  const chosen = [...graph.nodes()].filter(isChosen);
  const holding = chosen.filter((node) => !isOutdated(node, graph));
  const judged = await judgeLate(holding, centralIds, state);
  const wasCentral = new Set(before.filter((fact) => fact.isCentral).map(({ sourceId }) => sourceId));
  // Without a judge only what somebody pinned is known to last.
  const facts = judged
    .flatMap((node) => factsOf(node, centralIds.has(node.id) || wasCentral.has(node.id)))
    .filter(({ isPinned }) => isPinned || usesFacts(context));
  const rules = factRules(context);
  const held = before.filter(isHolding);
  // What was found to be changed stays so while there is what changed it, unless somebody pinned it since.
  const changedBefore = before.filter(
    ({ left }) => left?.reason === "outdated" && left.byId !== null && graph.node(left.byId) !== undefined,
  );
  const wasPinned = new Map(changedBefore.map((fact) => [keyOf(fact), fact.isPinned]));
  const known = new Set(held.map(keyOf));
  const isOpen = (fact: CoreFact): boolean =>
    known.has(keyOf(fact)) || (fact.isPinned ? wasPinned.get(keyOf(fact)) !== true : !wasPinned.has(keyOf(fact)));
  const ranked = rankFacts(facts.filter(isOpen), rules.areas).slice(0, addedCountMax);
  const fresh = ranked.filter((fact) => !known.has(keyOf(fact)));
  const changed = usesFacts(context)
    ? await findChanged(fresh, held, context.judging!)
    : new Map<string, ChangedFact>();
  const changers = changersIn(changed);
  const step: FactStep = {
    atMs: found.newestMs,
    countedMs: coreSummary?.updatedMs ?? -Infinity,
    added: ranked
      .map((fact) => ({ ...fact, isChange: fact.isChange || changers.has(keyOf(fact)) }))
      .sort((x, y) => x.toldMs - y.toldMs),
    renewed: new Set(usesFacts(context) ? judged.map(({ id }) => id) : held.map(({ sourceId }) => sourceId)),
    ended: new Map(
      held.flatMap(({ sourceId }) => {
        const node = graph.node(sourceId);
        return node !== undefined && isOutdated(node, graph)
          ? [[sourceId, graph.outdatedBy(sourceId)[0]?.id ?? null]]
          : [];
      }),
    ),
    changed,
  };
  return carryFacts(before, step, rules);
}

/** Those whose facts are known, and those judged now; without a judge all, since they may be pinned. */
async function judgeLate(
  nodes: readonly MemoryNode[],
  centralIds: ReadonlySet<string>,
  { graph, context }: PersonState,
): Promise<MemoryNode[]> {
  const rank = ({ id }: MemoryNode): number => (centralIds.has(id) ? 0 : 1);
  if (!usesFacts(context)) return [...nodes];
  const late = nodes
    .filter(({ facts }) => facts === null)
    .sort((x, y) => rank(x) - rank(y) || compareAge(y, x))
    .slice(0, judgedLateCountMax);
  const judged: MemoryNode[] = nodes.filter(({ facts }) => facts !== null);
  for (const node of late) {
    judged.push({
      ...node,
      facts: await judgeFacts({ turns: [], summary: node.summaryText }, graph.lexicalIndex, context),
    });
  }
  return judged;
}
