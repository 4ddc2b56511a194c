import type { InteractionInput } from "mnemosyne-edge";

export interface Told {
  readonly number: number;
  readonly mark: string;
  readonly person: string;
  readonly input: InteractionInput;
}

export function interactionOf(seed: string, number: number, options?: { hasId?: boolean }): Told;
export function numbers(from: number, count: number): number[];
