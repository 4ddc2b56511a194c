export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly mutated: string;
}

export const rooms: Readonly<Record<string, { readonly source: string; readonly tests: readonly string[] }>>;
export function findMutants(room: string): Mutant[];
export function mutantsOf(file: string, code: string): Mutant[];
export function drawMutants(mutants: readonly Mutant[], count: number, seed: string): Mutant[];
