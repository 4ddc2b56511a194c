/**
 * A question as recall reads it: when it asks about, which words it asks with, and its vector. The words that say when
 * are left out of the comparison of words, since "in March" is no subject. Embedding runs while the memory is loaded and
 * catches up with other processes.
 */
import { splitTermsSteps } from "../text/words.js";
import type { Embedding } from "../engine/embedding-queue.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { type AskedTime, readAskedTime } from "./recall-time.js";

export interface AskedQuestion {
  readonly query: string;
  readonly atMs: number;
  readonly time: AskedTime;
  /** Of what is asked about. */
  readonly terms: readonly string[];
  readonly embedding: Embedding;
  /** Interactions accepted but not yet processed. */
  readonly queuedCount: number;
}

export async function readQuestion(query: string, atMs: number, state: PersonState): Promise<AskedQuestion> {
  const { context, person } = state;
  const time = await readAskedTime(query, atMs, context);
  const [[embedding], terms, queuedCount] = await Promise.all([
    context.embedding.embedWords([query], "question"),
    runInSlices(splitTermsSteps(time.content)),
    context.records.queuedCount(person),
    state.refresh(),
  ]);
  return { query, atMs, time, terms, embedding: embedding!, queuedCount };
}
