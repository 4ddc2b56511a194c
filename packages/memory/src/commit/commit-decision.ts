/**
 * What became of an interaction, in few words for people and as data: for callers, listeners, the log and the command line
 * alike. The trace has the scores behind it.
 */
import type { Outcome } from "../engine/records/person-data.js";
import { type CommitTrace, type InteractionTrace, commitTraceOf, forgottenId } from "./commit-trace.js";
import type { SubstanceDecider } from "./substance-filter.js";

export interface CommitDecision {
  readonly id: string;
  readonly outcome: Outcome;
  /** In words for people, such as "not kept: small talk". */
  readonly reason: string;
  /** The judge's, that it tells something worth remembering; null if nobody judged it. */
  readonly probability: number | null;
  /** The memory that says the same, if it was paired with one. */
  readonly repeats: string | null;
  /** The memories that it made outdated. */
  readonly updates: readonly string[];
}

/** `trace`: null before processing. */
export function describeDecision(id: string, outcome: Outcome, trace: InteractionTrace | null): CommitDecision {
  const commit = commitTraceOf(trace);
  return {
    id,
    outcome,
    reason: describeReason(outcome, trace),
    probability: commit?.substance.probability ?? null,
    repeats: knownIds([commit?.pairing?.partnerId ?? forgottenId])[0] ?? null,
    updates: knownIds(commit?.updates ?? []),
  };
}

/** A forgotten one is no longer named. */
function knownIds(ids: readonly string[]): string[] {
  return ids.filter((id) => id !== forgottenId);
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
  replaced: "replaced by a later repetition",
  pruned: "removed at the limit: others were stronger",
};

function describeKeeping(trace: CommitTrace | null): string {
  const { pairing, substance, updates = [] } = trace ?? {};
  const kept =
    pairing?.partnerId == null
      ? (requests[substance?.decidedBy as keyof typeof requests] ?? "kept")
      : `says the same as ${pairing.partnerId}`;
  const replaced = pairing?.removedId == null ? [] : [`replaces ${pairing.removedId}`];
  return [kept, ...replaced, ...(updates.length === 0 ? [] : [`updates ${updates.join(" and ")}`])].join(", ");
}

/** Why something was kept whatever it says. */
const requests = {
  "kept by request": "kept as you asked",
  "asked to remember": "kept: it asks to be remembered",
  "restored by request": "restored as you asked",
  "edited by request": "kept as you edited it",
} as const satisfies Partial<Record<SubstanceDecider, string>>;
