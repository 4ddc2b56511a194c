/**
 * `node bench/spelling.mjs <folder for vectors> [name=value …] [data …]`: what recall loses when a word of the question is
 * misspelt. Every question is asked as it is and with one of its content words changed by one letter, by a seeded rule
 * that sees neither the answer nor the memories. Data are `chats`, `chats-long`, `journeys`, their held-out ones, or a
 * file of LoCoMo; the first three if none is named. Pairs set parameters. The judge takes no part.
 */
import { fileURLToPath } from "node:url";
import { BundledEmbedder } from "../../memory/dist/adapters/embedder/minilm/bundled.js";
import { createRandom } from "../../memory/dist/core/random.js";
import { isNumberWord, splitWords, toTerm } from "../../memory/dist/core/text/words.js";
import { readChats } from "../dist/data/chats.js";
import { readJourneys } from "../dist/data/journeys.js";
import { listJsonFiles } from "../dist/data/json-files.js";
import { readLocomo } from "../dist/data/locomo.js";
import { EmbeddingCache } from "../dist/embedding-cache.js";
import { replayGroup } from "../dist/replay.js";
import { selectSystems } from "../dist/systems/systems.js";
import { formatTable } from "./harness.mjs";

const [cacheFolder, ...rest] = process.argv.slice(2);
const pairs = rest.filter((each) => each.includes("=")).map((each) => each.split("="));
const parameters = Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
const named = rest.filter((each) => !each.includes("="));
const dataNames = named.length === 0 ? ["chats", "chats-long", "journeys"] : named;
const wordLengthMin = 5;
const variantCount = 2;
const mark = " misspelt ";

const slips = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word[at] + word.slice(at),
  (word, at) => (at + 1 < word.length ? word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) : word),
  (word, at, random) => word.slice(0, at) + "abcdefghijklmnoprstuvwy"[Math.floor(23 * random())] + word.slice(at + 1),
];

/** The question with one letter of one word changed, never the first one; null if it has no word that is long enough. */
function misspell(text, seed) {
  const random = createRandom(seed);
  const words = splitWords(text).filter(
    (word) => word.length >= wordLengthMin && toTerm(word) !== null && !isNumberWord(word) && !/['’]/u.test(word),
  );
  if (words.length === 0) return null;
  for (;;) {
    const word = words[Math.floor(random() * words.length)];
    const slip = slips[Math.floor(random() * slips.length)];
    const changed = slip(word, 1 + Math.floor(random() * (word.length - 1)), random);
    if (toTerm(changed) !== toTerm(word)) return text.replace(word, changed);
  }
}

async function readData(name) {
  if (name.endsWith(".json")) return readLocomo(name, {});
  const folder = fileURLToPath(new URL(`../benchmarks/${name}`, import.meta.url));
  return name.startsWith("chats") ? readChats(await listJsonFiles(folder, "chats")) : readJourneys(folder);
}

function withMisspelt(group) {
  const asked = group.questions.filter(({ kind }) => kind !== "adversarial");
  const misspelt = asked.flatMap((question) =>
    Array.from({ length: variantCount }, (_, i) => {
      const text = misspell(question.text, `${group.id} ${question.id} ${i}`);
      return text === null ? [] : [{ ...question, id: `${question.id}${mark}${i}`, text }];
    }).flat(),
  );
  return { ...group, questions: [...asked, ...misspelt] };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function describe(name, kind, results) {
  const cell = (measure) => {
    const known = results.map(({ measures }) => measures[measure]).filter((value) => value !== undefined);
    return known.length === 0 ? "" : mean(known).toFixed(4);
  };
  return [name, kind, results.length, ...["hit3", "ndcg3", "recall10", "evidence1000"].map(cell)];
}

const embedder = await EmbeddingCache.open(new BundledEmbedder(), cacheFolder);
const [system] = selectSystems(["mnemosyne"], parameters);
const rows = [];
for (const name of dataNames) {
  const { groups } = await readData(name);
  const results = [];
  for (const group of groups) {
    const setting = { embedder, judge: false, seed: 1, parameters, evidenceBudgets: [1000], replies: null };
    const replayed = await replayGroup(withMisspelt(group), system, { ...setting, onStep: () => {} });
    results.push(...replayed.results);
  }
  const isMisspelt = ({ record }) => record.questionId.includes(mark);
  rows.push(
    describe(
      name,
      "as asked",
      results.filter((each) => !isMisspelt(each)),
    ),
  );
  rows.push(describe(name, "misspelt", results.filter(isMisspelt)));
}
await embedder.close();
process.stdout.write(
  `${formatTable(["data", "questions", "count", "hit@3", "nDCG@3", "recall@10", "evidence"], rows)}\n`,
);
