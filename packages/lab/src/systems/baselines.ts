/**
 * What Mnemosyne is compared with: retrieval by vectors, by words and by both, and a context of everything. They keep every
 * interaction, use the same embedder and word splitter as Mnemosyne, and count tokens as it does.
 */
import { Bm25Index } from "./bm25.js";
import { type ContextBlock, formatDate, fullBlock, fullText, turnLine, writeBlocks } from "./baseline-context.js";
import type { DatasetInteraction } from "../data/dataset.js";
import type { System, SystemAnswer, SystemDefinition, SystemQuestion, SystemSetting } from "./system.js";
import { type Passage, VectorIndex, memoriesOf } from "./vector-index.js";

/** How many memories of a ranking are reported. */
const rankedCountMax = 20;
/** Reciprocal rank fusion's constant (Cormack, Clarke & Büttcher 2009). */
const fusionOffset = 60;
/** The most that a long-context model gets, regardless of the others' budget. */
const longContextTokenCount = 128_000;

/** The paper's baseline. */
export const naiveRagName = "naive-rag";

export const baselines: readonly SystemDefinition[] = [
  { name: naiveRagName, open: async (setting) => new VectorSearch(setting, summaryPassages) },
  { name: "rag-turns", open: async (setting) => new VectorSearch(setting, turnPassages) },
  { name: "bm25", open: async (setting) => new WordSearch(setting) },
  { name: "hybrid-rrf", open: async (setting) => new HybridFusion(setting) },
  { name: "long-context", open: async (setting) => new LongContext(setting) },
];

/** A passage with its lines of the context. */
interface ContextPassage extends Passage {
  readonly block: ContextBlock;
}

type PassageWriter = (interaction: DatasetInteraction, timeZone: string) => ContextPassage[];

/** Without a summary it is all that was said, of which an embedder reads only the beginning. */
const summaryPassages: PassageWriter = (interaction, timeZone) => {
  const { id, atMs, summary } = interaction;
  if (summary === null) {
    return [{ memoryId: id, text: fullText(interaction), block: fullBlock(interaction, timeZone) }];
  }
  return [{ memoryId: id, text: summary, block: lineBlock(`- ${formatDate(atMs, timeZone)}: ${summary}`) }];
};

const turnPassages: PassageWriter = ({ id, atMs, turns }, timeZone) => {
  const date = formatDate(atMs, timeZone);
  return turns.map(turnLine).map((text) => ({ memoryId: id, text, block: lineBlock(`- ${date}, ${text}`) }));
};

function lineBlock(line: string): ContextBlock {
  return { heading: null, lines: [line] };
}

/** One vector per passage; a memory is as good as its best passage. */
class VectorSearch implements System {
  readonly #index: VectorIndex<ContextPassage>;
  readonly #timeZone: string;
  readonly #write: PassageWriter;

  constructor({ embedder, timeZone }: SystemSetting, write: PassageWriter) {
    this.#index = new VectorIndex(embedder);
    this.#timeZone = timeZone;
    this.#write = write;
  }

  async commit(interaction: DatasetInteraction): Promise<null> {
    await this.#index.add(this.#write(interaction, this.#timeZone));
    return null;
  }

  async rank(question: string): Promise<string[]> {
    return memoriesOf(await this.#index.search(question));
  }

  async ask({ text }: SystemQuestion, tokenBudget: number): Promise<SystemAnswer> {
    const found = await this.#index.search(text);
    const blocks = found.map(({ block }) => block);
    return answer(memoriesOf(found), blocks, tokenBudget);
  }

  async close(): Promise<void> {}
}

/** BM25 over turns and summary. */
class WordSearch implements System {
  readonly #index = new Bm25Index();
  readonly #texts: FullTexts;

  constructor({ timeZone }: SystemSetting) {
    this.#texts = new FullTexts(timeZone);
  }

  async commit(interaction: DatasetInteraction): Promise<null> {
    this.#texts.add(interaction);
    this.#index.add(interaction.id, fullText(interaction));
    return null;
  }

  async rank(question: string): Promise<string[]> {
    return this.#index.search(question).map(({ id }) => id);
  }

  async ask({ text }: SystemQuestion, tokenBudget: number): Promise<SystemAnswer> {
    const ranked = await this.rank(text);
    return answer(ranked, this.#texts.blocks(ranked), tokenBudget);
  }

  async close(): Promise<void> {}
}

/** Reciprocal rank fusion of the three above. */
class HybridFusion implements System {
  readonly #rankers: readonly (VectorSearch | WordSearch)[];
  readonly #texts: FullTexts;

  constructor(setting: SystemSetting) {
    this.#rankers = [
      new VectorSearch(setting, summaryPassages),
      new VectorSearch(setting, turnPassages),
      new WordSearch(setting),
    ];
    this.#texts = new FullTexts(setting.timeZone);
  }

  async commit(interaction: DatasetInteraction): Promise<null> {
    this.#texts.add(interaction);
    for (const ranker of this.#rankers) await ranker.commit(interaction);
    return null;
  }

  async ask({ text }: SystemQuestion, tokenBudget: number): Promise<SystemAnswer> {
    const rankings = await Promise.all(this.#rankers.map((ranker) => ranker.rank(text)));
    const ranked = fuseRankings(rankings);
    return answer(ranked, this.#texts.blocks(ranked), tokenBudget);
  }

  async close(): Promise<void> {}
}

/** Everything said so far, newest first. */
class LongContext implements System {
  readonly #texts: FullTexts;
  readonly #ids: string[] = [];
  #answer: SystemAnswer | null = null;

  constructor({ timeZone }: SystemSetting) {
    this.#texts = new FullTexts(timeZone);
  }

  async commit(interaction: DatasetInteraction): Promise<null> {
    this.#texts.add(interaction);
    this.#ids.unshift(interaction.id);
    this.#answer = null;
    return null;
  }

  /** The same for every question, so it is built once. */
  async ask(): Promise<SystemAnswer> {
    this.#answer ??= answer(this.#ids, this.#texts.blocks(this.#ids), longContextTokenCount);
    return this.#answer;
  }

  async close(): Promise<void> {}
}

/** What was said in each interaction, formatted for a context. */
class FullTexts {
  readonly #timeZone: string;
  readonly #blocks = new Map<string, ContextBlock>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  add(interaction: DatasetInteraction): void {
    this.#blocks.set(interaction.id, fullBlock(interaction, this.#timeZone));
  }

  blocks(ids: readonly string[]): ContextBlock[] {
    return ids.map((id) => this.#blocks.get(id)!);
  }
}

/** Sum of 1 / (60 + rank) over the rankings, ranks from 1; a ranking without an id adds nothing for it. */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    ranking.forEach((id, i) => scores.set(id, (scores.get(id) ?? 0) + 1 / (fusionOffset + i + 1)));
  }
  return [...scores].sort(([, x], [, y]) => y - x).map(([id]) => id);
}

function answer(ranked: readonly string[], blocks: readonly ContextBlock[], tokenBudget: number): SystemAnswer {
  const { text, tokenCount } = writeBlocks(blocks, tokenBudget);
  return { ranked: ranked.slice(0, rankedCountMax), context: text, contextTokens: tokenCount };
}
