/** Facts and rules for tests, of which each says only what matters to it. */
import type { CoreFact } from "../../src/core/core-fact.js";
import type { FactStep } from "../../src/core/carried-facts.js";
import type { LineRules } from "../../src/core/fact-lines.js";
import { lifeAreas } from "../../src/profiles/general.js";

export const dayMs = 86_400_000;
export const startMs = Date.parse("2025-05-01T10:00:00Z");

export const rules: LineRules = { areas: lifeAreas, timeZone: "UTC", wordCountMax: 1_000 };

/** `day`: on which it was told. */
export function fact(
  sourceId: string,
  text: string,
  { day = 0, ...parts }: Partial<CoreFact> & { day?: number } = {},
): CoreFact {
  return {
    text,
    area: "home",
    sourceId,
    toldMs: startMs + day * dayMs,
    probability: 0.9,
    toldCount: 1,
    isCentral: false,
    isPinned: false,
    isChange: false,
    sinceMs: null,
    left: null,
    ...parts,
  };
}

/** What happened on a day; nothing, unless it is said. */
export function step(day: number, parts: Partial<FactStep> = {}): FactStep {
  return {
    atMs: startMs + day * dayMs,
    countedMs: startMs + (day - 1) * dayMs,
    added: [],
    renewed: new Set(),
    ended: new Map(),
    changed: new Map(),
    ...parts,
  };
}
