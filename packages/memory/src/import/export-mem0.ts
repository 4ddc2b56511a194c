/** A person's memories in the shape that mem0's `get_all` returns, `{ "results": [ … ] }`; `mnemosyne import --from mem0` reads it back. */
import type { Memory, MemorySelection } from "../index.js";
import { type ExportSource, everyItem } from "./export-source.js";
import { ownIdField } from "./mem0.js";

/** Pieces of one JSON document, a memory in each line; all memories, or those that pass. */
export async function* exportMem0(person: ExportSource, selection: MemorySelection = {}): AsyncGenerator<string> {
  yield '{"results":[';
  let separator = "\n";
  for await (const memory of everyItem(person.list(selection))) {
    yield separator + JSON.stringify(toMem0(memory, person.name));
    separator = ",\n";
  }
  yield "\n]}\n";
}

function toMem0({ id, at, summary, state, outdatedBy, metadata }: Memory, person: string): object {
  return {
    id,
    memory: summary,
    user_id: person,
    metadata: {
      ...metadata,
      [ownIdField]: id,
      ...(state === null ? {} : { state }),
      ...(outdatedBy.length === 0 ? {} : { outdated_by: outdatedBy }),
    },
    created_at: at,
    updated_at: at,
  };
}
