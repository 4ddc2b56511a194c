/** What of a memory lasts: places in its summary, each with the area of a life it belongs to. */

export interface LastingFact {
  /** Where in the summary it begins and ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly area: string;
  /** That it lasts, from 0 to 1. */
  readonly probability: number;
}

/** Whether a value that was read from somewhere is a list of lasting facts of this summary. */
export function areLastingFacts(value: unknown, summaryText: string): value is LastingFact[] {
  return Array.isArray(value) && value.every((fact) => isLastingFact(fact, summaryText.length));
}

function isLastingFact(value: unknown, length: number): boolean {
  const { start, end, area, probability } = (value ?? {}) as Partial<Record<keyof LastingFact, unknown>>;
  const isPlace = isCount(start) && isCount(end) && start < end && end <= length;
  return isPlace && typeof area === "string" && typeof probability === "number" && probability >= 0 && probability <= 1;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
