/** Queries: in an address everything is text. Their shapes, and the memory's options from them. */
import type { MemorySelection } from "mnemosyne-edge";
import { z } from "zod";
import { RequestError } from "../problem.js";
import { outcome } from "../schemas.js";

const pageLimitDefault = 100;
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
export const exportQuery = z.strictObject({
  ...selectionQuery.shape,
  sealed: flag.optional().describe("true encrypts it with the key of the memory, which alone can import it."),
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

/** Without the entries that are undefined: the memory takes those for mistakes. */
export function definedOnly<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

export function pageOptions({ limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }): {
  limit: number;
  cursor?: string;
} {
  return { limit: limit ?? pageLimitDefault, ...(cursor === undefined ? {} : { cursor }) };
}

interface SelectionQuery {
  readonly filter?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function readSelectionQuery({ filter, from, to }: SelectionQuery): MemorySelection {
  return definedOnly({ filter: filter === undefined ? undefined : parseFilter(filter), from, to }) as MemorySelection;
}

function parseFilter(text: string): unknown {
  return parseJson(text, "filter", '{"agent":"office"}');
}

/** Ids may have commas in them. */
export function readIds(text: string): string[] {
  const ids = parseJson(text, "ids", '["a","b"]');
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids as string[];
  const errors = [{ path: "query.ids", message: "is not a list of texts" }];
  throw new RequestError("request_invalid", 'ids must be a list of texts as JSON, such as ["a","b"]', { errors });
}

function parseJson(text: string, name: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const errors = [{ path: `query.${name}`, message: "is not JSON" }];
    throw new RequestError("request_invalid", `${name} must be JSON, such as ${example}`, { errors, cause });
  }
}
