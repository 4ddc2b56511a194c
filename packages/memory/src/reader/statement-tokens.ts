/** Vectors of a memory's statements and, where embedder and store have them, of the statements' single words. */
import type { MemoryNode } from "../graph/memory-node.js";
import type { Reading, Statement } from "../graph/statement.js";
import { type QuantizedVector, meanVector } from "../graph/vectors/quantized-vector.js";
import { packTokens } from "../graph/vectors/token-vectors.js";
import { embeddedText } from "./cut.js";
import { cutWindows } from "./windows.js";
import type { EngineContext } from "../engine/engine-context.js";

interface Said extends Pick<MemoryNode, "summaryText"> {
  readonly statements: readonly Pick<Statement, "turn" | "who" | "text" | "asked" | "kind">[];
}

/** The texts whose words a memory keeps. */
export function tokenizedTexts({ statements, summaryText }: Said): readonly string[] {
  return statements.length > 0 ? statements.map(embeddedText) : [summaryText];
}

/** What embedding the statements of a memory needs. */
export type StatementEmbedding = Pick<EngineContext, "embedding" | "parameters">;

/** Whether embedder and parameters both keep vectors of words. */
function keepsTokens({ embedding, parameters }: StatementEmbedding): boolean {
  return embedding.wordDimensions > 0 && parameters.tokensKept === 1;
}

export interface EmbeddedStatements {
  readonly vectors: QuantizedVector[];
  /** What the embedder read along; null where it only embeds. */
  readonly readings: readonly (Reading | null)[];
  /** The vectors of the words of each. */
  readonly words: readonly Float32Array[];
}

export async function embedStatements(
  statements: Said["statements"],
  { embedding }: StatementEmbedding,
): Promise<EmbeddedStatements> {
  const embedded = embedding.embedsTalk
    ? await embedding.embedTalk(cutWindows(statements))
    : (await embedding.embedWords(statements.map(embeddedText), "commitment")).map((each) => ({
        ...each,
        reading: null,
      }));
  return {
    vectors: embedded.map(({ vector }) => vector),
    readings: embedded.map(({ reading }) => reading),
    words: embedded.map(({ wordVectors }) => wordVectors),
  };
}

/** The words of a memory as the store keeps them; one without statements has those of its summary. Null if none are kept. */
export async function packWords(
  said: Said,
  words: readonly Float32Array[],
  work: StatementEmbedding,
): Promise<Uint8Array | null> {
  if (!keepsTokens(work)) return null;
  const { embedding } = work;
  const isSummary = said.statements.length === 0;
  const kept = isSummary
    ? (await embedding.embedWords([said.summaryText], "commitment")).map((each) => each.wordVectors)
    : words;
  return packTokens(kept, embedding.wordDimensions);
}

interface Topic extends Said {
  readonly hypotheticalQuery: string;
}

/** Vectors of a memory as a whole, the second with the questions of a language model. What it is about is the mean of its
 * statements, which needs no pass of its own where these were read in their talk. */
export async function embedTopic(
  { statements, summaryText, hypotheticalQuery }: Topic,
  vectors: readonly QuantizedVector[],
  { embedding }: StatementEmbedding,
): Promise<readonly [QuantizedVector, QuantizedVector]> {
  const isMean = embedding.embedsTalk && statements.length > 0;
  const texts = [
    ...(isMean ? [] : [summaryText]),
    ...(hypotheticalQuery === "" ? [] : [`${hypotheticalQuery} ${summaryText}`]),
  ];
  const embedded = await embedding.embed(texts, "commitment");
  const summaryVector = isMean ? meanVector(vectors, embedding.identity.dimensions) : embedded[0]!;
  return [summaryVector, hypotheticalQuery === "" ? summaryVector : embedded.at(-1)!];
}
