/** How far vectors are apart. */

/** The largest difference between two numbers in the same place. */
export function largestDifference(some: readonly ArrayLike<number>[], others: readonly ArrayLike<number>[]): number {
  if (some.length !== others.length) return Infinity;
  const differences = some.map((vector, i) =>
    Math.max(...Array.from(vector, (value, k) => Math.abs(value - others[i]![k]!))),
  );
  return Math.max(...differences);
}
