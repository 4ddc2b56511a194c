export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly original: string;
  readonly replacement: string;
  readonly mutated: string;
}

export function mutantsOf(file: string, code: string): Mutant[];
export function sourcesOf(room: string): string[];
export function findMutants(file: string): Mutant[];
