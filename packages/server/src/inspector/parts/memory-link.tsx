/** Memories named by the beginnings of their sentences, which open them; what is forgotten keeps its id. */
import type { ComponentChildren } from "preact";
import { go } from "../place.js";
import type { Sentences } from "../sentences.js";
import { Said } from "./said.js";
import type { Part } from "./why.js";

interface MemoryLinkProps {
  readonly id: string;
  readonly sentences: Sentences;
  readonly lengthMax?: number;
  /** Before the sentence, and part of the link. */
  readonly children?: ComponentChildren;
  /** By default the graph opens, with nothing else chosen. */
  readonly onSelect?: (id: string) => void;
}

export function MemoryLink(props: MemoryLinkProps) {
  const { id, sentences, lengthMax = 70, children, onSelect = openMemory } = props;
  const sentence = sentences(id);
  if (sentence?.isMemory !== true) {
    return (
      <>
        {children}
        {sentence === undefined ? (
          <code>
            <Said text={id} />
          </code>
        ) : (
          <q title={id}>
            <Said text={sentence.text} lengthMax={lengthMax} />
          </q>
        )}
      </>
    );
  }
  return (
    <button type="button" class="link" title={id} onClick={() => onSelect(id)}>
      {children}
      <Said text={sentence.text} lengthMax={lengthMax} />
    </button>
  );
}

interface WithMemoriesProps extends Pick<MemoryLinkProps, "sentences" | "onSelect"> {
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
