/** The shapes of queries: in an address everything is text. */
import { z } from "zod";
import { outcome } from "../schemas.js";

const pageLimitMax = 1_000;

const flag = z.enum(["true", "false"]).describe("true or false");
const pageLimit = z.coerce
  .number()
  .int()
  .min(1)
  .max(pageLimitMax)
  .describe("Entries of a page, 1 to 1,000. Default: 100.");
const filterText = z.string().max(4_000).describe("A MemoryFilter as JSON.");

export const pageQuery = z.strictObject({ limit: pageLimit.optional(), cursor: z.string().max(2_000).optional() });
export const selectionQuery = z.strictObject({
  filter: filterText.optional(),
  from: z.string().max(100).optional(),
  to: z.string().max(100).optional(),
});
export const memoriesQuery = z.strictObject({
  ...pageQuery.shape,
  ...selectionQuery.shape,
  outdated: flag.optional().describe("false leaves out what later memories made outdated."),
});
const anyOutcome = `(?:${outcome.options.join("|")})`;
const outcomeNames = z
  .string()
  .max(200)
  .regex(new RegExp(`^${anyOutcome}(?:,${anyOutcome})*$`, "u"));
export const historyQuery = z.strictObject({
  ...pageQuery.shape,
  ...selectionQuery.shape,
  outcomes: outcomeNames.optional().describe("Outcomes, separated by commas."),
  newestFirst: flag.optional().describe("true begins with what came last."),
  ids: z.string().max(8_000).optional().describe('Ids as JSON, such as ["a","b"].'),
});
export const coreQuery = z.strictObject({
  update: flag.optional().describe("Brings it up to date with all memories first."),
  at: z.string().max(100).optional().describe("The version of then."),
});
export const waitQuery = z.strictObject({
  wait: flag.optional().describe("true answers when it has been processed, with what became of it."),
});
