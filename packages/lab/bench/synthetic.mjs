/**
 * A synthetic person: texts with a realistic vocabulary, and an instant embedder, so that the library's own work can be
 * measured at any size. Every text depends only on its number, so that all processes make the same texts.
 *
 * Words follow Zipf's law; each belongs to one of 40 topics. Memories form threads (something that lasts for a while, with
 * its own names), and about one in ten nearly repeats an earlier one, so that edges, pairs and keyword overlaps occur as in
 * real conversations.
 */
export const dimensions = 384;
const topicCount = 40;
const vocabularySize = 12_000;
const textsPerThread = 8;
const sentencesPerText = 5;
const wordsPerSentence = 12;
const repetitionShare = 0.1;
const repetitionKeptShare = 0.8;
const functionWordShare = 0.45;
const topicWordShare = 0.25;
const threadWordShare = 0.17;
const namesPerThread = 4;
const topicPull = 0.24;
const nameWeight = 1.3;
const keywordCount = 12;
const speakers = ["user", "assistant"];
const nameRank = 400;
const dayMs = 86_400_000;
/** Memories of three years, ending at the benchmark's "now". */
const nowMs = Date.UTC(2025, 5, 15, 12);
const spanMs = 3 * 365 * dayMs;

const functionWords =
  `the and to of a in is it that was for on she he they with at had but be this have from her his not
  are we were you as their my by so all about when there one then would if what said them me out which could up just
  will been after into some no more because very really today who how did back`.split(/\s+/u);
const functionWordSet = new Set(functionWords);
const syllables =
  `ba be bi bo da de di do fa fe fi fo ga ge gi go ha he hi ho ka ke ki ko la le li lo ma me mi mo na ne ni
  no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo wa we wi wo bra cre dri flo gra pla sta tri`.split(
    /\s+/u,
  );
const endings = ["n", "r", "l", "t", "m", "k", "nd", "st", "ck", "rt"];

/** Numbers between 0 and 1 that depend only on the seed (mulberry32). */
export function createRandom(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function hashWord(word) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function makeWord(random) {
  const syllableCount = 2 + Math.floor(random() * 2);
  let word = "";
  for (let i = 0; i < syllableCount; i++) word += pick(syllables, random);
  return word + pick(endings, random);
}

function pick(items, random) {
  return items[Math.floor(random() * items.length)];
}

/** Draws the first items most often, following Zipf's law. */
function pickZipf(items, random) {
  return items[Math.floor(items.length ** random()) - 1];
}

function makeVocabulary() {
  const random = createRandom(7);
  const words = new Set();
  while (words.size < vocabularySize) words.add(makeWord(random));
  const topics = Array.from({ length: topicCount }, () => []);
  for (const word of words) topics[hashWord(word) % topicCount].push(word);
  return { words: [...words], topics };
}

const vocabulary = makeVocabulary();
const commonness = new Map(vocabulary.words.map((word, rank) => [word, rank]));

function makeThread(threadNumber) {
  const random = createRandom(1_000_003 + threadNumber);
  const topic = vocabulary.topics[Math.floor(random() * topicCount)];
  const names = Array.from({ length: namesPerThread }, () => capitalize(makeWord(random)));
  const words = [
    ...names,
    ...Array.from({ length: 4 }, () => pick(topic, random)),
    String(10 + Math.floor(random() * 990)),
  ];
  return { topic, words };
}

function threadNumberOf(number, random) {
  return Math.floor((number / textsPerThread) * random());
}

/** Sentences of a text as lists of words, and the number of the text it repeats. */
function makeSentences(number) {
  const random = createRandom(number);
  const threadNumber = threadNumberOf(number, random);
  const isRepetition = number > 20 && random() < repetitionShare;
  if (isRepetition) {
    const earlier = Math.floor(random() * number);
    const repeated = makeSentences(earlier);
    if (repeated.repeats === null) {
      const thread = makeThread(repeated.threadNumber);
      const keep = (word) => (random() < repetitionKeptShare ? word : makeContentWord(thread, random));
      const sentences = repeated.sentences.map((words) => words.map((word, i) => (i === 0 ? word : keep(word))));
      return { threadNumber: repeated.threadNumber, repeats: earlier, sentences };
    }
  }
  const thread = makeThread(threadNumber);
  const sentences = Array.from({ length: sentencesPerText }, () => makeSentence(thread, random));
  return { threadNumber, repeats: null, sentences };
}

function makeSentence(thread, random) {
  const words = [capitalize(pickZipf(functionWords, random))];
  while (words.length < wordsPerSentence) {
    words.push(random() < functionWordShare ? pickZipf(functionWords, random) : makeContentWord(thread, random));
  }
  return words;
}

function makeContentWord(thread, random) {
  const share = random() * (1 - functionWordShare);
  if (share < threadWordShare) return pick(thread.words, random);
  return pickZipf(share < threadWordShare + topicWordShare ? thread.topic : vocabulary.words, random);
}

function capitalize(word) {
  return word[0].toUpperCase() + word.slice(1);
}

/** One conversation: 60 words in five sentences, three by the user and two by the assistant; each is a statement. */
export function makeConversation(number) {
  const { threadNumber, repeats, sentences } = makeSentences(number);
  const texts = sentences.map((words) => `${words.join(" ")}.`);
  const parts = [texts.slice(0, 3), texts.slice(3)].map((part, turn) => ({ turn, who: speakers[turn], part }));
  const turns = parts.map(({ who, part }) => ({ who, text: part.join(" ") }));
  const statements = parts.flatMap(({ turn, who, part }) =>
    part.map((text) => ({ turn, who, text, asked: null, kind: "said", reading: null })),
  );
  return { number, threadNumber, repeats, statements, turns };
}

/** A question about a conversation: some of the words of one of its sentences. */
export function makeQuestion(number) {
  const random = createRandom(number + 500_000_009);
  const words = pick(makeSentences(number).sentences, random).filter(
    (word) => !functionWordSet.has(word.toLowerCase()),
  );
  return `What was it with ${words.slice(0, 4).join(" and ")}?`;
}

/** The rarest words; a thread's names recur within it, so they are not among the first. */
export function chooseKeywords({ statements }) {
  const said = statements.map(({ text }) => text).join(" ");
  const words = new Set(splitWords(said).filter((word) => !functionWordSet.has(word.toLowerCase())));
  const rarity = (word) => commonness.get(word) ?? nameRank;
  return [...words]
    .sort((a, b) => rarity(b) - rarity(a) || (a < b ? -1 : 1))
    .slice(0, keywordCount)
    .map((word) => word.toLowerCase());
}

/** When the conversation with this number took place, out of `count` within the time span. */
export function timeOf(number, count) {
  return Math.round(nowMs - spanMs + ((number + 0.5) / count) * spanMs);
}

function splitWords(text) {
  return text.match(/[A-Za-z0-9]+/gu) ?? [];
}

const centres = Array.from({ length: topicCount }, (_, topic) => makeUnitVector(createRandom(90_000 + topic)));

function makeUnitVector(random) {
  const vector = new Float32Array(dimensions);
  let square = 0;
  for (let i = 0; i < dimensions; i++) {
    vector[i] = random() + random() + random() - 1.5;
    square += vector[i] ** 2;
  }
  return vector.map((component) => component / Math.sqrt(square));
}

/** Adds up word vectors, each its own random direction plus a little of its topic's. */
export class SyntheticEmbedder {
  identity = { name: "synthetic", dimensions };
  textsPerCall = 16;
  /** Time spent in here, to be subtracted from what is measured around it. */
  spentMs = 0;
  textCount = 0;
  #wordVectors = new Map();

  embed(texts) {
    const startMs = performance.now();
    const vectors = texts.map((text) => this.vectorOf(text));
    this.spentMs += performance.now() - startMs;
    this.textCount += texts.length;
    return Promise.resolve(vectors);
  }

  async close() {}

  vectorOf(text) {
    const sum = new Float32Array(dimensions);
    for (const word of splitWords(text)) {
      if (functionWordSet.has(word.toLowerCase())) continue;
      const vector = this.#wordVector(word);
      for (let i = 0; i < dimensions; i++) sum[i] += vector[i];
    }
    if (sum.every((component) => component === 0)) sum.set(this.#wordVector(text));
    return sum;
  }

  #wordVector(word) {
    let vector = this.#wordVectors.get(word);
    if (vector === undefined) {
      const hash = hashWord(word);
      const isName = /^[A-Z0-9]/u.test(word);
      const centre = centres[hash % topicCount];
      const own = makeUnitVector(createRandom(hash));
      vector = own.map((component, i) => (isName ? nameWeight * component : component + topicPull * centre[i]));
      this.#wordVectors.set(word, vector);
    }
    return vector;
  }
}

/** A clock that stands still until it is set forward. */
export class BenchClock {
  #ms = nowMs;

  nowMs() {
    return this.#ms;
  }

  advance(ms) {
    this.#ms += ms;
  }
}
