/** What a caller may say about a recall, checked. */
import { randomInt } from "node:crypto";
import type { EngineContext } from "./engine/engine-context.js";
import { checkFlag, checkNames, checkNumber, checkWholeNumber, readFields } from "./engine/given-values.js";
import { type Time, parseQuery, parseSeed, parseTime } from "./engine/interaction.js";
import { type MemorySelection, parseMemorySelection, selectionNames } from "./engine/memory-selection.js";
import type { RecallRequest } from "./engine/recall/recall.js";

/** With `filter`, `from` and `to`, only the memories that pass exist to the recall. */
export interface RecallOptions extends MemorySelection {
  /** When the question is asked; now if omitted. Later memories are not seen. */
  readonly at?: Time;
  /** The same seed gives the same recall; if omitted, one is drawn and reported in the trace. */
  readonly seed?: number | string;
  /** Tokens of the context text. */
  readonly tokenBudget?: number;
  /** Memories at most. */
  readonly limit?: number;
  /** Start score at least; memories that only traversal reached have none and are left out. */
  readonly minScore?: number;
  /** Asks the language model once for other wordings of the question, to look for them too. */
  readonly rewrite?: boolean;
}

const seedMax = 2 ** 32;
const recallOptionNames: (keyof RecallOptions)[] = [
  "at",
  "seed",
  "tokenBudget",
  "limit",
  "minScore",
  "rewrite",
  ...selectionNames,
];

export function parseRecallOptions(query: string, options: RecallOptions, context: EngineContext): RecallRequest {
  const { clock, parameters, timeZone } = context;
  const given = readFields(options, recallOptionNames, "recall's options") as RecallOptions;
  checkNames(options, recallOptionNames, "recall's options");
  const { at, limit, minScore, rewrite } = given;
  const { seed = randomInt(seedMax), tokenBudget = parameters.contextTokenBudget } = given;
  checkWholeNumber(tokenBudget, "tokenBudget");
  checkWholeNumber(limit, "limit");
  checkNumber(minScore, "minScore");
  checkFlag(rewrite, "rewrite");
  return {
    atMs: at === undefined ? clock.nowMs() : parseTime(at, "at", timeZone),
    query: parseQuery(query, parameters),
    seed: parseSeed(seed),
    tokenBudget,
    limit: limit ?? null,
    minScore: minScore ?? null,
    rewrite: rewrite ?? false,
    selection: parseMemorySelection(given, timeZone),
  };
}
