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
    // What was not taken is seen while it is drawn, and gone after.
    if (!taken && !isCurrent) continue;
    walked.push({ from: a, to: b, isTaken: taken, isCurrent });
    if (taken) marks.set(b, { kind: "reached" });
    else if (!marks.has(b)) marks.set(b, { kind: "reached" });
  }
  return { marks, walked };
}

export interface ScorePart {
  readonly name: string;
  readonly value: number;
}

/** What a start score is the sum of; the words' share is what the others leave. */
export function partsOf(start: RecallTrace["starts"][number]): ScorePart[] {
  const known = [
    { name: "what it says", value: (1 - start.metaWeight) * start.querySimilarity },
    { name: "time, state, keywords", value: start.metaWeight * start.metaSimilarity },
    { name: "words that match", value: start.tokenGain },
    { name: "time asked about", value: start.timeGain },
    { name: "area of life", value: start.areaGain },
    { name: "judged an answer", value: start.relevanceGain },
    { name: "holds now", value: start.currencyGain },
  ];
  const rest = start.score - known.reduce((sum, { value }) => sum + value, 0);
  return [...known.slice(0, 2), { name: "same words", value: rest }, ...known.slice(2)].map(({ name, value }) => ({
    name,
    value: Math.abs(value) < 5e-4 ? 0 : value,
  }));
}
