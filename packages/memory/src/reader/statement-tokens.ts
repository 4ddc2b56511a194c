/** Vectors of a memory's statements and, where embedder and store have them, of the statements' single words. */
import type { MemoryNode } from "../graph/memory-node.js";
import type { Statement } from "../graph/statement.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import { packTokens } from "../graph/vectors/token-vectors.js";
import { embeddedText } from "./cut.js";
import type { EngineContext } from "../engine/engine-context.js";

interface Said extends Pick<MemoryNode, "summaryText"> {
  readonly statements: readonly Pick<Statement, "who" | "text" | "asked">[];
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

export async function embedStatements(
  said: Said,
  work: StatementEmbedding,
): Promise<{ readonly vectors: QuantizedVector[]; readonly tokenBytes: Uint8Array | null }> {
  const { embedding } = work;
  if (said.statements.length === 0 && !keepsTokens(work)) return { vectors: [], tokenBytes: null };
  const embedded = await embedding.embedWords(tokenizedTexts(said), "commitment");
  const vectors = said.statements.length === 0 ? [] : embedded.map(({ vector }) => vector);
  const words = embedded.map(({ wordVectors }) => wordVectors);
  return { vectors, tokenBytes: keepsTokens(work) ? packTokens(words, embedding.wordDimensions) : null };
}
