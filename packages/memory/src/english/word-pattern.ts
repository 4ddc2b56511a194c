/** Any of the words, which is a pattern, where it stands alone. */
export function wordPattern(words: string, flags = "giu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, flags);
}
