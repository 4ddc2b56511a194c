/** Tells a memory what people said, and returns what it made of each interaction, through the public door. */
import {
  type CommitResult,
  type CommitTrace,
  type EndLink,
  Mnemosyne,
  type PersonMemory,
  type StatementView,
  type Turn,
} from "mnemosyne-edge";
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

/** Read before a later interaction takes its place. */
export interface Committed extends CommitResult {
  /** Empty for an interaction that became no memory. */
  readonly statements: readonly Pick<StatementView, "text" | "asked" | "who">[];
  /** The older statements, or memories, that it ended or may have ended, each with its own statement that did so. */
  readonly ends: readonly EndLink[];
  readonly relations: CommitTrace["relations"];
  readonly redundancy: CommitTrace["redundancy"];
}

/** In order, each before the next. */
export async function commitPerson(
  { id: name, timeZone = "UTC", profile = "general", interactions }: Speaker,
  { embedder, reader }: Models,
  { parameters, isUnread }: Change,
): Promise<Committed[]> {
  const clock = new ReplayClock();
  const models = { embedder, reader: isUnread ? (false as const) : reader };
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
      committed.push({ ...result, ...(await readMemory(result, person)) });
    }
  } finally {
    await mnemosyne.close();
  }
  return committed;
}

async function readMemory(
  { id, outcome }: CommitResult,
  person: PersonMemory,
): Promise<Omit<Committed, keyof CommitResult>> {
  const isMemory = outcome === "committed" || outcome === "paired";
  const { statements = [], trace = null } = isMemory ? await person.get(id) : {};
  const { ends = [], relations = [], redundancy = null } = trace ?? {};
  return { statements, ends, relations, redundancy };
}
