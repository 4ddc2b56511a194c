/** Options of the memory from what is in an address, where everything is text. */
import type { MemorySelection } from "mnemosyne-edge";
import { RequestError } from "../problem.js";

const pageLimitDefault = 100;

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
