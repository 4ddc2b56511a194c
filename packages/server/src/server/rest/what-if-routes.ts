/** What would be with other parameters: a recall and a pruning on a copy of one person's memory that nobody keeps. */
import { z } from "zod";
import type { PersonMemory, RecallOptions } from "mnemosyne-edge";
import { FairTurns } from "../fair-turns.js";
import { RequestError } from "../problem.js";
import { recallAnswer, recallRequest } from "../schemas.js";
import { definedOnly } from "./query-reading.js";
import { type Route, personPath, route } from "./route.js";

/** A copy takes about a millisecond for each, and as much memory as the original. */
const memoryCountMax = 5_000;
const parameterCountMax = 500;

const whatIfRequest = z
  .strictObject({
    parameters: z
      .record(z.string(), z.number())
      .refine((given) => Object.keys(given).length <= parameterCountMax, "are too many")
      .describe("Those that are to be other than the server's."),
    recall: recallRequest.optional(),
    prune: z.strictObject({ memoryCountMax: z.int().min(1) }).optional(),
  })
  .meta({ id: "WhatIfRequest" });

const whatIfAnswer = z
  .object({
    recall: recallAnswer.nullable(),
    pruned: z
      .array(z.looseObject({ id: z.string(), score: z.number() }))
      .nullable()
      .describe("Weakest first."),
  })
  .meta({ id: "WhatIfAnswer" });

type Given = z.output<typeof whatIfRequest>;

/** One copy at a time. */
const turns = new FairTurns();

export const whatIfRoutes: readonly Route[] = [
  route({
    operationId: "whatIf",
    method: "post",
    path: `${personPath}/what-if`,
    tag: "Recall",
    summary: "A recall and a pruning with other parameters, on a copy; nothing is stored",
    need: "read",
    action: "read",
    body: whatIfRequest,
    answers: { 200: { description: "What would be.", schema: whatIfAnswer } },
    handle: async ({ mnemosyne, person, body, access, signal }) => {
      const { memoryCount } = await person.statistics();
      if (memoryCount > memoryCountMax) {
        const detail = `a copy of ${memoryCount} memories is too large; what-if works up to ${memoryCountMax}`;
        throw new RequestError("request_invalid", detail);
      }
      const answer = await turns.run(access.keyId ?? "", async () => {
        signal.throwIfAborted();
        return mnemosyne.whatIf(person.name, body.parameters, (copy) => tryOut(copy, body, signal));
      });
      return { body: answer };
    },
  }),
];

async function tryOut(copy: PersonMemory, { recall, prune }: Given, signal: AbortSignal): Promise<object> {
  const recalled = recall === undefined ? null : await recallFrom(copy, recall, signal);
  const pruned = prune === undefined ? null : (await copy.prune(prune)).pruned;
  return { recall: recalled, pruned };
}

async function recallFrom(
  copy: PersonMemory,
  given: NonNullable<Given["recall"]>,
  signal: AbortSignal,
): Promise<object> {
  const { query, trace: isTraced, ...options } = given;
  const { trace, ...answer } = await copy.recall(query, definedOnly({ ...options, signal }) as RecallOptions);
  return { ...answer, seed: trace.seed, ...(isTraced === true ? { trace } : {}) };
}
