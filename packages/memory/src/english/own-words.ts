/** Words with which people speak of themselves. */
const ownWords = "i|i['’]\\p{L}+|im|ive|my|me|mine";
/** Alone or with others. */
export const ourWords = `${ownWords}|we|we['’]\\p{L}+|our|us`;

/** Any of the words, which is a pattern, where it stands alone. */
export function wordPattern(words: string, flags = "giu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, flags);
}

export const aboutSelf = wordPattern(ownWords, "iu");
export const aboutUs = wordPattern(ourWords, "iu");
