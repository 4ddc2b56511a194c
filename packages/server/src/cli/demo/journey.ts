/** The journey that the demo replays, and where it stops to ask. */
import { readFileSync } from "node:fs";
import type { HistoryItem, PersonMemory } from "mnemosyne-edge";
import { shorten } from "../layout.js";
import { startProgress } from "../terminal.js";

export interface Journey {
  readonly id: string;
  readonly person: {
    readonly name: string;
    readonly age: number;
    readonly condition: string;
    readonly timezone: string;
  };
  readonly states: readonly { readonly from: string; readonly to: string; readonly state: string }[];
  readonly interactions: readonly {
    readonly id: string;
    readonly at: string;
    readonly turns: readonly { readonly who: string; readonly text: string }[];
    readonly summary: string;
  }[];
}

export interface Stop {
  readonly at: string;
  readonly question: string;
  readonly note: string;
  readonly explain?: boolean;
}

export const demoPath = "mnemosyne-demo.db";

/** Moments at which the demo stops to ask. */
export const stops: readonly Stop[] = [
  {
    at: "2025-01-20T09:00:00Z",
    question: "What am I allergic to, and what did they give me for the anaemia?",
    note: "two weeks in",
  },
  {
    at: "2025-03-05T18:00:00Z",
    question: "How was the wound on the last day of February, and what has changed since?",
    note: "three weeks after the operation: time is read from the question",
    explain: true,
  },
  {
    at: "2025-07-13T10:00:00Z",
    question: "What was I hoping to do this summer, and why does it matter to me?",
    note: "half a year later",
  },
];

const file = new URL("../../../demo/knee-replacement.json", import.meta.url);
const noteWidth = 40;

export function readJourney(): Journey {
  return JSON.parse(readFileSync(file, "utf8")) as Journey;
}

/** What was said after one moment, up to the next. */
export function saidUntil(at: string, fromIndex: number, { interactions }: Journey): Journey["interactions"] {
  return interactions.slice(fromIndex).filter((interaction) => interaction.at <= at);
}

/** Commits interactions one after the other, until a signal; returns what became of each. */
export async function replay(
  coming: Journey["interactions"],
  journey: Journey,
  memory: PersonMemory,
  signal?: AbortSignal,
): Promise<HistoryItem[]> {
  const progress = startProgress("remembering", coming.length);
  const items: HistoryItem[] = [];
  for (const [i, { id, at, turns, summary }] of coming.entries()) {
    if (signal?.aborted === true) break;
    const state = stateAt(journey, at);
    await memory.commit({ id, at, turns, summary, ...(state === undefined ? {} : { state }) }, { wait: true });
    items.push(...(await memory.history({ ids: [id] })));
    progress.update(i + 1, shorten(summary, noteWidth));
  }
  progress.stop();
  return items;
}

function stateAt({ states }: Journey, at: string): string | undefined {
  const day = at.slice(0, 10);
  return states.find(({ from, to }) => from <= day && day <= to)?.state;
}
