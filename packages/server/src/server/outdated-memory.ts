/** Whether a memory, as callers see it, no longer holds. */
import type { Memory } from "mnemosyne-edge";
import { isFact } from "mnemosyne-edge/internal/graph/statement.js";

/** Every fact that it states has ended; of one that states none, all of it. */
export function isOutdated({ statements, outdatedBy }: Pick<Memory, "statements" | "outdatedBy">): boolean {
  if (outdatedBy.length === 0) return false;
  const facts = statements.filter(isFact);
  return (facts.length === 0 ? statements : facts).every(({ endedAt }) => endedAt !== null);
}
