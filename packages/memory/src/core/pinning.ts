/** Facts that the application or the person fixes: never cut from the core summary, though a correction outdates them. */
import { type MemoryNode, noChange } from "../graph/memory-node.js";
import { isOutdated } from "../graph/outdated.js";
import { InputError, NotFoundError } from "../errors.js";
import type { Profile } from "../profiles/profile.js";
import { describeValue } from "../engine/given-values.js";
import type { PersonState } from "../engine/person-state.js";
import { coreSummaryAfter, usesFacts } from "./core-summary-step.js";
import { updateCoreSummary } from "./core-summary.js";
import { areasOf } from "./fact-lines.js";

/** The name under which an area is kept: its title, or that of the judge. Refuses one that the profile lacks. */
export function parseArea(area: unknown, profile: Profile): string {
  const areas = areasOf(profile);
  const names = areas.flatMap(({ title, of }) => [title, ...of]);
  const found = names.find((name) => typeof area === "string" && name.toLowerCase() === area.toLowerCase());
  if (found !== undefined) return found;
  const named = typeof area === "string" ? `"${area}"` : describeValue(area);
  const titles = areas.map(({ title }) => `"${title}"`).join(", ");
  throw new InputError("option_invalid", `profile "${profile.name}" has no area ${named}; there are: ${titles}`);
}

/** `area`: null for the one it belongs to in the judge's eyes. */
export async function pinMemory(state: PersonState, id: string, area: string | null): Promise<void> {
  await setPinned(state, id, (node) => {
    if (!isOutdated(node, state.graph)) return area ?? likeliestArea(node, state);
    throw new InputError("id_invalid", `"${id}" is outdated; only what holds can be pinned`);
  });
}

export async function unpinMemory(state: PersonState, id: string): Promise<void> {
  await setPinned(state, id, ({ pinnedArea }) => {
    if (pinnedArea !== null) return null;
    throw new InputError("id_invalid", `"${id}" is not pinned`);
  });
}

async function setPinned(state: PersonState, id: string, choose: (node: MemoryNode) => string | null): Promise<void> {
  const { context, person } = state;
  await state.change(async () => {
    const node = state.graph.node(id);
    if (node === undefined) throw new NotFoundError("unknown_id", `"${person}" has no memory "${id}"`);
    const change = { ...noChange, setPinned: [{ id, area: choose(node) }] };
    const batch = { change, outcomes: [], forgetInteractions: [], ...coreSummaryAfter(change, state) };
    return { batch, result: undefined };
  });
  if (!usesFacts(context)) await updateCoreSummary(state, "now");
}

function likeliestArea({ facts }: MemoryNode, { context }: PersonState): string {
  const [strongest] = (facts ?? []).toSorted((x, y) => y.probability - x.probability);
  const areas = areasOf(context.profile);
  const own = areas.find(({ of }) => of.includes("self")) ?? areas[0];
  return strongest?.area ?? own?.title ?? "";
}
