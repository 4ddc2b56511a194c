/**
 * What the tools take and return, made from the shapes of the REST interface: fewer fields, so that a list of tools costs a
 * model few tokens. None names a person: the connection does.
 */
import { z } from "zod";
import { coreSummary } from "../core-schema.js";
import {
  commitResult,
  forgettingReceipt,
  interactionInput,
  memoryDetail,
  memoryEdit,
  memoryFilter,
  memoryId,
  memoryPage,
  memory,
  recallAnswer,
  recalledMemory,
  statement,
  updateResult,
} from "../schemas.js";

/** Models write times as text. */
const moment = z.string().max(100).describe('ISO 8601, such as "2025-01-08" or "2025-01-08T09:15:00Z".');
const idToUse = memoryId.describe("The id of a memory, as recall_memories or list_memories returned it.");
const partToUse = memoryId.describe(
  'The id of a memory, or of one statement in it, such as "20250108-0915-1a2b3c#0"; get_memory returns those.',
);

const selection = {
  from: moment.optional().describe("Only what took place at this time or later (ISO 8601)."),
  to: moment.optional().describe("Only what took place before this time (ISO 8601)."),
  filter: memoryFilter.optional(),
};

export const commitShape = {
  input: interactionInput.pick({ keep: true, metadata: true }).extend({
    text: z.string().describe("What to remember, in full sentences, as the user said it."),
    at: moment.optional().describe("When it took place (ISO 8601). Default: now."),
    updates: z
      .array(memoryId)
      .max(16)
      .optional()
      .describe(
        "Ids of memories, or of statements, that are no longer true because of this. They stay, marked as ended.",
      ),
    id: memoryId.optional().describe("The same id twice is stored once. Default: a new one."),
  }),
  output: commitResult,
};

export const recallShape = {
  input: z.strictObject({
    query: z.string().describe("The question, in full, as the user asks it."),
    limit: z.int().min(1).max(50).optional().describe("Memories at most."),
    tokenBudget: z.int().min(1).max(100_000).optional().describe("Length of the context at most, in tokens."),
    ...selection,
  }),
  output: recallAnswer.omit({ seed: true, trace: true }).extend({
    memories: z
      .array(recalledMemory.pick({ id: true, at: true, summary: true, outdated: true }))
      .describe("Most relevant first."),
  }),
};

export const coreShape = {
  input: z.strictObject({}),
  output: coreSummary.pick({ text: true, updatedAt: true }).extend({
    areas: z.array(z.object({ title: z.string(), facts: z.array(z.object({ id: z.string(), text: z.string() })) })),
  }),
};

export const listShape = {
  input: z.strictObject({
    limit: z.int().min(1).max(100).optional().describe("Memories of a page. Default: 20."),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .describe("nextCursor of the page before; leave it out for the first page."),
    outdated: z.boolean().optional().describe("false leaves out what is no longer true. Default: true."),
    ...selection,
  }),
  output: memoryPage.extend({
    memories: z.array(
      memory.pick({ id: true, at: true, summary: true, outdatedBy: true, pinnedArea: true, metadata: true }),
    ),
  }),
};

export const getShape = {
  input: z.strictObject({ id: idToUse }),
  output: memoryDetail
    .pick({
      id: true,
      at: true,
      summary: true,
      state: true,
      keywords: true,
      turns: true,
      outcome: true,
      reason: true,
      updates: true,
      outdatedBy: true,
      pinnedArea: true,
      metadata: true,
      expiresAt: true,
      versions: true,
    })
    .extend({
      statements: z.array(statement.pick({ id: true, text: true, endedAt: true, endedBy: true, marks: true })),
    }),
};

export const updateShape = {
  input: memoryEdit.pick({ text: true, metadata: true }).extend({
    id: idToUse,
    text: z.string().optional().describe("What it says from now on, in place of all that it said."),
    at: moment.optional().describe("When it really took place (ISO 8601)."),
  }),
  output: updateResult,
};

export const forgetShape = {
  input: z.strictObject({
    id: partToUse.optional(),
    ids: z
      .array(memoryId)
      .min(1)
      .max(100)
      .optional()
      .describe(
        "Several at once, in place of id. Name statements of one memory together: forgetting renumbers the rest.",
      ),
  }),
  output: forgettingReceipt,
};

export const forgetAllShape = {
  input: z.strictObject({
    confirm: z
      .string()
      .optional()
      .describe("Only for clients that cannot ask the user: what the error message tells you to put here."),
  }),
  output: forgettingReceipt,
};
