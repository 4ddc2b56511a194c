// `npm run bench:central-scores`: how far the four parts of the hybrid score (section 3.3) differ between the memories of a
// journey, once all of it is committed. A part that is nearly the same for all cannot choose between them.
import { fileURLToPath } from "node:url";
import { BundledEmbedder } from "../../memory/dist/adapters/embedder/minilm/bundled.js";
import { boostScore, connectivityScore, recencyScore } from "../../memory/dist/core/paper/central-subset.js";
import { binnedEntropy } from "../../memory/dist/core/paper/entropy.js";
import { quantizeVector } from "../../memory/dist/core/vectors/quantized-vector.js";
import { readJourneys } from "../dist/data/journeys.js";
import { EmbeddingCache } from "../dist/embedding-cache.js";
import { parseParameters } from "../../memory/dist/index.js";
import { replay } from "./journey-replay.mjs";

const [cacheFolder] = process.argv.slice(2);
const parameters = parseParameters();
const weights = {
  s_conn: parameters.centralConnectivityWeight,
  s_boost: parameters.centralBoostWeight,
  s_rece: parameters.centralRecencyWeight,
  s_ent: parameters.centralEntropyWeight,
};
const embedder = await EmbeddingCache.open(new BundledEmbedder(), cacheFolder);
process.stdout.write(
  "journey, memories: part  mean  standard deviation  least  greatest  weight * standard deviation\n",
);
for (const folder of ["journeys", "journeys-held-out"]) {
  const { groups } = await readJourneys(fileURLToPath(new URL(`../benchmarks/${folder}`, import.meta.url)));
  for (const group of groups) await report(group);
}
await embedder.close();

async function report(group) {
  const graph = await replay(group, embedder, (person) => person.graph());
  for (const [name, values] of Object.entries(await scoresOf(graph))) show(group.id, name, values);
}

async function scoresOf({ memories, edges }) {
  const vectors = await embedder.embed(memories.map(({ summary }) => summary));
  const boosted = edges.filter(({ boostMs }) => boostMs > 0);
  const degreeIn = (list, id) => list.filter(({ a, b }) => a === id || b === id).length;
  const boostCounts = memories.map(({ id }) => degreeIn(boosted, id));
  const momentsMs = memories.map(({ at }) => Date.parse(at));
  const newestMs = Math.max(...momentsMs);
  return {
    s_conn: memories.map(({ id }) => connectivityScore(degreeIn(edges, id), memories.length)),
    s_boost: boostCounts.map((count) => boostScore(count, Math.max(...boostCounts))),
    s_rece: momentsMs.map((ms) => recencyScore(newestMs - ms, parameters.centralRecencyDays)),
    s_ent: vectors.map((vector) => 1 / (1 + binnedEntropy(quantizeVector(vector), parameters.entropyBinCount))),
  };
}

function show(journey, name, values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const figures = [mean, deviation, Math.min(...values), Math.max(...values), weights[name] * deviation];
  const shown = figures.map((figure) => figure.toFixed(3)).join("  ");
  process.stdout.write(`${journey}, ${values.length}: ${name}  ${shown}\n`);
}
