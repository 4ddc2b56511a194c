/** Memories named by the beginnings of their sentences, which open them; what is forgotten keeps its id. */
import type { ComponentChildren } from "preact";
import type { GraphModel } from "../graph/graph-model.js";
import { go } from "../place.js";
import { Said } from "./said.js";
import type { Part } from "./why.js";

interface MemoryLinkProps {
  readonly id: string;
  /** Null while it is being loaded. */
  readonly model: GraphModel | null;
  /** Sentences of what is in the history but no memory: they open nothing. */
  readonly others?: ReadonlyMap<string, string>;
  readonly lengthMax?: number;
  /** Before the sentence, and part of the link. */
  readonly children?: ComponentChildren;
  /** By default the graph opens, with nothing else chosen. */
  readonly onSelect?: (id: string) => void;
}

export function MemoryLink(props: MemoryLinkProps) {
  const { id, model, others, lengthMax = 70, children, onSelect = openMemory } = props;
  const memory = model?.memories[model.numberOf.get(id) ?? -1];
  if (memory === undefined) {
    const text = others?.get(id);
    return (
      <>
        {children}
        {text === undefined ? (
          <code>
            <Said text={id} />
          </code>
        ) : (
          <q title={id}>
            <Said text={text} lengthMax={lengthMax} />
          </q>
        )}
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

interface WithMemoriesProps extends Pick<MemoryLinkProps, "model" | "others" | "onSelect"> {
  readonly parts: readonly Part[];
}

export function WithMemories({ parts, ...link }: WithMemoriesProps) {
  return (
    <>
      {parts.map((part, i) =>
        typeof part === "string" ? <Said key={i} text={part} /> : <MemoryLink key={i} id={part.id} {...link} />,
      )}
    </>
  );
}

function openMemory(id: string): void {
  go({ view: "graph", choices: { memory: id } });
}
