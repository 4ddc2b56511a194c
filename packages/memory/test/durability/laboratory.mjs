/**
 * What every durability test and its child processes share: a clock that stands still, the hashing embedder, no reader,
 * everything committed (with such an embedder the substance filter knows nothing), and a journey of interactions to submit.
 */
import { HashingEmbedder, seededRandom } from "./hashing-embedder.mjs";

export const nowMs = Date.parse("2025-12-01T12:00:00Z");
const firstMs = Date.parse("2025-06-01T08:00:00Z");
const hoursApart = 13;

/** Options for `Mnemosyne.open`. */
export function laboratory({ parameters, ...options } = {}) {
  return {
    embedder: new HashingEmbedder(),
    reader: false,
    clock: { nowMs: () => nowMs },
    timeZone: "Europe/London",
    ...options,
    // A process that was killed keeps its queues for a moment only.
    parameters: { substanceThreshold: -10, queueLeaseSeconds: 1, ...parameters },
  };
}

/** Key of the encrypted databases in test/fixtures; what distinguishes it from its first 32 bytes counts since schema 2. */
export const frozenKey = "a key that is longer than thirty-two bytes, frozen";

/** Substance that nothing reaches: with it everything is discarded. */
export const discardEverything = { substanceThreshold: 10 };

const subjects = ["knee", "garden", "choir", "violin", "bakery", "insulin", "allotment", "staircase"];
const names = ["Marta", "Oskar", "Ines", "Pavel", "Bronwen", "Tomasz"];
const openings = ["told", "wrote down", "remembered", "explained", "dreamt"];
const syllables = [
  "ka",
  "mo",
  "ri",
  "tel",
  "su",
  "van",
  "do",
  "lim",
  "per",
  "nox",
  "fa",
  "gu",
  "zen",
  "hib",
  "wy",
  "qua",
];
/** Positions whose words come again, so that pairs are made and replaced. */
const repeatedPositions = [0, 1, 3];

/** The interaction at a position of the journey; the same on every call. */
export function interactionAt(position) {
  const isRepetition = position % 6 === 5;
  const random = seededRandom(`told ${isRepetition ? repeatedPositions[Math.floor(position / 6) % 3] : position}`);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const [name, subject] = [pick(names), pick(subjects)];
  const word = () => pick(syllables) + pick(syllables) + pick(syllables);
  const summary = `${name} ${pick(openings)} how the ${subject} of ${word()} met ${word()} ${word()}. It was ${word()} and ${word()}, ${Math.floor(random() * 1000)} times.`;
  const input = { id: `i${String(position).padStart(3, "0")}`, at: firstMs + position * hoursApart * 3_600_000 };
  if (isRepetition || position % 4 !== 2) return { ...input, summary };
  return {
    ...input,
    state: `in ${pick(subjects)} phase`,
    turns: [
      { who: "user", text: summary },
      { who: "assistant", text: `Thank you for telling me about the ${subject}. How is ${name} today?` },
    ],
  };
}

/** Whose interaction it is; repetitions belong to the person who said it first. */
export function personAt(position) {
  return ["ada", "ada", "bea", "ada", "cem", "ada"][position % 6];
}
