/** Plain search: whole interactions by words, by vectors and by both fused, and single turns by both fused. */
import type { Turn } from "mnemosyne-edge";
import type { Told } from "../data/person.js";
import { type OpenSystem, type System, lettersPerToken, tokenBudget } from "./system.js";
import { TextIndex, orderOf } from "./text-index.js";

type Scores = (index: TextIndex, question: string) => Promise<number[]> | number[];

export const openBm25: OpenSystem = async (_, { embedder }) =>
  new Search(new TextIndex(embedder), writeWhole, (index, question) => index.wordScores(question));
export const openVectorStore: OpenSystem = async (_, { embedder }) =>
  new Search(new TextIndex(embedder), writeWhole, (index, question) => index.cosines(question));
export const openFused: OpenSystem = async (_, { embedder }) =>
  new Search(new TextIndex(embedder), writeWhole, (index, question) => index.fusedScores(question));
export const openTurnsFused: OpenSystem = async (_, { embedder }) =>
  new Search(new TextIndex(embedder), writeTurns, (index, question) => index.fusedScores(question));

/** A piece of an interaction: what is searched and shown. */
interface Piece {
  readonly told: Told;
  readonly text: string;
}

function writeWhole(told: Told): Piece[] {
  const lines = told.turns.map(turnLine);
  return [{ told, text: [...(told.summary === undefined ? [] : [told.summary]), ...lines].join("\n") }];
}

function writeTurns(told: Told): Piece[] {
  return told.turns.map((turn) => ({ told, text: turnLine(turn) }));
}

export function turnLine({ who, text }: Turn): string {
  return `${who}: ${text}`;
}

class Search implements System {
  readonly #index: TextIndex;
  readonly #write: (told: Told) => Piece[];
  readonly #score: Scores;
  readonly #pieces: Piece[] = [];

  constructor(index: TextIndex, write: (told: Told) => Piece[], score: Scores) {
    this.#index = index;
    this.#write = write;
    this.#score = score;
  }

  async tell(told: Told): Promise<void> {
    const pieces = this.#write(told);
    this.#pieces.push(...pieces);
    await this.#index.add(pieces.map(({ text }) => text));
  }

  async ask({ text }: { readonly text: string }): Promise<{ ranked: string[]; context: string; confidence: null }> {
    const order = orderOf(await this.#score(this.#index, text));
    const ranked = [...new Set(order.map((i) => this.#pieces[i]!.told.id))];
    return { ranked, context: writeContext(this.#pieces, order), confidence: null };
  }

  async close(): Promise<void> {}
}

/** Takes pieces, best first, while there is room for them; shows them oldest first under their days. */
export function writeContext(pieces: readonly Piece[], order: readonly number[]): string {
  const picked: number[] = [];
  const dated = new Set<string>();
  let room = tokenBudget * lettersPerToken;
  for (const i of order) {
    const { told, text } = pieces[i]!;
    const cost = text.length + 3 + (dated.has(told.id) ? 0 : dayLength);
    if (cost > room) continue;
    room -= cost;
    dated.add(told.id);
    picked.push(i);
  }
  picked.sort((a, b) => a - b);
  const lines = picked.map((i, n) => {
    const { told, text } = pieces[i]!;
    const isNewDay = n === 0 || pieces[picked[n - 1]!]!.told.id !== told.id;
    return `${isNewDay ? `- ${formatDay(told.atMs)}:\n` : ""}  ${text}`;
  });
  return lines.join("\n");
}

/** At most, of a line with a day. */
const dayLength = 20;

function formatDay(atMs: number): string {
  const options = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Date(atMs).toLocaleDateString("en-GB", options);
}
