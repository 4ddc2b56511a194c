/**
 * Facts brought up to date with the graph: with the central memories, every so many commits, or with all memories on
 * request.
 */
import type { MemoryNode } from "../graph/memory-node.js";
import { isOutdated } from "../graph/outdated.js";
import type { PersonState } from "../engine/person-state.js";
import { type FactStep, carryFacts, rankFacts } from "./carried-facts.js";
import { type ChangedFact, findChanged, markChanges } from "./changed-facts.js";
import { type CoreFact, factsOf, isHolding, keyOf, readCoreFacts } from "./core-fact.js";
import { usesFacts } from "./core-summary-step.js";
import { factRules } from "./fact-lines.js";

/** What a central subset and the newest memory are needed for. */
export interface CentralIds {
  readonly newestMs: number;
  readonly memories: readonly MemoryNode[];
  readonly central: readonly { readonly id: string }[];
}

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
  const wasCentral = new Set(before.filter((fact) => fact.isCentral).map(({ sourceId }) => sourceId));
  // Without a judge only what somebody pinned is known to last.
  const facts = holding
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
  const step: FactStep = {
    atMs: found.newestMs,
    countedMs: coreSummary?.updatedMs ?? -Infinity,
    added: markChanges(ranked, changed).sort((x, y) => x.toldMs - y.toldMs),
    renewed: new Set(usesFacts(context) ? holding.map(({ id }) => id) : held.map(({ sourceId }) => sourceId)),
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
