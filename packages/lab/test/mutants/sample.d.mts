import type { Mutant } from "./find.mjs";

export function drawSample(mutants: readonly Mutant[], count: number, seed: number): Mutant[];
export function wilson(hits: number, total: number): [number, number];
