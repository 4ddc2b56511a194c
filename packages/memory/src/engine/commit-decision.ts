/**
 * What became of an interaction, in few words for people and as data: for callers, listeners, the log and the command line
 * alike. The trace has the scores behind it.
 */
import {
  type CommitTrace,
  type InteractionTrace,
  type SubstanceDecider,
  commitTraceOf,
  forgottenId,
} from "./commit-trace.js";
import type { Outcome } from "./records/person-data.js";
import { uniteIds, updatesOf } from "../graph/memory-node.js";
import { type Place, nameOf } from "../graph/statement.js";

export interface CommitDecision {
  readonly id: string;
  readonly outcome: Outcome;
  /** In words for people, such as "not kept: small talk". */
  readonly reason: string;
  /** The reader's, that it tells something worth remembering; null if nobody read it. */
  readonly probability: number | null;
  /** The memory that says the same, if it was paired with one. */
  readonly repeats: string | null;
  /** The memories of which it ended something. */
  readonly updates: readonly string[];
  /** What it ended: statements, or whole memories. */
  readonly ended: readonly string[];
  /** What it asks to be forgotten: held back until `forget` or `restore` settles it. */
  readonly forgetAsked: readonly string[];
}

/** `trace`: null before processing. */
export function describeDecision(id: string, outcome: Outcome, trace: InteractionTrace | null): CommitDecision {
  const commit = commitTraceOf(trace);
  const { ends: links = [], forgetAsked = [], pairing = null } = commit ?? {};
  const ends = links.filter(({ isDoubtful }) => isDoubtful !== true);
  return {
    id,
    outcome,
    reason: describeReason(outcome, trace),
    probability: commit?.substance.probability ?? null,
    repeats: pairing?.partnerId == null || pairing.partnerId === forgottenId ? null : pairing.partnerId,
    updates: uniteIds(knownPlaces(ends).map(({ memory }) => memory)),
    ended: namesOf(ends),
    forgetAsked: namesOf(forgetAsked),
  };
}

/** A forgotten one is no longer named. */
function knownPlaces(places: readonly Place[]): Place[] {
  return places.filter(({ memory }) => memory !== forgottenId);
}

function namesOf(places: readonly Place[]): string[] {
  return uniteIds(knownPlaces(places).map(nameOf));
}

export function describeReason(outcome: Outcome, trace: InteractionTrace | null): string {
  if (trace?.outcome === "replaced") return `replaced by ${trace.by}`;
  if (outcome === "committed" || outcome === "paired") return describeKeeping(commitTraceOf(trace));
  return otherReasons[outcome];
}

const otherReasons: Readonly<Record<Exclude<Outcome, "committed" | "paired">, string>> = {
  open: "a conversation in progress",
  queued: "waiting to be processed",
  discarded: "not kept: small talk",
  forgetAsked: "asks to forget: what it means is held back",
  replaced: "replaced by a later repetition",
  pruned: "removed at the limit: others were stronger",
};

function describeKeeping(trace: CommitTrace | null): string {
  const { pairing, substance, ends = [], forgetAsked = [] } = trace ?? {};
  const kept =
    pairing?.partnerId == null
      ? (requests[substance?.decidedBy as keyof typeof requests] ?? "kept")
      : `says the same as ${pairing.partnerId}`;
  const replaced = pairing?.removedId == null ? [] : [`replaces ${pairing.removedId}`];
  const updates = updatesOf({ ends });
  const changed = updates.length === 0 ? [] : [`updates ${updates.join(" and ")}`];
  const held = forgetAsked.length === 0 ? [] : ["asks to forget: what it means is held back"];
  return [kept, ...replaced, ...changed, ...held].join(", ");
}

/** Why something was kept whatever it says. */
const requests = {
  "kept by request": "kept as you asked",
  "asked to remember": "kept: it asks to be remembered",
  "restored by request": "restored as you asked",
  "edited by request": "kept as you edited it",
} as const satisfies Partial<Record<SubstanceDecider, string>>;
