/** What the heads of the encoder say, in the order of their outputs, as `packages/lab/training/encoder.py` has them. */
import { type Reading, abouts, lifeAreas } from "../../graph/statement.js";
import type { Relation } from "../../ports/reader.js";

/** More digits say nothing. */
const precision = 1e4;
const flagCount = 3;

export function toReading(scores: Float32Array): Reading {
  const [fact, lasting, alone] = scores;
  const aboutsFrom = flagCount;
  const areasFrom = aboutsFrom + abouts.length;
  return {
    fact: toProbability(fact!),
    lasting: toProbability(lasting!),
    alone: toProbability(alone!),
    about: abouts[highest(scores.subarray(aboutsFrom, areasFrom))]!,
    area: lifeAreas[highest(scores.subarray(areasFrom, areasFrom + lifeAreas.length))]!,
  };
}

export function toRelation(scores: Float32Array): Relation {
  const three = [...scores.subarray(0, 3)];
  const powers = three.map((score) => Math.exp(score - Math.max(...three)));
  const sum = powers.reduce((total, power) => total + power, 0);
  const [repeats, ends, other] = powers.map((power) => round(power / sum));
  return { repeats: repeats!, ends: ends!, other: other! };
}

function highest(scores: Float32Array): number {
  return scores.reduce((best, score, i) => (score > scores[best]! ? i : best), 0);
}

function toProbability(score: number): number {
  return round(1 / (1 + Math.exp(-score)));
}

function round(probability: number): number {
  return Math.round(probability * precision) / precision;
}
