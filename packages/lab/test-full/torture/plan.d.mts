export interface Kind {
  readonly kind: string;
  readonly stores: readonly string[];
}

export interface Scenario {
  readonly kind: string;
  readonly store: string;
  readonly seed: string;
  readonly number: number;
}

export function planOf(kinds: readonly Kind[], seed: string): Generator<Scenario, never>;
export function scenarioOf(kind: Kind, seed: string, number: number): Scenario;
export function parseSeed(text: string): { seed: string; number: number | null };
