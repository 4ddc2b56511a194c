/** Contexts of the baselines: the best of what they found, line by line, until the budget is used up. */
import { estimateTokens } from "mnemosyne-edge/internal/core/text/tokens.js";
import type { Turn } from "mnemosyne-edge";
import type { DatasetInteraction } from "../data/dataset.js";

/** Lines that belong together, under their own heading. */
export interface ContextBlock {
  readonly heading: string | null;
  readonly lines: readonly string[];
}

/** Takes whole lines in order and stops at the first that does not fit; never leaves a heading without lines. */
export function writeBlocks(
  blocks: readonly ContextBlock[],
  tokenBudget: number,
): { readonly text: string; readonly tokenCount: number } {
  const writer = new BudgetWriter(tokenBudget);
  const isWritten = ({ heading, lines }: ContextBlock): boolean =>
    lines.every((line, i) => writer.add(i === 0 && heading !== null ? `${heading}\n${line}` : line));
  blocks.every(isWritten);
  return { text: writer.text, tokenCount: estimateTokens(writer.text) };
}

class BudgetWriter {
  text = "";
  readonly #tokenBudget: number;
  /** Never less than the count of the whole, because every piece is rounded up. */
  #tokenCountMax = 0;

  constructor(tokenBudget: number) {
    this.#tokenBudget = tokenBudget;
  }

  add(line: string): boolean {
    const piece = this.text === "" ? line : `\n${line}`;
    const tokenCountMax = this.#tokenCountMax + estimateTokens(piece);
    if (tokenCountMax > this.#tokenBudget && estimateTokens(this.text + piece) > this.#tokenBudget) return false;
    this.text += piece;
    this.#tokenCountMax = tokenCountMax;
    return true;
  }
}

export function turnLine({ who, text }: Turn): string {
  return `${who}: ${text}`;
}

/** What was said, and its summary if it has one. */
export function fullText({ turns, summary }: DatasetInteraction): string {
  return [...turns.map(turnLine), ...(summary === null ? [] : [summary])].join("\n");
}

/** What was said, under its date; the summary if nothing was. */
export function fullBlock({ atMs, turns, summary }: DatasetInteraction, timeZone: string): ContextBlock {
  const lines = turns.length === 0 && summary !== null ? [summary] : turns.map(turnLine);
  return { heading: `[${formatDate(atMs, timeZone)}]`, lines };
}

/** "Wed 8 Jan 2025". */
export function formatDate(atMs: number, timeZone: string): string {
  const options = { timeZone, weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en-GB", options).format(atMs).replaceAll(",", "");
}
