/**
 * `npm run bench:core-coverage -- <folder for vectors>`: how much of each journey's own list of lasting facts the core
 * summary has, once all of the journey is committed. A sentence of the list counts with the share of its terms that the
 * summary has; a journey with the mean over its list. That is a measure of words: it sees neither who a sentence is about
 * nor whether it holds, and a longer summary has more terms, so the words of each are shown too.
 */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BundledEmbedder } from "../../memory/dist/adapters/embedder/minilm/bundled.js";
import { splitTerms } from "../../memory/dist/core/text/words.js";
import { readJourneys } from "../dist/data/journeys.js";
import { EmbeddingCache } from "../dist/embedding-cache.js";
import { closeJudge, lendJudge, openJudge } from "../dist/judge-of-run.js";
import { formatTable } from "./harness.mjs";
import { replay } from "./journey-replay.mjs";

const [cacheFolder] = process.argv.slice(2);
const bundled = new BundledEmbedder();
const embedder = await EmbeddingCache.open(bundled, cacheFolder);
const judge = openJudge(undefined, bundled);
const ways = [
  { name: "default", options: () => ({ judge: lendJudge(judge) }) },
  { name: "default, judge: false", options: () => ({ judge: false }) },
  { name: "preset paper", options: () => ({ judge: false, preset: "paper" }) },
];

function cover(facts, text) {
  const known = new Set(splitTerms(text));
  const shares = facts.map((fact) => {
    const terms = [...new Set(splitTerms(fact))];
    return terms.filter((term) => known.has(term)).length / terms.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** The lists of lasting facts, by the ids of their journeys. */
function readLists(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const journeys = files.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
  return new Map(journeys.map(({ id, core }) => [id, core]));
}

const rows = [];
for (const name of ["journeys", "journeys-held-out"]) {
  const folder = fileURLToPath(new URL(`../benchmarks/${name}`, import.meta.url));
  const lists = readLists(folder);
  const { groups } = await readJourneys(folder);
  for (const group of groups) {
    const facts = lists.get(group.id);
    const cells = [];
    for (const { options } of ways) {
      const { text } = await replay(group, embedder, (person) => person.coreSummary({ update: true }), options());
      cells.push(`${cover(facts, text).toFixed(3)} (${text.split(/\s+/u).length} words)`);
    }
    rows.push([`${name}, ${group.id}`, facts.length, ...cells]);
  }
}
await closeJudge(judge);
await embedder.close();
process.stdout.write(`${formatTable(["journey", "facts", ...ways.map(({ name }) => name)], rows)}\n`);
