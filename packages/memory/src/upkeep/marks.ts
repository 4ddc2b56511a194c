/**
 * What a person or an application decides about a statement by hand: it is always in the core memory (pinned), never in it
 * (removed), or was never so (untrue), which takes it out of recall too.
 */
import { InputError, NotFoundError } from "../errors.js";
import { describeName, describeValue } from "../engine/given-values.js";
import type { PersonState } from "../engine/person-state.js";
import { endersOf, isOutdated, withMark, withoutMark } from "../graph/holding.js";
import { type MemoryNode, noChange } from "../graph/memory-node.js";
import { type MarkKind, type Place, isFact, placeNamed } from "../graph/statement.js";
import { areasOf } from "../profiles/general.js";
import type { Profile } from "../profiles/profile.js";

/** The name under which an area is kept: its title, or that of the reader. Refuses one that the profile lacks. */
export function parseArea(area: unknown, profile: Profile): string {
  const areas = areasOf(profile);
  const names = areas.flatMap(({ title, of }) => [title, ...of]);
  const found = names.find((name) => typeof area === "string" && name.toLowerCase() === area.toLowerCase());
  if (found !== undefined) return found;
  const named = typeof area === "string" ? describeName(area) : describeValue(area);
  const titles = areas.map(({ title }) => `"${title}"`).join(", ");
  throw new InputError("option_invalid", `profile "${profile.name}" has no area ${named}; there are: ${titles}`);
}

/** `area`: null for the one it belongs to in the reader's eyes. */
export async function pinStatement(state: PersonState, name: string, area: string | null): Promise<void> {
  await setMark(state, name, "pinned", true, area);
}

export async function unpinStatement(state: PersonState, name: string): Promise<void> {
  await setMark(state, name, "pinned", false, null);
}

/** Takes a statement out of the core memory, or out of everything because it was never so. */
export async function withdrawStatement(state: PersonState, name: string, kind: "removed" | "untrue"): Promise<void> {
  await setMark(state, name, kind, true, null);
}

async function setMark(
  state: PersonState,
  name: string,
  kind: MarkKind,
  isSet: boolean,
  area: string | null,
): Promise<void> {
  await state.change(async () => {
    const { graph, person } = state;
    const place = placeOf(name, state);
    if (place === undefined) throw new NotFoundError("unknown_id", `"${person}" has no memory "${name}"`);
    const node = graph.node(place.memory)!;
    const marked =
      kind === "pinned" && place.position === null ? { ...place, position: pinnedPosition(node, isSet) } : place;
    if (kind === "pinned" && isSet && isEnded(marked, state)) {
      throw new InputError("id_invalid", `"${name}" is outdated; only what holds can be pinned`);
    }
    const before = node.marks;
    const others =
      kind === "pinned" ? before : before.filter((mark) => mark.kind !== "pinned" || mark.position !== marked.position);
    const marks = isSet
      ? withMark(others, { position: marked.position, kind, area })
      : withoutMark(before, marked.position, kind);
    if (!isSet && marks.length === before.length) throw new InputError("id_invalid", `"${name}" is not ${kind}`);
    const change = { ...noChange, setMarks: [{ id: node.id, marks }] };
    return { batch: { change, outcomes: [], forgetInteractions: [] }, result: undefined };
  });
}

/** A memory, or a statement of one, by its name. */
export function placeOf(name: string, { graph }: PersonState): Place | undefined {
  if (graph.node(name) !== undefined) return { memory: name, position: null };
  const place = placeNamed(name);
  return place !== null && graph.node(place.memory)?.statements[place.position!] !== undefined ? place : undefined;
}

/** Of a memory, the pinned statement, or the fact that lasts most surely. */
function pinnedPosition({ statements, marks }: MemoryNode, isSet: boolean): number | null {
  const pinned = marks.find(({ kind }) => kind === "pinned");
  if (!isSet && pinned !== undefined) return pinned.position;
  const facts = statements.flatMap((statement, position) => (isFact(statement) ? [position] : []));
  const lasting = facts.toSorted((x, y) => statements[y]!.reading!.lasting - statements[x]!.reading!.lasting);
  return lasting[0] ?? (statements.length === 1 ? 0 : null);
}

function isEnded(place: Place, { graph }: PersonState): boolean {
  const node = graph.node(place.memory)!;
  return place.position === null ? isOutdated(node, graph) : endersOf(node, place.position, graph).length > 0;
}
