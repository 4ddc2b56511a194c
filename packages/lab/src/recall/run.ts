/**
 * Replays each person once for each system: what was told, in order of time, and every question at its own moment, so that
 * it never sees what came later. The work is shared by as many processes as asked for.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type DataSet, readSets } from "../data/sets.js";
import type { Person, Question } from "../data/person.js";
import { type Models, openModels } from "../model-cache.js";
import { type Answer, type Change, lettersPerToken } from "../systems/system.js";
import { systems } from "../systems/systems.js";
import { evidenceShare, hitAt, ndcgAt, recallAt } from "./measures.js";

export interface RunOptions {
  /** Null for all that are there. */
  readonly sets: readonly string[] | null;
  readonly systems: readonly string[];
  readonly data: string | null;
  readonly change: Change;
  /** A folder with an encoder in place of the bundled one. */
  readonly encoderFolder?: string | undefined;
  readonly jobs: number;
}

/** One question to one system. */
export interface Result {
  readonly set: string;
  readonly person: string;
  readonly question: string;
  readonly kind: string;
  readonly system: string;
  /** Null for what the question or the set does not have. */
  readonly hit3: number | null;
  readonly ndcg3: number | null;
  readonly recall10: number | null;
  readonly evidence: number | null;
  /** Whether the first interaction holds a fact that is needed. */
  readonly first: number | null;
  readonly confidence: number | null;
  /** Places of the gold, from 1; null where it was not found. */
  readonly ranks: readonly (number | null)[];
  readonly tokens: number;
}

interface Unit {
  readonly set: string;
  readonly person: Person;
  readonly system: string;
}

export async function runRecall(options: RunOptions, onUnit: (done: string) => void): Promise<Result[]> {
  const units = toUnits(options);
  const results: Result[][] = units.map(() => []);
  let next = 0;
  const work = async (run: (index: number) => Promise<Result[]>): Promise<void> => {
    while (next < units.length) {
      const index = next++;
      results[index] = await run(index);
      const { set, person, system } = units[index]!;
      onUnit(`${set} ${person.id} ${system}`);
    }
  };
  if (options.jobs === 1) {
    const models = await openModels(options);
    await work((index) => replay(units[index]!, models, options.change)).finally(() => models.close());
  } else {
    const workers = Array.from({ length: options.jobs }, () => startWorker(options));
    await Promise.all(workers.map((worker) => work((index) => askWorker(worker, index)))).finally(() => {
      for (const worker of workers) worker.disconnect();
    });
  }
  return results.flat();
}

/** In the same order in every process. */
function toUnits({ sets, systems, data }: RunOptions): Unit[] {
  return readSets(sets, data).flatMap(({ name, people }: DataSet) =>
    people.flatMap((person) => systems.map((system) => ({ set: name, person, system }))),
  );
}

function startWorker(options: RunOptions): ChildProcess {
  return fork(fileURLToPath(new URL("../main.js", import.meta.url)), ["recall-worker", JSON.stringify(options)]);
}

function askWorker(worker: ChildProcess, index: number): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error("a worker has ended; its error is above"));
    worker.once("exit", onExit);
    worker.once("message", (results: Result[]) => {
      worker.off("exit", onExit);
      resolve(results);
    });
    worker.send(index);
  });
}

/** The other side: answers with the results of each unit it is asked for, until its parent disconnects. */
export async function serveWorker(options: RunOptions): Promise<void> {
  const units = toUnits(options);
  const models = await openModels(options);
  process.on("message", (index: number) => {
    replay(units[index]!, models, options.change).then(
      (results) => process.send!(results),
      (error: Error) => {
        process.stderr.write(`${error.stack}\n`);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => void models.close().then(() => process.exit(0)));
}

async function replay({ set, person, system: name }: Unit, models: Models, change: Change): Promise<Result[]> {
  const system = await systems[name]!(person, models, change);
  const results: Result[] = [];
  try {
    for (let told = 0; told <= person.interactions.length; told++) {
      for (const question of person.questions.filter(({ after }) => after === told)) {
        results.push({ set, person: person.id, system: name, ...score(question, await system.ask(question), person) });
      }
      if (told < person.interactions.length) await system.tell(person.interactions[told]!);
    }
  } finally {
    await system.close();
  }
  return results;
}

export function score(
  { id, kind, gold, evidence, needs }: Question,
  { ranked, context, confidence }: Answer,
  { interactions }: Person,
): Omit<Result, "set" | "person" | "system"> {
  const isTold = gold.length > 0;
  const best = interactions.find((told) => told.id === ranked[0]);
  const said = best?.turns.map(({ text }) => text).join("\n") ?? "";
  const isFirst = gold.includes(ranked[0] ?? "") || (isTold && evidenceShare(said, evidence) > 0);
  return {
    question: id,
    kind,
    hit3: isTold ? hitAt(3, ranked, gold) : null,
    ndcg3: isTold ? ndcgAt(3, ranked, gold) : null,
    recall10: isTold ? recallAt(10, ranked, gold) : null,
    evidence: evidence.length === 0 ? null : evidenceShare(context, evidence),
    first: needs === undefined || !isTold ? null : Number(isFirst),
    confidence,
    ranks: gold.map((goldId) => ranked.indexOf(goldId) + 1 || null),
    tokens: Math.ceil(context.length / lettersPerToken),
  };
}
