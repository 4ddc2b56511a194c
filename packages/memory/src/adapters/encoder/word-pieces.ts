/**
 * Splits text into word pieces as BERT's uncased models expect: cleaned, lower-cased, without accents, split at spaces
 * and punctuation, then repeatedly the longest piece in the vocabulary.
 */

/** A word of a text, and the places of the pieces that it was split into. */
export interface PieceWord {
  readonly text: string;
  readonly places: readonly number[];
}

const startToken = "[CLS]";
const endToken = "[SEP]";
const unknownToken = "[UNK]";
/** They stand for no word, and no text can contain them. */
const specialTokens: ReadonlySet<string> = new Set([startToken, endToken, unknownToken, "[PAD]", "[MASK]"]);
const prefix = "##";
const wordLengthMax = 100;

/** Control, format and private-use characters, and the replacement character. Spaces among them stay spaces. */
const unreadable = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\uFFFD]/gu;
const accent = /\p{Mn}/gu;
/** ASCII symbols count as punctuation, other symbols do not. */
const wordOrMark = /[!-/:-@[-`{-~\p{P}]|[^\s\p{White_Space}!-/:-@[-`{-~\p{P}]+/gu;
/** A character of these blocks is a word of its own. */
const ideograph =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;

export class WordPieces {
  readonly #vocabulary: ReadonlyMap<string, number>;
  readonly #pieces: readonly string[];
  readonly #unknownId: number;

  /** `vocabulary`: every piece at the place of its id. */
  constructor(vocabulary: readonly string[]) {
    this.#pieces = vocabulary;
    this.#vocabulary = new Map(vocabulary.map((piece, id) => [piece, id]));
    this.#unknownId = this.#idOf(unknownToken);
  }

  encode(text: string): number[] {
    const ids: number[] = [];
    for (const word of splitWords(text.toWellFormed())) this.#pushPieces(word, ids);
    return ids;
  }

  /** Texts between the marks of start and end. */
  enclose(...texts: readonly (readonly number[])[]): number[] {
    return [this.#idOf(startToken), ...texts.flatMap((ids) => [...ids, this.#idOf(endToken)])];
  }

  /** The words that the pieces at some places came from, lower-cased and without accents. */
  wordsOf(ids: readonly number[], places: readonly number[]): PieceWord[] {
    const words: { text: string; places: number[] }[] = [];
    for (const place of places) {
      const piece = this.#pieces[ids[place]!]!;
      const last = words.at(-1);
      if (specialTokens.has(piece)) continue;
      if (last?.places.at(-1) === place - 1 && piece.startsWith(prefix)) {
        last.text += piece.slice(prefix.length);
        last.places.push(place);
      } else words.push({ text: piece, places: [place] });
    }
    return words;
  }

  #idOf(piece: string): number {
    const id = this.#vocabulary.get(piece);
    if (id === undefined) throw new Error(`the encoder's vocabulary has no ${piece}`);
    return id;
  }

  #pushPieces(word: string, ids: number[]): void {
    const characters = [...word];
    const firstId = ids.length;
    if (characters.length > wordLengthMax) {
      ids.push(this.#unknownId);
      return;
    }
    for (let start = 0; start < characters.length;) {
      const { id, end } = this.#longestPiece(characters, start);
      if (id === undefined) {
        // One unknown piece makes the whole word unknown.
        ids.length = firstId;
        ids.push(this.#unknownId);
        return;
      }
      ids.push(id);
      start = end;
    }
  }

  #longestPiece(characters: readonly string[], start: number): { id: number | undefined; end: number } {
    for (let end = characters.length; end > start; end--) {
      const piece = (start > 0 ? prefix : "") + characters.slice(start, end).join("");
      const id = this.#vocabulary.get(piece);
      if (id !== undefined) return { id, end };
    }
    return { id: undefined, end: start };
  }
}

function splitWords(text: string): string[] {
  const clean = text.replace(unreadable, "").replace(ideograph, " $& ");
  const plain = clean.normalize("NFD").replace(accent, "");
  // Letter by letter, since lower-casing in JavaScript depends on neighbouring letters and the model's tokenizer does
  // not.
  const lower = Array.from(plain, (character) => character.toLowerCase()).join("");
  return lower.match(wordOrMark) ?? [];
}
