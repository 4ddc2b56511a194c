/** A memory named by the beginning of its sentence, which opens it; what is not there any more keeps its id. */
import type { ComponentChildren } from "preact";
import type { GraphModel } from "../graph/graph-model.js";
import { go } from "../place.js";
import { Said } from "./said.js";

interface MemoryLinkProps {
  readonly id: string;
  /** Null while it is being loaded. */
  readonly model: GraphModel | null;
  readonly lengthMax?: number;
  /** Before the sentence, and part of the link. */
  readonly children?: ComponentChildren;
  /** By default the graph opens, with nothing else chosen. */
  readonly onSelect?: (id: string) => void;
}

export function MemoryLink({ id, model, lengthMax = 70, children, onSelect = openMemory }: MemoryLinkProps) {
  const memory = model?.memories[model.numberOf.get(id) ?? -1];
  if (memory === undefined) {
    return (
      <>
        {children}
        <code>
          <Said text={id} />
        </code>
      </>
    );
  }
  return (
    <button type="button" class="link" title={id} onClick={() => onSelect(id)}>
      {children}
      <Said text={memory.summary} lengthMax={lengthMax} />
    </button>
  );
}

function openMemory(id: string): void {
  go({ view: "graph", choices: { memory: id } });
}
