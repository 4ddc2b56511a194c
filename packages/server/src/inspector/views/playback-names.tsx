/** What the scenes of a recall share: the trace they show, and memories named with their days. */
import type { RecallTrace } from "mnemosyne-edge";
import type { GraphModel } from "../graph/graph-model.js";
import { MemoryLink } from "../parts/memory-link.js";
import { sentencesOf } from "../sentences.js";
import { dayOf } from "../words.js";

export interface SceneProps {
  readonly trace: RecallTrace;
  readonly model: GraphModel;
}

interface NamedProps {
  readonly id: string;
  readonly model: GraphModel;
  readonly isOutdated?: boolean;
}

export function NamedMemory({ id, model, isOutdated = false }: NamedProps) {
  const memory = model.memories[model.numberOf.get(id) ?? -1];
  return (
    <MemoryLink id={id} sentences={sentencesOf(model)}>
      {memory !== undefined && (
        <small>
          {dayOf(memory.at)}
          {isOutdated && ", outdated by then"}
        </small>
      )}{" "}
    </MemoryLink>
  );
}
