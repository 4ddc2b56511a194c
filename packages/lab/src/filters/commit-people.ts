/** Tells a memory what people said, and returns what it made of each interaction, through the public door. */
import { type CommitResult, type InteractionTrace, Mnemosyne, type Turn } from "mnemosyne-edge";
import type { Models } from "../model-cache.js";
import { ReplayClock } from "../systems/ours.js";
import type { Change } from "../systems/system.js";

export interface Speaker {
  readonly id: string;
  readonly timeZone?: string;
  readonly profile?: "general" | "healthcare";
  readonly interactions: readonly Said[];
}

export interface Said {
  readonly id: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
  readonly summary?: string;
  readonly state?: string;
  /** Kept whatever the filters think of it. */
  readonly keep?: boolean;
}

export interface Committed extends CommitResult {
  /** Read before a later interaction takes its place; null for one that made nothing outdated and repeats nothing. */
  readonly trace: InteractionTrace | null;
}

/** In order, each before the next. */
export async function commitPerson(
  { id: name, timeZone = "UTC", profile = "general", interactions }: Speaker,
  { embedder, judge }: Models,
  { parameters, isUnjudged }: Change,
): Promise<Committed[]> {
  const clock = new ReplayClock();
  const models = { embedder, judge: isUnjudged ? (false as const) : judge };
  // A core summary decides nothing about what is kept.
  const all = { coreSummaryIntervalCommits: 0, ...parameters };
  const options = { path: ":memory:", timeZone, profile, clock, parameters: all };
  const mnemosyne = await Mnemosyne.open({ ...options, ...models });
  const person = mnemosyne.person(name);
  const committed: Committed[] = [];
  try {
    for (const { atMs, ...said } of interactions) {
      clock.advance(atMs);
      const result = await person.commit({ ...said, at: atMs }, { wait: true });
      const isLinked = result.updates.length > 0 || result.repeats !== null;
      const [entry] = isLinked ? await person.history({ ids: [result.id] }) : [];
      committed.push({ ...result, trace: entry?.trace ?? null });
    }
  } finally {
    await mnemosyne.close();
  }
  return committed;
}
