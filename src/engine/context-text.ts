/**
 * The context text: what a model is given (section 3.2, "formatted LLM generation context"). The core summary comes
 * first, then the recalled memories in the order of time, each with its naturalized time and its date. What does not fit
 * into the token budget is left out, least relevant first.
 */
import { type MemoryNode, compareAge } from "../core/memory-node.js";
import { formatDate, naturalizeTime } from "../core/naturalized-time.js";
import type { EngineContext } from "./engine-context.js";

export interface ContextText {
  readonly text: string;
  readonly tokenCount: number;
  readonly hasCoreSummary: boolean;
  readonly includedIds: readonly string[];
  /** Recalled, but beyond the budget. */
  readonly droppedIds: readonly string[];
}

/** `memories` come most relevant first. */
export function writeContext(
  memories: readonly MemoryNode[],
  coreSummary: string | null,
  atMs: number,
  tokenBudget: number,
  context: EngineContext,
): ContextText {
  const { countTokens } = context;
  const core =
    coreSummary !== null && countTokens(compose(coreSummary, [], atMs, context)) <= tokenBudget ? coreSummary : null;
  const included: MemoryNode[] = [];
  const droppedIds: string[] = [];
  for (const memory of memories) {
    if (countTokens(compose(core, [...included, memory], atMs, context)) <= tokenBudget) included.push(memory);
    else droppedIds.push(memory.id);
  }
  const text = compose(core, included, atMs, context);
  const isEmpty = countTokens(text) > tokenBudget;
  return {
    text: isEmpty ? "" : text,
    tokenCount: isEmpty ? 0 : countTokens(text),
    hasCoreSummary: core !== null,
    includedIds: included.map(({ id }) => id),
    droppedIds,
  };
}

/** About four letters of a Latin script to a token, and a token for every character of other scripts. */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += character.codePointAt(0)! < 0x250 ? 1 : 4;
  return Math.ceil(quarters / 4);
}

function compose(
  coreSummary: string | null,
  memories: readonly MemoryNode[],
  atMs: number,
  { profile, timeZone }: EngineContext,
): string {
  const { coreSummaryHeading, memoriesHeading, nothingRecalled } = profile.wording;
  const parts: string[] = [];
  if (coreSummary !== null) parts.push(`${coreSummaryHeading}\n${coreSummary}`);
  if (memories.length > 0) {
    const lines = memories.toSorted(compareAge).map((memory) => formatMemory(memory, atMs, timeZone));
    parts.push(`${memoriesHeading}\n${lines.join("\n")}`);
  } else {
    parts.push(nothingRecalled);
  }
  return parts.join("\n\n");
}

function formatMemory({ initMs, state, summaryText }: MemoryNode, atMs: number, timeZone: string): string {
  const { phrase } = naturalizeTime(initMs, atMs, timeZone);
  const when = [phrase, formatDate(initMs, timeZone), ...(state === null ? [] : [state])].join(", ");
  return `- ${when}: ${summaryText.replace(/\s+/gu, " ").trim()}`;
}
