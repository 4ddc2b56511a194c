/**
 * The memory to beat: what people said, turn by turn, each with the question it answers, scored by the turn's cosine, half
 * the whole exchange's and half its best sentence's. No time reading, no changes, no graph, no core memory.
 */
import type { Told } from "../data/person.js";
import { turnLine, writeContext } from "./baselines.js";
import type { OpenSystem, System } from "./system.js";
import { TextIndex, orderOf } from "./text-index.js";

const wholeWeight = 0.5;
const sentenceWeight = 0.5;

export const openPlainMemory: OpenSystem = async (_, { embedder }): Promise<System> => {
  const interactions = new TextIndex(embedder);
  const turns = new TextIndex(embedder);
  const sentences = new TextIndex(embedder);
  const pieces: { readonly told: Told; readonly text: string; readonly place: number }[] = [];
  /** The interaction of each sentence. */
  const places: number[] = [];
  let count = 0;
  return {
    async tell(told) {
      await interactions.add([told.turns.map(turnLine).join("\n")]);
      const place = count++;
      for (const [i, { who, text }] of told.turns.entries()) {
        if (who === "assistant") continue;
        const before = told.turns[i - 1];
        const asked = before?.who === "assistant" && /\?\s*$/u.test(before.text) ? `[${before.text}] ` : "";
        const said = text.split(/(?<=[.!?])\s+/u).filter((sentence) => sentence.trim() !== "");
        pieces.push({ told, text: asked + text, place });
        places.push(...said.map(() => place));
        await turns.add([asked + text]);
        await sentences.add(said.map((sentence, n) => (n === 0 ? asked + sentence : sentence)));
      }
    },
    async ask({ text }) {
      const [ofWhole, ofTurn, ofSentence] = await Promise.all(
        [interactions, turns, sentences].map((index) => index.cosines(text)),
      );
      const best = ofWhole!.map(() => -1);
      ofSentence!.forEach((cosine, i) => (best[places[i]!] = Math.max(best[places[i]!]!, cosine)));
      const scores = pieces.map(
        ({ place }, i) => ofTurn![i]! + wholeWeight * ofWhole![place]! + sentenceWeight * best[place]!,
      );
      const order = orderOf(scores);
      const ranked = [...new Set(order.map((i) => pieces[i]!.told.id))];
      return { ranked, context: writeContext(pieces, order), confidence: null };
    },
    close: () => Promise.resolve(),
  };
};
