/** How sure a recall is that the memory holds an answer. */
import { expect, it } from "vitest";
import type { PersonState } from "../../src/engine/person-state.js";
import type { StartScore } from "../../src/paper/start-node.js";
import { ReadingQueue } from "../../src/reader/reading-queue.js";
import { confidenceOf } from "../../src/recall/confidence.js";
import { ScriptedReader } from "../engine/scripted-reader.js";

const stateWith = (reading: ReadingQueue | null): PersonState => ({ context: { reading } }) as unknown as PersonState;
const state = stateWith(new ReadingQueue(new ScriptedReader()));
const close = (...similarities: number[]) => similarities.map((querySimilarity) => ({ querySimilarity }) as StartScore);

it.each<[name: string, similarities: number[], expected: number]>([
  ["similarities of 0.2 and 0.6: logistic(20 (0.6 - 0.43)) = logistic(3.4) = 0.9677", [0.2, 0.6], 0.9677],
  ["a similarity in the middle, 0.43: logistic(0) = 0.5", [0.43], 0.5],
  ["nothing found: logistic(20 (0 - 0.43)) = logistic(-8.6) = 0.0002", [], 0.0002],
  ["what points the other way: as if nothing were found", [-0.5], 0.0002],
])("the confidence is that of the closest: of %s", (_, similarities, expected) => {
  expect(confidenceOf(close(...similarities), state)).toBeCloseTo(expected, 4);
});

it("without a reader nothing is said of it", () => {
  expect(confidenceOf(close(0.6), stateWith(null))).toBeNull();
});
