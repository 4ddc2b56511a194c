/**
 * A custom reader: rules instead of a model. It says what states a fact and in which area of life, and what repeats or ends
 * what, all as probabilities.
 */
import { Mnemosyne, type Reader, type Reading, type Relation, type StatementPair } from "mnemosyne-edge";

const smallTalk = /\b(?:hello|hi|thanks|thank you|bye|good (?:morning|night))\b/iu;
const change = /\b(?:now|no longer|moved|instead|not any more)\b/iu;
const home = /\b(?:lives?|living|moved)\b/iu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Share of the words of `text` that `other` has too. */
function overlap(text: string, other: string): number {
  const [words, others] = [wordsOf(text), new Set(wordsOf(other))];
  return words.length === 0 ? 0 : words.filter((word) => others.has(word)).length / words.length;
}

const reader: Reader = {
  name: "rules",
  read: async (statements) => statements.map(({ text }) => readStatement(text)),
  relate: async (pairs) => pairs.map(relate),
  close: async () => {},
};

function readStatement(text: string): Reading {
  const fact = smallTalk.test(text) && wordsOf(text).length < 6 ? 0 : 1;
  const isHome = home.test(text);
  return { fact, about: "self", area: isHome ? "home" : "habits", lasting: isHome ? 1 : 0.5, alone: 1 };
}

function relate({ older, newer }: StatementPair): Relation {
  const repeats = overlap(newer, older) === 1 ? 1 : 0;
  const ends = repeats === 0 && change.test(newer) && overlap(newer, older) >= 0.5 ? 1 : 0;
  return { repeats, ends, other: 1 - repeats - ends };
}

const mnemosyne = await Mnemosyne.open({ path: ":memory:", reader });
const ada = mnemosyne.person("ada");
for (const text of ["Thank you!", "I live in Leeds.", "I live in Leeds.", "I now live in York."]) {
  const { outcome, reason } = await ada.commit(text, { wait: true });
  process.stdout.write(`${outcome}: ${reason.replaceAll(/\d{8}-\S+/gu, "…")}\n`);
}
await mnemosyne.close();
