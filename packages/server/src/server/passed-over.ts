/** What the shapes in `schemas.ts` do not see of a request. */

/** Names of a caller's own (metadata, filters, parameters) stand no deeper in a request. */
const ownNamesDepth = 3;

/**
 * Where a request has a member that the schemas would pass over without a word: a filter without one of its conditions
 * selects more than was asked for. Null if it has none.
 */
export function findPassedOver(value: unknown, path: string): string | null {
  const below = passedOverBelow(value, 0);
  return below === null ? null : path + below;
}

/** The place is put together when there is one: most requests have none, and may have many members. */
function passedOverBelow(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (Object.hasOwn(value, "__proto__")) return ".__proto__";
  if (depth === ownNamesDepth) return null;
  for (const name of Object.keys(value)) {
    const below = passedOverBelow((value as Record<string, unknown>)[name], depth + 1);
    if (below !== null) return `.${name}${below}`;
  }
  return null;
}
