/**
 * Splits text into word pieces as BERT's uncased models expect: cleaned, lower-cased, without accents, split at spaces
 * and punctuation, then repeatedly the longest piece in the vocabulary. It yields the same ids as the portable
 * embedder's tokenizer.
 */

/** The part of a `tokenizer.json` that we read. */
interface TokenizerFile {
  readonly model: {
    readonly vocab: Readonly<Record<string, number>>;
    readonly unk_token: string;
    readonly continuing_subword_prefix: string;
    readonly max_input_chars_per_word: number;
  };
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
}

/** A word of a text: which pieces it was split into, from `start` to before `end`. */
export interface PieceWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const startToken = "[CLS]";
const endToken = "[SEP]";

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
  readonly #added: ReadonlyMap<string, number>;
  readonly #addedToken: RegExp;
  readonly #unknownId: number;
  readonly #prefix: string;
  readonly #wordLengthMax: number;

  constructor({ model, added_tokens: added }: TokenizerFile) {
    this.#vocabulary = new Map(Object.entries(model.vocab));
    this.#pieces = indexById(model.vocab);
    this.#added = new Map(added.map(({ content, id }) => [content, id]));
    this.#addedToken = new RegExp(`(${added.map(({ content }) => escapePattern(content)).join("|")})`, "u");
    this.#unknownId = this.#vocabulary.get(model.unk_token)!;
    this.#prefix = model.continuing_subword_prefix;
    this.#wordLengthMax = model.max_input_chars_per_word;
  }

  /** The ids of a text between those of start and end, `tokenCountMax` in all; the rest is cut off. */
  encode(text: string, tokenCountMax: number): number[] {
    const ids = [this.#added.get(startToken)!];
    for (const part of text.toWellFormed().split(this.#addedToken)) {
      const addedId = this.#added.get(part);
      if (addedId !== undefined) ids.push(addedId);
      else for (const word of splitWords(part)) this.#pushPieces(word, ids);
      if (ids.length >= tokenCountMax) break;
    }
    return [...ids.slice(0, tokenCountMax - 1), this.#added.get(endToken)!];
  }

  /** The words that pieces came from, lower-cased and without accents; not what stands for no word, as `[SEP]`. */
  wordsOf(ids: readonly number[]): PieceWord[] {
    const words: PieceWord[] = [];
    for (const [i, id] of ids.entries()) {
      const piece = this.#pieces[id]!;
      if (this.#added.has(piece)) continue;
      const last = words.at(-1);
      if (last?.end === i && piece.startsWith(this.#prefix)) {
        words[words.length - 1] = { text: last.text + piece.slice(this.#prefix.length), start: last.start, end: i + 1 };
      } else words.push({ text: piece, start: i, end: i + 1 });
    }
    return words;
  }

  #pushPieces(word: string, ids: number[]): void {
    const characters = [...word];
    const firstId = ids.length;
    if (characters.length > this.#wordLengthMax) {
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
      const piece = (start > 0 ? this.#prefix : "") + characters.slice(start, end).join("");
      const id = this.#vocabulary.get(piece);
      if (id !== undefined) return { id, end };
    }
    return { id: undefined, end: start };
  }
}

function indexById(vocabulary: Readonly<Record<string, number>>): string[] {
  const pieces: string[] = [];
  for (const [piece, id] of Object.entries(vocabulary)) pieces[id] = piece;
  return pieces;
}

function splitWords(text: string): string[] {
  const clean = text.replace(unreadable, "").replace(ideograph, " $& ");
  const plain = clean.normalize("NFD").replace(accent, "");
  // Letter by letter, since lower-casing in JavaScript depends on neighbouring letters and the model's tokenizer does
  // not.
  const lower = Array.from(plain, (character) => character.toLowerCase()).join("");
  return lower.match(wordOrMark) ?? [];
}

function escapePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&");
}
