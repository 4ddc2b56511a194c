/**
 * What memories say, by id, for views that name some of them: from the graph where it is loaded anyway, otherwise asked for,
 * those that are shown and no others, many at once. What came is kept until something changes.
 */
import { useMemo } from "preact/hooks";
import type { HistoryItem } from "mnemosyne-edge";
import { epoch } from "./api.js";
import type { GraphModel } from "./graph/graph-model.js";
import { loadNamed } from "./history.js";
import { changes } from "./live.js";
import { useLoaded } from "./loading.js";
import { textOf } from "./words.js";

export interface Sentence {
  readonly text: string;
  /** Otherwise it is only in the history, and opens nothing. */
  readonly isMemory: boolean;
}

/** Undefined while it is not loaded, and for what is forgotten. */
export type Sentences = (id: string) => Sentence | undefined;

/** Of which version it is; undefined for what is forgotten. */
interface KeptSentence {
  readonly version: number;
  readonly sentence: Sentence | undefined;
}

const none: readonly HistoryItem[] = [];

let kept: { readonly person: string; readonly sentences: Map<string, KeptSentence> } = {
  person: "",
  sentences: new Map(),
};

export function sentencesOf({ memories, numberOf }: GraphModel): Sentences {
  return (id) => {
    const memory = memories[numberOf.get(id) ?? -1];
    return memory === undefined ? undefined : { text: memory.summary, isMemory: true };
  };
}

/** `known` are there already. */
export function useSentences(person: string, ids: readonly string[], known: readonly HistoryItem[] = none): Sentences {
  const own = useMemo(() => new Map(known.map((item) => [item.id, sentenceOf(item)])), [known]);
  const wanted = [...new Set(ids)].filter((id) => !own.has(id));
  const version = changes.value + epoch.value;
  useLoaded<void>(
    (signal) => keep(person, version, wanted, signal),
    `sentences ${person} ${JSON.stringify(wanted)}`,
    version,
  );
  return (id) => own.get(id) ?? (kept.person === person ? kept.sentences.get(id)?.sentence : undefined);
}

/** An earlier version of a sentence stays in sight until the present one is there. */
async function keep(person: string, version: number, ids: readonly string[], signal: AbortSignal): Promise<void> {
  if (kept.person !== person) kept = { person, sentences: new Map() };
  const { sentences } = kept;
  const missing = ids.filter((id) => sentences.get(id)?.version !== version);
  const items = await loadNamed(person, missing, signal);
  const found = new Map(items.map((item) => [item.id, sentenceOf(item)]));
  for (const id of missing) sentences.set(id, { version, sentence: found.get(id) });
}

function sentenceOf(item: HistoryItem): Sentence {
  return { text: textOf(item), isMemory: item.outcome === "committed" || item.outcome === "paired" };
}
