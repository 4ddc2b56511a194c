/** The shape of the core memory, as `schemas.ts` has the others. */
import { z } from "zod";
import { memoryId, memoryOrStatementId } from "./schemas.js";

const coreFact = z.object({
  id: memoryOrStatementId.describe("The statement."),
  text: z.string(),
  sourceId: z.string(),
  toldAt: z.string(),
  isChange: z.boolean(),
  isPinned: z.boolean(),
  isCentral: z.boolean(),
  probability: z.number(),
  toldCount: z.int(),
  value: z.number(),
});

const changedFact = z.object({ id: memoryOrStatementId, text: z.string(), area: z.string(), sourceId: z.string() });

export const coreSummary = z
  .object({
    text: z.string().describe('"N/A" before the first.'),
    updatedAt: z.string().nullable(),
    areas: z.array(z.object({ title: z.string(), facts: z.array(coreFact) })),
    changes: z.array(
      z.object({
        at: z.string(),
        entered: z.array(changedFact),
        left: z.array(changedFact.extend({ byId: memoryId.describe("The memory that ended it.") })),
      }),
    ),
    sourceIds: z.array(z.string()),
    trace: z.looseObject({}).nullable(),
  })
  .meta({ id: "CoreSummary" });
