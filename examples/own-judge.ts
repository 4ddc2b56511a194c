/**
 * A custom judge: rules instead of a model. It says what is worth remembering, what repeats or changes what, and what
 * answers a question, all as probabilities.
 */
import { type Judge, type JudgedPair, Mnemosyne, type Relation } from "mnemosyne-edge";

const smallTalk = /\b(?:hello|hi|thanks|thank you|bye|good (?:morning|night))\b/iu;
const change = /\b(?:now|no longer|moved|instead|not any more)\b/iu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Share of the words of `text` that `other` has too. */
function overlap(text: string, other: string): number {
  const [words, others] = [wordsOf(text), new Set(wordsOf(other))];
  return words.length === 0 ? 0 : words.filter((word) => others.has(word)).length / words.length;
}

const judge: Judge = {
  name: "rules",
  substance: async (texts) => texts.map((text) => (smallTalk.test(text) && wordsOf(text).length < 6 ? 0 : 1)),
  relation: async (pairs) => pairs.map(relate),
  relevance: async (question, statements) => statements.map((statement) => overlap(question, statement)),
  close: async () => {},
};

function relate({ older, newer }: JudgedPair): Relation {
  const repetition = overlap(newer, older) === 1 ? 1 : 0;
  const update = repetition === 0 && change.test(newer) && overlap(newer, older) >= 0.5 ? 1 : 0;
  return { repetition, update, different: 1 - repetition - update };
}

const mnemosyne = await Mnemosyne.open({ path: ":memory:", judge });
const ada = mnemosyne.person("ada");
for (const summary of ["Thank you!", "Ada lives in Leeds.", "Ada lives in Leeds.", "Ada now lives in York."]) {
  const { outcome, reason } = await ada.commit({ summary }, { wait: true });
  process.stdout.write(`${outcome}: ${reason.replaceAll(/\d{8}-\S+/gu, "…")}\n`);
}
await mnemosyne.close();
