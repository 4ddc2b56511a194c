/** A recall as the address names it: question, seed, time and budget. The same address gives the same recall. */
import type { RecallTrace, RecalledMemory } from "mnemosyne-edge";
import { call, personPath } from "../api.js";

export interface RecallAnswer {
  readonly context: string;
  readonly memories: readonly RecalledMemory[];
  readonly confidence: number | null;
  readonly seed: number | string;
  readonly trace: RecallTrace;
}

interface RecallChoices {
  readonly q?: string;
  readonly seed?: string;
  readonly at?: string;
  readonly budget?: string;
}

/** A seed that is given as digits is the number. */
function readSeed(text: string): number | string {
  return /^\d{1,15}$/u.test(text) ? Number(text) : text;
}

function recallBody({ q = "", seed = "", at = "", budget = "" }: RecallChoices): Record<string, unknown> {
  return {
    query: q,
    trace: true,
    ...(seed === "" ? {} : { seed: readSeed(seed) }),
    ...(at === "" ? {} : { at }),
    ...(budget === "" ? {} : { tokenBudget: Number(budget) }),
  };
}

export async function askFor(person: string, choices: RecallChoices, signal?: AbortSignal): Promise<RecallAnswer> {
  const options = { body: recallBody(choices), ...(signal === undefined ? {} : { signal }) };
  return call("POST", personPath(person, "recall"), options);
}
