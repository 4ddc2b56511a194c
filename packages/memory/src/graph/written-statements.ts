/**
 * Which statements of a memory a language model wrote. The others are taken from what was said or from the summary that
 * was submitted, word for word, so a statement that begins like neither is the model's own.
 */
import type { EmbeddedNode } from "./memory-node.js";

/** Sentences are put together again with single blanks; so short a beginning is seldom more than one of them. */
const openingLength = 24;
const speakerEnd = ": ";

/** For each statement, whether a model wrote it; none of a memory that was made without one. */
export function findWritten({ node, fullText }: Pick<EmbeddedNode, "node" | "fullText">): boolean[] {
  const { statements, summaryText, hypotheticalQuery } = node;
  if (hypotheticalQuery === "") return statements.map(() => false);
  return statements.map((statement) => {
    const said = statement.indexOf(speakerEnd) + speakerEnd.length;
    const isSaid = said >= speakerEnd.length && fullText.includes(openingOf(statement.slice(said)));
    return !isSaid && !summaryText.includes(openingOf(statement));
  });
}

function openingOf(text: string): string {
  return text.slice(0, openingLength);
}
