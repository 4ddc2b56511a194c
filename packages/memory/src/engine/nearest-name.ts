/** The known name that somebody probably meant: by its spelling, or by what other libraries call the same thing. */

/** Letters that may be wrong, and the share of a name that may be. */
const mistakesMax = 2;
const mistakeShareMax = 1 / 3;
/** No name is longer; comparing takes time in proportion to the length. */
const nameLengthMax = 40;

/** Null if none is near. Capitals and the marks between words do not count: `token_budget` is `tokenBudget`. */
export function nearestName(given: string, names: readonly string[]): string | null {
  if (given.length > nameLengthMax) return null;
  const bare = bareName(given);
  const countMax = Math.min(mistakesMax, Math.floor(bare.length * mistakeShareMax));
  let nearest: string | null = null;
  let fewest = countMax + 1;
  for (const name of names) {
    const count = countMistakes(bare, bareName(name));
    if (count >= fewest) continue;
    [nearest, fewest] = [name, count];
  }
  return nearest;
}

function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Letters left out, added, wrong, or swapped with their neighbour (Damerau-Levenshtein, each pair swapped once). */
function countMistakes(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          last[j]! + 1,
          row[j - 1]! + 1,
          last[j - 1]! + (isSame ? 0 : 1),
          isSwapped ? beforeLast[j - 2]! + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
