/** A recall as a film: the time that was read, the start nodes, each draw of the walk, and the context at the end. */
import type { RecallTrace } from "mnemosyne-edge";
import type { GraphModel } from "../graph/graph-model.js";
import type { Mark, WalkedEdge } from "../graph/scene.js";

/** Scenes before the walk: the time, and the start nodes. */
export const scenesBefore = 2;

export function sceneCount({ steps }: RecallTrace): number {
  return steps.length + scenesBefore + 1;
}

export interface Moment {
  readonly marks: ReadonlyMap<number, Mark>;
  readonly walked: readonly WalkedEdge[];
}

/** What is marked on the graph in a scene of the film. */
export function momentAt(trace: RecallTrace, model: GraphModel, scene: number): Moment {
  const marks = new Map<number, Mark>();
  const walked: WalkedEdge[] = [];
  if (scene === 0) return { marks, walked };
  for (const { id } of trace.starts) {
    const i = model.numberOf.get(id);
    if (i !== undefined) marks.set(i, { kind: "start" });
  }
  for (const [i, { from, to, taken }] of trace.steps.slice(0, Math.max(0, scene - scenesBefore + 1)).entries()) {
    const [a, b] = [model.numberOf.get(from), model.numberOf.get(to)];
    if (a === undefined || b === undefined) continue;
    const isCurrent = i === scene - scenesBefore;
    // An edge that was not taken is shown only while it is drawn.
    if (!taken && !isCurrent) continue;
    walked.push({ from: a, to: b, isTaken: taken, isCurrent });
    if (taken || !marks.has(b)) marks.set(b, { kind: "reached" });
  }
  return { marks, walked };
}

/** The terms of a start score. */
export const partNames = ["meaning", "time, state, keywords", "same words", "time asked about"] as const;

export interface ScorePart {
  readonly name: (typeof partNames)[number];
  readonly value: number;
}

/** The words' share is what the other terms leave. */
export function partsOf(start: RecallTrace["starts"][number]): ScorePart[] {
  const { score, metaWeight, querySimilarity, metaSimilarity, timeGain } = start;
  const [meaning, meta] = [(1 - metaWeight) * querySimilarity, metaWeight * metaSimilarity];
  const words = score - meaning - meta - timeGain;
  const values = [meaning, meta, Math.abs(words) < 5e-4 ? 0 : words, timeGain];
  return partNames.map((name, i) => ({ name, value: values[i]! }));
}
