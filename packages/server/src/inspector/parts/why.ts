/** Why something was kept or not, as words with memories between them. */
import type { InteractionTrace } from "mnemosyne-edge";
import { count, round } from "../words.js";

/** Words, or a memory. */
export type Part = string | { readonly id: string };

/** The memories that the trace's reason in words names, in its order. */
export function idsInReason(trace: InteractionTrace | null): string[] {
  if (trace === null || trace.outcome === "pruned") return [];
  if (trace.outcome === "replaced") return [trace.by];
  const { pairing, ends } = trace;
  return [pairing?.partnerId, pairing?.removedId, ...memoriesOf(ends.filter(isSure))].filter((id) => id != null);
}

/** The memories between the words. */
export function idsIn(lines: readonly (readonly Part[])[]): string[] {
  return lines.flatMap((line) => line.flatMap((part) => (typeof part === "string" ? [] : [part.id])));
}

/** `ids` in the order in which the text has them; one that it has not is passed over. */
export function partsOf(text: string, ids: readonly string[]): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const id of ids) {
    const before = text.indexOf(` ${id}`, from);
    if (before < 0) continue;
    parts.push(text.slice(from, before + 1), { id });
    from = before + 1 + id.length;
  }
  return [...parts, text.slice(from)];
}

/** The numbers that decided, in sentences. A trace has the fields of the version that wrote it. */
export function whyOf(trace: InteractionTrace): Part[][] {
  if (trace.outcome === "replaced") return [[{ id: trace.by }, " says the same, better or later"]];
  if (trace.outcome === "pruned") return [[`its pruning score was ${round(trace.pruningScore, 3)}`]];
  const { substance, redundancy, pairing, ends, edges, relations, forgetAsked } = trace;
  const lines: Part[][] = [
    substance.probability === null
      ? [`substance ${round(substance.score)} against ${round(substance.threshold)}, decided by ${substance.decidedBy}`]
      : [`probability ${round(substance.probability)} that it is worth remembering`],
  ];
  if (redundancy !== null) {
    const apart = redundancy.keptApart === null ? "" : `; kept apart: ${redundancy.keptApart}`;
    const scores = `redundancy ${round(redundancy.score)} against ${round(redundancy.threshold)}${apart}`;
    lines.push([`${scores}; most like `, { id: redundancy.id }]);
  }
  if (pairing !== null) {
    const { partnerId, removedId, boostDays } = pairing;
    if (partnerId !== null) {
      lines.push(["a pair with ", { id: partnerId }, `, made ${Math.round(boostDays)} days younger`]);
    }
    if (removedId !== null) lines.push(["replaces ", { id: removedId }]);
  }
  const [ended, doubtful] = [ends.filter(isSure), ends.filter((end) => !isSure(end))].map(memoriesOf);
  if (ended!.length > 0) lines.push(["ends something in ", ...listed(ended!)]);
  if (doubtful!.length > 0) lines.push(["may end something in ", ...listed(doubtful!)]);
  if (forgetAsked.length > 0) lines.push(["asks to forget something in ", ...listed(memoriesOf(forgetAsked))]);
  if (relations.length > 0) lines.push(["compared by the reader with ", ...listed(memoriesOf(relations))]);
  if (edges !== null) lines.push([count(edges.count, "edge")]);
  return lines;
}

function isSure({ isDoubtful }: { readonly isDoubtful?: boolean }): boolean {
  return isDoubtful !== true;
}

function memoriesOf(places: readonly { readonly memory: string }[]): string[] {
  return [...new Set(places.map(({ memory }) => memory))].sort();
}

function listed(ids: readonly string[]): Part[] {
  return ids.flatMap((id, i) => (i === 0 ? [{ id }] : ["; ", { id }]));
}
