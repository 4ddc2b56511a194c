/**
 * `lab -- cost`: what a commit and a recall cost, in units that do not depend on the machine: embedding the same text once.
 * Both take turns in one process, so that whatever else the machine does hits both. Nothing is cached.
 */
import { parseArgs } from "node:util";
import { InputError, Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { findDataFolder } from "../data/files.js";
import type { Person } from "../data/person.js";
import { readSets } from "../data/sets.js";
import { readCount } from "../options.js";
import { alignColumns } from "../recall/table.js";
import { ReplayClock } from "../systems/ours.js";

export async function costCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sets: { type: "string", default: "lives,beam" },
      count: { type: "string", default: "60" },
      data: { type: "string" },
    },
  });
  const count = readCount("--count", values.count);
  const sets = readSets(values.sets.split(","), findDataFolder(values.data));
  const embedder = new BundledEmbedder();
  const rows: string[][] = [];
  try {
    // The first text loads the model.
    await embedder.embed(["first"]);
    for (const { name, people } of sets) {
      const person = people[0];
      if (person === undefined) throw new InputError("dataset_invalid", `set "${name}" has no people`);
      rows.push(...(await measureCost(name, person, count, embedder)));
    }
  } finally {
    await embedder.close();
  }
  process.stdout.write(alignColumns([["", "", "× embedding", "ms", "embedding ms", "times"], ...rows]));
}

async function measureCost(
  set: string,
  { id, timeZone, interactions, questions }: Person,
  count: number,
  embedder: BundledEmbedder,
): Promise<string[][]> {
  const clock = new ReplayClock();
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", timeZone, clock });
  const person = mnemosyne.person(id);
  const told = interactions.slice(0, count);
  const commits: Pair[] = [];
  const recalls: Pair[] = [];
  try {
    clock.advance(told[0]!.atMs);
    await mnemosyne.person("first").commit({ turns: told[0]!.turns, at: told[0]!.atMs }, { wait: true });
    for (const { atMs, ...said } of told) {
      clock.advance(atMs);
      const work = await timeMs(() => person.commit({ ...said, at: atMs }, { wait: true }));
      commits.push({ work, embedding: await timeMs(() => embedder.embed([said.turns.map(joinText).join(" ")])) });
    }
    for (const { text } of questions.slice(0, count)) {
      const work = await timeMs(() => person.recall(text, { seed: 1 }));
      recalls.push({ work, embedding: await timeMs(() => embedder.embed([text])) });
    }
  } finally {
    await mnemosyne.close();
  }
  return [
    [set, "commit", ...describePairs(commits)],
    ["", "recall", ...describePairs(recalls)],
  ];
}

function joinText({ text }: { readonly text: string }): string {
  return text;
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** Milliseconds. */
interface Pair {
  readonly work: number;
  readonly embedding: number;
}

export function describePairs(pairs: readonly Pair[]): string[] {
  const [work, embedding] = [median(pairs.map((pair) => pair.work)), median(pairs.map((pair) => pair.embedding))];
  return [(work / embedding).toFixed(2), work.toFixed(1), embedding.toFixed(1), String(pairs.length)];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
