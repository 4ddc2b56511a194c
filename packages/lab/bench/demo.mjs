/** Real text for measurements with the bundled embedder: the conversations of the demo. */
import { readFileSync } from "node:fs";
import { createRandom } from "./synthetic.mjs";

const demo = JSON.parse(readFileSync(new URL("../../server/demo/knee-replacement.json", import.meta.url), "utf8"));

/** Conversations to commit; starts over if more are requested than exist. */
export function readDemoConversations(count = demo.interactions.length) {
  return Array.from({ length: count }, (_, i) => {
    const { id, at, turns } = demo.interactions[i % demo.interactions.length];
    return { id: `${id}-${i}`, at, turns };
  });
}

export function readDemoQuestions() {
  return demo.queries.map(({ query }) => query);
}

const sentences = demo.interactions
  .flatMap(({ turns }) => turns.filter(({ who }) => who === "user").flatMap(({ text }) => text.split(/(?<=[.?!])\s+/u)))
  .filter((sentence) => sentence.split(" ").length >= 6);
const sentencesPerTalk = 8;

/**
 * What the demo's person may have said on another day, as many as requested: by turns a single dated statement and a talk
 * of some length, made of sentences of the demo. No two are the same.
 */
export function makeSpokenConversation(number) {
  const random = createRandom(number);
  const pick = () => sentences[Math.floor(random() * sentences.length)];
  const statements =
    number % 2 === 0
      ? [`Day ${number}: ${pick()}`]
      : [`This is day ${number}.`, ...Array.from({ length: sentencesPerTalk }, pick)];
  const turns = [{ who: "user", text: statements.join(" ") }];
  return { number, threadNumber: Math.floor(number / sentencesPerTalk), repeats: null, statements, turns };
}
