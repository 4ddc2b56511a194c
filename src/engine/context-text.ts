/**
 * The context text: what a model is given (section 3.2, "formatted LLM generation context"). The core summary comes
 * first, then the recalled memories in the order of time, each with its naturalized time and its date. What does not fit
 * into the token budget is left out, least relevant first.
 */
import { type MemoryNode, compareAge } from "../core/memory-node.js";
import { formatDate, naturalizeTime } from "../core/naturalized-time.js";
import type { CoreSummary } from "../ports/store.js";
import type { EngineContext } from "./engine-context.js";

export interface ContextText {
  readonly text: string;
  readonly tokenCount: number;
  readonly coreSummary: "included" | "none yet" | "written after the question" | "beyond the budget";
  readonly includedIds: readonly string[];
  /** Recalled, but beyond the budget. */
  readonly droppedIds: readonly string[];
}

/** `memories` come most relevant first. */
export function writeContext(
  memories: readonly MemoryNode[],
  coreSummary: CoreSummary | null,
  atMs: number,
  tokenBudget: number,
  context: EngineContext,
): ContextText {
  const fits = (core: string | null, nodes: readonly MemoryNode[]): boolean =>
    context.countTokens(compose(core, nodes, atMs, context)) <= tokenBudget;
  const coreState = judgeCoreSummary(coreSummary, atMs, (text) => fits(text, []));
  const core = coreState === "included" ? coreSummary!.text : null;
  const included: MemoryNode[] = [];
  const droppedIds: string[] = [];
  for (const memory of memories) {
    if (fits(core, [...included, memory])) included.push(memory);
    else droppedIds.push(memory.id);
  }
  const text = fits(core, included) ? compose(core, included, atMs, context) : "";
  return {
    text,
    tokenCount: text === "" ? 0 : context.countTokens(text),
    coreSummary: coreState,
    includedIds: included.map(({ id }) => id),
    droppedIds,
  };
}

/** A question about the past is not answered from what was learned later. */
function judgeCoreSummary(
  coreSummary: CoreSummary | null,
  atMs: number,
  fits: (text: string) => boolean,
): ContextText["coreSummary"] {
  if (coreSummary === null) return "none yet";
  if (coreSummary.updatedMs > atMs) return "written after the question";
  return fits(coreSummary.text) ? "included" : "beyond the budget";
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
    parts.push(`${memoriesHeading}\n${formatMemories(memories.toSorted(compareAge), atMs, timeZone).join("\n")}`);
  } else {
    parts.push(nothingRecalled);
  }
  return parts.join("\n\n");
}

/** A line for each memory; the same words said several times are one line with all its times. */
function formatMemories(memories: readonly MemoryNode[], atMs: number, timeZone: string): string[] {
  const times = new Map<string, string[]>();
  for (const { initMs, state, summaryText } of memories) {
    const text = summaryText.replace(/\s+/gu, " ").trim();
    const { phrase } = naturalizeTime(initMs, atMs, timeZone);
    const when = [phrase, formatDate(initMs, timeZone), ...(state === null ? [] : [state])].join(", ");
    times.set(text, [...(times.get(text) ?? []), when]);
  }
  return [...times].map(([text, when]) => `- ${when.join("; again ")}: ${text}`);
}
