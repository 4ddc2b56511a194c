/**
 * From texts to what the encoder says of them. A plain text is one statement. A window is read in one pass: its statements
 * see each other and the words before them. A pair is two texts in one, whose relation is read.
 */
import { readFile } from "node:fs/promises";
import type { EmbeddedStatement, EmbeddedText, TalkWindow } from "../../ports/embedder.js";
import { toReading } from "./reading.js";
import type { EncoderInput, EncoderOutput, RunEncoder } from "./runtime.js";
import { WordPieces } from "./word-pieces.js";
import { toWords } from "./words.js";

export type TextPair = readonly [string, string];

/** As the encoder was trained: pieces of a text in all, of a statement, of the words before, and of each of a pair. */
const pieceCountMax = 256;
const statementPieceCountMax = 160;
const beforePieceCountMax = 40;
const pairPieceCountMax = 110;

export class TextEncoder {
  readonly #run: RunEncoder;
  readonly #pieces: WordPieces;

  static async load(opening: Promise<RunEncoder>, vocabularyPath: string): Promise<TextEncoder> {
    const [run, vocabulary] = await Promise.all([opening, readFile(vocabularyPath, "utf8")]);
    return new TextEncoder(run, new WordPieces(vocabulary.trimEnd().split("\n")));
  }

  private constructor(run: RunEncoder, pieces: WordPieces) {
    this.#run = run;
    this.#pieces = pieces;
  }

  async embed(text: string): Promise<EmbeddedText> {
    const own = this.#pieces.encode(text).slice(0, pieceCountMax - 2);
    const input = { pieces: this.#pieces.enclose(own), statements: [orStart(placesFrom(1, own.length))] };
    return this.#toText(input, await this.#run(input), 0);
  }

  async embedWindow(window: TalkWindow): Promise<EmbeddedStatement[]> {
    const all: EmbeddedStatement[] = [];
    while (all.length < window.texts.length) {
      const input = this.#layOut(window, all.length);
      const output = await this.#run(input);
      const size = output.readings.length / input.statements.length;
      for (const i of input.statements.keys()) {
        const reading = toReading(output.readings.subarray(i * size, (i + 1) * size));
        all.push({ ...this.#toText(input, output, i), reading });
      }
    }
    return all;
  }

  /** What the heads of pairs say. */
  async relate(pair: TextPair): Promise<Float32Array> {
    const [first, second] = pair.map((text) => this.#pieces.encode(text).slice(0, pairPieceCountMax));
    const pieces = this.#pieces.enclose(first!, second!);
    return (await this.#run({ pieces, statements: [placesFrom(0, pieces.length)] })).relation;
  }

  /**
   * The words before, then statement by statement from one of them on, as many as fit; an answer has the question's pieces,
   * too.
   */
  #layOut({ before, isAnswer, texts }: TalkWindow, from: number): EncoderInput {
    const words = from === 0 ? before : texts[from - 1]!;
    const lead = words === null ? [] : this.#pieces.encode(words).slice(-beforePieceCountMax);
    const start = lead.length === 0 ? 1 : lead.length + 2;
    const told: number[] = [];
    const statements: number[][] = [];
    for (const text of texts.slice(from)) {
      const own = this.#pieces.encode(text).slice(0, statementPieceCountMax);
      if (statements.length > 0 && start + told.length + own.length >= pieceCountMax) break;
      const asked = isAnswer && from === 0 && statements.length === 0 ? placesFrom(1, lead.length) : [];
      statements.push(orStart([...asked, ...placesFrom(start + told.length, own.length)]));
      told.push(...own);
    }
    return { pieces: lead.length === 0 ? this.#pieces.enclose(told) : this.#pieces.enclose(lead, told), statements };
  }

  #toText({ pieces, statements }: EncoderInput, { vectors, tokens }: EncoderOutput, i: number): EmbeddedText {
    const size = vectors.length / statements.length;
    const words = this.#pieces.wordsOf(pieces, statements[i]!);
    return { vector: vectors.slice(i * size, (i + 1) * size), ...toWords(words, tokens) };
  }
}

/** A text without any piece has the vector of its start. */
function orStart(places: number[]): number[] {
  return places.length === 0 ? [0] : places;
}

function placesFrom(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => start + i);
}
