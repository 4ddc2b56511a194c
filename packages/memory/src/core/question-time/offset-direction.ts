/** On which side of something a time is: "after", "immediately following", "prior to", "that preceded". */
import { follow, skip, type Token } from "./time-words.js";

export interface Direction {
  readonly isAfter: boolean;
  /** Where the something begins. */
  readonly end: number;
}

const directions: readonly (readonly [pattern: string, isAfter: boolean])[] = [
  ["after|following", true],
  ["post -?", true],
  ["that|which followed", true],
  ["before|preceding", false],
  ["prior to", false],
  ["leading|running up to", false],
  ["ahead of", false],
  ["that|which preceded", false],
];

export function readDirection(tokens: readonly Token[], index: number): Direction | undefined {
  const start = skip(tokens, index, "immediately|right|just|directly|straight? or? so?");
  for (const [pattern, isAfter] of directions) {
    const end = follow(tokens, start, pattern);
    if (end >= 0) return { isAfter, end };
  }
  return undefined;
}
