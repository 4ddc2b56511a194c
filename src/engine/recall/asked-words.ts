/**
 * The words of a question as the memory reads them: embedded, and with those that no memory has taken for one that some
 * have, if a slip of spelling leads there (`src/core/text/spelling.ts`). What is read depends only on the question and the
 * memory as it is after catching up with other processes.
 */
import { type SpellingMatch, matchSpellings, respell } from "../../core/text/spelling.js";
import { splitTermsSteps, splitWordsSteps } from "../../core/text/words.js";
import type { QuantizedVector } from "../../core/vectors/quantized-vector.js";
import type { Embedding } from "../embedding-queue.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";
import type { AskedTime } from "./recall-time.js";

export interface AskedWords {
  readonly spellings: readonly SpellingMatch[];
  readonly text: string;
  /** Without the words that say when. */
  readonly content: string;
  readonly terms: readonly string[];
  readonly embedded: Embedding;
  /** Of the events that the question names. */
  readonly eventVectors: readonly QuantizedVector[];
}

/**
 * Embeds a question while `catchUp` brings the memory up to date. If other words turn out to be misspelt then, which
 * mostly happens when the memory was not loaded yet, the question is embedded once more.
 */
export async function readAskedWords<Caught>(
  query: string,
  { content, anchors }: Pick<AskedTime, "content" | "anchors">,
  state: PersonState,
  catchUp: () => Promise<Caught>,
): Promise<readonly [AskedWords, Caught]> {
  const { embedding } = state.context;
  const words = await runInSlices(splitWordsSteps(content));
  const { graph, revision } = state;
  let spellings = readSpellings(words, state);
  const texts = [respell(query, spellings), ...anchors.map(({ event }) => event)];
  const [first, ...events] = await embedding.embedWords(texts, "question");
  const caught = await catchUp();
  if (graph !== state.graph || revision !== state.revision) spellings = readSpellings(words, state);
  const text = respell(query, spellings);
  const [embedded] = text === texts[0] ? [first] : await embedding.embedWords([text], "question");
  const respelt = respell(content, spellings);
  const terms = await runInSlices(splitTermsSteps(respelt));
  const eventVectors = events.map(({ vector }) => vector);
  return [{ spellings, text, content: respelt, terms, embedded: embedded!, eventVectors }, caught];
}

function readSpellings(words: readonly string[], { graph, context }: PersonState): SpellingMatch[] {
  if (context.parameters.spellingRead === 0 || graph.nodeCount === 0) return [];
  return matchSpellings(words, graph.lexicalIndex);
}
